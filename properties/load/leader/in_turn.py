"""What 4.0 knows while two brokers report a bundle: it goes through the brokers one after another,
in an order that is nobody's choice (LOA-22, LOA-64).

What is known after a command is all that the next one builds on, and it is observed. So every
command is judged alone: some order of the brokers must explain what it made of what was known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, permutations
from typing import Final

from evenkeel.properties.findings import Findings
from evenkeel.properties.load.averages.trial import AveragesNow
from evenkeel.properties.load.comparing import close_traffic, sums
from evenkeel.properties.load.leader.trial import Knowledge, LeaderCommand
from evenkeel.properties.plain import plain
from evenkeel.reference.load.averages import LONG_TERM_SAMPLES, SHORT_TERM_SAMPLES
from evenkeel.reference.load.leader import BundleSample
from evenkeel.reference.load.traffic import Traffic

MOST_ORDERS: Final = 5_040
"""So many orders of brokers are tried; then the judge gives up."""

Reports = Mapping[str, Sequence[BundleSample]]
Averages = dict[str, AveragesNow]


def shared_by(reports: Reports) -> tuple[set[str], list[str]]:
    """The bundles in several reports, and the brokers that report one of them."""
    seen: set[str] = set()
    twice: set[str] = set()
    for report in reports.values():
        for sample in report:
            (twice if sample.bundle in seen else seen).add(sample.bundle)
    brokers = [b for b, report in reports.items() if any(s.bundle in twice for s in report)]
    return twice, brokers


def explain_in_turn(
    command: LeaderCommand,
    before: Knowledge,
    reports: Reports,
    after: Knowledge,
    findings: Findings,
) -> bool:
    """Whether some order of the brokers explains what is known after a notification."""
    known = {one.bundle: one.averages for one in before.bundles}
    seen = {one.bundle: one.averages for one in after.bundles}
    sums_of = {one.broker: one.averages for one in after.brokers}
    bundles_explained = False
    for now, turns in in_every_order(known, reports, findings):
        if now != seen:
            continue
        bundles_explained = True
        if sums_of.keys() == turns.keys() and all(
            close_traffic(sums_of[broker].short_term, short)
            and close_traffic(sums_of[broker].long_term, long)
            for broker, (short, long) in turns.items()
        ):
            findings.note("LOA-22", True)
            findings.note("LOA-64", True)
            return True
    if findings.gave_up:
        return False
    clause = "LOA-64" if bundles_explained else "LOA-22"
    findings.note(
        clause,
        False,
        lambda: f"after {plain(command)}: no order of the brokers makes {plain(after)}",
        "sums in turn" if bundles_explained else "samples in turn",
    )
    return False


def in_every_order(
    known: Averages, reports: Reports, findings: Findings
) -> Iterator[tuple[Averages, dict[str, tuple[Traffic, Traffic]]]]:
    """What may be known next: of bundles, and the two sums of each broker."""
    _, sharing = shared_by(reports)
    others = [broker for broker in reports if broker not in sharing]
    for order in islice(permutations(sharing), MOST_ORDERS):
        yield in_order(known, {b: reports[b] for b in (*order, *others)})
    if len(sharing) > 7:
        findings.gave_up = f"bundles are in the reports of {len(sharing)} brokers"


def in_order(
    known: Averages, reports: Reports
) -> tuple[Averages, dict[str, tuple[Traffic, Traffic]]]:
    """What is known after the brokers in this order; bundles that nobody reports are forgotten."""
    now: Averages = {}
    turns = {}
    for broker, report in reports.items():
        for sample in report:
            now[sample.bundle] = with_sample(
                now.get(sample.bundle) or known.get(sample.bundle), sample
            )
        mine = [now[sample.bundle] for sample in report]
        short = sums(average.short_term for average in mine)
        turns[broker] = short, sums(average.long_term for average in mine)
    return now, turns


def with_sample(before: AveragesNow | None, sample: BundleSample) -> AveragesNow:
    """LOA-14 to LOA-16: one more sample, rounded as 4.0 rounds."""
    traffic = sample.traffic
    if before is None:
        return AveragesNow(1, traffic, 1, traffic, sample.topics)
    short, long = before.short_samples, before.long_samples
    return AveragesNow(
        min(short + 1, SHORT_TERM_SAMPLES),
        moved(before.short_term, traffic, min(short + 1, SHORT_TERM_SAMPLES)),
        min(long + 1, LONG_TERM_SAMPLES),
        moved(before.long_term, traffic, min(long + 1, LONG_TERM_SAMPLES)),
        sample.topics,
    )


def moved(old: Traffic, new: Traffic, count: int) -> Traffic:
    """A mean of so many samples, the last of them new."""
    return old.combined(new, lambda before, sample: ((count - 1) * before + sample) / count)
