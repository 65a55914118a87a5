"""PLC-41 to PLC-45: what the leader knows, as the observed choices made it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from evenkeel.properties.clause import Case
from evenkeel.properties.judging.judge import decision
from evenkeel.properties.judging.run import Run
from evenkeel.properties.placement.asks import AsksAnswer
from evenkeel.properties.placement.following import choices_in, has_nobody, is_done, results_of
from evenkeel.properties.placement.preallocation.trial import (
    Leaves,
    LookUp,
    PreallocationTrial,
    Propose,
    Reports,
)
from evenkeel.properties.plain import plain
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.namespaces import SYSTEM, namespace_of

UNREPORTED: Final = 50 + 50
"""Messages per second, in and out, of a bundle that nobody has reported."""


@dataclass(slots=True)
class Leader:
    trial: PreallocationTrial
    edition: Edition
    rates: dict[str, int]
    reported: dict[str, frozenset[str]]
    given: dict[str, str] = field(default_factory=dict)
    ended: bool = False
    proposed: bool = False

    def hears(self, command: Reports | Leaves) -> None:
        """A report, or that a broker has left; one that was not there changes nothing."""
        broker = command.broker
        if isinstance(command, Reports):
            self.reported.pop(broker, None)  # who reports is last in the order
            self.reported[broker] = frozenset(command.bundles)
        elif self.reported.pop(broker, None) is None:
            return
        all_end = self.edition.any_report_ends_preallocations
        over = [b for b, to in self.given.items() if all_end or to == broker]
        for bundle in over:
            del self.given[bundle]
        self.ended |= bool(over)

    def places(self, namespace: str) -> dict[str, tuple[int, int]]:
        """By what brokers are compared: bundles of the namespace, if these are spread, and load."""
        known = frozenset[str]().union(*self.reported.values())
        spread = self.trial.evenly or namespace == SYSTEM
        places: dict[str, tuple[int, int]] = {}
        for broker, reported in self.reported.items():
            given = [bundle for bundle, to in self.given.items() if to == broker]
            load = sum(self.rates[bundle] for bundle in reported)
            load += sum(self.rates[b] if b in known else UNREPORTED for b in given)
            served = {*reported, *given} if spread else ()
            places[broker] = (sum(namespace_of(b) == namespace for b in served), load)
        return places

    def clause(self) -> str:
        """What a choice is about."""
        if self.proposed:
            return "PLC-45"
        return "PLC-44" if self.ended else "PLC-42"


@decision("placement.preallocation", "PLC-1", "PLC-41", "PLC-42", "PLC-43", "PLC-44", "PLC-45")
def preallocation(run: Run, case: Case[PreallocationTrial, AsksAnswer]) -> None:
    trial = case.trial
    leader = Leader(trial, case.edition, trial.rates, dict.fromkeys(trial.brokers, frozenset()))
    results = results_of(run, case, len(trial.commands), "PLC-1")
    for command, result in zip(trial.commands, results, strict=False):
        if isinstance(command, Reports | Leaves):
            is_done(run, result, command)
            leader.hears(command)
            continue
        may_refuse = has_nobody(leader.edition, leader.reported)
        for chosen in choices_in(run, result, 1, command, may_refuse):
            placed(run, leader, command, chosen)


def placed(run: Run, leader: Leader, command: LookUp | Propose, chosen: str | None) -> None:
    bundle, live = command.bundle, leader.reported
    run.require("PLC-1", (chosen is None) != bool(live), f"{chosen} chosen", "nobody")
    if chosen is None or not live:
        return
    run.require(
        "PLC-43",
        chosen in live,
        lambda: f"{chosen} is not among {', '.join(live)}",
        "gone",
    )
    before = leader.given.get(bundle)
    if isinstance(command, LookUp) and before is not None:
        run.require("PLC-41", chosen == before, f"{bundle}: {chosen}, before {before}", "same")
    elif chosen in live:
        lowest(run, leader, bundle, chosen)
    leader.proposed |= isinstance(command, Propose)
    if isinstance(command, LookUp) and chosen in live:
        leader.given[bundle] = chosen


def lowest(run: Run, leader: Leader, bundle: str, chosen: str) -> None:
    """No live broker comes before the chosen one."""
    places = leader.places(namespace_of(bundle))
    better = [b for b, place in places.items() if place < places[chosen]]
    if len(set(places.values())) > 1:
        run.require(
            leader.clause(),
            not better,
            lambda: (
                f"{bundle} to {chosen} with {plain(places[chosen])}; lower: {', '.join(better)}"
            ),
            "choice",
        )
