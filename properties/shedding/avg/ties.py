"""The rounds of AvgShedder with many equally full brokers: one matching a round, bounds of hits.

The order of equals is observed only for those that shed. So between rounds each possible pair keeps
the most and the least hits that it can have; a pair that shed needs the most to be enough, and one
that did not needs the least to be too few. That is never stricter than the clauses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from typing import Final, TypeAlias

from evenkeel.properties.shedding.avg.interpretations import (
    NEVER,
    Counting,
    common,
    only_fuller_ones,
    to_the_partner,
)
from evenkeel.properties.shedding.avg.matching import Matching, Ring
from evenkeel.properties.shedding.avg.release_4_0 import (
    IDLE,
    Hits,
    as_expected,
    enough,
    fuller_ones,
    plan_key,
    planned_by_averages,
    weights_of_4_0,
)
from evenkeel.properties.shedding.avg.rounds import AvgRound, Pair
from evenkeel_engine.kit.approx import Approx, Ternary
from evenkeel_engine.kit.run import MOST_BLAMING, Contradiction, Run, TooMany, generate_runs

NONE: Final[Hits] = (0, 0)


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most hits that a pair can have, and the least."""

    most: Hits = NONE
    least: Hits = NONE


NO_HITS: Final = Bounds()

State: TypeAlias = frozenset[tuple[tuple[str, str], Bounds]]


@dataclass(frozen=True, slots=True)
class Hit:
    """Whether a pair differs enough; its hits with this round's, and whether it may or must act."""

    differs: Ternary
    most: Hits | None
    least: Hits | None
    may: bool
    must: bool


