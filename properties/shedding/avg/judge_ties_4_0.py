"""The rounds of 4.0 beside many equally full brokers: one matching a round, all hits possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter
from typing import Final, TypeAlias

from evenkeel.properties.judging.run import Contradiction, Run
from evenkeel.properties.judging.search import MOST_BLAMING, TooMany, runs
from evenkeel.properties.shedding.avg.judge_4_0 import (
    IDLE,
    Hits,
    as_expected,
    enough,
    fuller_ones,
    planned_by_averages,
    weights_of_4_0,
)
from evenkeel.properties.shedding.avg.judge_matching import Matching
from evenkeel.properties.shedding.avg.judge_reading import common
from evenkeel.properties.shedding.avg.judge_round import AvgRound, Pair

NONE: Final[Hits] = (0, 0)
ONLY_NONE: Final = frozenset({NONE})

FULLER: Final = frozenset({"SHD-32", "SHD-38"})
"""The clauses that say who sheds."""

State: TypeAlias = frozenset[tuple[str, frozenset[Hits]]]
"""The hits that each broker can have."""


class Matched40:
    """The rounds, each with one ranking that explains it; the hits with any."""

    def __init__(self, seen: list[AvgRound]) -> None:
        self.seen = seen
        self.matchings = {id(now.places): Matching(now.places) for now in seen}

    def step(self, run: Run, place: int, before: State) -> State:
        """One round."""
        now, hits = self.seen[place], dict(before)
        common(run, now)
        if now.config.low_threshold <= 0:
            raise TooMany  # equals would be paired with each other, and hit
        matching = self.matchings[id(now.places)]
        partners = partners_of(now)
        taken = {to: broker for broker, to in partners.items()}
        known: dict[tuple[str, str], tuple[bool, tuple[str, ...]] | None] = {}

        def way(pair: Pair) -> tuple[bool, tuple[str, ...]] | None:
            ends = pair.fuller, pair.emptier
            if ends not in known:
                known[ends] = one_way(now, pair, hits, run.waived)
            return known[ends]

        def fine(pair: Pair) -> bool:
            strict = "SHD-39" not in run.waived
            if strict and partners.get(pair.fuller, pair.emptier) != pair.emptier:
                return False
            if strict and taken.get(pair.emptier, pair.fuller) != pair.fuller:
                return False
            return way(pair) is not None

        anybody = run.waived >= FULLER

        def at_ease(broker: str) -> bool:
            return anybody or broker not in now.sources

        pairs = matching.found(fine, at_ease, partners)
        large = [pair for pair in pairs if is_large(now, pair)]
        fuller_ones(run, now, large)
        for pair in pairs:
            found = way(pair)
            if found is None:
                demanded(run, now, pair, may_act(now, pair, hits))
            else:
                for clause in found[1]:
                    run.require(clause, True)
        planned_by_averages(run, now, in_order(now, matching, large))
        ways = [(p, known[p.fuller, p.emptier]) for p in matching.possible() if fine(p)]
        return after(now, [(pair, found[0]) for pair, found in ways if found], hits)


def is_large(now: AvgRound, pair: Pair) -> bool:
    """Whether a pair differs enough to be hit."""
    return pair.difference.value >= now.config.low_threshold


def hit(now: AvgRound, pair: Pair, before: Iterable[Hits]) -> frozenset[Hits]:
    """An end's hits with this round's."""
    high = pair.difference.value >= now.config.high_threshold
    return frozenset((low + 1, (highs + 1) * high) for low, highs in before)


def of_ends(
    now: AvgRound, pair: Pair, hits: Mapping[str, frozenset[Hits]]
) -> tuple[frozenset[Hits], frozenset[Hits]]:
    """The hits that the two ends can have with this round's."""
    fuller, emptier = (hits.get(end, ONLY_NONE) for end in (pair.fuller, pair.emptier))
    return hit(now, pair, fuller), hit(now, pair, emptier)


def pair_ends(pair: Pair) -> tuple[str, str]:
    return pair.fuller, pair.emptier


def may_act(now: AvgRound, pair: Pair, hits: Mapping[str, frozenset[Hits]]) -> bool:
    """Whether one of the ends can have waited long enough."""
    ends = of_ends(now, pair, hits)
    return is_large(now, pair) and any(enough(one, now.config) for end in ends for one in end)


def may_wait(now: AvgRound, pair: Pair, hits: Mapping[str, frozenset[Hits]]) -> bool:
    """Whether both ends can be without enough hits."""
    ends = of_ends(now, pair, hits)
    waits = all(any(not enough(one, now.config) for one in end) for end in ends)
    return not is_large(now, pair) or waits


