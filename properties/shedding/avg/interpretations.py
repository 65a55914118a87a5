"""What the judges of AvgShedder share: interpretations of settings, and rules for every round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from evenkeel.properties.shedding.avg.release_4_0 import Hits
from evenkeel.properties.shedding.avg.rounds import AvgRound, Pair
from evenkeel.properties.shedding.judge_parts import MOVABLE_BY_HABIT, only_what_may_be_shed
from evenkeel.reference.shedding.avg import AvgRules
from evenkeel_engine.kit.approx import Ternary, either
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.run import Run

NEVER: Final = 2**31
"""A count of hits that no pair reaches."""

COMMON: Final = (*MOVABLE_BY_HABIT, "SHD-8")


@dataclass(frozen=True, slots=True)
class Counting:
    """How hits are counted, where the documents leave that open (SHD-30).

    `low`, `high`: the hits needed. With `apart` a difference below the low threshold does not
    interrupt the hits of a high threshold that is lower; with `alone` it also acts by them. With
    `keeps_other` a pair that acts by one count keeps the other, with `goes_on` both (SHD-102); with
    `unordered` it is the same pair after its brokers have changed roles. With `sole` the fullest
    and the emptiest are the only pair (SHD-103), and with `shared` one count is theirs, whichever
    brokers these are.
    """

    low: int
    high: int
    apart: bool
    alone: bool
    keeps_other: bool
    goes_on: bool
    unordered: bool
    sole: bool
    shared: bool

    def departs(self, run: Run) -> None:
        """A balancer that counts like this departs from practice in some ways."""
        if self.goes_on:
            run.depart("SHD-102", "pairs go on with their counts after they have acted")
        if self.sole:
            run.depart("SHD-103", "no pair acts but that of the fullest and the emptiest")

    def key(self, pair: Pair) -> tuple[str, str]:
        """The key of a pair's hits."""
        if self.shared:
            return "", ""
        if self.unordered and pair.emptier < pair.fuller:
            return pair.emptier, pair.fuller
        return pair.fuller, pair.emptier

    def count_hits(self, before: Hits, low: bool, high: bool) -> Hits | None:
        """The hits including a difference that reaches these thresholds; None: none."""
        if not low and not (self.apart and high):
            return None
        return cap_hits(before[0] + 1, self.low) * low, cap_hits(before[1] + 1, self.high) * high

    def acts(self, hits: Hits, low: bool, high: bool) -> bool:
        """Whether a pair with these hits, whose difference reaches these thresholds, acts now."""
        long, very_long = hits[0] >= self.low, hits[1] >= self.high
        if self.alone:
            return (low and long) or (high and very_long)
        return low and (long or very_long)

    def after_acting(self, hits: Hits) -> Hits | None:
        """The hits that remain after a pair has acted."""
        if self.goes_on:
            return hits
        if not self.keeps_other:
            return None
        return hits[0] * (hits[0] < self.low), hits[1] * (hits[1] < self.high)

    def most_after_acting(self, most: Hits) -> Hits | None:
        """The maximal hits that remain after a pair has acted, by a count that is not known."""
        if self.goes_on or not self.keeps_other:
            return most if self.goes_on else None
        low, high = most[0] >= self.low, most[1] >= self.high
        if low and high:
            return cap_hits(most[0], self.low - 1), cap_hits(most[1], self.high - 1)
        return most[0] * (not low), most[1] * (not high)

    def differs(self, low: Ternary, high: Ternary) -> Ternary:
        """Whether such a difference counts as one at all (SHD-32)."""
        return either(low, high) if self.alone else low


def cap_hits(hits: int, needed: int) -> int:
    """Hits, capped where more make no difference."""
    return min(hits, needed if needed < NEVER else 0)


def countings(config: AvgRules, many_equals: bool) -> Iterator[Counting]:
    """The interpretations of settings: a count of 0 or less is one hit of its own threshold, or of
    the lower one, or disables its threshold; what acting does to counts; and which pairs count,
    unless too many brokers are equally full to try all their orders.
    """
    lows = (config.low_hits,) if config.low_hits > 0 else (1, NEVER)
    highs = (config.high_hits,) if config.high_hits > 0 else (0, 1, NEVER)
    ways: tuple[tuple[bool, bool], ...] = ((False, False),)
    if config.low_threshold > config.high_threshold:
        ways = (*ways, (True, False), (True, True))
    kept = (False, False), (True, False), (True, True)
    rows = (False, False), (True, False), (False, True)
    for sole, (keeps_other, goes_on), (unordered, shared), low, high, (apart, alone) in product(
        (False, True)[: 2 - many_equals], kept, rows, lows, highs, ways
    ):
        if sole or not shared:
            yield Counting(low, high, apart, alone, keeps_other, goes_on, unordered, sole, shared)


def common(run: Run, now: AvgRound) -> None:
    """Rules for every shedder; and SHD-37: a broker sheds or receives, not both."""
    only_what_may_be_shed(run, now.seen, COMMON)
    run.note("scores {}", now.places.scores)
    if now.sources:
        both = now.sources & now.destinations
        why = f"{now.name}: {display(sorted(both))} shed and are to receive" if both else ""
        run.require("SHD-37", not both, why)


def only_fuller_ones(run: Run, now: AvgRound, pairs: Sequence[Pair]) -> None:
    """SHD-32: only the fuller broker of a pair that differs enough sheds."""
    if now.sources or len(now.places.ranked) > 1:
        others = now.sources - {pair.fuller for pair in pairs if pair.fuller != pair.emptier}
        run.require(
            "SHD-32",
            not others,
            lambda: f"{now.name}: {display(sorted(others))} shed, but are not the fuller of a pair",
            "pair",
        )


def to_the_partner(run: Run, now: AvgRound, pair: Pair, differs: Ternary) -> None:
    """The pair differs enough, and the emptier broker gets everything, which is not too much."""
    run.require(
        "SHD-32",
        differs,
        lambda: (
            f"{now.name}: {pair.fuller} sheds, but is {pair.difference} points above its partner"
        ),
        "pair",
    )
    run.require(
        "SHD-34",
        now.targets_of.get(pair.fuller, set()) <= {pair.emptier},
        lambda: (
            f"{now.name}: {pair.fuller} sheds to {display(now.targets[pair.fuller])}, must be "
            f"{pair.emptier}"
        ),
    )
    now.right_amount(run, pair)