class Matched:
    """The rounds, by one interpretation of the settings."""

    def __init__(self, seen: list[AvgRound], counting: Counting, all_count: bool) -> None:
        self.seen, self.counting, self.all_count = seen, counting, all_count
        self.matchings = {id(now.places): Matching(now.places) for now in seen}
        self.known: dict[Hashable, tuple[str, ...] | None] = {}
        self.due: dict[Hashable, bool] = {}

    def step(self, run: Run, place: int, before: State) -> State:
        """One round."""
        now, hits = self.seen[place], dict(before)
        if place == 0:
            self.counting.departs(run)
        common(run, now)
        matching = self.matchings[id(now.places)]
        pairs = self.pairs(now, matching, hits, run.disabled)
        for pair in pairs:
            self.dealt(run, now, pair, hits.get(self.counting.key(pair), NO_HITS))
        only_fuller_ones(run, now, pairs)
        return frozenset(self.after(now, matching, hits))

    def pairs(
        self,
        now: AvgRound,
        matching: Matching,
        hits: dict[tuple[str, str], Bounds],
        disabled: frozenset[str],
    ) -> list[Pair]:
        """The pairs of a ranking that explains the round, if any; of equals those that shed."""

        def fine(pair: Pair) -> bool:
            bounds = hits.get(self.counting.key(pair), NO_HITS)
            if pair.emptier in now.sources and "SHD-32" not in disabled:
                return False
            if pair.fuller in now.sources:
                return self.way(now, pair, bounds, disabled) is not None
            return "SHD-31" in disabled or not self.is_due(now, pair, bounds)

        equal: dict[str, Pair] = {}
        for pair in matching.among_equals():
            if pair.fuller in now.sources and pair.fuller not in equal and fine(pair):
                equal[pair.fuller] = pair

        def at_ease(broker: str) -> bool:
            return broker not in now.sources or broker in equal or "SHD-32" in disabled

        found = matching.found(fine, at_ease, now.sole_targets)
        matched = {pair.fuller for pair in found}
        return [*found, *(pair for broker, pair in equal.items() if broker not in matched)]

    def dealt(self, run: Run, now: AvgRound, pair: Pair, bounds: Bounds) -> None:
        """Judge one pair: what its first consistent run exercises, or a contradiction."""
        if (exercised := self.way(now, pair, bounds, run.disabled)) is None:
            self.one_way(run, now, pair, bounds)
        for clause in exercised or ():
            run.require(clause, True)

    def way(
        self, now: AvgRound, pair: Pair, bounds: Bounds, disabled: frozenset[str]
    ) -> tuple[str, ...] | None:
        """What a pair exercises if it can be explained alone."""
        key = now.seen.number, pair.fuller, pair.emptier, bounds, disabled
        if key not in self.known:
            self.known[key] = None
            for attempt in generate_runs(disabled, MOST_BLAMING):
                with suppress(Contradiction):
                    self.one_way(attempt, now, pair, bounds)
                    self.known[key] = tuple(attempt.exercised)
                    break
        return self.known[key]

    def one_way(self, run: Run, now: AvgRound, pair: Pair, bounds: Bounds) -> None:
        """One pair, independently of the others."""
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
        if self.is_due(now, pair, bounds):
            run.require(
                "SHD-31",
                sheds,
                lambda: f"{now.name}: {pair.fuller} sheds nothing, but has waited long enough",
                "late",
            )

    def is_due(self, now: AvgRound, pair: Pair, bounds: Bounds) -> bool:
        """Whether a pair must act and has something to move: the same in all runs, of which the
        search for the clauses to blame makes thousands.
        """
        key = now.seen.number, pair.fuller, pair.emptier, bounds
        if key not in self.due:
            self.due[key] = self.hit(now, pair, bounds).must and now.must_shed(pair, self.all_count)
        return self.due[key]

    def hit(self, now: AvgRound, pair: Pair, bounds: Bounds) -> Hit:
        """A pair's hits with this round's."""
        config, counting = now.config, self.counting
        low: Ternary = pair.difference.at_least(Approx(config.low_threshold))
        high: Ternary = False
        if (low is not False or counting.apart) and 0 < counting.high < NEVER:
            high = pair.difference.at_least(Approx(config.high_threshold))
        most = counting.count_hits(bounds.most, low is not False, high is not False)
        least = counting.count_hits(bounds.least, low is True, high is True)
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
        """The possible hits of each possible pair after the round. A broker known to have had
        another partner loses its hits, and so does one that shed.
        """
        partners = {b: to for b, to in now.sole_targets.items() if b in now.sources}
        received = {*partners.values()}
        found = dict[tuple[str, str], Bounds]()
        for pair in (*matching.possible(), *matching.among_equals()):
            key = self.counting.key(pair)
            hit = self.hit(now, pair, hits.get(key, NO_HITS))
            most, sure = hit.most, matching.is_only_one(pair) and not hit.may
            if most and partners.get(pair.fuller) == pair.emptier:
                most = self.counting.most_after_acting(most)
            elif {pair.fuller, pair.emptier} & now.sources or pair.emptier in received:
                continue
            if most is None or not any(most):
                continue
            # Of equals either may be the fuller one, and one key serves both.
            before = found.get(key, NO_HITS).most
            most = max(most[0], before[0]), max(most[1], before[1])
            found[key] = Bounds(most, hit.least if sure and hit.least else NONE)
        return list(found.items())


class OnePair(Matched):
    """The rounds of a balancer whose only pair is that of the fullest and the emptiest (SHD-103).
    Of equals its pair can be any, and so can its hits: nothing is decided if the rest is right.
    """

    def step(self, run: Run, place: int, before: State) -> State:
        """One round. Raises `TooMany` after the last one."""
        now = self.seen[place]
        matching = self.matchings[id(now.places)]
        all_pairs = (*matching.possible(), *matching.among_equals())
        widest = [pair for pair in all_pairs if now.is_widest(pair)]
        due = bool(widest) and all(
            Matched.hit(self, now, pair, NO_HITS).must and now.must_shed(pair, self.all_count)
            for pair in widest
        )
        run.require("SHD-31", bool(now.sources) or not due, f"{now.name}: no pair acts", "late")
        after = super().step(run, place, before)
        if place == len(self.seen) - 1:
            raise TooMany
        return after

    def hit(self, now: AvgRound, pair: Pair, bounds: Bounds) -> Hit:
        """A pair that may act, and need not."""
        return replace(super().hit(now, pair, bounds), most=None, least=None, may=True, must=False)