def demanded(run: Run, now: AvgRound, pair: Pair, acts: bool) -> None:
    """What a pair must have done that acts, or does not."""
    if is_large(now, pair):
        as_expected(run, now, pair, weights_of_4_0(now, pair) if acts else IDLE)
        if pair.fuller in now.sources:
            now.right_amount(run, pair)


def one_way(
    now: AvgRound, pair: Pair, hits: Mapping[str, frozenset[Hits]], waived: frozenset[str]
) -> tuple[bool, tuple[str, ...]] | None:
    """Whether a pair acts, and what it exercises, if it alone can be explained."""
    wrong = now.sources.intersection((pair.emptier,) if is_large(now, pair) else pair_ends(pair))
    if wrong and not waived >= FULLER:
        return None
    for acts in (True, False):
        if not (may_act if acts else may_wait)(now, pair, hits):
            continue
        for attempt in runs(waived, MOST_BLAMING):
            with suppress(Contradiction):
                demanded(attempt, now, pair, acts)
                return acts, tuple(attempt.exercised)
    return None


def after(
    now: AvgRound, pairs: Iterable[tuple[Pair, bool]], hits: Mapping[str, frozenset[Hits]]
) -> State:
    """The hits that each broker can have after the round, whichever of these pairs, which can act
    or not, it is in.

    Those of brokers that are gone stay until no pair differs enough.
    """
    found: dict[str, set[Hits]] = {}
    large = False
    for pair, acts in pairs:
        ends = [found.setdefault(end, set()) for end in (pair.fuller, pair.emptier)]
        if is_large(now, pair):
            large = True
            if acts:
                for end in ends:
                    end.add(NONE)
            if pair.fuller in now.sources:
                continue
            counts = of_ends(now, pair, hits)
            for end, count in zip(ends, counts, strict=True):
                end.update(one for one in count if not enough(one, now.config))
        else:
            for end in ends:
                end.add(NONE)
    if not large:
        return frozenset()
    for broker in now.places.ranked:
        if not found.get(broker) or broker in middle_of(now):
            found.setdefault(broker, set()).add(NONE)
    gone = {broker: counts for broker, counts in hits.items() if broker not in now.seen.brokers}
    return frozenset(
        (broker, frozenset(counts)) for broker, counts in (found | gone).items() if counts != {NONE}
    )


def middle_of(now: AvgRound) -> frozenset[str]:
    """Who can be paired with an equal."""
    ranked, group = now.places.ranked, now.places.group
    opposite = zip(group, reversed(group), strict=True)
    own = {below for below, above in opposite if below == above}
    return frozenset(b for b, number in zip(ranked, group, strict=True) if number in own)


def averages_of(now: AvgRound, bundle: str) -> object:
    """What the plan knows a bundle by."""
    known = now.seen.averages.get(bundle)
    return None if known is None else (known.short_term, known.long_term)


def partners_of(now: AvgRound) -> dict[str, str]:
    """To whom each broker sheds that sheds a bundle with averages like no other's."""
    shed = Counter(
        key
        for named in now.targets.values()
        for key in {averages_of(now, bundle) for bundle in named}
    )
    return {
        broker: to
        for broker, named in now.targets.items()
        for bundle, to in named.items()
        if to is not None and shed[averages_of(now, bundle)] == 1
    }


def in_order(now: AvgRound, matching: Matching, large: list[Pair]) -> list[Pair]:
    """The pairs in an order of rankings: the most different first, and of equally different ones
    whoever was to decide where bundles with equal averages go behind the others.

    Raises `TooMany` if another matching might explain better where they go.
    """
    group = matching.sides.group
    ranks = {pair: (-group[pair.fuller], group[pair.emptier]) for pair in large}
    sheds: dict[object, dict[Pair, str | None]] = {}
    for pair in large:
        for bundle, to in now.targets.get(pair.fuller, {}).items():
            sheds.setdefault(averages_of(now, bundle), {})[pair] = to
    before: dict[Pair, set[Pair]] = {pair: set() for pair in large}
    for one in sheds.values():
        last = [pair for pair in one if ranks[pair] == max(ranks[other] for other in one)]
        deciding = [pair for pair in last if one[pair] == pair.emptier]
        if len(one) > 1 and len({*one.values()}) == 1 and not deciding:
            raise TooMany
        for decider in deciding[:1]:
            before[decider] |= {pair for pair in last if pair is not decider}
    try:
        order = {pair: n for n, pair in enumerate(TopologicalSorter(before).static_order())}
    except CycleError as error:
        raise TooMany from error
    return sorted(large, key=lambda pair: (ranks[pair], order[pair]))
