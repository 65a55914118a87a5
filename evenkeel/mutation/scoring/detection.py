"""Is a mutant noticed? Trials that run the changed statement, one after the other.

In two ways: `InSubject`, where only what answers has the mutant and the judge is sound, and
`InReference`, where the mutant sits in the reference and generator and judge have it too.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, Protocol

from evenkeel.harness.limits import TooLong, allowed, limited
from evenkeel.harness.seeded import Block, make_trial
from evenkeel.mutation.mutant import Mutant
from evenkeel.mutation.scoring.reached import Answered, Spots, answered, judged, spots_of
from evenkeel.mutation.scoring.scope import EVERYTHING, Scope
from evenkeel.mutation.scoring.score import NO_ANSWER
from evenkeel.properties.catalogue import QUESTIONS, clauses_for
from evenkeel.properties.kit.codec import Json, to_json
from evenkeel.properties.kit.question import Observation, judge
from evenkeel.reference.edition import EDITIONS

ROUNDS: Final = (0, 20, 100, 300, 1000, 3000, 10_000, 30_000)
"""A round of all questions ends after so many trials of each."""
FIRST: Final = 20
OTHERS: Final = 100
"""Questions of other chapters get so many trials only."""
NO_END: Final = "no end"
"""What a mutant is noticed by that goes on for ever."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A trial on which a mutant answers otherwise, its number, and how large it is."""

    question: str
    edition: str
    trial: Json
    size: int
    index: int


@dataclass(frozen=True, slots=True)
class Seen:
    """What one trial shows of a mutant: by whom it is noticed, if by anybody, and whether the
    answer differs.
    """

    by: str | None
    sentence: str
    differs: bool


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a mutant.

    `by`: the clause that objected, or `no answer`, `no end`, `file …`, `recorded …`, `example …`,
    `theorem …`, `graph …`; None if nobody noticed. Of one that never ends `sentence` says what was
    held against it, if it was no trial. `tried` of `trials` trials ran the changed
    statement. `difference` is the smallest trial that was met on which the answer differs, if
    there is one.
    """

    by: str | None
    sentence: str
    question: str
    trials: int
    tried: int
    difference: Difference | None


class Way(Protocol):
    """How trials are put to a mutant."""

    def baseline(self, block: Block, edition: str) -> Answered:
        """A block without the mutant."""

    def changing(self) -> AbstractContextManager[Any]:
        """What is in force while a block is looked at."""

    def look(self, block: Block, edition: str, number: int, clean: Answered) -> Seen:
        """One trial of a block with the mutant."""


class InSubject:
    """The mutant answers; a sound judge objects."""

    def __init__(self, mutant: Mutant, scope: Scope = EVERYTHING) -> None:
        self._mutant, self._clauses = mutant, scope.clauses

    def baseline(self, block: Block, edition: str) -> Answered:
        """A block without the mutant."""
        return answered(block, edition)

    def changing(self) -> AbstractContextManager[Any]:
        """The judge is sound, so nothing is changed for long."""
        return nullcontext()

    def look(self, block: Block, edition: str, number: int, clean: Answered) -> Seen:
        """One trial of a block with the mutant."""
        question, trial = QUESTIONS[block.question], clean.trials[number]
        most = allowed(clean.seconds[number])
        try:
            # The limit is the inner one: it must not strike while the function is put back.
            with self._mutant.applied(), limited(most):
                observation = question.observe(trial, EDITIONS[edition])
        except TooLong:
            return Seen(NO_END, "", differs=True)
        except Exception as error:  # a mutant may fail in any way
            return Seen(NO_ANSWER, described(error), differs=True)
        if observation == clean.expected[number]:
            return Seen(None, "", differs=False)
        return objection(block.question, trial, observation, edition, only=self._clauses)


class InReference:
    """The mutant is in the reference: whatever draws, answers and judges has it."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def baseline(self, block: Block, edition: str) -> Answered:
        """A block without the mutant."""
        return judged(block, edition)

    def changing(self) -> AbstractContextManager[Any]:
        """The reference with the mutant in it."""
        return self._mutant.applied()

    def look(self, block: Block, edition: str, number: int, clean: Answered) -> Seen:
        """One trial of a block, drawn, answered and judged with the mutant."""
        question = QUESTIONS[block.question]
        try:
            with limited(allowed(clean.seconds[number])):
                trial = make_trial(question, block.seed, block.start + number)
                observation = question.observe(trial, EDITIONS[edition])
                before = clean.failed[number]
                seen = objection(block.question, trial, observation, edition, before)
                same_trial = trial == clean.trials[number]
                differs = same_trial and observation != clean.expected[number]
        except TooLong:
            return Seen(NO_END, "", differs=True)
        except Exception as error:  # a mutant may fail in any way
            return Seen(NO_ANSWER, described(error), differs=True)
        return Seen(seen.by, seen.sentence, differs)


def objection(
    question: str,
    trial: Any,
    observation: Observation,
    edition: str,
    known: Collection[str] = (),
    only: tuple[str, ...] = (),
) -> Seen:
    """What the first clause (but those known to object, of these only, if given) says against an
    observation.
    """
    clauses = clauses_for(question, EDITIONS[edition], only or None)
    for verdict in judge(QUESTIONS[question], clauses, trial, observation, EDITIONS[edition]):
        if verdict.failed and verdict.clause not in known:
            return Seen(verdict.clause, verdict.sentence, differs=True)
    return Seen(None, "", differs=True)


def described(error: Exception) -> str:
    """An exception in a line."""
    return f"{type(error).__name__}: {error}"


def follow(
    mutant: Mutant, way: Way, seed: int, most: int, start: int = 0, scope: Scope = EVERYTHING
) -> Fate:
    """Trials `start` (the end of a round) to `most` of every question, until one notices."""
    spots, trials, tried = spots_of(mutant), 0, 0
    smallest: Difference | None = None
    for block, edition in blocks(mutant, way, spots, seed, start, most, scope):
        clean = way.baseline(block, edition)
        numbers = clean.reached.by(spots.statements)
        with way.changing():
            for number in numbers:
                tried += 1
                seen = way.look(block, edition, number, clean)
                if seen.by is not None:
                    trials += number + 1
                    return Fate(seen.by, seen.sentence, block.question, trials, tried, None)
                if seen.differs:
                    trial, index = clean.trials[number], block.start + number
                    found = as_difference(block.question, edition, trial, index)
                    if smallest is None or found.size < smallest.size:
                        smallest = found
        trials += block.count
    return Fate(None, "", "", trials, tried, smallest)


def as_difference(question: str, edition: str, trial: Any, index: int) -> Difference:
    """A trial in the form in which it is kept."""
    data = to_json(trial)
    return Difference(question, edition, data, len(json.dumps(data)), index)


def blocks(
    mutant: Mutant, way: Way, spots: Spots, seed: int, start: int, most: int, scope: Scope
) -> Iterator[tuple[Block, str]]:
    """Blocks of all questions in all editions, in rounds; the questions of the chapter first.

    A question of another chapter that has not run the function in the first round, or one of the
    chapter that has not in the second, is left out of the rest. Other chapters' questions take
    part in the first rounds only: what is used everywhere would else be tried for ever.
    """
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
            if way.baseline(block, edition).reached.by(spots.functions):
                ran.add((name, edition))
        running = [
            (name, edition)
            for name, edition in running
            if (name in own and (last <= FIRST or (name, edition) in ran))
            or (last < OTHERS and (name, edition) in ran)
        ]