ONLY_NONE: Final = frozenset({NONE})

FULLER: Final = frozenset({"SHD-32", "SHD-38"})
"""The clauses about which brokers shed."""

State4_0: TypeAlias = frozenset[tuple[str, frozenset[Hits]]]
"""The possible hits of each broker."""


class Matched40:
    """The rounds, each with one ranking that explains it; the hits of any ranking."""

    def __init__(self, seen: list[AvgRound]) -> None:
        self.seen = seen
        self.matchings = {id(now.places): Matching(now.places) for now in seen}

    def step(self, run: Run, place: int, before: State4_0) -> State4_0:
        """One round."""
        now, hits = self.seen[place], dict(before)
        common(run, now)
        matching = self.matchings[id(now.places)]
        explained = Explained(now, matching, hits, run.disabled)
        large = explained.large()
        if not is_planned(now, matching, large):
            deciders = deciders_of(run, now, matching, large)
            explained = Explained(now, matching, hits, run.disabled, deciders)
            large = explained.large()
        fuller_ones(run, now, large)
        for pair in explained.pairs:
            if (found := explained.way(pair)) is None:
                judge_demand(run, now, pair, may_act(now, pair, hits))
            else:
                for clause in found[1]:
                    run.require(clause, True)
        planned_by_averages(run, now, in_order(now, matching, large))
        return after(now, explained.all_ways(), hits)


class Explained:
    """A ranking that explains a round, at least partly; and what each pair alone can have done.

    `deciders`: brokers whose pair must plan last for bundles that some brokers shed, with the
    destination of these and the brokers that shed them.
    """

    def __init__(
        self,
        now: AvgRound,
        matching: Matching,
        hits: Mapping[str, frozenset[Hits]],
        disabled: frozenset[str],
        deciders: Mapping[str, tuple[str, frozenset[str]]] | None = None,
    ) -> None:
        self.now, self.hits, self.disabled, self.deciders = now, hits, disabled, deciders or {}
        self.matching, self.all = matching, Ring(matching) if equals_are_hit(now) else matching
        self.partners = partners_of(now)
        self.taken = {to: broker for broker, to in self.partners.items()}
        self.known: dict[tuple[str, str], tuple[bool, tuple[str, ...]] | None] = {}
        if isinstance(self.all, Ring):
            self.pairs = self.all.found(self.fine, self.partners)
        else:
            self.pairs = matching.found(self.fine, self.at_ease, self.partners)

    def large(self) -> list[Pair]:
        """The pairs that differ enough."""
        return [pair for pair in self.pairs if is_large(self.now, pair)]

    def way(self, pair: Pair) -> tuple[bool, tuple[str, ...]] | None:
        """Whether a pair acts, and what it exercises, if it can be explained alone."""
        ends = pair.fuller, pair.emptier
        if ends not in self.known:
            self.known[ends] = one_way(self.now, pair, self.hits, self.disabled)
        return self.known[ends]

    def fine(self, pair: Pair) -> bool:
        if "SHD-39" not in self.disabled:
            if self.partners.get(pair.fuller, pair.emptier) != pair.emptier:
                return False
            if self.taken.get(pair.emptier, pair.fuller) != pair.fuller:
                return False
            if not self.is_decided(pair):
                return False
        return self.way(pair) is not None

    def is_decided(self, pair: Pair) -> bool:
        """Whether a pair is a decider's, or does not come after the decider's."""
        rank, matching = rank_of(self.matching), self.matching
        for broker, (to, others) in self.deciders.items():
            if broker == pair.fuller and pair.emptier != to:
                return False
            if pair.fuller in others and rank(pair) > rank(matching.pair(broker, to)):
                return False
        return True

    def at_ease(self, broker: str) -> bool:
        return self.disabled >= FULLER or broker not in self.now.sources

    def all_ways(self) -> list[tuple[Pair, bool]]:
        """Every pair that can be explained alone, and whether it can act."""
        ways = [(pair, self.way(pair)) for pair in self.all.possible() if self.fine(pair)]
        return [(pair, found[0]) for pair, found in ways if found]


