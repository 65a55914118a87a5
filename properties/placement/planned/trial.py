"""`placement.avg_shedder`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from evenkeel.properties.observations import CommandBroke
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
from evenkeel.reference.errors import Breakage
from evenkeel.reference.placement import planned
from evenkeel.reference.placement.planned import Statistics


@dataclass(frozen=True, slots=True)
class KnownBundle:
    """A bundle and its statistics."""

    name: str
    statistics: Statistics


def require_statistics(statistics: Statistics) -> None:
    """Whole numbers that every language keeps."""
    for name in Statistics.__slots__:
        value = getattr(statistics, name)
        require(0 <= value < AMOUNT, f"statistics.{name}", "must be 0 or more, below 2^48")


@dataclass(frozen=True, slots=True)
class PlanMove:
    """The shedder has planned a bundle for a broker."""

    DO: ClassVar[str] = "plan"
    bundle: str
    broker: str


@dataclass(frozen=True, slots=True)
class Update:
    """A bundle's statistics change."""

    DO: ClassVar[str] = "update"
    bundle: str
    statistics: Statistics

    def __post_init__(self) -> None:
        require_statistics(self.statistics)


@dataclass(frozen=True, slots=True)
class Place:
    """A bundle is to be placed on one of the candidates."""

    DO: ClassVar[str] = "place"
    bundle: str
    candidates: tuple[str, ...]

    def __post_init__(self) -> None:
        require_names("candidates", self.candidates)


PlannedCommand = PlanMove | Update | Place


@dataclass(frozen=True, slots=True)
class PlannedTrial:
    """`placement.avg_shedder`: the shedder plans, statistics change, bundles are placed."""

    bundles: tuple[KnownBundle, ...]
    commands: tuple[PlannedCommand, ...]

    def __post_init__(self) -> None:
        names = [bundle.name for bundle in self.bundles]
        require_different("bundles", names)
        for bundle in self.bundles:
            require_statistics(bundle.statistics)
        known = all(command.bundle in names for command in self.commands)
        require(known, "commands", "must name one of the bundles")


def answer_planned(trial: PlannedTrial, edition: Edition) -> AsksAnswer:
    """One result for each command."""
    now = {bundle.name: bundle.statistics for bundle in trial.bundles}
    plan: planned.Plan = ()
    results: list[AskResult] = []
    turn = 0
    for command in trial.commands:
        if isinstance(command, PlanMove):
            plan = planned.put(plan, command.bundle, command.broker, now, edition)
            results.append(Done())
        elif isinstance(command, Update):
            now[command.bundle] = command.statistics
            results.append(Done())
        else:
            try:
                allowed = planned.allowed(plan, command.bundle, command.candidates, now, edition)
            except Breakage as error:
                results.append(CommandBroke(type(error).__name__))
                continue
            chosen = choose(allowed, turn)
            turn += len(allowed) > 1
            if chosen is not None:
                plan = planned.settle(plan, command.bundle, chosen, now, edition)
            results.append(Chosen((chosen,)))
    return AsksAnswer(tuple(results))


def planned_labels(trial: PlannedTrial) -> Iterator[str]:
    """Plans, changes of statistics, equal bundles."""
    if any(isinstance(command, PlanMove) for command in trial.commands):
        yield "planned"
    if any(isinstance(command, Update) for command in trial.commands):
        yield "statistics change"
    if len({bundle.statistics for bundle in trial.bundles}) < len(trial.bundles):
        yield "equal statistics"
    if any(isinstance(c, Place) and not c.candidates for c in trial.commands):
        yield "no candidates"
