"""TransferShedder, the strategy of the extensible manager: one round after the other.

Round by round it takes load from the most loaded brokers to the least loaded ones, until the
loads are close enough to each other. The caller hands in what was unloaded recently; between
rounds only a count is stored. Clauses SHD-50 to SHD-70.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel.reference.load.namespaces import namespace_of
from evenkeel.reference.load.top_bundles import TopRules
from evenkeel.reference.shedding.cluster import BrokerId, BundleName, Millis
from evenkeel.reference.shedding.ieee import at_least_zero, divide, root
from evenkeel.reference.shedding.overload import OverloadRules
from evenkeel.reference.summation import ordered_sum
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.settings import COUNT, INT, same, setting


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferRules:
    """The settings of TransferShedder."""

    target_std: float = setting(
        "loadBalancerBrokerLoadTargetStd", 0.25, "fraction", (-1000.0, 1000.0)
    )
    overloaded_percentage: int = same(OverloadRules, "overloaded_percent")
    hit_threshold: int = setting("loadBalancerSheddingConditionHitCountThreshold", 3, "rounds", INT)
    transfer: bool = setting("loadBalancerTransferEnabled", True, "")
    max_pairs: int = setting("loadBalancerMaxNumberOfBrokerSheddingPerCycle", 3, "pairs", INT)
    delay_seconds: int = setting("loadBalanceSheddingDelayInSeconds", 180, "seconds", COUNT)
    ttl_seconds: int = setting("loadBalancerBrokerLoadDataTTLInSeconds", 1800, "seconds", COUNT)
    policies_movable: bool = same(TopRules, "with_policies")
    debug: bool = setting("loadBalancerDebugModeEnabled", False, "")


@dataclass(frozen=True, slots=True)
class TopBundle:
    """One of the bundles that a broker reports as its largest; throughput in bytes/s.

    `owned`: the state channel says that this broker serves it. `admits`: the brokers that the
    filters leave for it, null for all; `filter_fails`: a filter gave no answer.
    """

    bundle: BundleName
    throughput_in: float
    throughput_out: float
    owned: bool = True
    admits: tuple[BrokerId, ...] | None = None
    filter_fails: bool = False

    @property
    def throughput(self) -> float:
        """In plus out."""
        return self.throughput_in + self.throughput_out


@dataclass(frozen=True, slots=True)
class TransferReport:
    """A broker's report of `updated_at` (ms); throughput in bytes/s.

    `load` is the moving average of its largest weighted usage (a fraction, 0 to 1000),
    `throughput_average` that of its throughput. `top`: its largest bundles, perhaps all of them, in
    the order in which it reports them (smallest first in 4.0), null if it has not reported any
    list. A report of a broker that is not registered counts like others in average and deviation.
    """

    broker: BrokerId
    load: float
    throughput_in: float
    throughput_out: float
    throughput_average: float
    updated_at: Millis
    top: tuple[TopBundle, ...] | None = ()

    @property
    def throughput(self) -> float:
        """In plus out."""
        return self.throughput_in + self.throughput_out


@dataclass(frozen=True, slots=True)
class LastUnload:
    """When a bundle of this broker was last unloaded: `at`, in ms."""

    broker: BrokerId
    at: Millis


@dataclass(frozen=True, slots=True)
class TransferView:
    """The cluster in one round, at `now` (ms).

    `registered`: the brokers that are there, null if the registry gives no answer. `reports`: in
    the order in which the store lists them, which means nothing. `isolated`, `anti_affine`:
    namespaces with such policies.
    """

    now: Millis
    registered: tuple[BrokerId, ...] | None
    reports: tuple[TransferReport, ...]
    recent_bundles: tuple[BundleName, ...] = ()
    recent_brokers: tuple[LastUnload, ...] = ()
    isolated: tuple[str, ...] = ()
    anti_affine: tuple[str, ...] = ()


class TransferLabel(Enum):
    """What became of a round: `Success` where something is moved, `Failure` where the registry gave
    no answer, else `Skip`.
    """

    SUCCESS = "Success"
    SKIP = "Skip"
    FAILURE = "Failure"


class TransferReason(Enum):
    """Why bundles are moved, or why none are (SHD-51).

    With a move: `Overloaded` or `Underloaded`, for what a pair is dealt with (SHD-54); a deviation
    above the target may be called either. With `Failure`: `Unknown`. With `Skip`, whichever is so:
    `CoolDown`, a broker's report is from too soon after it gave a bundle away; `NoBrokers`, none
    has reported; `OutDatedData`, all reports are too old; `NoLoadData`, a registered broker has not
    reported, or in 4.0 a source lists no bundles; `HitCount`, no cause in enough rounds in a row
    since the last moves, perhaps none at all; `NoBundles`, there was, but no bundle may go, or none
    is small enough.
    """

    OVERLOADED = "Overloaded"
    UNDERLOADED = "Underloaded"
    HIT_COUNT = "HitCount"
    NO_BUNDLES = "NoBundles"
    COOL_DOWN = "CoolDown"
    OUTDATED_DATA = "OutDatedData"
    NO_LOAD_DATA = "NoLoadData"
    NO_BROKERS = "NoBrokers"
    UNKNOWN = "Unknown"


@dataclass(frozen=True, slots=True)
class TransferMove:
    """A bundle leaves a broker, for another one or (null) for the one then chosen."""

    source: BrokerId
    bundle: BundleName
    destination: BrokerId | None
    reason: TransferReason


@dataclass(frozen=True, slots=True)
class TransferDecision:
    """What a round decides; the order of the moves means nothing.

    `reason` is null where something is moved: every move has its own. `average` and `deviation`
    are those of the loads before the moves. They are given where there is data (SHD-50), in 4.0
    only there; the deviation is null where it is not a number.
    """

    label: TransferLabel
    reason: TransferReason | None
    moves: tuple[TransferMove, ...] = ()
    average: float | None = None
    deviation: float | None = None


SECOND: Millis = 1000


@dataclass(frozen=True, slots=True)
class Spread:
    """Sum, sum of squares, average and standard deviation of loads."""

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
    """Whether the report is from too soon after the broker last gave a bundle away."""
    return any(
        report.updated_at - unload.at < rules.delay_seconds * SECOND
        for unload in unloads
        if unload.broker == report.broker
    )


@states("SHD-50", "SHD-51", "SHD-52")
def measure(view: TransferView, rules: TransferRules, edition: Edition) -> Spread | TransferReason:
    """The spread of the loads, or why it is unknown.

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
    """The spread of loads of which the sum of the squares and the average are known."""
    variance = squares / count - average * average
    deviation = root(variance if edition.transfer_deviation_breaks else at_least_zero(variance))
    return Spread(squares, count, average, deviation)


