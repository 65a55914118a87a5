"""Following UniformLoadShedder's rounds by what a subject shed (SHD-20 to SHD-29).

Where several brokers are the busiest, any of them may be the source.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isclose

from evenkeel.properties.clause import Case
from evenkeel.properties.findings import Findings
from evenkeel.properties.load.comparing import DOUBLE
from evenkeel.properties.shedding.common_walk import rounds_of
from evenkeel.properties.shedding.room import to_the_last_bit
from evenkeel.properties.shedding.rounds import Shed, SheddingAnswer
from evenkeel.properties.shedding.trials_uniform import UniformTrial
from evenkeel.reference.adding import added
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
MEASURES = {Dimension.MSG_RATE: short_rate, Dimension.THROUGHPUT: short_throughput}


@dataclass(frozen=True, slots=True)
class Lead:
    """A dimension whose threshold is exceeded, for one of the busiest brokers.

    `budget` is its share of the lead over a least that counts as 1 where it is nothing, `most` that
    of the lead over nothing; where the least is something the two are the same. Whether the
    threshold is exceeded may hang on `rounding`.
    """

    dimension: Dimension
    found: Extremes
    budget: float
    most: float
    weights: Mapping[BundleName, float]
    several: bool
    rounding: bool


def leads_of(cluster: Cluster, rules: UniformRules, edition: Edition) -> list[Lead]:
    """Every dimension whose threshold is exceeded, with each of its busiest brokers."""
    leads = []
    for dimension in Dimension if cluster.brokers else ():
        found = uniform.extremes(cluster.brokers, dimension, edition)
        rounding = hangs_on_rounding(found, dimension, rules, edition)
        if not (rounding or uniform.exceeds_threshold(found, dimension, rules)):
            continue
        over = replace(found, least=min(found.least, least_of(cluster, dimension)))
        for broker, report in cluster.brokers.items():
            if uniform.busyness(report, dimension) == found.most:
                leads.append(
                    Lead(
                        dimension,
                        Extremes(broker, found.most, found.least),
                        uniform.budget_for(found, rules, edition),
                        uniform.budget_for(over, rules, edition),
                        heaviest_first(cluster, report, MEASURES[dimension]),
                        has_several_bundles(report, edition),
                        rounding,
                    )
                )
    return leads


def hangs_on_rounding(
    found: Extremes, dimension: Dimension, rules: UniformRules, edition: Edition
) -> bool:
    """Whether the threshold is all but reached, by a quotient that has to be rounded."""
    most, least = Fraction(found.most), Fraction(found.least)
    if dimension is Dimension.MSG_RATE:
        quotient, exactly = found.lead / found.least, (most - least) / least
        threshold = rules.rate_difference / 100
    else:
        quotient, exactly = found.most / found.least, most / least
        threshold = rules.throughput_ratio
    near = isclose(quotient, threshold, rel_tol=DOUBLE)
    return threshold > 0 and near and quotient != exactly and not to_the_last_bit(edition)


def least_of(cluster: Cluster, dimension: Dimension) -> float:
    """What the least busy broker reports, even if it is nothing."""
    return min(uniform.busyness(report, dimension) for report in cluster.brokers.values())


@dataclass(frozen=True, slots=True)
class UniformRound:
    """One round: what the shedder was given, what its rules make of it, and what was shed."""

    place: str
    cluster: Cluster
    rules: UniformRules
    leads: list[Lead]
    shed: tuple[Shed, ...]

    @property
    def own(self) -> list[Lead]:
        """The leads of the broker that shed, if one alone did."""
        named = [entry.broker for entry in self.shed]
        return [lead for lead in self.leads if named == [lead.found.busiest]]

    @property
    def bundles(self) -> tuple[BundleName, ...]:
        """What the first broker shed."""
        return tuple(BundleName(bundle) for entry in self.shed[:1] for bundle in entry.bundles)

    def minimum(self, lead: Lead) -> int:
        """The least amount worth an unload."""
        return uniform.minimum_for(lead.dimension, self.rules)


def walk_uniform(case: UniformCase) -> Findings:
    """What the answers say about every clause of the walk."""
    findings, rules = Findings(), case.trial.config.rules
    for number, cluster, shed in rounds_of(case):
        leads = leads_of(cluster, rules, case.edition)
        seen = UniformRound(f"round {number}", cluster, rules, leads, shed)
        judge_source(findings, seen)
        judge_amounts(findings, seen)
        judge_progress(findings, seen)
        judge_exactly(findings, seen, case.edition)
    return findings


def judge_source(findings: Findings, seen: UniformRound) -> None:
    """One source, the busiest in a dimension whose threshold is exceeded.

    Above a least of nothing every difference may be taken for infinite.
    """
    if len(seen.cluster.brokers) < 2:
        return
    busiest = {lead.found.busiest for lead in seen.leads} | idle_leads(seen.cluster, seen.rules)
    named = [entry.broker for entry in seen.shed]
    right = len(named) <= 1 and set(named) <= busiest
    findings.note(
        "SHD-20",
        right,
        lambda: f"{seen.place}: {named} shed, it can be one of {sorted(busiest)}",
    )


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


def judge_amounts(findings: Findings, seen: UniformRound) -> None:
    """Some exceeded dimension in which all that was shed is right."""
    own, bundles = seen.own, seen.bundles
    movable = all(lead.weights.keys() >= set(bundles) for lead in own)
    if not own or not movable or len(set(bundles)) < len(bundles):
        return
    worth = [lead for lead in own if lead.most * (1 + DOUBLE) >= seen.minimum(lead)]
    findings.note("SHD-23", bool(worth), f"{seen.place}: sheds although no amount is enough")
    busy = [lead for lead in worth or own if all(lead.weights[bundle] > 0 for bundle in bundles)]
    findings.note("SHD-22", bool(busy), f"{seen.place}: {bundles} include idle bundles")
    sums = [
        (lead, added(lead.weights[bundle] for bundle in bundles)) for lead in busy or worth or own
    ]
    within = any(total <= lead.most * (1 + DOUBLE) for lead, total in sums)

    def sentence() -> str:
        budgets = ", ".join(f"{total} of {lead.most} {lead.dimension}" for lead, total in sums)
        return f"{seen.place}: {seen.shed[0].broker} sheds {budgets}"

    findings.note("SHD-21", within, sentence)
    cap = seen.rules.max_bundles
    if cap >= 0:
        few = len(bundles) <= cap
        findings.note("SHD-24", few, f"{seen.place}: {len(bundles)} bundles of {cap}")


def can_move(seen: UniformRound, lead: Lead) -> bool:
    """Whether something can be moved here beyond doubt."""
    cap, budget = seen.rules.max_bundles, lead.budget * (1 - DOUBLE)
    return (
        lead.several
        and not lead.rounding
        and (cap == uniform.UNLIMITED or cap > 0)
        and budget >= seen.minimum(lead)
        and any(0 < weight <= budget for weight in lead.weights.values())
    )


def judge_progress(findings: Findings, seen: UniformRound) -> None:
    """Something is moved where all of a dimension's busiest brokers have something to move."""
    for dimension in Dimension:
        here = [lead for lead in seen.leads if lead.dimension is dimension]
        if here and all(can_move(seen, lead) for lead in here):
            names = ", ".join(lead.found.busiest for lead in here)
            sentence = f"{seen.place}: {names} sheds nothing ({dimension})"
            masked = {lead.dimension for lead in seen.leads} - {dimension}
            findings.note("SHD-25", bool(seen.shed), sentence, "masked" if masked else "stuck")


