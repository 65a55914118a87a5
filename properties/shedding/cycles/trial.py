"""The trial of `shedding.cycles`, and how the reference answers it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from evenkeel.properties.names import require_bundle
from evenkeel.properties.shedding.rounds import EXACT
from evenkeel.properties.trial import require, require_bounds, require_different
from evenkeel.reference.edition import Edition
from evenkeel.reference.settings import same
from evenkeel.reference.shedding import cycling
from evenkeel.reference.shedding.cluster import MINUTE, Millis
from evenkeel.reference.shedding.cycling import Cycle, Decided, Outcome, Unloads
from evenkeel.reference.shedding.settings import GraceRules

MOST_BROKERS = 1000


@dataclass(frozen=True, slots=True)
class CyclesTrial:
    """`shedding.cycles`: when is the strategy asked, and what is it told?

    Cycles are at whole minutes (`now`, in ms, below 2^53), in the order of time. The strategy
    decides what the trial says, if it is asked.
    """

    grace_minutes: int = same(GraceRules, "grace_minutes")
    cycles: tuple[Cycle, ...] = ()

    def __post_init__(self) -> None:
        require_bounds(self)
        times = [cycle.now for cycle in self.cycles]
        require(times == sorted(times), "cycles", "must be in the order of time")
        within = all(0 <= now < EXACT for now in times)
        require(within, "cycles", "must be at 0 ms or more, before 2^53 ms")
        whole = all(now % MINUTE == 0 for now in times)
        require(whole, "cycles", "must be at whole minutes")
        for cycle in self.cycles:
            possible = cycle.available is None or 0 <= cycle.available <= MOST_BROKERS
            require(possible, "available", "must be 0 to 1000")
            require_different("decided", (decision.bundle for decision in cycle.decided))
            for decision in cycle.decided:
                require_decision(decision)


def require_decision(decision: Decided) -> None:
    """A decision whose names have one order and one form everywhere: they are answered sorted."""
    require_bundle("decided", decision.bundle)
    require(bool(decision.source), "decided", "must name a source")
    for name in (decision.bundle, decision.source, decision.destination or ""):
        require(name.isascii(), "decided", "names must be of ASCII characters")


@dataclass(frozen=True, slots=True)
class Ago:
    """Something was unloaded so many minutes ago."""

    name: str
    minutes: int


@dataclass(frozen=True, slots=True)
class Cycled:
    """What a cycle did: whether the strategy was asked, what it was told, by name, and which
    bundles were told to leave, in any order.
    """

    asked: bool
    bundles: tuple[Ago, ...] = ()
    brokers: tuple[Ago, ...] = ()
    unloaded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CyclesAnswer:
    """One result for each cycle."""

    cycles: tuple[Cycled, ...]


def ages(times: Mapping[Any, Millis], now: Millis) -> tuple[Ago, ...]:
    """How long ago these were, by name."""
    return tuple(Ago(name, (now - times[name]) // MINUTE) for name in sorted(times))


def answer_cycles(trial: CyclesTrial, edition: Edition) -> CyclesAnswer:
    """Cycle after cycle."""
    unloads, answers = Unloads(), []
    for cycle in trial.cycles:
        if not cycling.asks(cycle):
            answers.append(Cycled(False))
            continue
        unloads = cycling.told(unloads, cycle, trial.grace_minutes)
        done = cycling.executed(cycle.decided)
        answers.append(
            Cycled(
                True,
                ages(unloads.bundles, cycle.now),
                ages(unloads.brokers, cycle.now),
                tuple(decision.bundle for decision in done),
            )
        )
        unloads = cycling.noted(unloads, done, cycle.now)
    return CyclesAnswer(tuple(answers))


def cycles_labels(trial: CyclesTrial) -> Iterator[str]:
    """Which decisions there are."""
    for outcome in Outcome:
        if any(d.outcome is outcome for cycle in trial.cycles for d in cycle.decided):
            yield f"decision: {outcome.value}"