@states("SHD-67")
def after(spread: Spread, giver: float, taker: float, moved: float) -> Spread:
    """The spread to be expected once a load has moved from one broker to another.

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
    """The first of the three conditions that require load to move; None if none holds."""
    if spread.deviation > rules.target_std:
        return TransferReason.OVERLOADED
    if is_underloaded(least, most, spread.average, rules, edition):
        return TransferReason.UNDERLOADED
    return TransferReason.OVERLOADED if is_overloaded(most, spread.average, rules) else None


SWAP_LIMIT: Final = 0.75
"""After a swap the giver must have less than this share of the traffic that it had."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The most loaded broker that is left gives, the least loaded one takes."""

    giver: TransferReport
    taker: TransferReport
    reason: TransferReason


@dataclass(frozen=True, slots=True)
class Marked:
    """What is marked so far: the moves, and the traffic that goes and that is taken to come back
    (bytes per second).
    """

    moves: tuple[TransferMove, ...] = ()
    going: float = 0.0
    coming: float = 0.0


@states("SHD-60", "SHD-107")
def has_policies(bundle: TopBundle, view: TransferView) -> bool:
    """Whether the bundle's namespace has isolation or anti-affinity policies."""
    namespace = namespace_of(bundle.bundle)
    return namespace in view.isolated or namespace in view.anti_affine


@states("SHD-56", "SHD-60", "SHD-111")
def is_movable(
    bundle: TopBundle,
    source: BrokerId,
    destination: BrokerId,
    view: TransferView,
    rules: TransferRules,
    edition: Edition,
) -> bool:
    """Whether policies and filters let the bundle go.

    In transfer mode the destination must be one of the brokers that the filters leave; otherwise
    some broker besides the source. Source: TransferShedder.isTransferable 4.0.8.
    """
    if bundle.filter_fails or (has_policies(bundle, view) and not rules.policies_movable):
        return False
    candidates = set(view.registered or ())
    if bundle.admits is not None:
        candidates &= set(bundle.admits)
    if rules.transfer or edition.transfer_unload_needs_pair:
        return destination in candidates and destination != source
    return bool(candidates - {source})


