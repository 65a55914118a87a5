"""Scoring the clauses: every mutant must be killed, no conforming variant flagged."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from evenkeel_engine.check.limits import TooLong, limit_time
from evenkeel_engine.check.pool import run_jobs
from evenkeel_engine.check.seeded import Block
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.question import Observation, judge_case
from evenkeel_engine.mutation.catalogue import BY_NAME
from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.mutation.noting import spots_of
from evenkeel_engine.mutation.scoring.reached import answer_block
from evenkeel_engine.mutation.scoring.scope import EVERYTHING, ScoreScope

BLOCK: Final = 100
TRIED: Final = 300
"""A question continues after these trials only if one of them ran the changed function."""
NO_ANSWER: Final = "no answer"
"""What killed a defect that failed instead of answering."""

Check: TypeAlias = tuple[str, str]
"""A clause and the question on which it is checked."""


@dataclass(frozen=True, slots=True)
class ShownVerdict:
    """A failed verdict on a mutant, after `trials` trials of all questions."""

    check: Check
    sentence: str
    trials: int


@dataclass(frozen=True, slots=True)
class Score:
    """What became of one mutant.

    `clause` is the clause that was violated first (None: none was), after `trials` trials and
    `milliseconds`; for a defect that is a kill, for a conforming variant a false positive.
    `reached`: whether any trial ran the changed function.
    """

    name: str
    clause: str | None
    sentence: str
    trials: int
    milliseconds: float
    reached: bool

    @property
    def mutant(self) -> Mutant:
        """The mutant, which is code, and does not travel between processes."""
        return BY_NAME[self.name]

    @property
    def as_expected(self) -> bool:
        """Whether a defect was killed, or a conforming variant not flagged."""
        return (self.clause is None) == self.mutant.conforming


@dataclass(frozen=True, slots=True)
class MutantJob:
    """A mutant, by name, and the greatest number of trials of each question."""

    name: str
    seed: int
    most: int
    scope: ScoreScope = EVERYTHING


def compute_scores(
    mutant: Sequence[Mutant],
    seed: int,
    most: Callable[[Mutant], int],
    progress: Callable[[str], None],
    scope: ScoreScope = EVERYTHING,
) -> list[Score]:
    """The score of each change, computed on all cores; `progress` is called after each.

    Changes that share trials and answers of the reference go together. Conforming variants,
    which take longest, go first.
    """
    groups: dict[tuple[bool, str, str], list[MutantJob]] = {}
    for change in mutant:
        key = (not change.conforming, change.chapter, change.edition.name)
        groups.setdefault(key, []).append(MutantJob(change.name, seed, most(change), scope))
    ordered = [groups[key] for key in sorted(groups)]
    scores = run_jobs(score_job, ordered, lambda job: progress(job.name))
    found = {score.name: score for score in scores}
    return [found[change.name] for change in mutant]


def score_job(job: MutantJob) -> Score:
    """What became of a mutant."""
    return score_mutant(BY_NAME[job.name], job.seed, job.most, job.scope)


def score_mutant(mutant: Mutant, seed: int, most: int, scope: ScoreScope = EVERYTHING) -> Score:
    """Run trials of all questions alternately until a clause is violated, at most `most`.

    Raises `WrongPatch` for a change that fits nowhere: that its trials fail is no kill.
    """
    mutant.require_fit()
    began, trials, reached = time.perf_counter(), 0, False
    clause, sentence = None, ""
    for block in alternate_blocks(mutant, seed, most, scope):
        reached = reached or any(running_it(mutant, block))
        first = next(find_failures(mutant, block, only=scope.clauses), None)
        if first is not None:
            (clause, _), sentence = first.check, first.sentence
            trials += first.trials
            break
        trials += block.count
    spent = 1000 * (time.perf_counter() - began)
    return Score(mutant.name, clause, sentence, trials, spent, reached)


def alternate_blocks(
    mutant: Mutant, seed: int, most: int, scope: ScoreScope = EVERYTHING
) -> Iterator[Block]:
    """Blocks of all questions about a mutant, alternately.

    A question whose first trials never run the changed function is left out of the rest. Of a
    conforming variant, which is tried to the end, half as many long trials will do.
    """
    running, ran = scope.questions_about(mutant), set[str]()
    for start in range(0, most, BLOCK):
        if mutant.conforming and start >= most // 2:
            running = [name for name in running if not QUESTIONS[name].is_long]
        for name in running:
            block = Block(name, seed, start, min(BLOCK, most - start))
            yield block
            if name not in ran and any(running_it(mutant, block)):
                ran.add(name)
        if start + BLOCK >= TRIED:
            running = [name for name in running if name in ran]


def running_it(mutant: Mutant, block: Block) -> Iterator[tuple[int, Any, Observation]]:
    """The trials of a block for which the reference runs the changed function: the number of each
    in the block, and what the reference observes.
    """
    clean, spots = answer_block(block, mutant.edition.name), spots_of(mutant)
    for number in clean.reached.find_by(spots.functions):
        yield number, clean.trials[number], clean.expected[number]


def find_failures(
    mutant: Mutant, block: Block, checks_left: Set[Check] | None = None, only: tuple[str, ...] = ()
) -> Iterator[ShownVerdict]:
    """Objections of the clauses (of these checks, or these clauses only, if given) to a mutant in
    a block.

    Only trials that it answers differently are judged; on the others the verdicts are those of
    the reference. Failures to answer come last. A check that the caller removes from
    `checks_left` is not reported again.
    """
    clauses = [
        clause
        for clause in clauses_for(block.question, mutant.edition, only or None)
        if checks_left is None or (clause.id, clause.question) in checks_left
    ]
    no_answer: ShownVerdict | None = None
    for number, trial, expected in running_it(mutant, block) if clauses else ():
        trials = number + 1
        try:
            with mutant.apply(), limit_time():
                observation = QUESTIONS[block.question].observe(trial, mutant.edition)
        except (Exception, TooLong) as error:  # a defect may fail in any way; that is its answer
            sentence = f"{type(error).__name__}: {error}"
            no_answer = no_answer or ShownVerdict((NO_ANSWER, block.question), sentence, trials)
            continue
        if observation != expected:
            judged = [
                c for c in clauses if checks_left is None or (c.id, c.question) in checks_left
            ]
            case = Case(trial, observation, mutant.edition, lambda *_, known=expected: known)
            for verdict in judge_case(judged, case).failed:
                yield ShownVerdict((verdict.clause, block.question), verdict.sentence, trials)
    if no_answer is not None:
        yield no_answer
