"""One round of TransferShedder as the clauses see it: what counts, who is out of line."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding.transfer_load import is_cooling, is_stale, underloaded_share
from evenkeel.reference.shedding.transfer_pair import is_free, is_movable
from evenkeel.reference.shedding.transfer_view import (
    TopBundle,
    TransferLabel,
    TransferReason,
    TransferReport,
    TransferRules,
    TransferView,
)

EPSILON: Final = 1e-6
"""The room left for rounding in loads of up to 100 % and their deviation."""

Excuse = tuple[TransferLabel, TransferReason]


@lru_cache(256)
def average_and_deviation(loads: tuple[float, ...]) -> tuple[float, float]:
    """The average and the standard deviation, summed up exactly: in whole parts of a load that
    all loads are multiples of.
    """
    ratios, count = [load.as_integer_ratio() for load in loads], len(loads)
    parts = max(denominator for _, denominator in ratios)
    whole = [numerator * (parts // denominator) for numerator, denominator in ratios]
    total, squares = sum(whole), sum(load * load for load in whole)
    variance = (count * squares - total * total) / (count * parts) ** 2
    return total / (count * parts), math.sqrt(variance)


@dataclass(slots=True)
class Sight:
    """A round, and what follows from its reports."""

    view: TransferView
    rules: TransferRules
    edition: Edition
    counting: list[TransferReport] = field(init=False)
    average: float = field(init=False, default=0.0)
    deviation: float = field(init=False, default=0.0)
    room: float = field(init=False, default=EPSILON)

    def __post_init__(self) -> None:
        view = self.view
        self.counting = [r for r in view.reports if not is_stale(r, view.now, self.rules)]
        if self.counting:
            loads = tuple(report.load for report in self.counting)
            self.average, self.deviation = average_and_deviation(loads)
            self.room = EPSILON * max(1.0, *loads)

    def excuses(self) -> set[Excuse]:
        """Why nothing can be decided: everything that is wrong (SHD-51)."""
        view = self.view
        if view.registered is None:
            return {(TransferLabel.FAILURE, TransferReason.UNKNOWN)}
        wrong: set[TransferReason] = set()
        if any(is_cooling(r, view.recent_brokers, self.rules) for r in self.counting):
            wrong.add(TransferReason.COOL_DOWN)
        if not self.counting:
            stale = bool(view.reports)
            wrong.add(TransferReason.OUTDATED_DATA if stale else TransferReason.NO_BROKERS)
        if set(view.registered) - {report.broker for report in view.reports}:
            wrong.add(TransferReason.NO_LOAD_DATA)
        return {(TransferLabel.SKIP, reason) for reason in wrong}

    def paired(self) -> list[TransferReport]:
        """The brokers that can give or take."""
        whole = self.edition.transfer_stale_brokers_paired
        return list(self.view.reports) if whole else self.counting

    def report_of(self, broker: str | None) -> TransferReport | None:
        """A broker's report."""
        return next((r for r in self.view.reports if r.broker == broker), None)

    # ------------------------------------------------------------------ who is out of line

    def may_have_cause(self) -> bool:
        """Whether one of the three conditions is met, or nearly."""
        return self.cause_within(self.room, any_idle=True)

    def surely_has_cause(self) -> bool:
        """Whether one of the three conditions is met, and not just so."""
        return self.cause_within(-self.room, any_idle=False)

    def cause_within(self, room: float, any_idle: bool) -> bool:
        """Whether a condition is met with so much room; equally loaded brokers count for all, or
        each for itself.
        """
        brokers = self.paired()
        least, most = min(r.load for r in brokers), max(r.load for r in brokers)
        if self.is_spread(room) or self.is_below(least, room) or self.is_above(most, room):
            return True
        quantify = any if any_idle else all
        return quantify(
            self.is_idle(low, high, room, any_idle)
            for low in brokers
            for high in brokers
            if (any_idle and not self.edition.transfer_idle_by_share) or low.load == least
            if high.load == most
        )

    def is_spread(self, room: float) -> bool:
        """Whether the deviation is above the target."""
        return self.deviation > self.rules.target_std - room

    def is_below(self, load: float, room: float) -> bool:
        """Whether a load is underloaded."""
        return load < self.average * underloaded_share(self.rules) + room

    def is_above(self, load: float, room: float) -> bool:
        """Whether a load is overloaded."""
        over = self.rules.overloaded_percentage / 100.0
        return load > over - room and load > self.average + self.rules.target_std - room

    def is_idle(self, low: TransferReport, high: TransferReport, room: float, may: bool) -> bool:
        """Whether the least loaded broker has too little traffic: by the documents none, now or
        on average, whichever a balancer goes by.
        """
        if not self.edition.transfer_idle_by_share:
            quantify = any if may else all
            return quantify(traffic <= 0.0 for traffic in (low.throughput_average, low.throughput))
        limit = high.throughput_average * underloaded_share(self.rules)
        return low.throughput_average < limit + room * high.throughput_average

    def may_be_idle(self) -> bool:
        """Whether any broker may have too little traffic beside any other."""
        brokers = self.paired()
        return any(self.is_idle(low, high, self.room, True) for low in brokers for high in brokers)

    def may_be_told(self, reason: TransferReason) -> bool:
        """Whether a first pair may be dealt with for this reason; a spread may be called either."""
        loads = [report.load for report in self.paired()]
        if self.is_spread(self.room):
            return True
        if reason is TransferReason.OVERLOADED:
            return self.is_above(max(loads), self.room)
        return self.is_below(min(loads), self.room) or self.may_be_idle()

    def is_whole(self) -> bool:
        """Whether all that report are registered."""
        return {report.broker for report in self.view.reports} <= set(self.view.registered or ())

    # ---------------------------------------------------------------------- what would fit

    def free(self, giver: TransferReport, taker: TransferReport) -> list[TopBundle]:
        """The bundles that may go from one broker to another, as they are reported."""
        return [
            bundle
            for bundle in giver.top or ()
            if is_free(bundle, self.view) and self.movable(bundle, giver, taker)
        ]

    def movable(self, bundle: TopBundle, giver: TransferReport, taker: TransferReport) -> bool:
        """Whether policies and filters let the bundle go."""
        names = giver.broker, taker.broker
        return is_movable(bundle, *names, self.view, self.rules, self.edition)

    def limit(self, giver: TransferReport, taker: TransferReport) -> float:
        """The traffic that stands for half the gap between the loads."""
        if giver.load == 0.0:
            return 0.0
        return giver.throughput * ((giver.load - taker.load) / 2) / giver.load

    def first_fits(self) -> bool:
        """Whether the most loaded broker's first free bundle surely fits the least loaded one.

        Whether a broker that is not registered gives anything is left open.
        """
        brokers = sorted(self.paired(), key=lambda report: report.load)
        if self.rules.max_pairs < 1 or len(brokers) < 2 or not self.is_whole():
            return False
        taker, giver = brokers[0], brokers[-1]
        if brokers[1].load == taker.load or brokers[-2].load == giver.load:
            return False
        free = [bundle for bundle in self.free(giver, taker) if bundle.throughput > 0]
        fits = self.limit(giver, taker) * (1 - EPSILON)
        return len(giver.top or ()) > 1 and bool(free) and free[0].throughput < fits
