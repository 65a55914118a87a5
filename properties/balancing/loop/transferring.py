"""Rounds in which TransferShedder has to move something (BAL-18).

Under constant load a broker's moving average is its usage, so the three conditions are known from
outside. What is close to a limit is not judged, and neither is the count of rounds then.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import sqrt

from evenkeel.properties.balancing.loop.progress import NEARLY, Round
from evenkeel.properties.balancing.loop.triggers import ordinary
from evenkeel.properties.tolerance import SINGLE, tolerance_of
from evenkeel.reference.balancing.history import Gauge, Move
from evenkeel.reference.balancing.settings import Settings
from evenkeel.reference.edition import DOCUMENTED, Edition
from evenkeel.reference.shedding.cluster import BrokerId, Millis
from evenkeel_engine.kit.approx import add_in_order

ALIKE = 400_000.0
"""Bundles whose incoming bytes/s differ by at most this may be tried in any order."""


@dataclass(slots=True)
class Rounds:
    """The rounds of TransferShedder so far.

    `hits`: the rounds in a row with a cause, None if unknown; `gave`: when each broker last gave a
    bundle away.
    """

    settings: Settings
    edition: Edition
    hits: int | None = 0
    gave: dict[BrokerId, Millis] = field(default_factory=dict)

    def step(self, round_: Round) -> list[BrokerId]:
        """Process one round; returns brokers of which one surely gives something now, or none."""
        if not round_.complete:
            self.hits = None
            return []
        ago = min(round_.now - self.gave.get(broker, -(10**9)) for broker in round_.gauges)
        if ago < self.delay or (ago == self.delay and self.edition is DOCUMENTED):
            return []
        found = self.cause(list(round_.gauges.values()))
        if found is None or self.hits is None:
            self.hits = None if found is not False else 0
            return []
        self.hits = self.hits + 1 if found else 0
        if self.hits <= max(self.settings.hit_threshold, 0) or self.settings.max_pairs < 1:
            return []
        fullest, emptiest = extremes(round_.gauges.values())
        sure = all(self.fits(round_, giver, taker) for giver in fullest for taker in emptiest)
        return [gauge.broker for gauge in fullest] if sure else []

    def note_moves(self, now: Millis, moves: Iterable[Move]) -> None:
        """Process the moves of this round: the count is reset."""
        for move in moves:
            self.gave[move.source] = now
            self.hits = 0

    @property
    def delay(self) -> Millis:
        """How long a broker cools down after giving a bundle away; nothing moves in that time. By
        the documents its end may belong to it.
        """
        return self.settings.delay_seconds * 1000

    def cause(self, gauges: list[Gauge]) -> bool | None:
        """Whether one of the three documented conditions holds; None if close to a limit."""
        average = add_in_order(gauge.usage for gauge in gauges) / len(gauges)
        deviation = sqrt(
            add_in_order((gauge.usage - average) ** 2 for gauge in gauges) / len(gauges)
        )
        target, full = self.settings.target_std, self.settings.overloaded_percent / 100
        fullest, emptiest = extremes(gauges)
        most = max(gauge.usage for gauge in fullest)
        verdicts = [
            above(deviation - target),
            above(min(most - full, most - average - target)),
            *(self.is_underloaded(e, f, average) for e in emptiest for f in fullest),
        ]
        if True in verdicts[:2] or all(verdict is True for verdict in verdicts[2:]):
            return True
        return False if all(verdict is False for verdict in verdicts) else None

    def is_underloaded(self, least: Gauge, most: Gauge, average: float) -> bool | None:
        """Whether a broker has much less than the others; in 4.0 much less traffic is enough."""
        share = min(0.5, max(0.0, self.settings.target_std / 2))
        less = above(average * share - least.usage)
        idle: bool | None = least.throughput <= 0
        if self.edition.transfer_idle_by_share:
            needed = most.throughput * share
            idle = None if abs(needed - least.throughput) < 1 else least.throughput < needed
        if less or idle:
            return True
        return None if less is None or idle is None else False

    def fits(self, round_: Round, giver: Gauge, taker: Gauge) -> bool:
        """Whether the giver's smallest free bundles surely are at most half of the gap and, by the
        documents, do not take the giver below the average.

        Incoming traffic decides first which is the smallest (LOA-55).
        """
        bundles = ordinary(giver.bundles, self.edition)
        free = [round_.loads[bundle] for bundle in bundles if bundle in round_.free]
        some = [load for load in free if load.throughput > 0]
        listed = 1 < len(bundles) <= self.settings.top_bundles
        if giver.broker == taker.broker or not some or not listed or giver.usage < SINGLE:
            return False
        gap = (giver.usage - taker.usage) / 2
        if not tolerance_of(self.edition).exact:
            usages = [gauge.usage for gauge in round_.gauges.values()]
            gap = min(gap, giver.usage - add_in_order(usages) / len(usages))
        half = giver.throughput * gap / giver.usage
        least = min(load.throughput_in for load in some)
        first = [load.throughput for load in some if load.throughput_in <= least + ALIKE]
        return max(first) <= half * NEARLY


def above(distance: float) -> bool | None:
    """Whether a value exceeds a limit, given their difference; None if that is close to 0."""
    return None if abs(distance) < SINGLE else distance > 0


def extremes(gauges: Iterable[Gauge]) -> tuple[list[Gauge], list[Gauge]]:
    """The fullest and the emptiest brokers; several where they are about equally full."""
    every = list(gauges)
    most = max(gauge.usage for gauge in every)
    least = min(gauge.usage for gauge in every)
    return (
        [gauge for gauge in every if gauge.usage >= most - SINGLE],
        [gauge for gauge in every if gauge.usage <= least + SINGLE],
    )
