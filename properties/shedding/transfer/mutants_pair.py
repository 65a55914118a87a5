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
from evenkeel.reference.shedding.transfer_view import TopBundle, TransferRules, TransferView

_NOTHING: Final = TopBundle(BundleName("none/none/0x00000000_0x00000001"), 0.0, 0.0)


def _grace_ignored(original: Function) -> Function:
    return lambda bundle, view: bundle.owned


def _ownership_ignored(original: Function) -> Function:
    return lambda bundle, view: bundle.bundle not in view.recent_bundles


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


def _only_one_way(original: Function) -> Function:
    def mark(
        marked: Marked, bundle: Any, back: tuple[Any, ...], pair: Pair, *arguments: Any
    ) -> Marked:
        after: Marked = original(marked, bundle, back, pair, *arguments)
        moves = tuple(move for move in after.moves if move.source == pair.giver.broker)
        return replace(after, moves=moves)

    return mark


def _anything_that_stays_below(original: Function) -> Function:
    def swap(giver: float, taker: float, most: float, offered: Iterator[TopBundle]) -> Any:
        for bundle in offered:
            if giver + bundle.throughput < most:
                return (bundle,)
        return ()

    return swap


def _not_normalised(original: Function) -> Function:
    def traffic_to_move(pair: Pair, edition: Any) -> float:
        return pair.giver.throughput * (pair.giver.load - pair.taker.load) / 2

    return traffic_to_move


def _never_with_policies(original: Function) -> Function:
    def is_movable(
        bundle: Any, source: Any, to: Any, view: TransferView, rules: TransferRules, edition: Any
    ) -> Any:
        rules = replace(rules, policies_movable=False)
        return original(bundle, source, to, view, rules, edition)

    return is_movable


def _largest_first(pair: Pair) -> Pair:
    top = tuple(sorted(pair.giver.top or (), key=lambda bundle: -bundle.throughput))
    return replace(pair, giver=replace(pair.giver, top=top))


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
        "transfer-ownership-ignored",
        pairs,
        "is_free",
        _ownership_ignored,
        "Bundles are moved from brokers that do not have them any more.",
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
        "transfer-policies-forbid-always",
        pairs,
        "is_movable",
        _never_with_policies,
        "Bundles with policies stay although the configuration lets them go.",
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
        "transfer-failing-filters-pass",
        pairs,
        "is_movable",
        first(0, lambda bundle: replace(bundle, filter_fails=False)),
        "A filter that fails lets everything through.",
    ),
    defect(
        "transfer-unload-needs-pair",
        pairs,
        "is_movable",
        switched(transfer_unload_needs_pair=True),
        "With transfers off a bundle stays unless the least loaded broker may have it.",
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
        "transfer-no-limit",
        pairs,
        "traffic_to_move",
        always(math.inf),
        "All bundles but one leave the most loaded broker.",
    ),
    defect(
        "transfer-not-normalised",
        pairs,
        "traffic_to_move",
        _not_normalised,
        "Points of load are taken for a share of the traffic.",
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
        "transfer-swaps-one-way",
        pairs,
        "mark",
        _only_one_way,
        "The large bundle goes, and nothing comes back for it.",
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
        "transfer-unloads-name-brokers",
        pairs,
        "mark",
        first(4, lambda rules: replace(rules, transfer=True)),
        "With transfers off, bundles are sent to a broker all the same.",
    ),
    defect(
        "transfer-names-nobody",
        pairs,
        "mark",
        first(4, lambda rules: replace(rules, transfer=False)),
        "Bundles are closed, and nobody has been told to serve them.",
    ),
    defect(
        "transfer-largest-first",
        transfer,
        "exchange",
        first(0, _largest_first),
        "The largest bundle is looked at first; it does not fit, and nothing moves.",
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
        "documented-gain",
        pairs,
        "mark",
        switched(transfer_gain_in_debug_only=False),
        "What comes back counts without debug mode too, unlike 4.0.",
        edition=PULSAR_4_0,
    ),
    defect(
        "documented-swaps",
        pairs,
        "swappable",
        switched(transfer_swaps_unguarded=False),
        "Swaps respect the grace period, unlike 4.0.",
        edition=PULSAR_4_0,
    ),
    defect(
        "documented-no-load",
        pairs,
        "traffic_to_move",
        switched(transfer_unbounded_without_load=False),
        "A broker without load gives nothing, unlike 4.0.",
        edition=PULSAR_4_0,
    ),
    defect(
        "documented-unloads",
        pairs,
        "is_movable",
        switched(transfer_unload_needs_pair=False),
        "With transfers off any other broker will do, unlike 4.0.",
        edition=PULSAR_4_0,
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
)
