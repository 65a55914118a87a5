"""Follows the asks of `placement.least_resource_usage_modular`.

What an ask may choose follows from the reports and the asks before it alone. Which clause a wrong
choice breaks depends on what the candidates' history is: none yet, some, some of an idle broker,
or forgotten because the broker left; but where a candidate is right at the edge of being well below
the mean, it is the arithmetic of the edge that is wrong (PLC-10).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from evenkeel.properties.clause import Case, describe
from evenkeel.properties.findings import Findings
from evenkeel.properties.observations import Broke, CommandBroke, Refused
from evenkeel.properties.placement.chances import Chances
from evenkeel.properties.placement.trials_strategies import (
    Active,
    Ask,
    AskResult,
    AsksAnswer,
    Chosen,
    Done,
    ModularUsageTrial,
    Report,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.errors import Breakage
from evenkeel.reference.placement import resource_usage
from evenkeel.reference.placement.arithmetic import Number
from evenkeel.reference.placement.resource_usage import UsageConfig, UsageReport

NEVER_BREAKS = "PLC-4"
BREAKS = "PLC-5"


@dataclass(slots=True)
class Placement:
    """What is known between two commands, and what was found so far."""

    config: UsageConfig
    edition: Edition
    history: dict[str, Number] = field(default_factory=dict)
    reports: dict[str, UsageReport] = field(default_factory=dict)
    forgotten: set[str] = field(default_factory=set)
    vague: set[str] = field(default_factory=set)
    """Brokers that were looked at without a report: the documents do not say as what they count,
    then and in their history."""
    chances: Chances = field(default_factory=Chances)
    findings: Findings = field(default_factory=Findings)

    def leave(self, active: tuple[str, ...]) -> None:
        """Only these brokers remain."""
        self.forgotten |= {broker for broker in self.history if broker not in active}
        self.history = resource_usage.remembered(self.history, active)
        self.vague.intersection_update(active)

    def clause(self, ask: Ask) -> str:
        """What clause this choice is about."""
        if self.forgotten.intersection(ask.candidates):
            return "PLC-14"
        known = [broker for broker in ask.candidates if broker in self.history]
        if any(broker in self.reports and self.reports[broker].idle for broker in known):
            return "PLC-13"
        return "PLC-12" if known else "PLC-10"

    def choose(self, ask: Ask, chosen: str | None, judged: bool = True) -> bool:
        """One choice; false if the balancer was to break instead."""
        clause = self.clause(ask)
        unknown = [broker for broker in ask.candidates if broker not in self.reports]
        try:
            usages = resource_usage.look(
                self.history, ask.candidates, self.reports, self.config, self.edition
            )
        except Breakage:
            return False
        self.vague -= {b for b in ask.candidates if b in usages and self.reports[b].idle}
        self.vague.update(unknown)
        if judged and self.vague.intersection(ask.candidates):
            self.judge_stranger(ask, chosen)
        elif judged:
            sets = resource_usage.allowed_sets(
                ask.candidates, usages, self.config.difference, self.edition
            )
            edge = resource_usage.at_the_edge(usages, self.config.difference, self.edition)
            self.judge("PLC-10" if edge else clause, ask, sets, chosen, edge)
        self.forgotten.difference_update(ask.candidates)
        return True

    def judge_stranger(self, ask: Ask, chosen: str | None) -> bool:
        """A choice is a candidate; nobody only if there is none."""
        right = chosen in ask.candidates or (chosen is None and not ask.candidates)
        self.findings.note("PLC-1", right, f"{chosen} chosen of {ask.candidates}", "stranger")
        return right

    def judge(
        self,
        clause: str,
        ask: Ask,
        sets: tuple[tuple[str, ...], ...],
        chosen: str | None,
        edge: bool,
    ) -> None:
        """One choice, held against the sets of allowed brokers."""
        right = self.judge_stranger(ask, chosen)
        if not ask.candidates:
            return
        everybody = len(sets) == 1 and set(sets[0]) == set(ask.candidates)
        allowed = any(chosen in brokers for brokers in sets)
        sentence = f"{chosen} chosen of {ask.candidates}; must be of {' or '.join(map(str, sets))}"
        if everybody:
            self.findings.note("PLC-11", right, sentence, "choice")
        else:
            self.findings.note(clause, allowed, sentence, "edge of the mean" if edge else "choice")
        if len(sets) == 1 and right:
            self.chances.see(sets[0], chosen)


def walk_usage(case: Case[ModularUsageTrial, AsksAnswer]) -> Findings:
    """What the answers say about every clause of the walk."""
    trial, observed = case.trial, case.observation
    placement = Placement(trial.config, case.edition)
    if isinstance(observed, Refused | Broke):
        placement.findings.note(NEVER_BREAKS, False, describe(observed), "whole")
        placement.findings.note(BREAKS, False, describe(observed), "whole")
        return placement.findings
    if len(observed.results) != len(trial.commands):
        placement.findings.note("PLC-1", False, f"{len(observed.results)} results", "shape")
        return placement.findings
    for command, result in zip(trial.commands, observed.results, strict=True):
        if isinstance(command, Report):
            placement.reports[command.broker] = command.report
        elif isinstance(command, Active):
            placement.leave(command.brokers)
        if isinstance(command, Ask):
            follow(placement, command, result)
        else:
            placement.findings.note("PLC-1", isinstance(result, Done), f"{command}: {result}")
    placement.chances.judge(placement.findings)
    return placement.findings


def follow(placement: Placement, ask: Ask, result: AskResult) -> None:
    """One ask and its result."""
    findings = placement.findings
    if isinstance(result, CommandBroke):
        findings.note(NEVER_BREAKS, False, f"{ask}: {result}", "broke")
        expected = not placement.choose(ask, None, judged=False)
        findings.note(BREAKS, expected, f"{ask}: {result}", "broke")
        return
    if not isinstance(result, Chosen) or len(result.choices) != ask.times:
        findings.note("PLC-1", False, f"{ask}: {result}", "shape")
        return
    findings.note(NEVER_BREAKS, True)
    for chosen in result.choices:
        if not placement.choose(ask, chosen):
            findings.note(BREAKS, False, f"{ask}: must break, not {result}", "answered")
            return
