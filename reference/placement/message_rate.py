"""LeastLongTermMessageRate: the broker with the lowest long-term message rate.

Source: document 001, section 1; LeastLongTermMessageRate 4.0.8 (the default up to 4.x).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evenkeel.reference.edition import Edition
from evenkeel.reference.load.usage import Resources, Weights, max_usage
from evenkeel.reference.placement.arithmetic import Number, number, percent, usage
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Breakage


class NoReport(Breakage):
    """A candidate has not reported, and the placement asks for its report."""


@dataclass(frozen=True, slots=True)
class RateReport:
    """What is known of a broker.

    `rate_in` and `rate_out` (msg/s): the sum of its bundles' long-term rates. `preallocated`
    (msg/s, whole numbers): the long-term rate of each bundle that was given to it and is not
    reported yet.
    """

    resources: Resources = Resources()
    rate_in: float = 0.0
    rate_out: float = 0.0
    preallocated: tuple[int, ...] = ()


@states("PLC-7", "PLC-52")
def is_overloaded(resources: Resources, threshold: int, weights: Weights, edition: Edition) -> bool:
    """Whether the usage is above the threshold (percent); a usage at it is not.

    Source: document 001, section 1 ("bigger than").
    """
    if edition.modular_usage_unweighted:
        return max_usage(resources) > percent(threshold, edition)
    return usage(resources, weights, edition) > percent(threshold, edition)


@states("PLC-7", "PLC-8", "PLC-42")
def score(report: RateReport, threshold: int, weights: Weights, edition: Edition) -> Number:
    """Messages per second in and out, preallocated bundles included; infinite if overloaded.

    Source: document 001, section 1; LeastLongTermMessageRate.getScore 4.0.8.
    """
    if is_overloaded(report.resources, threshold, weights, edition):
        return math.inf
    reported = number(report.rate_in, edition) + number(report.rate_out, edition)
    return sum(report.preallocated) + reported


@states("PLC-1", "PLC-4", "PLC-5", "PLC-8", "PLC-9")
def least_loaded(
    candidates: Sequence[str],
    reports: Mapping[str, RateReport],
    threshold: int,
    weights: Weights,
    edition: Edition,
) -> tuple[str, ...]:
    """The candidates with the lowest score: one of them is to be chosen.

    Where the documents promise nothing of candidates without a report, these are allowed too.
    Breaks with `NoReport` in 4.0. Source: document 001, section 1.
    """
    unknown = [broker for broker in candidates if broker not in reports]
    if unknown and edition.unreported_candidates_break:
        raise NoReport(unknown[0])
    scores = {
        broker: score(reports[broker], threshold, weights, edition)
        for broker in candidates
        if broker in reports
    }
    lowest = min(scores.values(), default=math.inf)
    return tuple(b for b in candidates if b not in scores or scores[b] == lowest)
