"""Mutants of TransferShedder: what one broker gives to another."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant import Mutant
from evenkeel.properties.mutant_maker import (
    Function,
    always,
    defect,
    equivalent,
    first,
    switched,
    then,
)
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.shedding import transfer
from evenkeel.reference.shedding import transfer_pair as pairs
from evenkeel.reference.shedding.cluster import BundleName
from evenkeel.reference.shedding.transfer_pair import Marked, Pair
from evenkeel.reference.shedding.transfer_view import TopBundle, TransferView

_NOTHING: Final = TopBundle(BundleName("none/none/0x00000000_0x00000001"), 0.0, 0.0)


def _grace_ignored(original: Function) -> Function:
    return lambda bundle, view: bundle.owned


def _ownership_ignored(original: Function) -> Function:
    return lambda bundle, view: bundle.bundle not in view.recent_bundles


def _one_bundle(original: Function) -> Function:
    def exchange(pair: Pair, *others: Any) -> Marked:
        marked: Marked = original(pair, *others)
        giver, kept = pair.giver.broker, []
        for move in marked.moves:
            kept.append(move)
            if move.source == giver:
                break
        listed = {
            (report.broker, bundle.bundle): bundle.throughput
            for report in (pair.giver, pair.taker)
            for bundle in report.top or ()
        }
        traffic = [(move.source == giver, listed[move.source, move.bundle]) for move in kept]
        going = sum(amount for leaves, amount in traffic if leaves)
        coming = sum(amount for leaves, amount in traffic if not leaves)
        return Marked(tuple(kept), going, coming)

    return exchange


def _first_five(view: TransferView) -> TransferView:
    cut = (replace(report, top=report.top and report.top[:5]) for report in view.reports)
    return replace(view, reports=tuple(cut))


def _one_partition(view: TransferView) -> TransferView:
    return replace(view, reports=view.reports[::2])


def _one_more_listed(pair: Pair) -> Pair:
    return replace(pair, giver=replace(pair.giver, top=(*(pair.giver.top or ()), _NOTHING)))


def _back_to_the_giver(marked: Marked) -> Marked:
    moves = tuple(
        replace(move, destination=move.source if move.destination else None)
        for move in marked.moves
    )
    return replace(marked, moves=moves)


def _anything_that_stays_below(original: Function) -> Function:
    def swap(giver: float, taker: float, most: float, offered: Iterator[TopBundle]) -> Any:
        for bundle in offered:
            if giver + bundle.throughput < most:
                return (bundle,)
        return ()

    return swap


def _fitting_first(original: Function) -> Function:
    def exchange(pair: Pair, view: Any, rules: Any, edition: Any) -> Any:
        limit = pairs.traffic_to_move(pair, edition)

        def rank(bundle: TopBundle) -> tuple[bool, float]:
            return bundle.throughput > limit, -bundle.throughput

        top = tuple(sorted(pair.giver.top or (), key=rank))
        giver = replace(pair.giver, top=top)
        return original(replace(pair, giver=giver), view, rules, edition)

    return exchange


def _zero_moves(original: Function) -> Function:
    def traffic_to_move(pair: Pair, edition: Any) -> float:
        limit: float = original(pair, edition)
        return limit if pair.giver.load else math.inf

    return traffic_to_move


PAIRS: Final[tuple[Mutant, ...]] = (
    defect(
        "transfer-grace-ignored",
        pairs,
        "is_free",
        _grace_ignored,
        "A bundle is moved again a minute after it was moved.",
    ),
    defect(
        "transfer-gives-what-it-has-not",
        pairs,
        "is_free",
        _ownership_ignored,
        "A bundle is unloaded from a broker that does not have it, and stays where it is.",
    ),
    defect(
        "transfer-swaps-unguarded",
        pairs,
        "swappable",
        switched(transfer_swaps_unguarded=True),
        "What comes back in a swap may have been moved a minute ago.",
        "F-TS2",
    ),
    defect(
        "transfer-policies-ignored",
        pairs,
        "has_policies",
        always(False),
        "Bundles with isolation policies are moved although the configuration forbids it.",
        "SH35",
    ),
    defect(
        "transfer-filters-ignored",
        pairs,
        "is_movable",
        first(0, lambda bundle: replace(bundle, admits=None)),
        "A bundle goes to a broker that its policies do not allow.",
        "SH36",
    ),
    defect(
        "transfer-gives-all",
        transfer,
        "exchange",
        first(0, _one_more_listed),
        "The most loaded broker is emptied.",
    ),
    defect(
        "transfer-whole-gap",
        pairs,
        "traffic_to_move",
        then(lambda limit: 2 * limit),
        "The whole gap is moved: the two brokers change places.",
    ),
    defect(
        "transfer-unbounded-without-load",
        pairs,
        "traffic_to_move",
        _zero_moves,
        "With all weights 0 nearly all bundles leave a broker.",
        "F-TS8",
    ),
    defect(
        "transfer-gain-in-debug-only",
        pairs,
        "mark",
        switched(transfer_gain_in_debug_only=True),
        "What comes back is forgotten unless debug mode is on.",
        "F-TS1",
    ),
    defect(
        "transfer-swaps-anything",
        pairs,
        "swap",
        _anything_that_stays_below,
        "A swap makes the taker the most loaded broker.",
    ),
    defect(
        "transfer-destination-is-source",
        transfer,
        "exchange",
        then(_back_to_the_giver),
        "Bundles are unloaded and come back to where they were, round after round.",
        "SH30",
    ),
    defect(
        "transfer-one-partition-read",
        transfer,
        "decide",
        first(1, _one_partition),
        "Half of the reports are in a partition that the leader does not read: nothing moves.",
        "SH52",
    ),
    defect(
        "transfer-five-bundles-read",
        transfer,
        "decide",
        first(1, _first_five),
        "Of ten listed bundles five are read: a broker whose first five stay is never relieved.",
    ),
    defect(
        "transfer-no-swaps-4.0",
        pairs,
        "swap_for",
        always(()),
        "Two brokers with large bundles never even out.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "transfer-no-swaps",
        pairs,
        "swap_for",
        always(()),
        "Nothing ever comes back; what does not fit stays.",
    ),
    equivalent(
        "transfer-largest-that-fits-first",
        transfer,
        "exchange",
        _fitting_first,
        "Of the bundles that fit, the largest goes first.",
    ),
    equivalent(
        "transfer-one-bundle-a-pair",
        transfer,
        "exchange",
        _one_bundle,
        "A broker gives one bundle to its partner, with what has to come back for it.",
    ),
)
