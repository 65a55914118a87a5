"""Mutants in the strategies that only a whole run shows: no progress, or swinging."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.balancing.mutant_maker import Function, always, defect
from evenkeel.properties.mutant import Mutant
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.shedding import avg, transfer, transfer_pair, uniform

# ------------------------------------------------------------------------- without progress


def _ten_times(original: Function) -> Function:
    return lambda dimension, rules: 10 * original(dimension, rules) + 1_000_000_000


def _fits_with_room(original: Function) -> Function:
    """Only bundles of half of what is left are thought to fit."""
    return lambda weight, left, edition: original(weight * 2, left, edition)


def _only_far_apart(original: Function) -> Function:
    """However long a difference lasts, only the high threshold counts."""
    return lambda hits, rules: hits.high >= rules.high_hits


def _one_round_more(original: Function) -> Function:
    """The pair acts a round too late."""

    def enough(hits: avg.Hits, rules: avg.AvgRules) -> bool:
        return hits.high > rules.high_hits or hits.low > rules.low_hits

    return enough


def _share_of_taker(original: Function) -> Function:
    """Half of the gap of the loads, but of the taker's traffic."""

    def amount(pair: transfer_pair.Pair, edition: object) -> float:
        return pair.taker.throughput * (pair.giver.load - pair.taker.load) / 2

    return amount


STUCK: Final[tuple[Mutant, ...]] = (
    defect(
        "uniform-never-worth-it",
        uniform,
        "minimum_for",
        _ten_times,
        "The busiest broker keeps everything: no share of its lead is enough.",
    ),
    defect(
        "uniform-wants-room",
        uniform,
        "fits",
        _fits_with_room,
        "Bundles that fit into the share of the lead stay.",
    ),
    defect(
        "avg-low-threshold-unused",
        avg,
        "enough",
        _only_far_apart,
        "A pair that is somewhat apart is left so for ever.",
    ),
    defect(
        "avg-a-round-late",
        avg,
        "enough",
        _one_round_more,
        "A pair waits for one round more than is configured.",
    ),
    defect(
        "transfer-never-counts",
        transfer,
        "counted",
        always(0),
        "Whatever the deviation, nothing is transferred where more than one round is wanted.",
        edition=PULSAR_4_0,
    ),
    defect(
        "transfer-measures-the-taker",
        transfer_pair,
        "traffic_to_move",
        _share_of_taker,
        "An empty broker gets nothing, because it has no traffic.",
        edition=PULSAR_4_0,
    ),
)

# --------------------------------------------------------------------------------- swinging


def _any_weight(original: Function) -> Function:
    return lambda weight, left, edition: weight > 0


def _all_of_it(original: Function) -> Function:
    """The whole difference is moved, and half of it again."""
    return lambda fuller, emptier, rules: (fuller - emptier) * 1.5


def _three_halves(original: Function) -> Function:
    return lambda pair, edition: 3 * original(pair, edition)


def _unbounded(original: Function) -> Function:
    """What comes back is as much as can be had, not what makes up for what goes."""
    return lambda giver, taker, most, offered: tuple(offered)


SWINGING: Final[tuple[Mutant, ...]] = (
    defect(
        "uniform-sheds-whatever-there-is",
        uniform,
        "fits",
        _any_weight,
        "The busiest broker gives everything away, and another is the busiest.",
    ),
    defect(
        "avg-reverses-pairs",
        avg,
        "traffic_budget",
        _all_of_it,
        "The emptier broker of a pair becomes the fuller one, and so on for ever.",
    ),
    defect(
        "transfer-reverses-pairs",
        transfer_pair,
        "traffic_to_move",
        _three_halves,
        "The taker of a round is the giver of the next one.",
    ),
    defect(
        "swaps-everything-back",
        transfer_pair,
        "swap",
        _unbounded,
        "For one bundle all those of the taker come back.",
    ),
)

MUTANTS: Final[tuple[Mutant, ...]] = (*STUCK, *SWINGING)
