"""What one broker gives to another, and what may come back for it (SHD-56 to SHD-70)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from evenkeel.reference.adding import added
from evenkeel.reference.clauses import states
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.namespaces import namespace_of
from evenkeel.reference.shedding.cluster import BrokerId
from evenkeel.reference.shedding.ieee import quotient
from evenkeel.reference.shedding.transfer_view import (
    TopBundle,
    TransferMove,
    TransferReason,
    TransferReport,
    TransferRules,
    TransferView,
)

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


@states("SHD-60")
def has_policies(bundle: TopBundle, view: TransferView) -> bool:
    """Whether the bundle's namespace has isolation or anti-affinity policies."""
    namespace = namespace_of(bundle.bundle)
    return namespace in view.isolated or namespace in view.anti_affine


@states("SHD-56", "SHD-60")
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
    """The share of the giver's traffic that stands for half the gap between the loads."""
    half = (pair.giver.load - pair.taker.load) / 2
    if pair.giver.load == 0.0 and not edition.transfer_unbounded_without_load:
        return 0.0
    return quotient(pair.giver.throughput * half, pair.giver.load)


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
        and bundle.throughput != 0
    )


@states("SHD-58", "SHD-59", "SHD-98")
def is_free(bundle: TopBundle, view: TransferView) -> bool:
    """Whether the reporting broker serves the bundle and its grace period is over."""
    return bundle.owned and bundle.bundle not in view.recent_bundles


@states("SHD-64")
def swap(
    giver_traffic: float, taker_traffic: float, most: float, offered: Iterator[TopBundle]
) -> tuple[TopBundle, ...]:
    """Bundles of the taker that make up for one that is too large; none if it cannot be done.

    `giver_traffic` and `taker_traffic` are what the two would have after the large one moved,
    `most` what the giver has now. Bundles are taken as they come while both stay below `most`,
    until the giver has no less than the taker, and less than three quarters of `most`.
    """
    back: list[TopBundle] = []
    for bundle in offered:
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
    offered = (
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
        if bundle.throughput == 0:
            continue
        back: tuple[TopBundle, ...] = ()
        if marked.going - marked.coming + bundle.throughput > limit:
            back = swap_for(bundle, marked, pair, offered, rules)
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
    offered: Iterator[TopBundle],
    rules: TransferRules,
) -> tuple[TopBundle, ...]:
    """What the taker gives back for this bundle; without transfers nothing can be sent back."""
    if not rules.transfer:
        return ()
    most = pair.giver.throughput
    giver = most - marked.going + marked.coming - bundle.throughput
    taker = pair.taker.throughput + marked.going - marked.coming + bundle.throughput
    return swap(giver, taker, most, offered)


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
    return added(bundle.throughput for bundle in bundles)
