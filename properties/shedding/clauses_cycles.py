"""Clauses about the cycles around the extensible manager's strategy (SHD-92 to SHD-95).

What a cycle is to tell follows from the decisions of the cycles that a subject ran.
"""

from __future__ import annotations

from typing import Final

from evenkeel.properties.clause import Case, Finding, describe
from evenkeel.properties.findings import Findings, OncePerCase
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.shedding.book import check
from evenkeel.properties.shedding.questions_cycles import ages
from evenkeel.properties.shedding.trials_cycles import CyclesAnswer, CyclesTrial
from evenkeel.reference.shedding import cycling
from evenkeel.reference.shedding.cycling import Unloads

CyclesCase = Case[CyclesTrial, CyclesAnswer]
CYCLES: Final = "shedding.cycles"


def walk_cycles(case: CyclesCase) -> Findings:
    """What the answers say about every clause."""
    findings, observed, cycles = Findings(), case.observation, case.trial.cycles
    if isinstance(observed, Refused | Broke) or len(observed.cycles) != len(cycles):
        findings.note("SHD-92", False, describe(observed), "shape")
        return findings
    unloads = Unloads()
    for number, (cycle, result) in enumerate(zip(cycles, observed.cycles, strict=True)):
        place, due = f"cycle {number}", cycling.asks(cycle)
        sentence = f"{place}: the strategy must {'' if due else 'not '}be asked"
        findings.note("SHD-92", result.asked is due, sentence, "missed" if due else "asked")
        if not result.asked:
            findings.note("SHD-95", not result.unloaded, f"{place}: {result.unloaded} unasked")
            continue
        unloads = cycling.told(unloads, cycle, case.trial.grace_minutes)
        bundles, brokers = ages(unloads.bundles, cycle.now), ages(unloads.brokers, cycle.now)
        sentence = f"{place}: told {result.bundles}, must be {bundles}"
        findings.note("SHD-93", result.bundles == bundles, sentence)
        sentence = f"{place}: told {result.brokers}, must be {brokers}"
        findings.note("SHD-94", result.brokers == brokers, sentence)
        done = cycling.executed(cycle.decided)
        wanted = sorted(decision.bundle for decision in done)
        sentence = f"{place}: {result.unloaded} unloaded, must be {wanted}"
        findings.note("SHD-95", sorted(result.unloaded) == wanted, sentence)
        unloads = cycling.noted(unloads, done, cycle.now)
    return findings


walked: Final = OncePerCase(walk_cycles)


@check("SHD-92", CYCLES)
def cycles_ask_when_they_are_to(case: CyclesCase) -> Finding:
    return walked(case).finding("SHD-92")


@check("SHD-93", CYCLES)
def recently_unloaded_bundles_are_told(case: CyclesCase) -> Finding:
    return walked(case).finding("SHD-93")


@check("SHD-94", CYCLES)
def brokers_that_gave_are_told(case: CyclesCase) -> Finding:
    return walked(case).finding("SHD-94")


@check("SHD-95", CYCLES)
def decisions_are_carried_out(case: CyclesCase) -> Finding:
    return walked(case).finding("SHD-95")
