"""Following UniformLoadShedder's rounds by what a subject shed (SHD-20 to SHD-29).

Where several brokers are the busiest, any of them may be the source.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from evenkeel.properties.clause import Case
from evenkeel.properties.findings import Findings
from evenkeel.properties.shedding.common_walk import rounds_of
from evenkeel.properties.shedding.trials_modular import Shed, SheddingAnswer
from evenkeel.properties.shedding.trials_uniform import UniformTrial
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding import uniform
from evenkeel.reference.shedding.cluster import BrokerId, BundleName, Cluster
from evenkeel.reference.shedding.selecting import (
    has_several_bundles,
    heaviest_first,
    short_rate,
    short_throughput,
)
from evenkeel.reference.shedding.uniform import Dimension, Extremes, UniformRules

UniformCase = Case[UniformTrial, SheddingAnswer]
ROUNDING = 1e-9
MEASURES = {Dimension.MSG_RATE: short_rate, Dimension.THROUGHPUT: short_throughput}


@dataclass(frozen=True, slots=True)
class Lead:
    """A dimension whose threshold is exceeded, for one of the busiest brokers."""

    dimension: Dimension
    found: Extremes
    budget: float
    weights: Mapping[BundleName, float]
    several: bool


def leads_of(cluster: Cluster, rules: UniformRules, edition: Edition) -> list[Lead]:
    """Every dimension whose threshold is exceeded, with each of its busiest brokers."""
    leads = []
    for dimension in Dimension if cluster.brokers else ():
        found = uniform.extremes(cluster.brokers, dimension, edition)
        if not uniform.exceeds_threshold(found, dimension, rules):
            continue
        for broker, report in cluster.brokers.items():
            if uniform.busyness(report, dimension) == found.most:
                leads.append(
                    Lead(
                        dimension,
                        Extremes(broker, found.most, found.least),
                        uniform.budget_for(found, rules, edition),
                        heaviest_first(cluster, report, MEASURES[dimension]),
                        has_several_bundles(report, edition),
                    )
                )
    return leads


def walk_uniform(case: UniformCase) -> Findings:
    """What the answers say about every clause of the walk."""
    findings, rules = Findings(), case.trial.config.rules
    for number, cluster, shed in rounds_of(case):
        leads = leads_of(cluster, rules, case.edition)
        place = f"round {number}"
        judge_source(findings, place, cluster, leads, shed, rules)
        own = [lead for lead in leads if [lead.found.busiest] == [e.broker for e in shed]]
        if shed and own:
            judge_amounts(findings, place, own, shed[0], rules)
        judge_progress(findings, place, leads, shed, rules)
        judge_exactly(findings, place, case.edition, rules, (cluster, leads, shed))
    return findings


def judge_source(
    findings: Findings,
    place: str,
    cluster: Cluster,
    leads: list[Lead],
    shed: tuple[Shed, ...],
    rules: UniformRules,
) -> None:
    """One source, the busiest in a dimension whose threshold is exceeded.

    Above a least of nothing every difference may be taken for infinite.
    """
    busiest = {lead.found.busiest for lead in leads} | idle_leads(cluster, rules)
    named = [entry.broker for entry in shed]
    right = len(named) <= 1 and set(named) <= busiest
    if len(cluster.brokers) > 1:
        sentence = f"{place}: {named} shed, it can be one of {sorted(busiest)}"
        findings.note("SHD-20", right, sentence)


def idle_leads(cluster: Cluster, rules: UniformRules) -> set[BrokerId]:
    """The busiest brokers where the least busy has nothing at all, so that no ratio exists."""
    found: set[BrokerId] = set()
    for dimension in Dimension:
        traffic = {b: uniform.busyness(report, dimension) for b, report in cluster.brokers.items()}
        rate = dimension is Dimension.MSG_RATE
        enabled = (rules.rate_difference if rate else rules.throughput_ratio) > 0
        if enabled and traffic and min(traffic.values()) <= uniform.NEARLY_NOTHING:
            most = max(traffic.values())
            found |= {broker for broker, value in traffic.items() if value == most > 0}
    return found


def judge_amounts(
    findings: Findings, place: str, own: list[Lead], entry: Shed, rules: UniformRules
) -> None:
    """Some exceeded dimension in which what was shed is right."""
    bundles = tuple(map(BundleName, entry.bundles))
    if len(set(bundles)) < len(bundles) or not all(
        set(bundles) <= lead.weights.keys() for lead in own
    ):
        return
    worth = [lead for lead in own if lead.budget >= uniform.minimum_for(lead.dimension, rules)]
    sentence = f"{place}: {entry.broker} sheds although no amount is enough"
    findings.note("SHD-23", bool(worth), sentence)
    busy = [lead for lead in worth or own if all(lead.weights[bundle] > 0 for bundle in bundles)]
    findings.note("SHD-22", bool(busy), f"{place}: {bundles} include idle bundles")
    sums = [
        (lead, sum(lead.weights[bundle] for bundle in bundles)) for lead in busy or worth or own
    ]
    within = any(total <= lead.budget * (1 + ROUNDING) for lead, total in sums)
    budgets = ", ".join(f"{total} of {lead.budget} {lead.dimension}" for lead, total in sums)
    findings.note("SHD-21", within, f"{place}: {entry.broker} sheds {budgets}")
    if rules.max_bundles >= 0:
        few = len(bundles) <= rules.max_bundles
        findings.note("SHD-24", few, f"{place}: {len(bundles)} bundles of {rules.max_bundles}")


def can_move(lead: Lead, rules: UniformRules) -> bool:
    """Whether something can be moved here beyond doubt."""
    return (
        lead.several
        and rules.max_bundles >= uniform.UNLIMITED
        and rules.max_bundles != 0
        and lead.budget >= uniform.minimum_for(lead.dimension, rules)
        and any(0 < weight <= lead.budget for weight in lead.weights.values())
    )


def judge_progress(
    findings: Findings, place: str, leads: list[Lead], shed: tuple[Shed, ...], rules: UniformRules
) -> None:
    """Something is moved where all of a dimension's busiest brokers have something to move."""
    for dimension in Dimension:
        here = [lead for lead in leads if lead.dimension is dimension]
        if here and all(can_move(lead, rules) for lead in here):
            names = ", ".join(lead.found.busiest for lead in here)
            findings.note("SHD-25", bool(shed), f"{place}: {names} sheds nothing ({dimension})")


