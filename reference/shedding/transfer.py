"""TransferShedder, the strategy of the extensible manager: one round after the other.

Round by round it takes load from the most loaded brokers to the least loaded ones, until the
loads are close enough to each other. The caller hands in what was unloaded recently; between
rounds only a count is kept. Clauses SHD-50 to SHD-70.
"""

from __future__ import annotations

import math

from evenkeel.reference.clauses import states
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding.ieee import quotient
from evenkeel.reference.shedding.transfer_load import Spread, after, by_load, cause, measure
from evenkeel.reference.shedding.transfer_pair import Marked, Pair, exchange
from evenkeel.reference.shedding.transfer_view import (
    TransferDecision,
    TransferLabel,
    TransferMove,
    TransferReason,
    TransferReport,
    TransferRules,
    TransferView,
)

Hits = int
"""In how many rounds in a row there was a cause to move load, since load was last moved."""


@states("SHD-51", "SHD-55", "SHD-68", "SHD-70")
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
    hits = counted(hits, cause(spread, order[0], order[-1], rules, edition))
    average, deviation = spread.average, spread.deviation
    told = None if math.isnan(deviation) else deviation
    if hits <= rules.hit_threshold:
        return hits, TransferDecision(
            TransferLabel.SKIP, TransferReason.HIT_COUNT, (), average, told
        )
    moves, excuse = move(spread, order, view, rules, edition)
    if not moves:
        return hits, TransferDecision(TransferLabel.SKIP, excuse, (), average, told)
    return 0, TransferDecision(TransferLabel.SUCCESS, None, moves, average, told)


@states("SHD-55")
def counted(hits: Hits, reason: TransferReason | None) -> Hits:
    """The count after a round in which there was or was not a cause."""
    return 0 if reason is None else hits + 1


@states("SHD-57", "SHD-61", "SHD-62", "SHD-66", "SHD-67")
def move(
    spread: Spread,
    order: list[TransferReport],
    view: TransferView,
    rules: TransferRules,
    edition: Edition,
) -> tuple[tuple[TransferMove, ...], TransferReason]:
    """Pair after pair until the loads are close enough; and why nothing is moved, if so.

    A broker that cannot give is passed over for the next one; the taker stays until it was given
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
        if not marked.going > 0:
            few = True
            continue
        moves += marked.moves
        spread = after(spread, pair.giver.load, pair.taker.load, load_moved(marked, pair))
        least, pairs = least + 1, pairs + 1
    return moves, skipped_for(unknown, few)


@states("SHD-67")
def load_moved(marked: Marked, pair: Pair) -> float:
    """The load that the traffic moved stands for, if load is proportional to traffic."""
    net = marked.going - marked.coming
    return quotient(net * pair.giver.load, pair.giver.throughput)


@states("SHD-51")
def skipped_for(unknown: bool, few: bool) -> TransferReason:
    """Why a round moved nothing: lists missing, else nothing that could be moved, else the rest."""
    if unknown:
        return TransferReason.NO_LOAD_DATA
    return TransferReason.NO_BUNDLES if few else TransferReason.HIT_COUNT
