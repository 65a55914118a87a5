"""Decide whether a mutant is killed. Only trials that run the mutated statement are judged.

`InSubject` mutates the subject alone; `InReference` also what generator and judge use.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import pairwise
from time import process_time
from typing import Any, Final

from evenkeel_engine.check.limits import TooLong, compute_allowance, limit_time
from evenkeel_engine.check.seeded import Block, make_trial
from evenkeel_engine.check.shrink import search_smaller
from evenkeel_engine.content import EDITIONS
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.codec import Json, to_json
from evenkeel_engine.kit.draw import Generator
from evenkeel_engine.kit.question import Observation, judge
from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.mutation.noting import Spots, spots_of
from evenkeel_engine.mutation.scoring.reached import Answered, answer_block
from evenkeel_engine.mutation.scoring.scope import EVERYTHING, ScoreScope
from evenkeel_engine.mutation.scoring.score import NO_ANSWER

ROUNDS: Final = (0, 20, 100, 300, 1000, 3000, 10_000, 30_000)
"""Trials of each question in the first round of all questions."""
FIRST: Final = 20
OTHERS: Final = 100
"""Trials of each question of other chapters."""
SMALLER: Final = 400
"""Trials at most in which a smaller one is looked for."""
NO_END: Final = "no end"
"""The detection of a mutant that never ends."""


@dataclass(frozen=True, slots=True)
class DifferingTrial:
    """A trial that a mutant answers differently, its number, and how large it is."""

    question: str
    edition: str
    trial: Json
    size: int
    index: int


@dataclass(frozen=True, slots=True)
class MutantEffect:
    """What detected a mutant on one trial, if anything, and whether the answer differs."""

    by: str | None
    sentence: str
    differs: bool


@dataclass(frozen=True, slots=True)
class Detection:
    """Whether and by what a mutant was detected.

    `by`: the clause that objected, or `no answer`, `no end`, `file …`, `recorded …`, `example …`,
    `theorem …`, `graph …`; None: it survived. For one that never ends `sentence` names what it was
    compared with, if it was no trial. `tried` of `trials` trials ran the changed
    statement. `difference` is the smallest trial found that it answers differently, if any.
    """

    by: str | None
    sentence: str
    question: str
    trials: int
    tried: int
    difference: DifferingTrial | None


class InSubject:
    """The mutant answers; a sound judge objects."""

    def __init__(self, mutant: Mutant, scope: ScoreScope = EVERYTHING) -> None:
        mutant.require_fit()
        self.mutant, self.scope = mutant, scope

    def run_baseline(self, block: Block, edition: str) -> Answered:
        """A block without the mutant."""
        return answer_block(block, edition)

    def apply_change(self) -> AbstractContextManager[Any]:
        """No change: the judge must be sound."""
        return nullcontext()

    def look(self, block: Block, edition: str, number: int, clean: Answered) -> MutantEffect:
        """One trial of a block with the mutant."""
        question, trial = QUESTIONS[block.question], clean.trials[number]
        most = compute_allowance(clean.seconds[number])
        try:
            # The limit is the inner one: it must not strike while the function is restored.
            with self.mutant.apply(), limit_time(most):
                observation = question.observe(trial, EDITIONS[edition])
        except TooLong:
            return MutantEffect(NO_END, "", differs=True)
        except Exception as error:  # a mutant may fail in any way
            return MutantEffect(NO_ANSWER, describe_error(error), differs=True)
        if observation == clean.expected[number]:
            return MutantEffect(None, "", differs=False)
        return find_first_objection(
            block.question, trial, observation, edition, only=self.scope.clauses
        )


class InReference(InSubject):
    """The mutant is in the reference: generator, subject and judge have it."""

    def run_baseline(self, block: Block, edition: str) -> Answered:
        """A block without the mutant."""
        return answer_block(block, edition, judged=True)

    def apply_change(self) -> AbstractContextManager[Any]:
        """The reference with the mutant in it."""
        return self.mutant.apply()

    def look(self, block: Block, edition: str, number: int, clean: Answered) -> MutantEffect:
        """One trial of a block, generated, answered and judged with the mutant."""
        question = QUESTIONS[block.question]
        try:
            with limit_time(compute_allowance(clean.seconds[number])):
                trial = make_trial(question, block.seed, block.start + number)
                observation = question.observe(trial, EDITIONS[edition])
                before = clean.failed[number]
                seen = find_first_objection(block.question, trial, observation, edition, before)
                differs = trial == clean.trials[number] and observation != clean.expected[number]
        except TooLong:
            return MutantEffect(NO_END, "", differs=True)
        except Exception as error:  # a mutant may fail in any way
            return MutantEffect(NO_ANSWER, describe_error(error), differs=True)
        return MutantEffect(seen.by, seen.sentence, differs)


def find_first_objection(
    question: str,
    trial: Any,
    observation: Observation,
    edition: str,
    known: Collection[str] = (),
    only: tuple[str, ...] = (),
) -> MutantEffect:
    """The first objection to an observation, of clauses that are not `known`, or `only` these."""
    clauses = clauses_for(question, EDITIONS[edition], only or None)
    for verdict in judge(QUESTIONS[question], clauses, trial, observation, EDITIONS[edition]):
        if verdict.failed and verdict.clause not in known:
            return MutantEffect(verdict.clause, verdict.sentence, differs=True)
    return MutantEffect(None, "", differs=True)


def describe_error(error: Exception) -> str:
    """An exception in a line."""
    return f"{type(error).__name__}: {error}"


def follow(way: InSubject, seed: int, most: int, start: int = 0) -> Detection:
    """Try `start` (the end of a round) to `most` trials of every question until one detects it."""
    spots, trials, tried = spots_of(way.mutant), 0, 0
    smallest: DifferingTrial | None = None
    for block, edition in make_rounds(way, spots, seed, start, most):
        clean = way.run_baseline(block, edition)
        numbers = clean.reached.find_by(spots.statements)
        with way.apply_change():
            for number in numbers:
                tried += 1
                seen = way.look(block, edition, number, clean)
                if seen.by is not None:
                    trials += number + 1
                    return Detection(seen.by, seen.sentence, block.question, trials, tried, None)
                if seen.differs:
                    trial, index = clean.trials[number], block.start + number
                    found = as_difference(block.question, edition, trial, index)
                    if smallest is None or found.size < smallest.size:
                        smallest = found
        trials += block.count
    return Detection(None, "", "", trials, tried, smallest)


def as_difference(question: str, edition: str, trial: Any, index: int) -> DifferingTrial:
    """A trial in the form in which it is stored."""
    data = to_json(trial)
    return DifferingTrial(question, edition, data, len(json.dumps(data)), index)


def make_rounds(
    way: InSubject, spots: Spots, seed: int, start: int, most: int
) -> Iterator[tuple[Block, str]]:
    """Blocks of all questions in all editions, in rounds; the questions of the chapter first.

    A question of another chapter that has not run the function in the first round, or one of the
    chapter that has not in the second, is left out of the rest. Other chapters' questions take
    part in the first rounds only: what is used everywhere would else be tried for ever.
    """
    mutant, scope = way.mutant, way.scope
    own = [name for name in QUESTIONS if QUESTIONS[name].chapter == mutant.chapter]
    others = [name for name in QUESTIONS if name not in own]
    if scope.is_partial:
        own, others = scope.questions_about(mutant), []
    editions = sorted(scope.edition_names(), key=lambda name: name != mutant.edition.name)
    running = [(name, edition) for names in (own, others) for edition in editions for name in names]
    ran = set[tuple[str, str]]()
    for first, last in pairwise(ROUNDS):
        if first >= most:
            return
        for name, edition in running:
            block = Block(name, seed, first, min(last, most) - first)
            if first >= start:
                yield block, edition
            if way.run_baseline(block, edition).reached.find_by(spots.functions):
                ran.add((name, edition))
        running = [
            (name, edition)
            for name, edition in running
            if (name in own and (last <= FIRST or (name, edition) in ran))
            or (last < OTHERS and (name, edition) in ran)
        ]


def shrink_difference(mutant: Mutant, found: DifferingTrial, seed: int) -> DifferingTrial:
    """A trial that is as small as the search can make it, and still answered otherwise."""
    question, edition = QUESTIONS[found.question], EDITIONS[found.edition]

    def differs(trial: Any) -> bool | None:
        began = process_time()
        expected = question.observe(trial, edition)
        most = compute_allowance(process_time() - began)
        try:
            with mutant.apply(), limit_time(most):
                return question.observe(trial, edition) != expected or None
        except (TooLong, Exception):  # a mutant may fail in any way
            return True

    best = search_smaller(question, seed, found.index, Generator.OWN, differs, most=SMALLER)
    if best is None:
        return found
    return as_difference(found.question, found.edition, best[0].trial, found.index)
