"""Trials about preallocation: `placement.preallocation`.

A modular manager's leader with LeastLongTermMessageRate; its brokers use no resources to speak of.
Every bundle has the same rate whenever it is reported. The leader itself serves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from evenkeel.properties.names import require_broker, require_new_bundle
from evenkeel.properties.placement.asks import (
    AMOUNT,
    AskResult,
    AsksAnswer,
    Chosen,
    Done,
    choose,
    require_names,
)
from evenkeel.properties.trial import require, require_different
from evenkeel.reference.edition import Edition
from evenkeel.reference.placement import preallocation
from evenkeel.reference.placement.preallocation import Leader


@dataclass(frozen=True, slots=True)
class BundleRate:
    """A bundle, by full name, and its messages per second when it is reported."""

    bundle: str
    rate: int


@dataclass(frozen=True, slots=True)
class LookUp:
    """A client looks a bundle up that has no owner: who gets it?"""

    DO: ClassVar[str] = "look_up"
    bundle: str


@dataclass(frozen=True, slots=True)
class Propose:
    """Shedding asks where a bundle would go."""

    DO: ClassVar[str] = "propose"
    bundle: str


@dataclass(frozen=True, slots=True)
class Reports:
    """A broker reports these bundles; one that was not there joins."""

    DO: ClassVar[str] = "reports"
    broker: str
    bundles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Leaves:
    """A broker is gone."""

    DO: ClassVar[str] = "leaves"
    broker: str


PreallocationCommand = LookUp | Propose | Reports | Leaves


@dataclass(frozen=True, slots=True)
class PreallocationTrial:
    """`placement.preallocation`: lookups, proposals and reports. The first brokers are idle."""

    evenly: bool
    brokers: tuple[str, ...]
    bundles: tuple[BundleRate, ...]
    commands: tuple[PreallocationCommand, ...]

    def __post_init__(self) -> None:
        names = [known.bundle for known in self.bundles]
        require_names("brokers", self.brokers)
        for broker in self.brokers:
            require_broker("brokers", broker)
        require_different("bundles", names)
        for name in names:
            require_new_bundle("bundles", name)
        whole = all(0 <= known.rate < AMOUNT for known in self.bundles)
        require(whole, "bundles", "rates must be 0 or more, below 2^48")
        for command in self.commands:
            if isinstance(command, Reports | Leaves):
                require_broker("commands", command.broker)
            named = command.bundles if isinstance(command, Reports) else ()
            if isinstance(command, LookUp | Propose):
                named = (command.bundle,)
            require_different("commands", named)
            require(set(named) <= set(names), "commands", "must name bundles of the trial")

    @property
    def rates(self) -> dict[str, int]:
        """The rates by bundle."""
        return {known.bundle: known.rate for known in self.bundles}


def start(trial: PreallocationTrial) -> Leader:
    """Idle brokers."""
    return Leader({broker: frozenset() for broker in trial.brokers})


def report(leader: Leader, command: Reports | Leaves, edition: Edition) -> Leader:
    """The leader after a report, or after a broker has left; one that was not there changes
    nothing.
    """
    live = dict(leader.reported)
    if live.pop(command.broker, None) is None and isinstance(command, Leaves):
        return leader
    if isinstance(command, Reports):
        live[command.broker] = frozenset(command.bundles)
    return preallocation.settle(live, command.broker, leader, edition)


def answer_preallocation(trial: PreallocationTrial, edition: Edition) -> AsksAnswer:
    """One result for each command."""
    leader, rates = start(trial), trial.rates
    results: list[AskResult] = []
    for turn, command in enumerate(trial.commands):
        if isinstance(command, Reports | Leaves):
            leader = report(leader, command, edition)
            results.append(Done())
            continue
        chosen: str | None
        if isinstance(command, LookUp) and command.bundle in leader.given:
            chosen = leader.given[command.bundle]
        else:
            allowed = preallocation.allowed(command.bundle, leader, rates, trial.evenly)
            chosen = choose(allowed, turn)
            if isinstance(command, LookUp) and chosen is not None:
                leader = preallocation.give(command.bundle, chosen, leader)
        results.append(Chosen((chosen,)))
    return AsksAnswer(tuple(results))


def preallocation_labels(trial: PreallocationTrial) -> Iterator[str]:
    """Reports, proposals, brokers that leave."""
    if trial.evenly:
        yield "spread evenly"
    for kind, label in ((Reports, "reports"), (Propose, "proposals"), (Leaves, "brokers leave")):
        if any(isinstance(command, kind) for command in trial.commands):
            yield label
