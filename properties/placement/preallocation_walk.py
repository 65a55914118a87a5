"""How the reference answers `placement.preallocation`, and what an answer says about each clause.

Who may get a bundle depends on who got the bundles before, so both follow the choices made.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from evenkeel.properties.clause import Case, describe
from evenkeel.properties.findings import Findings
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.placement.answers import choose
from evenkeel.properties.placement.trials_preallocation import (
    Leaves,
    LookUp,
    PreallocationTrial,
    Propose,
    Reports,
)
from evenkeel.properties.placement.trials_strategies import AskResult, AsksAnswer, Chosen, Done
from evenkeel.reference.edition import Edition
from evenkeel.reference.placement import preallocation
from evenkeel.reference.placement.preallocation import Leader

SAME = "PLC-41"
COUNTS = "PLC-42"
GONE = "PLC-43"
ENDS = "PLC-44"
NO_TRACE = "PLC-45"


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


@dataclass(slots=True)
class Follower:
    """The leader as the choices made it, and what happened so far."""

    trial: PreallocationTrial
    edition: Edition
    leader: Leader
    findings: Findings = field(default_factory=Findings)
    ended: bool = False
    proposed: bool = False

    def settle(self, command: Reports | Leaves) -> None:
        """A report, or a broker that leaves."""
        before = self.leader
        self.leader = report(self.leader, command, self.edition)
        self.ended |= len(self.leader.given) < len(before.given)

    def clause(self) -> str:
        """What a choice is about."""
        if self.proposed:
            return NO_TRACE
        return ENDS if self.ended else COUNTS

    def place(self, command: LookUp | Propose, chosen: str | None) -> None:
        """One choice."""
        findings, bundle, live = self.findings, command.bundle, self.leader.reported
        findings.note("PLC-1", (chosen is None) != bool(live), f"{chosen} chosen", "nobody")
        if chosen is None or not live:
            return
        findings.note(GONE, chosen in live, f"{chosen} is not among {', '.join(live)}", "gone")
        if isinstance(command, LookUp) and bundle in self.leader.given:
            before = self.leader.given[bundle]
            findings.note(SAME, chosen == before, f"{bundle}: {chosen}, before {before}", "same")
        else:
            allowed = preallocation.allowed(
                bundle, self.leader, self.trial.rates, self.trial.evenly
            )
            sentence = f"{bundle} to {chosen}; must be one of {', '.join(allowed)}"
            findings.note(self.clause(), chosen in allowed, sentence, "choice")
        self.proposed |= isinstance(command, Propose)
        if isinstance(command, LookUp) and chosen in live:
            self.leader = preallocation.give(bundle, chosen, self.leader)


def walk_preallocation(case: Case[PreallocationTrial, AsksAnswer]) -> Findings:
    """What the answers say about every clause of the walk."""
    trial, observed = case.trial, case.observation
    follower = Follower(trial, case.edition, start(trial))
    findings = follower.findings
    if isinstance(observed, Refused | Broke):
        findings.note("PLC-1", False, describe(observed), "whole")
        return findings
    if len(observed.results) != len(trial.commands):
        findings.note("PLC-1", False, f"{len(observed.results)} results", "shape")
        return findings
    for command, result in zip(trial.commands, observed.results, strict=True):
        if isinstance(command, Reports | Leaves):
            findings.note("PLC-1", isinstance(result, Done), f"{command}: {result}", "shape")
            follower.settle(command)
        elif isinstance(result, Chosen) and len(result.choices) == 1:
            follower.place(command, result.choices[0])
        else:
            findings.note("PLC-1", False, f"{command}: {result}", "shape")
    return findings
