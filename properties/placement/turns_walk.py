"""Follows the asks of `placement.round_robin` and the placements of `placement.avg_shedder`."""

from __future__ import annotations

from collections import Counter

from evenkeel.properties.clause import Case, describe
from evenkeel.properties.findings import Findings
from evenkeel.properties.observations import Broke, CommandBroke, Refused
from evenkeel.properties.placement.chances import Chances
from evenkeel.properties.placement.trials_strategies import (
    AsksAnswer,
    Chosen,
    Done,
    Place,
    PlanMove,
    PlannedTrial,
    RoundRobinTrial,
    Update,
)
from evenkeel.properties.placement.usage_walk import BREAKS, NEVER_BREAKS
from evenkeel.reference.edition import Edition
from evenkeel.reference.errors import Breakage
from evenkeel.reference.placement import planned

TURNS = "PLC-18"
PLANNED = "PLC-20"
PLAN_OF_4_0 = "PLC-21"
MOST_LISTED = 8
"""More entries of one hash code are a tree in Java's map: which of equal ones is found is open."""


def failed(
    case: Case[RoundRobinTrial, AsksAnswer] | Case[PlannedTrial, AsksAnswer],
    findings: Findings,
    count: int,
) -> bool:
    """Whether there is nothing to follow: no answer, or not one result for each command."""
    observed = case.observation
    if isinstance(observed, Refused | Broke):
        for clause in (NEVER_BREAKS, BREAKS, PLAN_OF_4_0):
            findings.note(clause, False, describe(observed), "whole")
        return True
    if len(observed.results) != count:
        findings.note("PLC-1", False, f"{len(observed.results)} results", "shape")
        return True
    return False


def walk_round_robin(case: Case[RoundRobinTrial, AsksAnswer]) -> Findings:
    """Turns: while the candidates are the same, nobody is chosen twice before all were once.

    Where in its turn a balancer is when the candidates change is open.
    """
    findings, asks = Findings(), case.trial.asks
    if failed(case, findings, len(asks)):
        return findings
    assert isinstance(case.observation, AsksAnswer)
    same: frozenset[str] = frozenset()
    recent: list[str] = []
    for ask, result in zip(asks, case.observation.results, strict=True):
        if not isinstance(result, Chosen) or len(result.choices) != ask.times:
            findings.note("PLC-1", False, f"{ask}: {result}", "shape")
            findings.note(NEVER_BREAKS, not isinstance(result, CommandBroke), str(result), "broke")
            return findings
        findings.note(NEVER_BREAKS, True)
        if frozenset(ask.candidates) != same:
            same, recent = frozenset(ask.candidates), []
        for chosen in result.choices:
            right = chosen in same if chosen is not None else not same
            findings.note("PLC-1", right, f"{chosen} chosen of {ask.candidates}", "stranger")
            if chosen is None:
                continue
            if recent and len(same) > 1:
                others = recent[-(len(same) - 1) :]
                sentence = f"{chosen} again after {', '.join(others)}"
                findings.note(TURNS, chosen not in others, sentence, "again")
            recent.append(chosen)
    return findings


def walk_planned(case: Case[PlannedTrial, AsksAnswer]) -> Findings:
    """Placements: what was planned, else any candidate; what 4.0 makes of its plan."""
    findings, commands = Findings(), case.trial.commands
    if failed(case, findings, len(commands)):
        return findings
    assert isinstance(case.observation, AsksAnswer)
    follower = Follower(case.trial, case.edition, findings)
    for command, result in zip(commands, case.observation.results, strict=True):
        if isinstance(command, PlanMove):
            follower.plan_move(command)
        elif isinstance(command, Update):
            follower.now[command.bundle] = command.statistics
        if isinstance(command, Place):
            chosen = result.choices[0] if isinstance(result, Chosen) and result.choices else None
            if isinstance(result, CommandBroke):
                follower.broke(command)
            elif isinstance(result, Chosen) and len(result.choices) == 1:
                follower.place(command, chosen)
            else:
                findings.note("PLC-1", False, f"{command}: {result}", "shape")
        else:
            findings.note("PLC-1", isinstance(result, Done), f"{command}: {result}", "shape")
    follower.chances.judge(findings)
    return findings


class Follower:
    """The plan as the edition keeps it, and as it was made."""

    def __init__(self, trial: PlannedTrial, edition: Edition, findings: Findings) -> None:
        self.edition = edition
        self.findings = findings
        self.chances = Chances()
        self.now = {bundle.name: bundle.statistics for bundle in trial.bundles}
        self.plan: planned.Plan = ()
        self.moves: dict[str, str] = {}
        self.is_told = True

    def keep(self, plan: planned.Plan) -> None:
        """The plan from now on; with too many equal entries nothing is told of it any more."""
        self.plan = plan
        entries = Counter(entry.statistics for entry in plan)
        keyed = self.edition.plans_keyed_by_value
        self.is_told &= not keyed or max(entries.values(), default=0) <= MOST_LISTED

    def plan_move(self, command: PlanMove) -> None:
        """The shedder plans a move."""
        self.moves[command.bundle] = command.broker
        self.keep(planned.put(self.plan, command.bundle, command.broker, self.now, self.edition))

    def broke(self, command: Place) -> None:
        """A placement that broke."""
        self.findings.note(NEVER_BREAKS, False, f"{command} broke", "broke")
        try:
            planned.allowed(self.plan, command.bundle, command.candidates, self.now, self.edition)
        except Breakage:
            self.findings.note(BREAKS, True)
        else:
            self.findings.note(BREAKS, False, f"{command} broke", "broke")

    def place(self, command: Place, chosen: str | None) -> None:
        """A placement that was answered."""
        findings, candidates = self.findings, command.candidates
        findings.note(NEVER_BREAKS, True)
        right = chosen in candidates if chosen is not None else not candidates
        findings.note("PLC-1", right, f"{chosen} chosen of {candidates}", "stranger")
        move = self.moves.pop(command.bundle, None)
        if move in candidates:
            findings.note(PLANNED, chosen == move, f"{chosen} chosen, {move} planned", "plan")
        try:
            allowed = planned.allowed(self.plan, command.bundle, candidates, self.now, self.edition)
        except Breakage:
            findings.note(BREAKS, False, f"{command}: must break, not {chosen}", "answered")
            return
        if chosen is None or not right or not self.is_told:
            return
        sentence = f"{chosen} chosen, must be of {allowed}"
        findings.note(PLAN_OF_4_0, chosen in allowed, sentence, "plan")
        if chosen in allowed:
            self.chances.see(allowed, chosen)
        self.keep(planned.settle(self.plan, command.bundle, chosen, self.now, self.edition))