def equals_are_hit(now: AvgRound) -> bool:
    """Whether equals that are paired with each other, or with themselves, may differ enough."""
    return now.config.low_threshold <= now.places.spread


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
    """The possible hits of the two ends with this round's."""
    fuller, emptier = (hits.get(end, ONLY_NONE) for end in (pair.fuller, pair.emptier))
    if pair.fuller == pair.emptier:
        fuller = emptier = hit(now, pair, fuller)  # a broker paired with itself is hit twice
    return hit(now, pair, fuller), hit(now, pair, emptier)


def pair_ends(pair: Pair) -> tuple[str, str]:
    return pair.fuller, pair.emptier


def may_act(now: AvgRound, pair: Pair, hits: Mapping[str, frozenset[Hits]]) -> bool:
    """Whether one of the ends can have enough hits."""
    ends = of_ends(now, pair, hits)
    return is_large(now, pair) and any(enough(one, now.config) for end in ends for one in end)


def may_wait(now: AvgRound, pair: Pair, hits: Mapping[str, frozenset[Hits]]) -> bool:
    """Whether both ends can be without enough hits."""
    ends = of_ends(now, pair, hits)
    waits = all(any(not enough(one, now.config) for one in end) for end in ends)
    return not is_large(now, pair) or waits


def judge_demand(run: Run, now: AvgRound, pair: Pair, acts: bool) -> None:
    """What a pair that acts, or does not, must have done."""
    if is_large(now, pair):
        as_expected(run, now, pair, weights_of_4_0(now, pair) if acts else IDLE)
        if pair.fuller in now.sources:
            now.right_amount(run, pair)


def one_way(
    now: AvgRound, pair: Pair, hits: Mapping[str, frozenset[Hits]], disabled: frozenset[str]
) -> tuple[bool, tuple[str, ...]] | None:
    """Whether a pair acts, and what it exercises, if it can be explained alone."""
    wrong = now.sources.intersection((pair.emptier,) if is_large(now, pair) else pair_ends(pair))
    if wrong and not disabled >= FULLER:
        return None
    for acts in (True, False):
        if not (may_act if acts else may_wait)(now, pair, hits):
            continue
        for attempt in generate_runs(disabled, MOST_BLAMING):
            with suppress(Contradiction):
                judge_demand(attempt, now, pair, acts)
                return acts, tuple(attempt.exercised)
    return None


def after(
    now: AvgRound, pairs: Iterable[tuple[Pair, bool]], hits: Mapping[str, frozenset[Hits]]
) -> State4_0:
    """The possible hits of each broker after the round, whichever of these pairs it is in.

    Hits of brokers that left stay until no pair differs enough.
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
    middle = middle_of(now)
    for broker in now.places.ranked:
        if not found.get(broker) or (broker in middle and not equals_are_hit(now)):
            found.setdefault(broker, set()).add(NONE)
    absent = {broker: counts for broker, counts in hits.items() if broker not in now.seen.brokers}
    return frozenset(
        (broker, frozenset(counts))
        for broker, counts in (found | absent).items()
        if counts != {NONE}
    )


def middle_of(now: AvgRound) -> frozenset[str]:
    """The brokers that can be paired with an equal."""
    ranked, group = now.places.ranked, now.places.group
    own = {below for below, above in zip(group, reversed(group), strict=True) if below == above}
    return frozenset(b for b, number in zip(ranked, group, strict=True) if number in own)


def partners_of(now: AvgRound) -> dict[str, str]:
    """The destination of each broker that sheds a bundle with averages like no other's."""
    shed = Counter(
        key for named in now.targets.values() for key in {plan_key(now, bundle) for bundle in named}
    )
    return {
        broker: to
        for broker, named in now.targets.items()
        for bundle, to in named.items()
        if to is not None and shed[plan_key(now, bundle)] == 1
    }


