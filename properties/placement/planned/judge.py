"""PLC-20 and PLC-21: a planned move is carried out; what 4.0 makes of its plan."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from evenkeel.properties.clause import Case
from evenkeel.properties.judging.judge import decision
from evenkeel.properties.judging.run import Run
from evenkeel.properties.placement.asks import AskResult, AsksAnswer
from evenkeel.properties.placement.chances import Chances
from evenkeel.properties.placement.following import (
    breaking,
    breaks_or_not,
    choices_in,
    has_nobody,
    is_candidate,
    is_done,
    results_of,
)
from evenkeel.properties.placement.planned.trial import Place, PlanMove, PlannedTrial, Update
from evenkeel.reference.edition import Edition
from evenkeel.reference.placement.planned import Statistics

MOST_LISTED: Final = 8
"""More entries of one hash code are a tree in Java's map: which of equal ones is found is open."""


@dataclass(slots=True)
class Planned:
    """An entry of the map of 4.0: whose, what its statistics were when it was made, for whom."""

    bundle: str
    made: Statistics
    broker: str


@dataclass(slots=True)
class Plans:
    """The moves as they were planned, and the map as 4.0 keeps it."""

    edition: Edition
    now: dict[str, Statistics]
    moves: dict[str, str] = field(default_factory=dict)
    entries: list[Planned] = field(default_factory=list)
    chances: Chances = field(default_factory=Chances)

    def found(self, bundle: str) -> Planned | None:
        """The first entry that was made with what the bundle's statistics are now, and whose own
        bundle has them still.
        """
        mine = self.now[bundle]
        fits = (e for e in self.entries if e.made == mine == self.now[e.bundle])
        return next(fits, None)

    def becomes(self, bundle: str, broker: str) -> None:
        entry = self.found(bundle)
        if entry is None:
            self.entries.append(Planned(bundle, self.now[bundle], broker))
        else:
            entry.broker = broker

    def is_open(self) -> bool:
        """Whether so many entries are equal that nothing is known of the plan any more."""
        alike = Counter(entry.made for entry in self.entries)
        return max(alike.values(), default=0) > MOST_LISTED


@decision("placement.avg_shedder", "PLC-1", "PLC-3", "PLC-4", "PLC-5", "PLC-20", "PLC-21")
def avg_shedder(run: Run, case: Case[PlannedTrial, AsksAnswer]) -> None:
    trial, edition = case.trial, case.edition
    plans = Plans(edition, {bundle.name: bundle.statistics for bundle in trial.bundles})
    results = results_of(run, case, len(trial.commands), breaking(edition))
    for command, result in zip(trial.commands, results, strict=False):
        if isinstance(command, Place):
            placed(run, plans, command, result)
            continue
        is_done(run, result, command)
        if isinstance(command, Update):
            plans.now[command.bundle] = command.statistics
        elif isinstance(command, PlanMove):
            plans.moves[command.bundle] = command.broker
            plans.becomes(command.bundle, command.broker)
    plans.chances.judge(run, "PLC-3")


def placed(run: Run, plans: Plans, command: Place, result: AskResult) -> None:
    bundle, candidates, edition = command.bundle, command.candidates, plans.edition
    must_break = not candidates and edition.planned_placement_needs_candidates
    if breaks_or_not(run, edition, result, must_break, command):
        return
    move = plans.moves.pop(bundle, None)
    for chosen in choices_in(run, result, 1, command, has_nobody(edition, candidates)):
        is_one = is_candidate(run, chosen, candidates)
        if move in candidates:
            run.require("PLC-20", chosen == move, f"{chosen} chosen, {move} planned", "plan")
        is_kept = edition.plans_keyed_by_value and not plans.is_open()
        if chosen is None or not is_one or not is_kept:
            continue
        entry = plans.found(bundle)
        if entry is None or entry.broker not in candidates:
            plans.chances.see(candidates, chosen)
        else:
            sentence = f"{chosen} chosen, must be {entry.broker}"
            run.require("PLC-21", chosen == entry.broker, sentence, "plan")
        plans.becomes(bundle, chosen)
