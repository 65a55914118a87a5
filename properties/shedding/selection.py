"""What judges say of the bundles that one broker sheds: heaviest first, enough, not too much."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Protocol

from evenkeel.properties.judging.near import Near, Ternary, added
from evenkeel.properties.judging.run import Run, Sentence
from evenkeel.properties.plain import plain
from evenkeel.properties.shedding.observed import LONG, ObservedRound, throughput


class Demand(Protocol):
    """`Run.require`, or what a judge has in its place."""

    def __call__(self, clause: str, holds: Ternary, why: Sentence = "", kind: str = "") -> None:
        """Demand that something holds."""


def may_be_shed(weights: Mapping[str, float], shed: Sequence[str]) -> bool:
    """Whether all is movable and nothing named twice; if not, SHD-1 to SHD-5 say so already."""
    return len(set(shed)) == len(shed) and weights.keys() >= set(shed)


def heaviest_first(
    demand: Demand, clause: str, place: str, weights: Mapping[str, float], shed: Sequence[str]
) -> None:
    """w(b_1) ≥ w(b_2) ≥ … ≥ w(b_n) ≥ w(b) for every movable b that stays."""
    if len(weights) < 2:
        return
    gone = [weights[bundle] for bundle in shed]
    left = heaviest_left(weights, shed)
    demand(clause, is_falling(gone, left), lambda: f"{place} sheds {plain(gone)}, keeps {left}")


def heaviest_left(weights: Mapping[str, float], shed: Sequence[str]) -> float:
    """What the heaviest of the movable bundles weighs that stay; 0 if none does."""
    return max((weight for bundle, weight in weights.items() if bundle not in shed), default=0.0)


def is_falling(gone: Sequence[float], left: float) -> bool:
    """Whether these weights go heaviest first, and nothing heavier is left."""
    return left <= gone[-1] and all(before >= after for before, after in pairwise(gone))


def weighed_by_short_term(run: Run, seen: ObservedRound, broker: str, shed: Sequence[str]) -> None:
    """SHD-97 shows where by their long-term averages the bundles would not go heaviest first."""
    if {"SHD-97"} & (run.exercised.keys() | run.waived) or seen.reading.long_term:
        return
    weights = seen.weights_by(LONG, broker, throughput)
    gone = [weights[bundle] for bundle in shed]
    if not is_falling(gone, heaviest_left(weights, shed)):
        run.require("SHD-97", True)


def shortest_that_reaches(
    demand: Demand,
    clauses: tuple[str, str],
    place: str,
    gone: Sequence[float],
    movable: int,
    need: Near,
    known: Callable[[float], Near],
    most: int | None = None,
) -> None:
    """The amount is reached, or all is shed; and without the last bundle it is not reached.

    `gone` are the weights of what is shed, `known` tells how exactly their sum is known, `most` how
    many of the movable ones need go at all; `clauses` demand that it is enough, and that it is not
    too much.
    """
    enough, spare = clauses
    if movable < 2:
        return
    everything = len(gone) >= (movable if most is None else most)
    reached = everything or known(added(gone)).at_least(need)
    demand(
        enough, reached, lambda: f"{place} sheds {plain(gone)} for {need} B/s: not enough", "amount"
    )
    less = len(gone) > 1 and known(added(gone[:-1])).at_least(need)
    if less or not everything:
        demand(
            spare,
            None if less is None else not less,
            lambda: f"{place} sheds {plain(gone)} for {need} B/s: less would do",
            "amount",
        )


def most_to_go(weights: Mapping[str, float], emptied: bool) -> int:
    """How many of these need go, however much is needed, by the documents: those without traffic
    need not, nor the last one where the broker would be `emptied`.
    """
    busy = sum(weight > 0 for weight in weights.values())
    return busy - 1 if emptied and busy > 1 else busy