@states("SHD-63", "SHD-65")
def traffic_to_move(pair: Pair, edition: Edition) -> float:
    """The share of the giver's traffic that is half the gap between the loads."""
    half = (pair.giver.load - pair.taker.load) / 2
    if pair.giver.load == 0.0 and not edition.transfer_unbounded_without_load:
        return 0.0
    return divide(pair.giver.throughput * half, pair.giver.load)


@states("SHD-59", "SHD-60")
def swappable(
    bundle: TopBundle, pair: Pair, view: TransferView, rules: TransferRules, edition: Edition
) -> bool:
    """Whether a bundle of the taker may come back to the giver."""
    guarded = edition.transfer_swaps_unguarded or is_free(bundle, view)
    taker, giver = pair.taker.broker, pair.giver.broker
    return (
        guarded
        and is_movable(bundle, taker, giver, view, rules, edition)
        and not is_idle(bundle, edition)
    )


@states("SHD-58", "SHD-59", "SHD-98")
def is_free(bundle: TopBundle, view: TransferView) -> bool:
    """Whether the reporting broker serves the bundle and its grace period is over."""
    return bundle.owned and bundle.bundle not in view.recent_bundles


@states("SHD-68")
def is_idle(bundle: TopBundle, edition: Edition) -> bool:
    """Whether a bundle stays because it has no traffic."""
    return bundle.throughput == 0 and not edition.transfer_moves_idle_bundles


@states("SHD-64")
def swap(
    giver_traffic: float, taker_traffic: float, most: float, candidates: Iterator[TopBundle]
) -> tuple[TopBundle, ...]:
    """Bundles of the taker that make up for one that is too large; none if it cannot be done.

    `giver_traffic` and `taker_traffic` are what the two would have after the large one moved,
    `most` what the giver has now. Bundles are taken as they come while both stay below `most`,
    until the giver has no less than the taker, and less than three quarters of `most`.
    """
    back: list[TopBundle] = []
    for bundle in candidates:
        giver, taker = giver_traffic + bundle.throughput, taker_traffic - bundle.throughput
        if giver < most and taker < most:
            back.append(bundle)
            giver_traffic, taker_traffic = giver, taker
            if taker <= giver < most * SWAP_LIMIT:
                return tuple(back)
    return ()


@states("SHD-58", "SHD-61", "SHD-63", "SHD-66")
def exchange(pair: Pair, view: TransferView, rules: TransferRules, edition: Edition) -> Marked:
    """What moves between the two brokers.

    The giver's bundles are looked at as they are reported. One that would move too much ends it,
    unless bundles of the taker can come back for it. The giver keeps one bundle of its list.
    """
    marked = Marked()
    limit = traffic_to_move(pair, edition)
    candidates = (
        bundle for bundle in pair.taker.top or () if swappable(bundle, pair, view, rules, edition)
    )
    left = len(pair.giver.top or ())
    for bundle in pair.giver.top or ():
        giver, taker = pair.giver.broker, pair.taker.broker
        movable = is_movable(bundle, giver, taker, view, rules, edition)
        if not (is_free(bundle, view) and movable):
            continue
        if left <= 1:
            break
        if is_idle(bundle, edition):
            continue
        back: tuple[TopBundle, ...] = ()
        if marked.going - marked.coming + bundle.throughput > limit:
            back = swap_for(bundle, marked, pair, candidates, rules)
            if not back:
                break
        marked = mark(marked, bundle, back, pair, rules, edition)
        left -= 1
    return marked


@states("SHD-56", "SHD-64")
def swap_for(
    bundle: TopBundle,
    marked: Marked,
    pair: Pair,
    candidates: Iterator[TopBundle],
    rules: TransferRules,
) -> tuple[TopBundle, ...]:
    """What the taker gives back for this bundle; without transfers nothing can be sent back."""
    if not rules.transfer:
        return ()
    most = pair.giver.throughput
    giver = most - marked.going + marked.coming - bundle.throughput
    taker = pair.taker.throughput + marked.going - marked.coming + bundle.throughput
    return swap(giver, taker, most, candidates)