def expected_weights(
    cluster: Cluster, lead: Lead, rules: UniformRules, edition: Edition
) -> list[float]:
    """What the bundles weigh that 4.0 takes of this source, one after the other."""
    chosen = uniform.shed_in(cluster, lead.found, lead.dimension, rules, edition)
    return [lead.weights[bundle] for bundle in chosen]


def possible_answers(
    cluster: Cluster, leads: list[Lead], rules: UniformRules, edition: Edition
) -> Iterator[tuple[Lead, list[float]]]:
    """For each broker that may be the source: its lead, and the weights that it sheds."""
    first = leads[0].dimension
    for lead in leads:
        if lead.dimension is first:
            yield lead, expected_weights(cluster, lead, rules, edition)


def judge_exactly(
    findings: Findings,
    place: str,
    edition: Edition,
    rules: UniformRules,
    seen: tuple[Cluster, list[Lead], tuple[Shed, ...]],
) -> None:
    """The weights are those that 4.0 takes, one after the other; which of equals is open."""
    cluster, leads, shed = seen
    if not leads:
        return
    possible = list(possible_answers(cluster, leads, rules, edition))
    right = any(is_answer(lead, weights, shed) for lead, weights in possible)
    wanted = " or ".join(f"{lead.found.busiest}: {weights}" for lead, weights in possible)
    sentence = f"{place}: must be {wanted}, not {shed}"
    findings.note("SHD-26", right, sentence)
    if leads[0].dimension is not leads[-1].dimension:
        findings.note("SHD-27", right, sentence)
    if any(lead.found.least == uniform.MOST for lead in leads):
        findings.note("SHD-28", right, sentence)
    if any(weight <= 0 for lead in leads for weight in lead.weights.values()):
        findings.note("SHD-29", right, sentence)


def is_answer(lead: Lead, weights: list[float], shed: tuple[Shed, ...]) -> bool:
    """Whether a subject shed these weights of this broker."""
    if not weights or not shed:
        return not weights and not shed
    bundles = tuple(map(BundleName, shed[0].bundles))
    return (
        [entry.broker for entry in shed] == [lead.found.busiest]
        and len(set(bundles)) == len(bundles)
        and lead.weights.keys() >= set(bundles)
        and [lead.weights[bundle] for bundle in bundles] == weights
    )
