"""The judge of AvgShedder: round after round beside the hits of pairs, or in 4.0 of brokers.

Settings that the documents do not foresee can be read in several ways: one reading must explain
all rounds.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, Final, TypeAlias

from evenkeel.properties.judging.judge import AnyCase, binds, rounds
from evenkeel.properties.judging.near import Near
from evenkeel.properties.judging.run import Contradiction, Run
from evenkeel.properties.judging.search import MOST_RUNS, Program, runs
from evenkeel.properties.judging.tolerance import largest, tolerance_of
from evenkeel.properties.judging.usage import max_usage
from evenkeel.properties.plain import plain
from evenkeel.properties.shedding.avg.judge_4_0 import Hits, round_of_4_0
from evenkeel.properties.shedding.avg.judge_round import POINTS, AvgRound, Pair, Pairing, Places
from evenkeel.properties.shedding.avg.trial import AvgAnswer, PlannedShed
from evenkeel.properties.shedding.observed import (
    MOVABLE,
    Shared,
    fault_of,
    observed_rounds,
    only_what_may_be_shed,
    readings_of,
    rounds_program,
)
from evenkeel.reference.load.usage import Weights
from evenkeel.reference.shedding.avg import AvgRules

NEVER: Final = 2**31
"""A count of hits that no pair comes to."""

COMMON: Final = (*MOVABLE, "SHD-8")
State: TypeAlias = frozenset[tuple[tuple[str, str], Hits]]
"""The hits of pairs, low and high; of no more than are needed."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How hits are counted, where the documents leave that open (SHD-30).

    So many of each are needed. With `apart` a difference below the low threshold does not interrupt
    the hits of a high threshold that is lower.
    """

    low: int
    high: int
    apart: bool

    def counted(self, before: Hits, low: bool, high: bool) -> Hits | None:
        """The hits with a difference that reaches these thresholds; None: none."""
        if not low and not (self.apart and high):
            return None
        return capped(before[0] + 1, self.low) * low, capped(before[1] + 1, self.high) * high

    def enough(self, hits: Hits) -> bool:
        """Whether a pair has waited long enough."""
        return hits[0] >= self.low or hits[1] >= self.high


def capped(hits: int, needed: int) -> int:
    """Hits, as far as they make a difference."""
    return min(hits, needed if needed < NEVER else 0)


def readings(config: AvgRules) -> Iterator[Reading]:
    """What settings can mean: a count of 0 or less is one hit of its own threshold, or of the
    lower one, or switches its threshold off.
    """
    lows = (config.low_hits,) if config.low_hits > 0 else (1, NEVER)
    highs = (config.high_hits,) if config.high_hits > 0 else (0, 1, NEVER)
    aparts = (False, True) if config.low_threshold > config.high_threshold else (False,)
    for low, high, apart in product(lows, highs, aparts):
        yield Reading(low, high, apart)


@rounds("shedding.avg", *COMMON, *(f"SHD-{number}" for number in range(30, 42)))
def avg_shedder(case: AnyCase) -> Program | Iterator[Program]:
    """AvgShedder, from no hits on."""
    if fault_of(case, AvgAnswer) is not None:
        return rounds_program(case, None, lambda: lambda run, place, state: None, AvgAnswer)
    ways = [list(avg_rounds(case, shared)) for shared in readings_of(case)]
    if binds("SHD-38", case.edition.name):
        [seen] = ways
        return Program(frozenset(), len(seen), partial(step_of_4_0, seen))
    all_count = case.edition.monitoring_bundles_count
    return (
        Program(frozenset(), len(seen), Following(seen, reading, all_count).step)
        for seen, reading in product(ways, readings(case.trial.config))
    )


def bundles_of(entry: PlannedShed) -> tuple[str, ...]:
    return tuple(planned.bundle for planned in entry.bundles)


def avg_rounds(case: AnyCase, shared: Shared) -> Iterator[AvgRound]:
    """What each round is about; usages and places are worked out once."""
    config, tolerance = case.trial.config, tolerance_of(case.edition)
    usages: dict[int, float] = {}
    places: dict[tuple[tuple[str, float], ...], Places] = {}
    weights: Weights = config.weights
    answer: Any = case.observation
    observed = observed_rounds(case, shared, bundles_of)
    for seen, entries in zip(observed, answer.rounds, strict=True):
        scores = {}
        for broker, report in seen.brokers.items():
            if id(report) not in usages:
                usages[id(report)] = max_usage(report.resources, weights, tolerance)
            scores[broker] = usages[id(report)] * POINTS
        known = tuple(scores.items())
        if known not in places:
            near = tolerance.usage * largest(scores.values(), POINTS)
            places[known] = Places(scores, near)
        yield AvgRound(seen, entries, places[known], config, tolerance)


def common(run: Run, now: AvgRound) -> None:
    """What no shedder may do; and SHD-37: a broker sheds or receives."""
    only_what_may_be_shed(run, now.seen, COMMON)
    if now.sources:
        both = now.sources & now.destinations
        why = f"{now.name}: {plain(sorted(both))} shed and are to receive" if both else ""
        run.require("SHD-37", not both, why)


def step_of_4_0(seen: list[AvgRound], run: Run, place: int, before: Any) -> Any:
    common(run, seen[place])
    return round_of_4_0(run, seen[place], before)


def only_fuller_ones(run: Run, now: AvgRound, pairs: Pairing) -> None:
    """SHD-32: nobody sheds but the fuller one of a pair that differs enough."""
    if len(now.places.ranked) > 1:
        others = now.sources - {pair.fuller for pair in pairs} if now.sources else ()
        run.require(
            "SHD-32",
            not others,
            lambda: f"{now.name}: {plain(sorted(others))} shed, but are not the fuller of a pair",
            "pair",
        )


class Following:
    """The rounds in one reading of the settings."""

    def __init__(self, seen: list[AvgRound], reading: Reading, all_count: bool) -> None:
        self.seen, self.reading, self.all_count = seen, reading, all_count
        self.known: dict[Hashable, tuple[tuple[Hits | None, tuple[str, ...]], ...]] = {}

    def step(self, run: Run, place: int, before: State) -> State:
        """One round. A pair that is no pair any more begins anew."""
        now, hits = self.seen[place], dict(before)
        common(run, now)
        config, after = now.config, dict[tuple[str, str], Hits]()
        apart = self.reading.apart
        least = config.high_threshold if apart else config.low_threshold
        pairings = now.pairings(least)
        pairs = pairings[run.pick(len(pairings))]
        for pair in pairs:
            if pair.fuller == pair.emptier:
                continue
            key = pair.fuller, pair.emptier
            left = self.dealt(run, now, pair, hits.get(key, (0, 0)))
            if left and any(left):
                after[key] = left
        only_fuller_ones(run, now, pairs)
        return frozenset(after.items())

    def dealt(self, run: Run, now: AvgRound, pair: Pair, before: Hits) -> Hits | None:
        """One pair, whatever the others do: one of the hits that can be left of those before."""
        key = now.seen.number, pair.fuller, pair.emptier, before, run.waived
        if key not in self.known:
            ways: dict[Hits | None, tuple[str, ...]] = {}
            for attempt in runs(run.waived, MOST_RUNS):
                with suppress(Contradiction):
                    left = self.one_way(attempt, now, pair, before)
                    ways.setdefault(left, tuple(attempt.exercised))
            self.known[key] = tuple(ways.items())
        if not self.known[key]:
            return self.one_way(run, now, pair, before)  # for its contradictions
        left, exercised = self.known[key][run.pick(len(self.known[key]))]
        for clause in exercised:
            run.require(clause, True)
        return left

    def one_way(self, run: Run, now: AvgRound, pair: Pair, before: Hits) -> Hits | None:
        """One pair: the hits that are left of those before."""
        config, reading, sheds = now.config, self.reading, pair.fuller in now.sources
        low, high = run.rule(pair.difference.at_least(Near(config.low_threshold))), False
        if (low or reading.apart) and 0 < reading.high < NEVER:
            high = run.rule(pair.difference.at_least(Near(config.high_threshold)))
        hits = reading.counted(before, low, high)
        acts = low and hits is not None and reading.enough(hits)
        if sheds:
            self.to_the_partner(run, now, pair, low)
        if sheds or not acts:
            run.require(
                "SHD-30",
                acts or not sheds,
                lambda: f"{now.name}: {pair.fuller} sheds before enough hits in a row",
                "early",
            )
        if acts and now.must_shed(pair, self.all_count):
            run.require(
                "SHD-31",
                sheds,
                lambda: f"{now.name}: {pair.fuller} sheds nothing, but has waited long enough",
                "late",
            )
        if sheds or not acts:
            return None if sheds else hits
        return hits if run.pick(2) == 0 else None

    def to_the_partner(self, run: Run, now: AvgRound, pair: Pair, low: bool) -> None:
        """The pair differs enough, and the emptier one gets everything, which is not too much."""
        run.require(
            "SHD-32",
            low,
            lambda: (
                f"{now.name}: {pair.fuller} sheds, but is {pair.difference} points above "
                "its partner"
            ),
            "pair",
        )
        run.require(
            "SHD-34",
            now.targets_of.get(pair.fuller, set()) <= {pair.emptier},
            lambda: (
                f"{now.name}: {pair.fuller} sheds to {plain(now.targets[pair.fuller])}, must be "
                f"{pair.emptier}"
            ),
        )
        now.right_amount(run, pair)
