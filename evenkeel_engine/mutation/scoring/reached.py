"""Blocks of trials, answered by the reference, and the statements that it runs for each trial."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from time import process_time
from typing import Any, Final

from evenkeel_engine.check.seeded import Block, make_trial
from evenkeel_engine.content import EDITIONS
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.question import Observation, judge
from evenkeel_engine.mutation.code_swap import clear_caches
from evenkeel_engine.mutation.noting import Coverage, note_statements

CACHED: Final = 2000
"""Blocks that a process caches."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A block's trials, what the reference of an edition observes, and what it runs for each.

    `seconds`: the processor time of each trial. `failed`: objections of clauses to the
    reference, by trial, if they were judged; normally none.
    """

    trials: tuple[Any, ...]
    expected: tuple[Observation, ...]
    reached: Coverage
    seconds: tuple[float, ...]
    failed: tuple[frozenset[str], ...] = ()


@lru_cache(maxsize=CACHED)
def generate_trials(block: Block) -> tuple[Any, ...]:
    """A block's trials, checked also where records are not frozen."""
    question, numbers = QUESTIONS[block.question], range(block.start, block.start + block.count)
    return tuple(make_trial(question, block.seed, number) for number in numbers)


@lru_cache(maxsize=CACHED)
def answer_block(block: Block, edition: str, judged: bool = False) -> Answered:
    """A block answered; or generated, answered and judged: noted is what all of this runs."""
    question, of, reached = QUESTIONS[block.question], EDITIONS[edition], Coverage()
    clauses = clauses_for(block.question, of) if judged else ()
    found: list[tuple[Any, Observation, float, frozenset[str]]] = []
    with note_statements(reached.note):
        known = () if judged else generate_trials(block)
        for number in range(block.count):
            clear_caches()
            began, at = process_time(), block.start + number
            trial = make_trial(question, block.seed, at) if judged else known[number]
            observation = question.observe(trial, of)
            verdicts = judge(question, clauses, trial, observation, of)
            took = process_time() - began
            reached.assign_noted(number)
            failed = frozenset(one.clause for one in verdicts if one.failed)
            found.append((trial, observation, took, failed))
    trials, expected, seconds, failures = zip(*found, strict=True)
    return Answered(trials, expected, reached, seconds, failures)
