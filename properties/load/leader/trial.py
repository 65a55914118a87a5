"""Trial and answer of `load.leader`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from evenkeel.properties.load.averages.trial import AveragesNow
from evenkeel.properties.load.numbers import require_count, require_traffic
from evenkeel.properties.names import require_bundle, require_name
from evenkeel.properties.trial import require_different
from evenkeel.reference.edition import Edition
from evenkeel.reference.java_text import in_order
from evenkeel.reference.load import leader
from evenkeel.reference.load.leader import BrokerAverages, BundleSample, Known


@dataclass(frozen=True, slots=True)
class Publish:
    """A broker publishes a report, and the leader is notified."""

    DO: ClassVar[str] = "publish"
    broker: str
    bundles: tuple[BundleSample, ...]

    def __post_init__(self) -> None:
        require_name("broker", self.broker)
        require_different("bundles", (sample.bundle for sample in self.bundles))
        for index, sample in enumerate(self.bundles):
            require_bundle(f"bundles[{index}].bundle", sample.bundle)
            require_traffic(f"bundles[{index}].traffic", sample.traffic)
            require_count(f"bundles[{index}].topics", sample.topics)


@dataclass(frozen=True, slots=True)
class Leave:
    """A broker that is there leaves; the leader is notified. Nothing happens if it is not."""

    DO: ClassVar[str] = "leave"
    broker: str

    def __post_init__(self) -> None:
        require_name("broker", self.broker)


@dataclass(frozen=True, slots=True)
class Write:
    """The leader writes its data to the metadata store."""

    DO: ClassVar[str] = "write"


LeaderCommand = Publish | Leave | Write


@dataclass(frozen=True, slots=True)
class LeaderTrial:
    """`load.leader`: what does the leader know after each command?

    While a bundle changes its broker, the latest reports of two brokers have it.
    """

    commands: tuple[LeaderCommand, ...]


@dataclass(frozen=True, slots=True)
class KnownBundle:
    """What the leader knows of a bundle."""

    bundle: str
    averages: AveragesNow


@dataclass(frozen=True, slots=True)
class KnownBroker:
    """What the leader knows of a broker."""

    broker: str
    averages: BrokerAverages


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Everything that the leader knows, by name."""

    bundles: tuple[KnownBundle, ...]
    brokers: tuple[KnownBroker, ...]


@dataclass(frozen=True, slots=True)
class LeaderAnswer:
    """What is known after each command."""

    results: tuple[Knowledge, ...]


def answer_leader(trial: LeaderTrial, edition: Edition) -> LeaderAnswer:
    """What is known after each command."""
    known, results = Known(), []
    for command in trial.commands:
        known = after_command(known, command, edition)
        results.append(knowledge(known))
    return LeaderAnswer(tuple(results))


def after_command(known: Known, command: LeaderCommand, edition: Edition) -> Known:
    """What is known after one more command."""
    if isinstance(command, Publish):
        return leader.reported(known, command.broker, command.bundles, edition)
    if isinstance(command, Leave):
        there = command.broker in known.reports
        return leader.left(known, command.broker, edition) if there else known
    return leader.written(known, edition)


def knowledge(known: Known) -> Knowledge:
    """All of it as an answer."""
    return Knowledge(
        tuple(
            KnownBundle(bundle, AveragesNow.of(average))
            for bundle, average in in_order(known.bundles)
        ),
        tuple(
            KnownBroker(broker, sums) for broker, sums in in_order(leader.broker_averages(known))
        ),
    )


def leader_labels(trial: LeaderTrial) -> Iterator[str]:
    """What happens besides reports."""
    if any(isinstance(command, Leave) for command in trial.commands):
        yield "brokers leave"
    if any(isinstance(command, Write) for command in trial.commands):
        yield "data are written"
    latest: dict[str, set[str]] = {}
    for command in trial.commands:
        if isinstance(command, Publish):
            latest[command.broker] = {sample.bundle for sample in command.bundles}
        elif isinstance(command, Leave):
            latest.pop(command.broker, None)
        if sum(map(len, latest.values())) > len(set().union(*latest.values())):
            yield "a bundle in two reports"
            return
