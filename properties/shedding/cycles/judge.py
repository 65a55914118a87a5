"""The judge of the cycles: when the strategy must be asked, and what it must be told.

What a cycle is to tell follows from the decisions of the cycles that a subject ran.
"""

from __future__ import annotations

from collections.abc import Mapping

from evenkeel.properties.clause import in_full
from evenkeel.properties.findings import Findings
from evenkeel.properties.judging.judge import AnyCase, monitor
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.plain import plain
from evenkeel.properties.shedding.cycles.trial import Ago, Cycled
from evenkeel.reference.shedding.cluster import MINUTE, Millis
from evenkeel.reference.shedding.cycling import Cycle, Outcome


@monitor("shedding.cycles", "SHD-92", "SHD-93", "SHD-94", "SHD-95")
def unload_scheduler(case: AnyCase, findings: Findings) -> None:
    """Cycle after cycle, with what has been unloaded since the first."""
    observed, cycles = case.observation, case.trial.cycles
    if isinstance(observed, Refused | Broke) or len(observed.cycles) != len(cycles):
        findings.note("SHD-92", False, in_full(observed), "shape")
        return
    grace: Millis = case.trial.grace_minutes * MINUTE
    bundles: dict[str, Millis] = {}
    brokers: dict[str, Millis] = {}
    for number, (cycle, result) in enumerate(zip(cycles, observed.cycles, strict=True), start=1):
        place, due = f"cycle {number}", is_due(cycle)
        why = f"{place}: the strategy must {'' if due else 'not '}be asked"
        findings.note("SHD-92", result.asked is due, why, "missed" if due else "asked")
        if not result.asked:
            same(findings, "SHD-95", f"{place}: unloaded unasked", result.unloaded, ())
            continue
        bundles = {name: at for name, at in bundles.items() if cycle.now - at <= grace}
        what_is_told(findings, place, cycle, result, bundles, brokers)
        for decision in cycle.decided:
            if decision.outcome is Outcome.DONE:
                bundles[decision.bundle] = brokers[decision.source] = cycle.now


def is_due(cycle: Cycle) -> bool:
    """`loadBalancerEnabled` ∧ `loadBalancerSheddingEnabled` ∧ leads ∧ |available| > 1."""
    several = cycle.available is not None and cycle.available > 1
    return cycle.enabled and cycle.shedding_enabled and cycle.leads is True and several


def what_is_told(
    findings: Findings,
    place: str,
    cycle: Cycle,
    result: Cycled,
    bundles: Mapping[str, Millis],
    brokers: Mapping[str, Millis],
) -> None:
    """Earlier unloads are told to the strategy, and its decisions are carried out."""
    for clause, told, times in (
        ("SHD-93", result.bundles, bundles),
        ("SHD-94", result.brokers, brokers),
    ):
        right = tuple(Ago(name, (cycle.now - times[name]) // MINUTE) for name in sorted(times))
        same(findings, clause, f"{place}: told", told, right)
    wanted = sorted(d.bundle for d in cycle.decided if d.outcome is not Outcome.SKIP)
    same(findings, "SHD-95", f"{place}: unloaded", sorted(result.unloaded), wanted)


def same(findings: Findings, clause: str, what: str, observed: object, right: object) -> None:
    """What was observed is what is right."""
    findings.note(
        clause, observed == right, lambda: f"{what} {plain(observed)}, must be {plain(right)}"
    )
