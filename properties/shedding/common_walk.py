"""What no modular shedder may do, round after round (SHD-1 to SHD-8)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from evenkeel.properties.clause import Case, describe
from evenkeel.properties.findings import Findings, OncePerCase
from evenkeel.properties.shedding.memory import Memory
from evenkeel.properties.shedding.rounds import Shed, SheddingAnswer, bundles_in
from evenkeel.properties.shedding.trials_avg import AvgAnswer
from evenkeel.reference.load.namespaces import is_monitoring, namespace_of
from evenkeel.reference.load.usage import Weights, max_weighted_usage
from evenkeel.reference.shedding.cluster import BrokerId, BrokerReport, BundleName, Cluster

Answer = SheddingAnswer | AvgAnswer


def shed_in(answer: Answer) -> Iterator[tuple[Shed, ...]]:
    """What an answer sheds in each round, without destinations."""
    if isinstance(answer, SheddingAnswer):
        yield from answer.rounds
    else:
        for round_ in answer.rounds:
            yield tuple(
                Shed(entry.broker, tuple(planned.bundle for planned in entry.bundles))
                for entry in round_
            )


def well_formed(case: Case[Any, Any]) -> str | None:
    """Why an observation is no answer to the trial; None if it is one."""
    answer = case.observation
    if not isinstance(answer, SheddingAnswer | AvgAnswer):
        return f"bundles must be named, but the subject {describe(answer)}"
    if len(answer.rounds) != len(case.trial.rounds):
        return f"{len(answer.rounds)} rounds are answered, not {len(case.trial.rounds)}"
    for round_ in answer.rounds:
        if len({entry.broker for entry in round_}) != len(round_):
            return f"a broker is named twice: {round_}"
    return None


SeenRound = tuple[int, Cluster, tuple[Shed, ...]]
"""A round's number, what the shedder was given in it, and what it shed."""


def follow(case: Case[Any, Any]) -> list[SeenRound]:
    """Every round of a well-formed answer."""
    answer = case.observation
    if well_formed(case) is not None or not isinstance(answer, SheddingAnswer | AvgAnswer):
        return []
    memory, seen = Memory(case.trial, case.trial.config), []
    numbered = enumerate(zip(case.trial.rounds, shed_in(answer), strict=True), start=1)
    for number, (round_, shed) in numbered:
        seen.append((number, memory.cluster(round_), shed))
        memory.unload(round_, bundles_in(shed))
    return seen


rounds_of: Final = OncePerCase(follow)


class Usages:
    """How full brokers are: worked out once for each report, however many rounds it is in."""

    __slots__ = ("_known", "_weights")

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._known: dict[int, tuple[BrokerReport, float]] = {}

    def of(self, report: BrokerReport) -> float:
        """The broker's usage as a fraction. The report is kept, so that its identity stays its."""
        known = self._known.get(id(report))
        if known is None:
            usage = max_weighted_usage(report.resources, self._weights)
            known = self._known[id(report)] = report, usage
        return known[1]


def walk_common(case: Case[Any, Any]) -> Findings:
    """What is asked of every modular shedder."""
    findings = Findings()
    fault = well_formed(case)
    if fault is not None:
        findings.note("SHD-1", False, fault, "shape")
    for number, cluster, shed in rounds_of(case):
        named = list(bundles_in(shed))
        once = len(set(named)) == len(named)
        if named or cluster.bundles:
            findings.note("SHD-4", once, lambda: f"round {number}: a bundle twice in {named}")  # noqa: B023
        for entry in shed:
            report = cluster.brokers.get(BrokerId(entry.broker))
            if report is None:
                findings.note("SHD-1", False, f"round {number}: no broker {entry.broker}", "broker")
                continue
            judge_bundles(findings, number, cluster, report, entry)
            judge_broker(findings, number, report, entry)
        note_exercised(findings, cluster)
    return findings


def judge_bundles(
    findings: Findings, number: int, cluster: Cluster, report: BrokerReport, entry: Shed
) -> None:
    """Each bundle on its own: served, known, not a monitor's, not in its grace period."""
    for bundle in map(BundleName, entry.bundles):
        where = f"round {number}: {entry.broker} is to shed {bundle}"
        if bundle not in report.bundles:
            findings.note("SHD-1", False, f"{where}, which it does not serve", "bundle")
        if is_monitors(bundle):
            findings.note("SHD-2", False, f"{where}, a monitoring bundle")
        at = cluster.recently_unloaded.get(bundle)
        if at is not None:
            findings.note("SHD-3", False, f"{where}, which was unloaded at {at} ms")
        if bundle not in cluster.bundles:
            findings.note("SHD-5", False, f"{where}, of which nothing is known")


def judge_broker(findings: Findings, number: int, report: BrokerReport, entry: Shed) -> None:
    """The broker keeps a bundle: of all that it serves, of those that are not monitors'."""
    where = f"round {number}: {entry.broker} is to shed {', '.join(entry.bundles)}"
    if entry.bundles:
        several = len(report.bundles) > 1
        findings.note("SHD-7", several, f"{where}, its sole bundle", "sole")
        own = own_bundles(report)
        findings.note("SHD-8", own > 1, f"{where}, its sole bundle but for monitoring", "sole")


@lru_cache(4096)
def is_monitors(bundle: str) -> bool:
    """Whether a bundle belongs to a monitoring namespace."""
    return is_monitoring(namespace_of(bundle))


def own_bundles(report: BrokerReport) -> int:
    """How many bundles a broker serves, those of monitoring namespaces left out."""
    return len(report.bundles) - sum(map(is_monitors, report.bundles))


def note_exercised(findings: Findings, cluster: Cluster) -> None:
    """The round could have shown a breach."""
    for report in cluster.brokers.values():
        served = report.bundles
        if served:
            findings.add("SHD-1", None)
        monitors = sum(map(is_monitors, served))
        if monitors:
            findings.add("SHD-2", None)
        if not cluster.recently_unloaded.keys().isdisjoint(served):
            findings.add("SHD-3", None)
        if not cluster.bundles.keys() >= set(served):
            findings.add("SHD-5", None)
        if len(served) == 1:
            findings.add("SHD-7", None)
        if len(served) - monitors == 1:
            findings.add("SHD-8", None)
