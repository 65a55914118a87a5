"""Trials and answers of `splitting.due_modular`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evenkeel.properties.splitting.due import (
    BundleLoad,
    NamespaceCount,
    bundle_name,
    counts_of,
    load_of,
    require_counted,
)
from evenkeel.properties.trial import require_bounds, require_number_of
from evenkeel.reference.edition import Edition
from evenkeel.reference.splitting import due
from evenkeel.reference.splitting.settings import SplitRules


@dataclass(frozen=True, slots=True)
class ModularRound:
    """One round of the leader: every broker's latest report, and the namespaces' bundle counts.

    While a bundle changes its broker, two brokers report it.
    """

    loads: tuple[BundleLoad, ...]
    counts: tuple[NamespaceCount, ...]

    def __post_init__(self) -> None:
        reports = tuple((load.broker, load.bundle) for load in self.loads)
        require_counted(reports, self.counts)


@dataclass(frozen=True, slots=True)
class ModularDueTrial:
    """`splitting.due_modular`: which bundles does the leader have split, round after round?

    Long-term averages start empty. `known_brokers` is how many brokers the leader knows.
    """

    config: SplitRules
    leader: bool
    known_brokers: int
    rounds: tuple[ModularRound, ...]

    def __post_init__(self) -> None:
        require_bounds(self.config)
        require_number_of("known_brokers", self.known_brokers)


@dataclass(frozen=True, slots=True)
class DueBundle:
    """A bundle to be split and the broker that is asked to do it: one that reports it."""

    bundle: str
    broker: str


@dataclass(frozen=True, slots=True)
class ModularDueAnswer:
    """The bundles due in each round, in any order within the round."""

    rounds: tuple[tuple[DueBundle, ...], ...]


def answer_modular(trial: ModularDueTrial, edition: Edition) -> ModularDueAnswer:
    """The bundles due in each round."""
    decides = due.leader_decides(trial.config.split_enabled, trial.leader, trial.known_brokers)
    averages: due.Averages = {}
    rounds = []
    for round_ in trial.rounds if decides else ():
        averages, due_now = due.modular_round(
            averages, loads_of(round_), counts_of(round_.counts), trial.config, edition
        )
        averages = due.without_due(averages, due_now)
        rounds.append(due_bundles(round_, due_now))
    return ModularDueAnswer(tuple(rounds) if decides else ((),) * len(trial.rounds))


def loads_of(round_: ModularRound) -> list[due.Load]:
    """The reports of one round."""
    return [load_of(load) for load in round_.loads]


def due_bundles(round_: ModularRound, chosen: list[due.BundleName]) -> tuple[DueBundle, ...]:
    """The bundles chosen in one round, each with its broker."""
    wanted, found = set(chosen), dict[str, DueBundle]()
    for load in round_.loads:
        if bundle_name(load.bundle) in wanted:
            found[load.bundle] = DueBundle(load.bundle, load.broker)
    return tuple(found.values())


def modular_labels(trial: ModularDueTrial) -> Iterator[str]:
    """Whether anything is decided, and how long the trial is."""
    if not trial.config.split_enabled:
        yield "switched off"
    if not trial.leader:
        yield "not the leader"
    if trial.known_brokers <= 1:
        yield "one broker"
    if any(is_shared(round_) for round_ in trial.rounds):
        yield "a bundle in two reports"
    yield "one round" if len(trial.rounds) == 1 else "several rounds"


def is_shared(round_: ModularRound) -> bool:
    """Whether two brokers report a bundle."""
    return len({load.bundle for load in round_.loads}) < len(round_.loads)