@states("SHD-56", "SHD-69", "SHD-70")
def mark(
    marked: Marked,
    bundle: TopBundle,
    back: tuple[TopBundle, ...],
    pair: Pair,
    rules: TransferRules,
    edition: Edition,
) -> Marked:
    """One more bundle goes, and these come back for it."""
    giver, taker = pair.giver.broker, pair.taker.broker
    returns = tuple(TransferMove(taker, item.bundle, giver, pair.reason) for item in back)
    move = TransferMove(giver, bundle.bundle, taker if rules.transfer else None, pair.reason)
    counted = rules.debug or not edition.transfer_gain_in_debug_only
    return replace(
        marked,
        moves=(*marked.moves, *returns, move),
        going=marked.going + bundle.throughput,
        coming=marked.coming + (traffic_of(back) if counted else 0.0),
    )


def traffic_of(bundles: tuple[TopBundle, ...]) -> float:
    """Their throughput, added up in the order given."""
    return ordered_sum(bundle.throughput for bundle in bundles)


Hits = int
"""In how many rounds in a row there was a cause to move load, since load was last moved."""


@states("SHD-51", "SHD-55", "SHD-68", "SHD-70", "SHD-112")
def decide(
    hits: Hits, view: TransferView, rules: TransferRules, edition: Edition
) -> tuple[Hits, TransferDecision]:
    """One round: the count afterwards, and what is decided.

    Rounds that are skipped for want of data leave the count alone. Source:
    TransferShedder.findBundlesForUnloading 4.0.8.
    """
    if view.registered is None:
        return hits, TransferDecision(TransferLabel.FAILURE, TransferReason.UNKNOWN)
    spread = measure(view, rules, edition)
    if isinstance(spread, TransferReason):
        return hits, TransferDecision(TransferLabel.SKIP, spread)
    order = by_load(view, rules, edition)
    hits = count_hits(hits, cause(spread, order[0], order[-1], rules, edition))
    average, deviation = spread.average, spread.deviation
    reported = None if math.isnan(deviation) else deviation
    if hits <= rules.hit_threshold:
        return hits, TransferDecision(
            TransferLabel.SKIP, TransferReason.HIT_COUNT, (), average, reported
        )
    moves, reason = move(spread, order, view, rules, edition)
    if not moves:
        return hits, TransferDecision(TransferLabel.SKIP, reason, (), average, reported)
    return 0, TransferDecision(TransferLabel.SUCCESS, None, moves, average, reported)


@states("SHD-55")
def count_hits(hits: Hits, reason: TransferReason | None) -> Hits:
    """The count after a round in which there was or was not a cause."""
    return 0 if reason is None else hits + 1


@states("SHD-57", "SHD-61", "SHD-62", "SHD-66", "SHD-67", "SHD-109")
def move(
    spread: Spread,
    order: list[TransferReport],
    view: TransferView,
    rules: TransferRules,
    edition: Edition,
) -> tuple[tuple[TransferMove, ...], TransferReason]:
    """Pair after pair until the loads are close enough; and why nothing is moved, if so.

    A broker that cannot give is skipped for the next one; the taker stays until it was given
    something.
    """
    moves: tuple[TransferMove, ...] = ()
    least, most, pairs = 0, len(order) - 1, 0
    unknown = few = False
    while pairs < rules.max_pairs and least < most:
        reason = cause(spread, order[least], order[most], rules, edition)
        if reason is None:
            break
        pair = Pair(order[most], order[least], reason)
        most -= 1
        if not pair.giver.top:
            unknown = True
            continue
        marked = exchange(pair, view, rules, edition) if len(pair.giver.top) > 1 else Marked()
        moves += marked.moves
        if not marked.going > 0:
            few = True
            continue
        spread = after(spread, pair.giver.load, pair.taker.load, load_moved(marked, pair))
        least, pairs = least + 1, pairs + 1
    return moves, skipped_for(unknown, few)


@states("SHD-67")
def load_moved(marked: Marked, pair: Pair) -> float:
    """The load of the traffic moved, if load is proportional to traffic."""
    net = marked.going - marked.coming
    return divide(net * pair.giver.load, pair.giver.throughput)


@states("SHD-51")
def skipped_for(unknown: bool, few: bool) -> TransferReason:
    """Why a round moved nothing: lists missing, else nothing that could be moved, else the rest."""
    if unknown:
        return TransferReason.NO_LOAD_DATA
    return TransferReason.NO_BUNDLES if few else TransferReason.HIT_COUNT
