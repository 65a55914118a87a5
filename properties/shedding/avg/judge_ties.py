"""The rounds of AvgShedder beside many equally full brokers: one matching a round, bounds of hits.

In which order equals stood is seen of those that shed only. So between rounds each pair that was
possible keeps the most hits that it can have, and the least; a pair that shed needs the most to be
enough, and one that did not the least to be too few. That is never stricter than the clauses.
"""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, TypeAlias

from evenkeel.properties.judging.near import Near, Ternary
from evenkeel.properties.judging.run import Contradiction, Run
from evenkeel.properties.judging.runs import MOST_BLAMING, runs
from evenkeel.properties.shedding.avg.judge_4_0 import Hits
from evenkeel.properties.shedding.avg.judge_matching import Matching
from evenkeel.properties.shedding.avg.judge_reading import (
    NEVER,
    Counting,
    common,
    only_fuller_ones,
    to_the_partner,
)
from evenkeel.properties.shedding.avg.judge_round import AvgRound, Pair

NONE: Final[Hits] = (0, 0)


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most hits that a pair can have, and the least."""

    most: Hits = NONE
    least: Hits = NONE


State: TypeAlias = frozenset[tuple[tuple[str, str], Bounds]]


@dataclass(frozen=True, slots=True)
class Hit:
    """Whether a pair differs enough; its hits with this round's, and whether it may act with them,
    or must.
    """

    differs: Ternary
    most: Hits | None
    least: Hits | None
    may: bool
    must: bool


class Matched:
    """The rounds in one reading of the settings."""

    def __init__(self, seen: list[AvgRound], counting: Counting, all_count: bool) -> None:
        self.seen, self.counting, self.all_count = seen, counting, all_count
        self.matchings = {id(now.places): Matching(now.places) for now in seen}
        self.known: dict[Hashable, tuple[str, ...] | None] = {}

    def step(self, run: Run, place: int, before: State) -> State:
        """One round."""
        now, hits = self.seen[place], dict(before)
        common(run, now)
        matching = self.matchings[id(now.places)]
        pairs = self.pairs(now, matching, hits, run.waived)
        for pair in pairs:
            self.dealt(run, now, pair, hits.get(self.counting.key(pair), Bounds()))
        only_fuller_ones(run, now, pairs)
        return frozenset(self.after(now, matching, hits))

    def pairs(
        self,
        now: AvgRound,
        matching: Matching,
        hits: dict[tuple[str, str], Bounds],
        waived: frozenset[str],
    ) -> list[Pair]:
        """A ranking's pairs that explain the round, if there is one; of equals those that shed."""

        def fine(pair: Pair) -> bool:
            bounds = hits.get(self.counting.key(pair), Bounds())
            if pair.emptier in now.sources and "SHD-32" not in waived:
                return False
            if pair.fuller in now.sources:
                return self.way(now, pair, bounds, waived) is not None
            must = "SHD-31" not in waived and self.hit(now, pair, bounds).must
            return not (must and now.must_shed(pair, self.all_count))

        equal: dict[str, Pair] = {}
        for pair in matching.among_equals():
            if pair.fuller in now.sources and pair.fuller not in equal and fine(pair):
                equal[pair.fuller] = pair

        def at_ease(broker: str) -> bool:
            return broker not in now.sources or broker in equal or "SHD-32" in waived

        found = matching.found(fine, at_ease, now.sole_targets)
        matched = {pair.fuller for pair in found}
        return [*found, *(pair for broker, pair in equal.items() if broker not in matched)]

    def dealt(self, run: Run, now: AvgRound, pair: Pair, bounds: Bounds) -> None:
        """One pair: what its first run that goes through exercises, or a contradiction."""
        exercised = self.way(now, pair, bounds, run.waived)
        if exercised is None:
            self.one_way(run, now, pair, bounds)
        for clause in exercised or ():
            run.require(clause, True)

    def way(
        self, now: AvgRound, pair: Pair, bounds: Bounds, waived: frozenset[str]
    ) -> tuple[str, ...] | None:
        """What a pair exercises if it alone can be explained."""
        key = now.seen.number, pair.fuller, pair.emptier, bounds, waived
        if key not in self.known:
            self.known[key] = None
            for attempt in runs(waived, MOST_BLAMING):
                with suppress(Contradiction):
                    self.one_way(attempt, now, pair, bounds)
                    self.known[key] = tuple(attempt.exercised)
                    break
        return self.known[key]

    def one_way(self, run: Run, now: AvgRound, pair: Pair, bounds: Bounds) -> None:
        """One pair, whatever the others do."""
        hit, sheds = self.hit(now, pair, bounds), pair.fuller in now.sources
        if sheds:
            to_the_partner(run, now, pair, hit.differs)
        if sheds or not hit.may:
            run.require(
                "SHD-30",
                hit.may or not sheds,
                lambda: f"{now.name}: {pair.fuller} sheds before enough hits in a row",
                "early",
            )
        if hit.must and now.must_shed(pair, self.all_count):
            run.require(
                "SHD-31",
                sheds,
                lambda: f"{now.name}: {pair.fuller} sheds nothing, but has waited long enough",
                "late",
            )

    def hit(self, now: AvgRound, pair: Pair, bounds: Bounds) -> Hit:
        """A pair's hits with this round's."""
        config, counting = now.config, self.counting
        low: Ternary = pair.difference.at_least(Near(config.low_threshold))
        high: Ternary = False
        if (low is not False or counting.apart) and 0 < counting.high < NEVER:
            high = pair.difference.at_least(Near(config.high_threshold))
        most = counting.counted(bounds.most, low is not False, high is not False)
        least = counting.counted(bounds.least, low is True, high is True)
        return Hit(
            counting.differs(low, high),
            most,
            least,
            most is not None and counting.acts(most, low is not False, high is not False),
            least is not None and counting.acts(least, low is True, high is True),
        )

    def after(
        self, now: AvgRound, matching: Matching, hits: dict[tuple[str, str], Bounds]
    ) -> list[tuple[tuple[str, str], Bounds]]:
        """What each possible pair can have after the round. Who is known to have had another
        partner begins anew, as does who shed.
        """
        partners = {b: to for b, to in now.sole_targets.items() if b in now.sources}
        received = {*partners.values()}
        found = dict[tuple[str, str], Bounds]()
        for pair in (*matching.possible(), *matching.among_equals()):
            key = self.counting.key(pair)
            hit = self.hit(now, pair, hits.get(key, Bounds()))
            most, sure = hit.most, matching.is_only_one(pair) and not hit.may
            if most and partners.get(pair.fuller) == pair.emptier:
                most = self.counting.most_after_acting(most)
            elif {pair.fuller, pair.emptier} & now.sources or pair.emptier in received:
                continue
            if most is None or not any(most):
                continue
            # Of equals either may be the fuller one, and one key stands for both.
            before = found.get(key, Bounds()).most
            most = max(most[0], before[0]), max(most[1], before[1])
            found[key] = Bounds(most, hit.least if sure and hit.least else NONE)
        return list(found.items())
