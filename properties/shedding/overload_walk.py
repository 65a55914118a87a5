"""Following OverloadShedder's rounds by what a subject shed (SHD-10 to SHD-16)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from evenkeel.properties.clause import Case
from evenkeel.properties.findings import Findings
from evenkeel.properties.shedding.common_walk import Usages, own_bundles, rounds_of
from evenkeel.properties.shedding.room import is_exact, scale, usage_precision
from evenkeel.properties.shedding.rounds import SheddingAnswer
from evenkeel.properties.shedding.trials_overload import OverloadTrial
from evenkeel.reference.adding import added
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding import overload
from evenkeel.reference.shedding.cluster import BrokerReport, BundleName
from evenkeel.reference.shedding.overload import OverloadRules
from evenkeel.reference.shedding.selecting import (
    has_several_bundles,
    heaviest_first,
    reaching,
    short_throughput,
)

OverloadCase = Case[OverloadTrial, SheddingAnswer]


@dataclass(frozen=True, slots=True)
class BrokerRound:
    """One broker in one round: its report, how full it is, what it could and what it did shed.

    `room` is what its usage may be off by.
    """

    place: str
    report: BrokerReport
    usage: float
    room: float
    weights: dict[BundleName, float]
    shed: tuple[BundleName, ...]

    @property
    def valid(self) -> bool:
        """Whether the broker may shed these bundles at all (SHD-1 to SHD-5)."""
        return len(set(self.shed)) == len(self.shed) and self.weights.keys() >= set(self.shed)

    def overloaded(self, rules: OverloadRules) -> int:
        """1: the usage reaches the threshold, -1: it does not, 0: nobody can tell."""
        reaches = overload.is_overloaded(self.usage, rules)
        open_ = overload.is_overloaded(self.usage - self.room, rules) != (
            overload.is_overloaded(self.usage + self.room, rules)
        )
        if open_ and not is_exact(self.report.resources, rules.weights):
            return 0
        return 1 if reaches else -1


def broker_rounds(case: OverloadCase) -> Iterator[BrokerRound]:
    """Every broker in every round."""
    usages, precision = Usages(case.trial.config.weights), usage_precision(case.edition)
    for number, cluster, shed in rounds_of(case):
        chosen = {entry.broker: tuple(map(BundleName, entry.bundles)) for entry in shed}
        for broker, report in cluster.brokers.items():
            usage = usages.of(report)
            yield BrokerRound(
                f"round {number}, {broker}",
                report,
                usage,
                precision * scale([usage]),
                heaviest_first(cluster, report, short_throughput),
                chosen.get(broker, ()),
            )


def walk_overload(case: OverloadCase) -> Findings:
    """What the answers say about every clause of the walk."""
    findings = Findings()
    rules = case.trial.config.rules
    for seen in broker_rounds(case):
        judge_trigger(findings, seen, rules, case.edition)
        if seen.shed and seen.valid:
            judge_order(findings, seen)
            judge_enough(findings, seen, rules)
        if seen.valid:
            judge_amount(findings, seen, rules, case.edition)
    return findings


def judge_trigger(
    findings: Findings, seen: BrokerRound, rules: OverloadRules, edition: Edition
) -> None:
    """Overloaded brokers shed, others do not."""

    def state() -> str:
        return f"{seen.place} at {seen.usage} of {overload.overload_threshold(rules)}"

    overloaded = seen.overloaded(rules)
    if overloaded == -1:
        findings.note("SHD-10", not seen.shed, lambda: f"{state()} sheds {seen.shed}")
    elif overloaded == 1 and has_several_bundles(seen.report, edition) and seen.weights:
        shed = bool(seen.shed)
        findings.note("SHD-11", shed, lambda: f"{state()} sheds nothing of {list(seen.weights)}")


def judge_order(findings: Findings, seen: BrokerRound) -> None:
    """Heavier bundles before lighter ones, and none left that is heavier than the last."""
    weights = [seen.weights[bundle] for bundle in seen.shed]
    falling = all(before >= after for before, after in pairwise(weights))
    left = [weight for bundle, weight in seen.weights.items() if bundle not in seen.shed]
    if len(seen.weights) > 1:
        right = falling and max(left, default=0.0) <= weights[-1]
        findings.note("SHD-12", right, lambda: f"{seen.place} sheds {weights} and keeps {left}")


def judge_enough(findings: Findings, seen: BrokerRound, rules: OverloadRules) -> None:
    """What is left brings usage, if it follows traffic, below the threshold; or nothing is left."""
    if seen.overloaded(rules) != 1 or len(seen.shed) == len(seen.weights):
        return
    traffic = seen.report.traffic.throughput
    if traffic <= 0 or seen.usage <= 0:
        return
    marked = added(seen.weights[bundle] for bundle in seen.shed)
    expected = seen.usage * (1 - marked / traffic)
    below = expected < overload.overload_threshold(rules) + seen.room
    findings.note(
        "SHD-13",
        below,
        lambda: (
            f"{seen.place} at {seen.usage} sheds {marked} of {traffic} B/s: {expected} expected"
        ),
    )


def judge_amount(
    findings: Findings, seen: BrokerRound, rules: OverloadRules, edition: Edition
) -> None:
    """The weights are those that 4.0 takes, one after the other; which of equals is open."""
    if not overload.is_overloaded(seen.usage, rules):
        return
    amount = overload.amount_to_shed(seen.usage, seen.report, rules, edition)
    several = has_several_bundles(seen.report, edition)
    expected = reaching(seen.weights, amount) if several else ()
    wanted = [seen.weights[bundle] for bundle in expected]
    shed = [seen.weights[bundle] for bundle in seen.shed]

    def sentence() -> str:
        return f"{seen.place} must shed {wanted} for {amount} B/s, not {shed}"

    findings.note("SHD-14", shed == wanted, sentence)
    if own_bundles(seen.report) <= 1 < len(seen.report.bundles):
        findings.note("SHD-16", shed == wanted, sentence)
    if len(shed) > 1:
        before_last = added(shed[:-1])
        spare = before_last < amount
        findings.note(
            "SHD-15", spare, lambda: f"{seen.place}: {before_last} B/s of {amount} were enough"
        )