def rank_of(matching: Matching) -> Callable[[Pair], tuple[int, int]]:
    """A pair's place: the most different first."""
    group = matching.sides.group
    return lambda pair: (-group[pair.fuller], group[pair.emptier])


def plans(now: AvgRound, large: Iterable[Pair]) -> dict[object, dict[Pair, str | None]]:
    """The plans for bundles with equal averages, by the pairs that shed them."""
    found: dict[object, dict[Pair, str | None]] = {}
    for pair in large:
        for bundle, to in now.targets.get(pair.fuller, {}).items():
            found.setdefault(plan_key(now, bundle), {})[pair] = to
    return found


def last_of(matching: Matching, pairs: Iterable[Pair]) -> list[Pair]:
    """The last of the pairs, in any order."""
    rank = rank_of(matching)
    ranked = {pair: rank(pair) for pair in pairs}
    return [pair for pair in ranked if ranked[pair] == max(ranked.values())]


Shed: TypeAlias = Mapping[Pair, str | None]
"""The plans for one bundle, or for bundles with equal averages, by the pairs that shed them."""


def by_destination(now: AvgRound, large: list[Pair]) -> dict[str, list[Shed]]:
    """What several pairs shed, and one of them planned for all, by the destination."""
    found: dict[str, list[Shed]] = {}
    for one in plans(now, large).values():
        targets = {*one.values()}
        if len(one) > 1 and len(targets) == 1 and (to := targets.pop()):
            found.setdefault(to, []).append(one)
    return found


def is_planned(now: AvgRound, matching: Matching, large: list[Pair]) -> bool:
    """Whether for all bundles with equal averages one of these pairs can have planned last."""
    return all(
        any(pair.emptier == to for pair in last_of(matching, one))
        for to, several in by_destination(now, large).items()
        for one in several
    )


def deciders_of(
    run: Run, now: AvgRound, matching: Matching, large: list[Pair]
) -> dict[str, tuple[str, frozenset[str]]]:
    """Brokers that may have planned last for all that has one destination, with the destination,
    and all brokers that shed that: of brokers that can have, any may have been the last.

    It is one broker for a destination, which is paired with no other one.
    """
    found: dict[str, tuple[str, frozenset[str]]] = {}
    for to, several in by_destination(now, large).items():
        first, *others = [emptiest_of(matching, one) for one in several]
        able = [b for b in first if b not in found and all(b in one for one in others)]
        if able:
            who = frozenset(pair.fuller for one in several for pair in one)
            found[able[run.pick(len(able))]] = to, who
    return found


def emptiest_of(matching: Matching, pairs: Iterable[Pair]) -> list[str]:
    """Of the fuller brokers of pairs the least full: no fuller one comes last."""
    group = {pair.fuller: matching.sides.group[pair.fuller] for pair in pairs}
    least = min(group.values())
    return [broker for broker, number in group.items() if number == least]


def in_order(now: AvgRound, matching: Matching, large: list[Pair]) -> list[Pair]:
    """The pairs in the order of rankings: the most different first; of equally different ones,
    those that decide about bundles with equal averages after the others.

    Raises `TooMany` if each would have to come after another one.
    """
    rank = rank_of(matching)
    before: dict[Pair, set[Pair]] = {pair: set() for pair in large}
    for one in plans(now, large).values():
        last = last_of(matching, one)
        for decider in [pair for pair in last if one[pair] == pair.emptier][:1]:
            before[decider] |= {pair for pair in last if pair is not decider}
    try:
        order = {pair: n for n, pair in enumerate(TopologicalSorter(before).static_order())}
    except CycleError as error:
        raise TooMany from error
    return sorted(large, key=lambda pair: (rank(pair), order[pair]))
