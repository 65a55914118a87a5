"""What follows from one round's reports, independently of the decision."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Final

from evenkeel.properties.tolerance import Tolerance, largest, tolerance_of
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.namespaces import namespace_of
from evenkeel.reference.shedding.transfer import (
    TopBundle,
    TransferLabel,
    TransferMove,
    TransferReason,
    TransferReport,
    TransferRules,
    TransferView,
)
from evenkeel_engine.kit.approx import Approx, Ternary, both, either, some

SECOND: Final = 1000

FEW: Final = 5
"""Up to this number of loads, sums are computed in every order; above, up to a tolerance."""

SkipReason = tuple[TransferLabel, TransferReason]


@dataclass(frozen=True, slots=True)
class Exchange:
    """What one broker gives to another (source, bundle, destination), and the traffic that leaves
    and that counts as coming back.
    """

    moves: tuple[tuple[TransferReport, TopBundle, TransferReport], ...] = ()
    going: float = 0.0
    coming: float = 0.0


@dataclass(frozen=True, slots=True)
class Spread:
    """Average and standard deviation of a number of loads; `squares` is the sum of their squares.

    `reported_…`: what may be answered: sums in any order, and 0 where 4.0 computes NaN. `stretch`:
    the ratio of the deviation to the population's.
    """

    count: int
    squares: float
    average: Approx
    deviation: Approx
    reported_average: Approx
    reported_deviation: Approx
    stretch: float = 1.0

    @property
    def bits(self) -> tuple[float | None, float | None]:
        """Average and deviation as they are answered: null for NaN."""
        deviation = self.deviation.value
        return self.average.value, None if math.isnan(deviation) else deviation

    def after(self, giver: float, taker: float, moved: float, gained: float) -> Spread:
        """The expected spread after one broker loses load and another gains it (SHD-67).

        In 4.0 both are the same, and may be NaN; the average stays.
        """
        less, more = max(0.0, giver - moved), taker + gained
        squares = self.squares - (giver * giver + taker * taker)
        squares += less * less + more * more
        average, shift = self.average, (gained - moved) / self.count
        if math.isfinite(shift):
            average += Approx(shift)
        variance = abs(squares / self.count - average.value * average.value)
        near = Approx(math.sqrt(variance) * self.stretch, self.deviation.tolerance)
        return replace(
            self, squares=squares, average=average, deviation=near, reported_deviation=near
        )

    def of_sample(self) -> Spread:
        """The same with the deviation of a sample, divided by n − 1 (SHD-52)."""
        by = math.sqrt(self.count / max(self.count - 1, 1))
        both_ = self.deviation.times(by), self.reported_deviation.times(by)
        return replace(self, deviation=both_[0], reported_deviation=both_[1], stretch=by)


def in_turn(values: Iterable[float]) -> float:
    """The sum of doubles, added in order."""
    total = 0.0
    for value in values:
        total += value
    return total


def exact_spread(loads: tuple[float, ...]) -> tuple[float, float]:
    """Average and deviation, rounded once: computed in multiples of a common unit of all loads."""
    ratios, count = [load.as_integer_ratio() for load in loads], len(loads)
    parts = max(denominator for _, denominator in ratios)
    whole = [numerator * (parts // denominator) for numerator, denominator in ratios]
    total, squares = sum(whole), sum(load * load for load in whole)
    variance = (count * squares - total * total) / (count * parts) ** 2
    return total / (count * parts), math.sqrt(variance)


@lru_cache(1024)
def sums(loads: tuple[float, ...]) -> tuple[tuple[float, float], ...]:
    """Every pair of sum and sum of squares that some order of addition gives; loads sorted."""
    reached = {0: {(0.0, 0.0)}}
    for _ in loads:
        after: dict[int, set[tuple[float, float]]] = {}
        for done, found in reached.items():
            for place, load in enumerate(loads):
                if not done >> place & 1:
                    more = {(total + load, squares + load * load) for total, squares in found}
                    after.setdefault(done | 1 << place, set()).update(more)
        reached = after
    [found] = reached.values()
    return tuple(sorted(found))


@lru_cache(1024)
def spreads_of(loads: tuple[float, ...], tolerance: Tolerance) -> tuple[Spread, ...]:
    """The spreads that may be answered (SHD-52): in 4.0 those of every order of addition."""
    if tolerance.exact and len(loads) <= FEW:
        return tuple(exactly(loads, *pair, tolerance) for pair in sums(tuple(sorted(loads))))
    return (listed_spread(loads, tolerance),)


@lru_cache(1024)
def listed_spread(loads: tuple[float, ...], tolerance: Tolerance) -> Spread:
    """The spread with sums in the order of the reports."""
    squares = in_turn(load * load for load in loads)
    if tolerance.exact and len(loads) <= FEW:
        return exactly(loads, in_turn(loads), squares, tolerance)
    average, deviation = exact_spread(loads)
    whole = largest(loads)
    known = tolerance.as_sum(average) if tolerance.exact else tolerance.as_usage(average, whole)
    near = tolerance.as_deviation(deviation, whole)
    return Spread(len(loads), squares, known, near, known, near)


def exactly(loads: tuple[float, ...], total: float, squares: float, tolerance: Tolerance) -> Spread:
    """The spread of 4.0 by these two sums: a negative variance, by rounding, makes NaN."""
    average = total / len(loads)
    variance = squares / len(loads) - average * average
    deviation = math.sqrt(variance) if variance >= 0 else math.nan
    return Spread(
        len(loads),
        squares,
        Approx(average),
        Approx(deviation),
        tolerance.as_sum(average),
        tolerance.as_deviation(deviation if variance >= 0 else 0.0, largest(loads)),
    )


class Round:
    """One round: which reports count, which brokers are out of line, which bundles may move."""

    # `share`: of the average, below which a broker is underloaded; `whole`: what the tolerance of
    # loads is a share of; `by_load`: from the least to the most loaded.

    def __init__(
        self, place: int, view: TransferView, rules: TransferRules, edition: Edition
    ) -> None:
        self.name = f"round {place + 1}"
        self.view = view
        self.rules = rules
        self.edition = edition
        self.tolerance = tolerance_of(edition)
        oldest = view.now - rules.ttl_seconds * SECOND
        self.young = [report for report in view.reports if report.updated_at >= oldest]
        self.has_oldest = any(report.updated_at == oldest for report in self.young)
        self.paired = list(view.reports) if edition.transfer_stale_brokers_paired else self.young
        self.reports = {report.broker: report for report in view.reports}
        self.registered = frozenset(view.registered or ())
        self.target = Approx(rules.target_std)
        self.threshold = Approx(rules.overloaded_percentage / 100.0)
        self.share = min(0.5, max(0.0, rules.target_std / 2.0))
        self.loads = tuple(report.load for report in self.young)
        self.whole = largest(self.loads)
        self.by_load = sorted(self.paired, key=attrgetter("load"))
        self.skip_reasons = self.all_skip_reasons(False)
        self.exchanges: dict[tuple[str, str], Exchange] = {}
        self.by_sample = self.at_last_moment = False
        self._listed: Spread | None = None

    def of_sample(self) -> Round:
        """The same round, with the deviation of a sample."""
        other = copy(self)
        other.exchanges, other.by_sample, other._listed = {}, True, None
        return other

    def as_older(self) -> Round:
        """The same round, if a report is too old at the end of its time to live, too."""
        other = Round(0, replace(self.view, now=self.view.now + 1), self.rules, self.edition)
        other.name, other.by_sample = self.name, self.by_sample
        return other

    def as_cooling(self) -> Round:
        """The same round, if a cool-down lasts to its end, and that included."""
        other = copy(self)
        other.skip_reasons, other.at_last_moment = self.all_skip_reasons(True), True
        return other

    def in_mode(self, debug: bool) -> Round:
        """The same round with debug mode on or off."""
        other = copy(self)
        other.rules, other.exchanges = replace(self.rules, debug=debug), {}
        return other

    # ------------------------------------------------------------------- SHD-50 to SHD-52

    def all_skip_reasons(self, last: bool) -> tuple[SkipReason, ...]:
        """All reasons why nothing can be decided, in the order in which 4.0 reports them; `last`:
        whether a broker cools down at the last moment of its delay, too.
        """
        if self.view.registered is None:
            return ((TransferLabel.FAILURE, TransferReason.UNKNOWN),)
        wrong = []
        delay = self.rules.delay_seconds * SECOND
        gave = {unload.broker: unload.at for unload in self.view.recent_brokers}
        since = [r.updated_at - gave[r.broker] for r in self.young if r.broker in gave]
        if any(ago < delay or (last and ago == delay) for ago in since):
            wrong.append(TransferReason.COOL_DOWN)
        if not self.young:
            stale = bool(self.view.reports)
            wrong.append(TransferReason.OUTDATED_DATA if stale else TransferReason.NO_BROKERS)
        if not self.registered <= self.reports.keys():
            wrong.append(TransferReason.NO_LOAD_DATA)
        return tuple((TransferLabel.SKIP, reason) for reason in wrong)

    @property
    def spreads(self) -> tuple[Spread, ...]:
        """The spreads that may be answered for the young reports."""
        found = spreads_of(self.loads, self.tolerance)
        return tuple(one.of_sample() for one in found) if self.by_sample else found

    @property
    def listed_spread(self) -> Spread:
        """The spread with sums in the order of the reports."""
        if self._listed is None:
            listed = listed_spread(self.loads, self.tolerance)
            self._listed = listed.of_sample() if self.by_sample else listed
        return self._listed

    def alike(self, spread: Spread) -> Iterator[Spread]:
        """This spread, and those of other orders that have the same average and deviation."""
        yield spread
        for other in self.spreads:
            if other.bits == spread.bits and other.squares != spread.squares:
                yield other

    # ------------------------------------------------------------------------------ SHD-54

    @property
    def least(self) -> float:
        """The load of the least loaded broker."""
        return self.by_load[0].load

    @property
    def most(self) -> float:
        """The load of the most loaded broker."""
        return self.by_load[-1].load

    def is_spread(self, spread: Spread) -> Ternary:
        """The deviation is above the target."""
        return spread.deviation.above(self.target)

    def is_underloaded(self, spread: Spread, load: float) -> Ternary:
        """A load is far below the average."""
        return self.near(load).below(spread.average.times(self.share))

    def is_overloaded(self, spread: Spread, load: float) -> Ternary:
        """A load is above the threshold, and far above the average."""
        seen = self.near(load)
        return both(seen.above(self.threshold), seen.above(spread.average + self.target))

    def near(self, load: float) -> Approx:
        """A load, with the precision of loads."""
        return self.tolerance.as_usage(load, self.whole)

    def is_idle(self, low: TransferReport, high: TransferReport) -> Ternary:
        """Whether too little traffic flows: none, now or on average (which is left open), or in 4.0
        a small share of the most loaded broker's.
        """
        if self.edition.transfer_idle_by_share:
            return low.throughput_average < high.throughput_average * self.share
        answers = {low.throughput_average <= 0.0, low.throughput <= 0.0}
        return None if len(answers) > 1 else answers.pop()

    @cached_property
    def any_idle(self) -> Ternary:
        """Whether the least loaded broker is idle, any of equals; by the documents, any at all."""
        if self.edition.transfer_idle_by_share:
            lows = [report for report in self.by_load if report.load == self.least]
            highs = [report for report in self.by_load if report.load == self.most]
            alone = len(self.by_load) == 1
            answers = {
                self.is_idle(low, high)
                for low in lows
                for high in highs
                if low is not high or alone
            }
            return answers.pop() if len(answers) == 1 else None
        if self.least_idle:
            return True
        return False if all(self.is_idle(one, one) is False for one in self.paired) else None

    @property
    def least_idle(self) -> Ternary:
        """Whether the least loaded broker is idle, by the documents; None if some of equals is."""
        least = {self.is_idle(one, one) for one in self.paired if one.load == self.least}
        return least.pop() if len(least) == 1 else None

    def is_idle_elsewhere(self, spread: Spread) -> bool:
        """Whether a broker that is not the least loaded one may be the only cause: idle ones may be
        a cause by the documents wherever they are, but need not be.
        """
        is_open = self.any_idle is None and not self.edition.transfer_idle_by_share
        return is_open and not self.cause(spread, self.least, self.most, self.least_idle)

    def cause(self, spread: Spread, least: float, most: float, idle: Ternary) -> Ternary:
        """Whether there is a cause to move load."""
        return either(
            self.is_spread(spread),
            self.is_underloaded(spread, least),
            idle,
            self.is_overloaded(spread, most),
        )

    def may_be_reported(self, spread: Spread, reason: TransferReason) -> Ternary:
        """Whether a first pair may have this reason; a spread may have either name."""
        if reason is TransferReason.OVERLOADED:
            out_of_line = self.is_overloaded(spread, self.most)
        else:
            out_of_line = self.is_underloaded(spread, self.least)
        allowed = either(self.is_spread(spread), out_of_line)
        if allowed is not False or reason is TransferReason.OVERLOADED:
            return allowed
        return some(self.is_idle(low, high) for low in self.paired for high in self.paired)

    # -------------------------------------------------------------------- SHD-58 to SHD-66

    def is_free(self, bundle: TopBundle) -> bool:
        """Whether its broker serves the bundle, and its grace period is over (SHD-58)."""
        return bundle.owned and bundle.bundle not in self.view.recent_bundles

    def stays_idle(self, bundle: TopBundle) -> bool:
        """Whether a bundle without traffic stays where it is (SHD-68): not in PULSAR_3_0."""
        return bundle.throughput == 0 and not self.edition.transfer_moves_idle_bundles

    def mover(self, move: TransferMove) -> object:
        """The key of what moves once (SHD-56): a bundle; in 4.0, where a swap does not check the
        owner of what comes back, a bundle of each list.
        """
        return (move.source, move.bundle) if self.edition.transfer_swaps_unguarded else move.bundle

    def may_go(self, bundle: TopBundle, source: str, to: str) -> bool:
        """Whether policies and filters allow the bundle to move (SHD-60): in transfer mode to this
        broker, else anywhere; in 4.0 the pair's broker must be allowed anyway.
        """
        if bundle.filter_fails or (self.is_bound(bundle) and not self.rules.policies_movable):
            return False
        left = self.registered if bundle.admits is None else self.registered & {*bundle.admits}
        if self.rules.transfer or self.edition.transfer_unload_needs_pair:
            return to in left and to != source
        return bool(left - {source})

    def is_bound(self, bundle: TopBundle) -> bool:
        """Whether there are isolation or anti-affinity policies for the bundle."""
        namespace = namespace_of(bundle.bundle)
        return namespace in self.view.isolated or namespace in self.view.anti_affine

    def half_gap(
        self, giver: TransferReport, taker: TransferReport, loads: Mapping[str, float] | None = None
    ) -> Approx:
        """The traffic of half the gap between the loads (SHD-63): reported ones, or these."""
        if giver.load == 0.0:
            return Approx(0.0)
        fuller, emptier = (
            loads[end.broker] if loads is not None else end.load for end in (giver, taker)
        )
        half = giver.throughput * ((fuller - emptier) / 2) / giver.load
        return Approx(half, self.tolerance.usage * giver.throughput)

    def to_the_average(self, giver: TransferReport, taker: TransferReport) -> float:
        """What reaches the average load, as a share of half the gap; at most 1."""
        mean = sum(report.load for report in self.by_load) / len(self.by_load)
        return min(1.0, (giver.load - mean) / ((giver.load - taker.load) / 2))

    @property
    def has_stale(self) -> bool:
        """Whether the documents leave the round open: of a too old report they say nothing."""
        everybody = self.edition.transfer_stale_brokers_paired
        return not everybody and len(self.young) < len(self.view.reports)

    @property
    def is_whole(self) -> bool:
        """Whether all brokers that report are registered; whether others take part is left open."""
        return self.reports.keys() <= self.registered

    @property
    def admits_all(self) -> bool:
        """Whether no filter restricts which broker takes a bundle."""
        listed = [bundle for report in self.view.reports for bundle in report.top or ()]
        return self.is_whole and all(b.admits is None and not b.filter_fails for b in listed)

    @cached_property
    def first_fits(self) -> bool:
        """Whether the first candidate from the most to the least loaded surely fits (SHD-66)."""
        order = self.by_load
        if self.rules.max_pairs < 1 or len(order) < 2 or not self.is_whole or self.has_stale:
            return False
        if order[1].load == order[0].load or order[-2].load == order[-1].load:
            return False
        return self.surely_gives(order[-1], order[0])

    def surely_gives(self, giver: TransferReport, taker: TransferReport) -> bool:
        """Whether the first bundle that may go from one broker to another surely fits."""
        top = giver.top or ()
        for bundle in top if len(top) > 1 else ():
            may_go = self.is_free(bundle) and self.may_go(bundle, giver.broker, taker.broker)
            if may_go and bundle.throughput > 0:
                limit, average = self.half_gap(giver, taker), giver.throughput_average
                if not self.tolerance.exact:
                    limit = limit.times(self.to_the_average(giver, taker))
                    if average < giver.throughput:
                        limit = limit.times(average / giver.throughput)
                return Approx(bundle.throughput).below(limit) is True
        return False
