"""Scoring the clauses: every planted defect must be killed, no correct variant accused."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from evenkeel.drivers.seeded import Block, run_block
from evenkeel.drivers.tally import Tally
from evenkeel.properties.catalogue import CLAUSES, PLANTED, QUESTIONS
from evenkeel.properties.planted import Planted
from evenkeel.subjects.local import PlantedSubject

BLOCK: Final = 100
TRIED: Final = 300
"""After so many trials a question goes on only while it runs the changed function."""
NO_ANSWER: Final = "no answer"
"""What killed a defect that failed instead of answering."""


@dataclass(frozen=True, slots=True)
class Score:
    """What became of one planted change.

    `clause` is the clause that was violated first (None: none was), after `trials` trials and
    `milliseconds`; for a defect that is a kill, for a correct variant a false accusation.
    """

    planted: Planted
    clause: str | None
    sentence: str
    trials: int
    milliseconds: float

    @property
    def as_it_should(self) -> bool:
        """Whether a defect was killed, or a correct variant left in peace."""
        return (self.clause is None) == self.planted.correct


def planted_of(chapters: Iterable[str]) -> list[Planted]:
    """The planted changes of these chapters (none: all)."""
    wanted = set(chapters)
    return [planted for planted in PLANTED if not wanted or planted.chapter in wanted]


def questions_about(planted: Planted) -> list[str]:
    """The questions on which the chapter of a planted change has checks."""
    asked = {clause.question for clause in CLAUSES if clause.entry.chapter == planted.chapter}
    return [name for name in QUESTIONS if name in asked]


def score(planted: Planted, seed: int, most: int) -> Score:
    """Run trials of every question in turn until a clause is violated, at most `most` of each."""
    subject, began, trials = PlantedSubject(planted), time.perf_counter(), 0
    for tally in tallies(planted, subject, seed, most):
        trials += sum(tally.trials.values())
        clause, sentence = first_failure(tally)
        if clause is not None:
            break
    else:
        clause, sentence = None, ""
    return Score(planted, clause, sentence, trials, 1000 * (time.perf_counter() - began))


def tallies(planted: Planted, subject: PlantedSubject, seed: int, most: int) -> Iterator[Tally]:
    """Blocks of all questions about a planted change, in turn.

    A question whose first trials never run the changed function is left out of the rest.
    """
    running = set(questions_about(planted))
    for start in range(0, most, BLOCK):
        for name in questions_about(planted):
            if name not in running:
                continue
            calls = subject.calls
            block = Block(name, seed, start, min(BLOCK, most - start))
            yield run_block(block, subject, planted.edition)
            if subject.calls == calls and start + BLOCK >= TRIED:
                running.remove(name)


def first_failure(tally: Tally) -> tuple[str | None, str]:
    """The clause of a tally's first failure and what it said."""
    for found in tally.smallest.values():
        return found.clause, found.sentence
    for _, reason in tally.errored:
        return NO_ANSWER, reason
    return None, ""


def kills(planted: Planted, seed: int, most: int) -> set[str]:
    """Every clause that a planted change violates within `most` trials of each question."""
    subject = PlantedSubject(planted)
    clauses: set[str] = set()
    for tally in tallies(planted, subject, seed, most):
        clauses.update(found.clause for found in tally.smallest.values())
    return clauses
