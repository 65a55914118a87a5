"""The judge of ThresholdShedder: round after round beside the histories of usage."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Final, TypeAlias

from evenkeel.properties.findings import Findings
from evenkeel.properties.judging.judge import AnyCase, advisory_in, not_in, rounds
from evenkeel.properties.judging.near import Near, Ternary, added
from evenkeel.properties.judging.run import Run, Sentence, said
from evenkeel.properties.judging.runs import Program
from evenkeel.properties.judging.search import explain_one_of
from evenkeel.properties.judging.tolerance import largest, tolerance_of
from evenkeel.properties.plain import plain
from evenkeel.properties.shedding.observed import (
    MOVABLE,
    SOLE,
    WEIGHED,
    Broker,
    brokers_of,
    observed_rounds,
    only_what_may_be_shed,
    rounds_program,
)
from evenkeel.properties.shedding.readings import Reading, readings_of
from evenkeel.properties.shedding.rounds import misses_a_round
from evenkeel.properties.shedding.selection import (
    heaviest_first,
    may_be_shed,
    most_to_go,
    shortest_that_reaches,
    weighed_by_short_term,
)
from evenkeel.properties.shedding.threshold.judge_lower import LowerBoundary
from evenkeel.properties.shedding.threshold.judge_scores import (
    Entries,
    History,
    Scores,
    compared,
    kept,
    sums_of,
    too_little,
    unwarranted,
)
from evenkeel.reference.shedding.threshold import MARGIN, MEBIBYTE

FEW: Final = 6
"""Of so many brokers every order is tried in which their scores can be added up."""

State: TypeAlias = tuple[Entries, Entries]
"""The histories, and those of a balancer that is wrong about SHD-89 or SHD-90: one that enters
usages a second time in an idle round where they are to enter once, or the other way round."""

MEGABYTE: Final = 1e6

NOTHING: Final[State] = (frozenset(),) * 2
Brokers: TypeAlias = Sequence[Broker]


@rounds(
    "shedding.threshold",
    *MOVABLE,
    *SOLE,
    *WEIGHED,
    *(f"SHD-{number}" for number in (*range(80, 91), 99)),
)
def threshold_shedder(case: AnyCase) -> Iterator[Program]:
    """ThresholdShedder, from no history on. The documents give two amounts (SHD-85), and leave open
    if who misses a round begins anew (SHD-82): one of each must explain all rounds.
    """
    return programs(case, NOTHING)


def judge_after(case: AnyCase, histories: Mapping[str, float]) -> Findings:
    """The same, but that usages were seen before: one round of a recorded cluster."""
    begin = (frozenset(histories.items()),) * 2
    entries, edition = threshold_shedder.entries, case.edition.name
    advisory = advisory_in(entries)(edition)
    return explain_one_of(programs(case, begin), not_in(entries)(edition), advisory)


def programs(case: AnyCase, begin: State) -> Iterator[Program]:
    """One for each way in which all rounds can be read."""
    open_ = misses_a_round(case.trial.rounds) and not tolerance_of(case.edition).exact
    for reading, forgetful, left_in_place in product(
        readings_of(case, counting=True),
        (False, True) if open_ else (False,),
        (True,) if case.edition.threshold_left_in_place else (False, True),
    ):
        yield rounds_program(case, begin, partial(step_of, case, reading, left_in_place, forgetful))


def step_of(
    case: AnyCase, reading: Reading, left_in_place: bool, forgetful: bool
) -> Callable[[Run, int, State], State]:
    return Rounds(case, reading, left_in_place, forgetful).step


class Rounds:
    """The rounds of one case; whether the threshold is taken off what is shed, and whether the
    history of a broker is gone that misses a round.
    """

    def __init__(
        self, case: AnyCase, reading: Reading, left_in_place: bool, forgetful: bool
    ) -> None:
        self.left_in_place, self.forgetful = left_in_place, forgetful
        self.trial, self.config = case.trial, case.trial.config
        self.edition = case.edition
        self.tolerance = tolerance_of(case.edition)
        self.threshold = Near(self.config.threshold_percentage / 100.0)
        self.least = Near(self.config.min_throughput * MEBIBYTE)
        self.entering = "SHD-90" if self.edition.threshold_steps_twice else "SHD-89"
        self.seen = observed_rounds(case, reading)
        self.brokers = brokers_of(self.seen, self.config.weights, case.edition)
        self.lower = LowerBoundary(self)

    def step(self, run: Run, place: int, before: State) -> State:
        """One round."""
        brokers = self.brokers[place]
        only_what_may_be_shed(run, self.seen[place], MOVABLE + SOLE)
        for broker in brokers:
            if broker.shed and may_be_shed(broker.weights, broker.shed):
                weighed_by_short_term(run, self.seen[place], broker.name, broker.shed)
        left = self.who_left(run, place, before[0])
        there = self.seen[place - 1].brokers if self.forgetful and place else None
        right = self.entered(kept(before[0], left, there), brokers)
        wrong = right
        if before[1] is not before[0]:
            wrong = self.entered(kept(before[1], left, there), brokers)
        if brokers and not self.shed_for_themselves(run, brokers, right, wrong):
            if self.edition.threshold_steps_twice:
                right = self.entered(right, brokers)
            else:
                wrong = self.entered(wrong, brokers)
            self.lower.draw(run, brokers, right, wrong)
        after = frozenset(right.items())
        return after, after if wrong == right else frozenset(wrong.items())

    def demand(
        self, run: Run, clause: str, holds: Ternary, why: Sentence = "", kind: str = ""
    ) -> None:
        """What a clause demands; all that is demanded in 4.0 is what 4.0 does, which is SHD-90."""
        run.require(clause, holds, why, kind)
        if clause != "SHD-90":
            run.require("SHD-90", holds, why, kind)

    # What counts: SHD-82, SHD-89, SHD-90.

    def who_left(self, run: Run, place: int, before: Entries) -> frozenset[str]:
        """Who loses its history, being said not to be there any more (SHD-99)."""
        active = self.trial.active(place)
        if active is None:
            return frozenset()
        left = frozenset(name for name, _ in before if name not in active)
        back = any(not left.isdisjoint(seen.brokers) for seen in self.seen[place:])
        if back and not self.tolerance.exact and not run.rule(True, "SHD-99"):
            return frozenset()
        return left

    def entered(self, history: History, brokers: Brokers) -> History:
        """h := u where a broker is first seen, then h := h·w + (1 − w)·u."""
        weight, after = self.config.history, dict(history)
        for broker in brokers:
            score, usage = history.get(broker.name), broker.usage
            after[broker.name] = usage if score is None else score * weight + (1 - weight) * usage
        return after

    def scores(self, history: History, brokers: Brokers) -> Scores:
        """h of each broker and μ; where usages are exact, all but the order of adding them up."""
        values = [history[broker.name] for broker in brokers]
        whole = largest(values)
        usage = self.tolerance.usage * whole
        order = self.tolerance.order * whole if self.tolerance.exact and len(values) > 2 else 0.0
        average = Near(added(values) / len(values), order)
        return Scores([Near(value, usage) for value in values], average)

    def in_some_order(self, run: Run, brokers: Brokers, scores: Scores) -> Scores:
        """Where the last bits of μ decide, a run for each that some order of the brokers gives."""
        average, count = scores.average, len(brokers)
        if not average.tolerance or count > FEW or self.is_clear(brokers, scores):
            return scores
        sums = sums_of(tuple(score.value for score in scores.of))
        return Scores(scores.of, Near(sums[run.pick(len(sums))] / count))

    def is_clear(self, brokers: Brokers, scores: Scores) -> bool:
        """Whether all comparisons with the average, and with amounts made of it, are decided."""
        if scores.average.may_equal(Near(0.0)):
            return False
        bound, boundary = scores.average + self.threshold, scores.average - self.threshold
        for broker, score in zip(brokers, scores.of, strict=True):
            above = score.at_least(bound)
            if above is None or score.below(boundary) is None:
                return False
            if above and broker.weights:
                need = self.need(broker, score, scores.average)
                gone = [broker.weights.get(bundle, 0.0) for bundle in broker.shed]
                amounts = self.least, Near(added(gone)), Near(added(gone[:-1]))
                if any(need.at_least(amount) is None for amount in amounts):
                    return False
        return True

    def counting(
        self,
        run: Run,
        brokers: Brokers,
        right: History,
        wrong: History,
        shown: Callable[[Brokers, Scores], object],
    ) -> Scores:
        """The scores of the right histories. Where they show, so do the clauses about them."""
        scores = self.scores(right, brokers)
        if wrong is not right:
            other = self.scores(wrong, brokers)
            differ = shown(brokers, scores) != shown(brokers, other)
            if differ and not run.rule(True, self.entering, None, "usages enter once a round"):
                return other
        return self.in_some_order(run, brokers, scores)

    # Above the threshold: SHD-80, SHD-81, SHD-83, SHD-85, SHD-86.

    def shed_for_themselves(
        self, run: Run, brokers: Brokers, right: History, wrong: History
    ) -> bool:
        """Whether the round is over: brokers above the threshold shed, or nobody else is to."""
        scores = self.counting(run, brokers, right, wrong, self.above)
        if self.all_idle(run, brokers, scores):
            return True
        scores = self.by_history(run, brokers, scores)
        bound = scores.average + self.threshold
        left_alone: list[tuple[Broker, str, Sentence]] = []
        acting = False
        for broker, score in zip(brokers, scores.of, strict=True):
            why, above = compared(score, bound), score.at_least(bound)
            if above is False or (broker.weights and not run.rule(above)):
                left_alone.append((broker, "SHD-80", why))
                continue
            if not broker.weights:  # who sheds all the same breaks SHD-2, SHD-5, SHD-7 or SHD-8
                acting = acting or bool(broker.shed)
                continue
            need = self.need(broker, score, scores.average)
            if not run.rule(self.is_worth_it(need)):
                left_alone.append((broker, "SHD-83", too_little(need)))
                continue
            acting = True
            self.sheds(run, broker, need, "SHD-81", ("SHD-85", "SHD-86"), why)
        if not acting and self.config.lower_boundary:
            return False
        for broker, clause, why in left_alone:
            if broker.report.bundles:
                self.demand(run, clause, not broker.shed, unwarranted(broker, why))
        return True

    def above(self, brokers: Brokers, scores: Scores) -> object:
        """Which of the brokers that can shed are above the threshold."""
        bound = scores.average + self.threshold
        return [
            score.at_least(bound)
            for broker, score in zip(brokers, scores.of, strict=True)
            if broker.weights
        ]

    def by_history(self, run: Run, brokers: Brokers, scores: Scores) -> Scores:
        """The same scores; where usages would tell otherwise, SHD-82 shows."""
        usages = {broker.name: broker.usage for broker in brokers}
        if all(usages[b.name] == s.value for b, s in zip(brokers, scores.of, strict=True)):
            return scores
        other = self.scores(usages, brokers)
        if self.above(brokers, scores) == self.above(brokers, other):
            return scores
        return scores if run.rule(True, "SHD-82", None, "histories count, not usages") else other

    def all_idle(self, run: Run, brokers: Brokers, scores: Scores) -> bool:
        """An average of 0: in 4.0 nobody sheds then, elsewhere nobody need."""
        shed = [broker.place for broker in brokers if broker.shed]
        if self.tolerance.exact:
            if scores.average.value == 0:
                self.demand(
                    run,
                    "SHD-90",
                    not shed,
                    lambda: f"{plain(shed)} shed, although the average is 0",
                )
                return True
            return False
        return not shed and abs(scores.average.value) <= scores.of[0].tolerance

    def need(self, broker: Broker, score: Near, average: Near) -> Near:
        """T · (h − μ + 0.05) by document 002, T · (h − μ − t + 0.05) by document 003 and in 4.0."""
        share = score - average
        if self.left_in_place:
            share = share - self.threshold
        return self.as_traffic((share + Near(MARGIN)).times(broker.traffic))

    def is_worth_it(self, need: Near) -> Ternary:
        """Whether an amount is worth an unload; by the documents m may be of 10^6 or 2^20 bytes."""
        enough = need.at_least(self.least)
        if enough is False and not self.tolerance.exact:
            in_decimal = need.at_least(self.least.times(MEGABYTE / MEBIBYTE))
            return False if in_decimal is False else None
        return enough

    def as_traffic(self, amount: Near) -> Near:
        """An amount of traffic that was worked out."""
        return amount.widened(self.tolerance.as_traffic(amount.value).tolerance)

    def sheds(
        self,
        run: Run,
        broker: Broker,
        need: Near,
        at_all: str,
        amount: tuple[str, str],
        why: Sentence,
    ) -> None:
        """The broker sheds: something, heaviest first, and so much. By the documents nothing is
        enough where nothing is needed; 4.0 sheds one bundle all the same.
        """
        emptied = len(broker.weights) == len(broker.report.bundles)
        most = None if self.tolerance.exact else most_to_go(broker.weights, emptied)
        if broker.shed or self.tolerance.exact or (most != 0 and need.above(Near(0.0))):
            self.demand(
                run, at_all, bool(broker.shed), lambda: f"{broker.place} sheds nothing: {said(why)}"
            )
        if broker.shed and may_be_shed(broker.weights, broker.shed):
            demand = partial(self.demand, run)
            gone = [broker.weights[bundle] for bundle in broker.shed]
            heaviest_first(demand, "SHD-84", broker.place, broker.weights, broker.shed)
            movable, known = len(broker.weights), self.tolerance.as_traffic
            shortest_that_reaches(demand, amount, broker.place, gone, movable, need, known, most)
