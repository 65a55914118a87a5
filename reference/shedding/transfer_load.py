"""The loads that TransferShedder looks at: which reports count, their spread, who is out of line.

Clauses SHD-50 to SHD-54, SHD-67.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from evenkeel.reference.clauses import states
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding.cluster import Millis
from evenkeel.reference.shedding.ieee import at_least_zero, root
from evenkeel.reference.shedding.transfer_view import (
    LastUnload,
    TransferReason,
    TransferReport,
    TransferRules,
    TransferView,
)

SECOND: Millis = 1000


@dataclass(frozen=True, slots=True)
class Spread:
    """Sum, sum of squares, average and standard deviation of so many loads."""

    squares: float
    count: int
    average: float
    deviation: float


@states("SHD-50", "SHD-52", "SHD-53")
def is_stale(report: TransferReport, now: Millis, rules: TransferRules) -> bool:
    """Whether a report is older than its time to live; one of exactly that age is not."""
    return now - report.updated_at > rules.ttl_seconds * SECOND


@states("SHD-50")
def is_cooling(
    report: TransferReport, unloads: tuple[LastUnload, ...], rules: TransferRules
) -> bool:
    """Whether the report was made too soon after the broker last gave a bundle away."""
    return any(
        report.updated_at - unload.at < rules.delay_seconds * SECOND
        for unload in unloads
        if unload.broker == report.broker
    )


@states("SHD-50", "SHD-51", "SHD-52")
def measure(view: TransferView, rules: TransferRules, edition: Edition) -> Spread | TransferReason:
    """The spread of the loads, or why nothing can be said about them.

    Reports are looked at one by one; the first broker that is cooling down ends it, whatever
    else may be wrong. Source: TransferShedder.LoadStats.update 4.0.8.
    """
    loads: list[float] = []
    missing = set(view.registered or ())
    stale = False
    for report in view.reports:
        missing.discard(report.broker)
        if is_stale(report, view.now, rules):
            stale = True
        elif is_cooling(report, view.recent_brokers, rules):
            return TransferReason.COOL_DOWN
        else:
            loads.append(report.load)
    if not loads:
        return TransferReason.OUTDATED_DATA if stale else TransferReason.NO_BROKERS
    if missing:
        return TransferReason.NO_LOAD_DATA
    return spread_of(loads, edition)


@states("SHD-52")
def spread_of(loads: list[float], edition: Edition) -> Spread:
    """Average and population standard deviation, summed up in this order."""
    total = squares = 0.0
    for load in loads:
        total += load
        squares += load * load
    return spread_from(squares, len(loads), total / len(loads), edition)


@states("SHD-52")
def spread_from(squares: float, count: int, average: float, edition: Edition) -> Spread:
    """The spread of so many loads of which the sum of the squares and the average are known."""
    variance = squares / count - average * average
    deviation = root(variance if edition.transfer_deviation_breaks else at_least_zero(variance))
    return Spread(squares, count, average, deviation)


@states("SHD-67")
def after(spread: Spread, giver: float, taker: float, moved: float) -> Spread:
    """The spread to be expected once so much load has gone from one broker to another.

    The average stays. Source: TransferShedder.LoadStats.offload 4.0.8.
    """
    less, more = at_least_zero(giver - moved), taker + moved
    squares = spread.squares - (giver * giver + taker * taker)
    squares += less * less + more * more
    variance = squares / spread.count - spread.average * spread.average
    return replace(spread, squares=squares, deviation=root(math.fabs(variance)))


@states("SHD-53", "SHD-62")
def by_load(view: TransferView, rules: TransferRules, edition: Edition) -> list[TransferReport]:
    """The brokers from the least to the most loaded; equally loaded ones as they are listed."""
    reports = [
        report
        for report in view.reports
        if edition.transfer_stale_brokers_paired or not is_stale(report, view.now, rules)
    ]
    return sorted(reports, key=lambda report: report.load)


@states("SHD-54")
def underloaded_share(rules: TransferRules) -> float:
    """The share of the average below which a broker is underloaded: half the target, at most ½."""
    return min(0.5, at_least_zero(rules.target_std / 2.0))


@states("SHD-54")
def is_underloaded(
    report: TransferReport,
    most_loaded: TransferReport,
    average: float,
    rules: TransferRules,
    edition: Edition,
) -> bool:
    """Whether a broker has much less than the average load, or much less traffic."""
    share = underloaded_share(rules)
    if report.load < average * share:
        return True
    if edition.transfer_idle_by_share:
        return report.throughput_average < most_loaded.throughput_average * share
    return report.throughput_average <= 0.0


@states("SHD-54")
def is_overloaded(report: TransferReport, average: float, rules: TransferRules) -> bool:
    """Whether a broker is above the overload threshold and far above the average."""
    return (
        report.load > rules.overloaded_percentage / 100.0
        and report.load > average + rules.target_std
    )


@states("SHD-51", "SHD-54")
def cause(
    spread: Spread,
    least: TransferReport,
    most: TransferReport,
    rules: TransferRules,
    edition: Edition,
) -> TransferReason | None:
    """Why load has to be moved, if it has to: the first of three conditions."""
    if spread.deviation > rules.target_std:
        return TransferReason.OVERLOADED
    if is_underloaded(least, most, spread.average, rules, edition):
        return TransferReason.UNDERLOADED
    return TransferReason.OVERLOADED if is_overloaded(most, spread.average, rules) else None
