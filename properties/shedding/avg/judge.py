"""The judge of AvgShedder: rounds with the hits of pairs or, in 4.0, of brokers.

Settings that the documents do not foresee have several interpretations: one must explain all
rounds.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice, product
from typing import Any, Final, TypeAlias

from evenkeel.properties.shedding.avg.interpretations import (
    COMMON,
    NEVER,
    Counting,
    common,
    countings,
    only_fuller_ones,
    to_the_partner,
)
from evenkeel.properties.shedding.avg.release_4_0 import Hits, round_of_4_0
from evenkeel.properties.shedding.avg.rounds import POINTS, AvgRound, Pair, Places
from evenkeel.properties.shedding.avg.ties import Matched, Matched40, OnePair
from evenkeel.properties.shedding.avg.trials import AvgAnswer, PlannedShed
from evenkeel.properties.shedding.judge_parts import (
    WEIGHED,
    Interpretation,
    fault_of,
    interpretations_of,
    memory_weights,
    observed_rounds,
    rounds_program,
)
from evenkeel.properties.tolerance import largest, tolerance_of
from evenkeel.properties.usage import max_usage
from evenkeel.reference.load.usage import Weights
from evenkeel_engine.kit.approx import Approx
from evenkeel_engine.kit.clause import Findings
from evenkeel_engine.kit.judge import AnyCase, advisory_in, is_must, not_in, rounds
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.run import MOST_RUNS, Contradiction, Program, Run, TooMany, generate_runs
from evenkeel_engine.kit.search import explain

MOST_ORDERS: Final = 12
"""With more pairings than this, not every one is followed through several rounds."""

SORTED_IN_PARTS: Final = 32
"""From 32 on Java sorts in parts, and can fail where comparisons contradict one another."""

State: TypeAlias = frozenset[tuple[tuple[str, str], Hits]]
"""The hits of pairs, low and high, capped at the number needed."""


@rounds(
    "shedding.avg",
    *COMMON,
    *WEIGHED,
    *(f"SHD-{number}" for number in (*range(30, 42), 100, 102, 103)),
)
def judge_avg_shedder(case: AnyCase) -> Program | Iterator[Program]:
    """Judge AvgShedder, without hits at the start."""
    if sorting_may_fail(case):
        return Program(frozenset(), 0, lambda run, place, state: state)
    if fault_of(case, AvgAnswer) is not None:
        return rounds_program(case, None, lambda: lambda run, place, state: None, AvgAnswer)
    ways = ways_of(case)
    if is_must("SHD-38", case.edition.name):
        [seen] = ways
        step = Matched40(seen).step if with_many_equals(seen) else partial(step_of_4_0, seen)
        return Program(frozenset(), len(seen), step)
    return programs_of(case, ways)


def programs_of(case: AnyCase, ways: Iterator[list[AvgRound]]) -> Iterator[Program]:
    """The rounds by each interpretation, with a count for each pair."""
    all_count = case.edition.monitoring_bundles_count
    for seen in ways:
        many = with_many_equals(seen)
        every = list(countings(case.trial.config, many))
        for counting in every:
            follow = (Matched if many else Following)(seen, counting, all_count)
            yield Program(frozenset(), len(seen), follow.step)
        if many and all(now.is_of_one_pair() for now in seen):
            last = replace(every[-1], goes_on=False)  # of all it needs the most hits
            yield Program(frozenset(), len(seen), OnePair(seen, last, all_count).step)


def judge_after(case: AnyCase, hits: Mapping[Hashable, Hits]) -> Findings:
    """Judge one round of a recorded cluster, with the hits before it: of brokers in 4.0, else of
    pairs, (fuller, emptier).
    """
    ways = ways_of(case)
    begin: Any = frozenset(hits.items())
    entries, edition = judge_avg_shedder.entries, case.edition.name
    if is_must("SHD-38", edition):
        programs = [Program(begin, len(seen), partial(step_of_4_0, seen)) for seen in ways]
    else:
        all_count = case.edition.monitoring_bundles_count
        programs = [
            Program(begin, len(seen), Following(seen, counting, all_count).step)
            for seen in ways
            for counting in countings(case.trial.config, False)
            if not counting.shared  # the hits before are those of pairs
        ]
    return explain(programs, not_in(entries)(edition), advisory_in(entries)(edition))


def sorting_may_fail(case: AnyCase) -> bool:
    """Whether the subject failed where it may: by whole points brokers have no order, and Java's
    sort can notice it, if they are enough. Nothing is then known of the clauses.
    """
    trial, failed = case.trial, isinstance(case.observation, Refused | Broke)
    if not (failed and case.edition.avg_ranks_by_whole_points):
        return False
    tolerance, weights = tolerance_of(case.edition), trial.config.weights
    for round_ in trial.rounds:
        if len(round_.brokers) >= SORTED_IN_PARTS:
            scores = {
                broker.broker: max_usage(broker.resources, weights, tolerance) * POINTS
                for broker in round_.brokers
            }
            if Places(scores, 0.0, 1.0).spread >= 1.0:
                return True
    return False


def with_many_equals(seen: list[AvgRound]) -> bool:
    """Whether in some round equally full brokers have more orders than are tried."""
    for now in seen:
        try:
            least = min(now.config.low_threshold, now.config.high_threshold)
            some = islice(now.places.orders(least), MOST_ORDERS + 1)
            if len([*some]) > MOST_ORDERS and len(seen) > 1:
                return True
        except TooMany:
            return True
    return False


def bundles_of(entry: PlannedShed) -> tuple[str, ...]:
    return tuple(planned.bundle for planned in entry.bundles)


def ways_of(case: AnyCase) -> Iterator[list[AvgRound]]:
    """The rounds, by each interpretation."""
    for weights, interpretation in product(memory_weights(case), interpretations_of(case)):
        yield list(avg_rounds(case, interpretation, weights))


def avg_rounds(
    case: AnyCase, interpretation: Interpretation, weights: Weights
) -> Iterator[AvgRound]:
    """The rounds; usages and places are computed once."""
    config, tolerance = case.trial.config, tolerance_of(case.edition)
    usages: dict[int, float] = {}
    places: dict[tuple[tuple[str, float], ...], Places] = {}
    answer: Any = case.observation
    observed = observed_rounds(case, interpretation, bundles_of)
    for seen, entries in zip(observed, answer.rounds, strict=True):
        scores = {}
        for broker, report in seen.brokers.items():
            if id(report) not in usages:
                usages[id(report)] = max_usage(report.resources, weights, tolerance)
            scores[broker] = usages[id(report)] * POINTS
        known = tuple(scores.items())
        if known not in places:
            near = tolerance.usage * largest(scores.values(), POINTS)
            places[known] = Places(scores, near, float(case.edition.avg_ranks_by_whole_points))
        yield AvgRound(seen, entries, places[known], config, tolerance)


def step_of_4_0(seen: list[AvgRound], run: Run, place: int, before: Any) -> Any:
    common(run, seen[place])
    run.note("hits before the round, of the low and the high threshold: {}", sorted(before))
    return round_of_4_0(run, seen[place], before)


class Following:
    """The rounds, by one interpretation of the settings."""

    def __init__(self, seen: list[AvgRound], counting: Counting, all_count: bool) -> None:
        self.seen, self.counting, self.all_count = seen, counting, all_count
        self.known: dict[Hashable, tuple[tuple[Hits | None, tuple[str, ...]], ...]] = {}

    def step(self, run: Run, place: int, before: State) -> State:
        """One round. A pair that no longer exists loses its hits."""
        now, hits = self.seen[place], dict(before)
        if place == 0:
            self.counting.departs(run)
        common(run, now)
        run.note("hits before the round: {}", sorted(before))
        config, after = now.config, dict[tuple[str, str], Hits]()
        apart = self.counting.apart
        pairings = now.pairings(config.high_threshold if apart else config.low_threshold)
        pairs = pairings[run.pick(len(pairings))]
        if self.counting.sole:
            widest = [pair for pair in pairs if now.is_widest(pair)]
            pairs = (widest[run.pick(len(widest))],) if widest else ()
        dealt = []
        for pair in pairs:
            if pair.fuller == pair.emptier:
                continue
            key = self.counting.key(pair)
            had = hits.get(key, (0, 0))
            ways = self.ways(run.disabled, now, pair, had)
            if ways:
                dealt.append((key, ways))
            else:  # at once, since no choice for another pair helps: to report its contradictions
                self.one_way(run, now, pair, had)
        for key, ways in dealt:
            left, exercised = ways[run.pick(len(ways))]
            for clause in exercised:
                run.require(clause, True)
            if left and any(left):
                after[key] = left
        only_fuller_ones(run, now, pairs)
        return frozenset(after.items())

    def ways(
        self, disabled: frozenset[str], now: AvgRound, pair: Pair, before: Hits
    ) -> tuple[tuple[Hits | None, tuple[str, ...]], ...]:
        """One pair, independently of the others: each of the possible hits after the round, with
        what it exercises.
        """
        key = now.seen.number, pair.fuller, pair.emptier, before, disabled
        if key not in self.known:
            ways: dict[Hits | None, tuple[str, ...]] = {}
            for attempt in generate_runs(disabled, MOST_RUNS):
                with suppress(Contradiction):
                    for left in self.one_way(attempt, now, pair, before):
                        ways.setdefault(left, tuple(attempt.exercised))
            self.known[key] = tuple(ways.items())
        return self.known[key]

    def one_way(self, run: Run, now: AvgRound, pair: Pair, before: Hits) -> tuple[Hits | None, ...]:
        """One pair: the possible hits after the round."""
        config, counting, sheds = now.config, self.counting, pair.fuller in now.sources
        low, high = run.rule(pair.difference.at_least(Approx(config.low_threshold))), False
        if (low or counting.apart) and 0 < counting.high < NEVER:
            high = run.rule(pair.difference.at_least(Approx(config.high_threshold)))
        hits = counting.count_hits(before, low, high)
        acts = hits is not None and counting.acts(hits, low, high)
        if sheds:
            to_the_partner(run, now, pair, counting.differs(low, high))
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
            if not now.is_widest(pair):
                run.require("SHD-103", True)  # else this pair may keep all
        if not acts or hits is None:
            return (None if sheds else hits,)
        if sheds:
            run.require("SHD-102", True)  # what it sheds in the next rounds could violate it
        left = counting.after_acting(hits)
        return (left,) if sheds else (hits, left)