def expected_weights(seen: UniformRound, lead: Lead, edition: Edition) -> list[float]:
    """What the bundles weigh that 4.0 takes of this source, one after the other."""
    chosen = uniform.shed_in(seen.cluster, lead.found, lead.dimension, seen.rules, edition)
    return [lead.weights[bundle] for bundle in chosen]


def judge_exactly(findings: Findings, seen: UniformRound, edition: Edition) -> None:
    """The weights are those that 4.0 takes, one after the other; which of equals is open."""
    if not seen.leads:
        return
    first = [lead for lead in seen.leads if lead.dimension is seen.leads[0].dimension]
    possible = [(lead, expected_weights(seen, lead, edition)) for lead in first]
    right = any(is_answer(seen, lead, weights) for lead, weights in possible)

    def sentence() -> str:
        wanted = " or ".join(f"{lead.found.busiest}: {weights}" for lead, weights in possible)
        return f"{seen.place}: must be {wanted}, not {seen.shed}"

    findings.note("SHD-26", right, sentence)
    if len(first) < len(seen.leads):
        findings.note("SHD-27", right, sentence)
    if any(lead.found.least == uniform.MOST for lead in seen.leads):
        findings.note("SHD-28", right, sentence)
    if any(weight <= 0 for lead in seen.leads for weight in lead.weights.values()):
        findings.note("SHD-29", right, sentence)


def is_answer(seen: UniformRound, lead: Lead, weights: list[float]) -> bool:
    """Whether a subject shed these weights of this broker."""
    if not weights or not seen.shed:
        return not weights and not seen.shed
    bundles = seen.bundles
    return (
        [entry.broker for entry in seen.shed] == [lead.found.busiest]
        and len(set(bundles)) == len(bundles)
        and lead.weights.keys() >= set(bundles)
        and [lead.weights[bundle] for bundle in bundles] == weights
    )
