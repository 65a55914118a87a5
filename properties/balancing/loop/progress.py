"""Rounds in which a modular strategy has to move something (BAL-10).

Only under constant load is it known from outside what the leader knows of bundles and brokers.
What is close to a threshold, and brokers that are equally full, leave several answers, and are not
judged here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from evenkeel.properties.balancing.loop.triggers import ordinary
from evenkeel.properties.tolerance import DOUBLE, SINGLE
from evenkeel.reference.balancing.curves import Steady
from evenkeel.reference.balancing.history import Gauge
from evenkeel.reference.balancing.scenario import Scenario, Slow
from evenkeel.reference.balancing.settings import Settings
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.cluster import BrokerId, BundleName, Millis

NEARLY = 1 - DOUBLE
"""What fits with this factor fits by any order of addition."""


@dataclass(frozen=True, slots=True)
class Round:
    """The state when a round of shedding begins.

    `gauges`: the last gauges of the registered brokers; `up`: the brokers that run; `complete`: all
    registered brokers run and have gauges; `free`: the bundles outside their grace period; `loads`:
    the weight of each.
    """

    now: Millis
    gauges: Mapping[BrokerId, Gauge]
    up: frozenset[BrokerId]
    complete: bool
    free: frozenset[BundleName]
    loads: Mapping[BundleName, Traffic]
    edition: Edition

    def gives(self, broker: BrokerId, fits: Callable[[Traffic], bool]) -> bool:
        """Whether the broker has several bundles that count, one of which is free and fits."""
        bundles = ordinary(self.gauges[broker].bundles, self.edition)
        free = [self.loads[bundle] for bundle in bundles if bundle in self.free]
        return broker in self.up and len(bundles) > 1 and any(map(fits, free))


def is_constant(scenario: Scenario) -> bool:
    """Whether loads and brokers are constant, except that brokers may leave and return."""
    return all(isinstance(bundle.curve, Steady) for bundle in scenario.every_bundle) and not any(
        isinstance(event, Slow) for event in scenario.events
    )


def msg_rate(load: Traffic | Gauge) -> float:
    """Messages per second, in plus out."""
    return load.msg_rate


def throughput(load: Traffic | Gauge) -> float:
    """Bytes per second, in plus out."""
    return load.throughput


Weigh = Callable[[Traffic | Gauge], float]


def fitting(weigh: Weigh, budget: float) -> Callable[[Traffic], bool]:
    """Whether a bundle is surely worth moving and within the budget."""
    return lambda load: 0 < weigh(load) <= budget * NEARLY


# --------------------------------------------------------------------- UniformLoadShedder


def uniform_moves(settings: Settings, round_: Round) -> bool:
    """Whether UniformLoadShedder surely moves something: rates or throughputs differ by more than
    the threshold, the share of the lead is worth it, and a bundle fits into it.

    A broker that crashed and is still registered may be the busiest of one dimension: its unloads
    have no effect, and it was the round's only source.
    """
    capped = settings.max_unload_bundles < 1 and settings.max_unload_bundles != -1
    if capped or not round_.complete:
        return False
    return uniform_in(
        settings, round_, msg_rate, settings.min_unload_rate, by_percent
    ) or uniform_in(settings, round_, throughput, settings.min_unload_throughput, by_ratio)


def by_percent(settings: Settings, most: float, least: float) -> bool:
    """Whether message rates differ by more than the threshold in percent of the least."""
    percent = (most - least) * 100 / least
    return 0 < settings.rate_difference < percent * NEARLY


def by_ratio(settings: Settings, most: float, least: float) -> bool:
    """Whether the largest throughput exceeds the least by more than the factor."""
    return 0 < settings.throughput_ratio < most / least * NEARLY


def uniform_in(
    settings: Settings,
    round_: Round,
    weigh: Weigh,
    minimum: float,
    exceeds: Callable[[Settings, float, float], bool],
) -> bool:
    """Whether something surely moves in one dimension, whichever of equals counts as busiest."""
    carried = {broker: weigh(gauge) for broker, gauge in round_.gauges.items()}
    most, least = max(carried.values()), min(carried.values()) or 1.0
    budget = (most - least) * settings.max_unload_share
    if not exceeds(settings, most, least) or not budget * NEARLY > minimum:
        return False
    busiest = [broker for broker, load in carried.items() if load >= most * NEARLY]
    return all(round_.gives(broker, fitting(weigh, budget)) for broker in busiest)


# ----------------------------------------------------------------------------- AvgShedder

Pair = tuple[BrokerId, BrokerId]


@dataclass(slots=True)
class Pairs:
    """How often AvgShedder's pairs were far apart, round by round.

    `hits`: the low and the high hits in a row of each pair, None where unknown: after it has acted
    or changed roles, until a round in which its brokers are close to each other; `lost`: the pairs
    themselves are unknown.
    """

    settings: Settings
    hits: dict[Pair, tuple[int, int] | None] = field(default_factory=dict)
    lost: bool = False

    def step(self, round_: Round) -> list[BrokerId]:
        """Process one round; returns the fuller brokers that surely give something now."""
        points = {broker: gauge.usage * 100 for broker, gauge in round_.gauges.items()}
        ranked = sorted(points, key=lambda broker: points[broker])
        if points[ranked[-1]] - points[ranked[0]] < self.settings.low_threshold - SINGLE:
            self.hits, self.lost = {}, False
            return []
        if any(points[high] - points[low] < SINGLE for low, high in pairwise(ranked)):
            self.hits, self.lost = {}, True
            return []
        before, self.hits = self.hits, {}
        pairs = [(ranked[-1], ranked[0])]  # others may act, too, and need not (SHD-103)
        return list(self.acting(round_, before, pairs, points))

    def note_moves(self, sources: Collection[BrokerId]) -> None:
        """These brokers gave something away: their pairs have acted. Whether all their hits are
        reset, or only those of the threshold that was reached, is left open.
        """
        self.hits |= dict.fromkeys(pair for pair in self.hits if pair[0] in sources)

    def acting(
        self,
        round_: Round,
        before: Mapping[Pair, tuple[int, int] | None],
        pairs: list[Pair],
        points: Mapping[BrokerId, float],
    ) -> Iterator[BrokerId]:
        """Count every pair's hits; the fuller brokers that surely give something."""
        settings, lost, self.lost = self.settings, self.lost, False
        for pair in pairs:
            gap = points[pair[0]] - points[pair[1]]
            if gap < settings.low_threshold - SINGLE:
                continue
            turned = None if pair[::-1] in before else (0, 0)  # may count for the pair in any order
            after = None if lost else self.count_hits(before.get(pair, turned), gap)
            met = after and (after[0] >= settings.low_hits or after[1] >= settings.high_hits)
            self.hits[pair] = None if met else after
            if met and self.moves(round_, *pair):
                yield pair[0]

    def count_hits(self, hits: tuple[int, int] | None, gap: float) -> tuple[int, int] | None:
        """A pair's hits with this round's, None where the difference is close to a threshold."""
        settings = self.settings
        near = (settings.low_threshold, settings.high_threshold)
        if hits is None or any(abs(gap - threshold) < SINGLE for threshold in near):
            return None
        return hits[0] + 1, hits[1] + 1 if gap > settings.high_threshold else 0

    def moves(self, round_: Round, fuller: BrokerId, emptier: BrokerId) -> bool:
        """Whether a bundle surely fits into the share of the difference that is to be moved, by
        message rate and by throughput, where that share is worth it: either may be moved.
        """
        worth: list[Callable[[Traffic], bool]] = []
        for weigh, minimum in (
            (msg_rate, self.settings.min_unload_rate),
            (throughput, self.settings.min_unload_throughput),
        ):
            lead = weigh(round_.gauges[fuller]) - weigh(round_.gauges[emptier])
            budget = lead * self.settings.max_unload_share
            if abs(budget - minimum) < SINGLE:
                return False
            if budget > minimum:
                worth.append(fitting(weigh, budget))
        return bool(worth) and all(round_.gives(fuller, fits) for fits in worth)
