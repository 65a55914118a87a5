"""What no modular shedder may do, round after round (SHD-1 to SHD-8)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from evenkeel.properties.clause import Case, describe
from evenkeel.properties.findings import Findings, OncePerCase
from evenkeel.properties.shedding.trials_avg import AvgAnswer
from evenkeel.properties.shedding.trials_modular import (
    Memory,
    Shed,
    SheddingAnswer,
    bundles_in,
)
from evenkeel.reference.load.namespaces import is_monitoring, namespace_of
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
            findings.note("SHD-4", once, f"round {number}: a bundle twice in {named}")
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
        if is_monitoring(namespace_of(bundle)):
            findings.note("SHD-2", False, f"{where}, a monitoring bundle")
        at = cluster.recently_unloaded.get(bundle)
        if at is not None:
            findings.note("SHD-3", False, f"{where}, which was unloaded at {at} ms")
        if bundle not in cluster.bundles:
            findings.note("SHD-5", False, f"{where}, of which nothing is known")


def judge_broker(findings: Findings, number: int, report: BrokerReport, entry: Shed) -> None:
    """The broker keeps a bundle: of all that it serves, of those that are not monitors'."""
    own = sum(not is_monitoring(namespace_of(bundle)) for bundle in report.bundles)
    where = f"round {number}: {entry.broker} is to shed {', '.join(entry.bundles)}"
    if entry.bundles:
        several = len(report.bundles) > 1
        findings.note("SHD-7", several, f"{where}, its sole bundle", "sole")
        findings.note("SHD-8", own > 1, f"{where}, its sole bundle but for monitoring", "sole")


def note_exercised(findings: Findings, cluster: Cluster) -> None:
    """The round could have shown a breach."""
    served = [bundle for report in cluster.brokers.values() for bundle in report.bundles]
    if served:
        findings.add("SHD-1", None)
    if any(is_monitoring(namespace_of(bundle)) for bundle in served):
        findings.add("SHD-2", None)
    if any(bundle in cluster.recently_unloaded for bundle in served):
        findings.add("SHD-3", None)
    if any(bundle not in cluster.bundles for bundle in served):
        findings.add("SHD-5", None)
    for report in cluster.brokers.values():
        if len(report.bundles) == 1:
            findings.add("SHD-7", None)
        if sum(not is_monitoring(namespace_of(bundle)) for bundle in report.bundles) == 1:
            findings.add("SHD-8", None)
