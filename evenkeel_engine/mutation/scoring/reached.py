"""Which statements of the reference a trial runs: a mutant elsewhere cannot show on it.

Every function of reference/ runs a copy that records its statements, once for all mutants.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from time import process_time
from types import CodeType, FunctionType
from typing import Any, Final, TypeAlias

from evenkeel_engine.check.seeded import Block, make_trial
from evenkeel_engine.content import EDITIONS
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.question import Observation, judge
from evenkeel_engine.mutation.code_swap import clear_caches, function_of, swap_code
from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.mutation.sampled import SampledMutant
from evenkeel_engine.mutation.sites import FunctionSource, compiled_together, find_functions
from evenkeel_engine.mutation.walk import number_statements

CACHED: Final = 2000
"""Blocks that a process caches."""
_NOTE: Final = "__evenkeel_note__"
Statement: TypeAlias = int
"""A statement of the reference, by its number over all functions."""


@dataclass(frozen=True, slots=True)
class Noting:
    """The copies that note, and the number of each function's first statement."""

    codes: dict[FunctionType, CodeType]
    first: dict[FunctionSource, Statement]


@cache
def noting_copies() -> Noting:
    """A copy of every function that notes what it runs."""
    first: dict[FunctionSource, Statement] = {}
    count = 0
    for function in find_functions():
        first[function] = count
        count += len(list(number_statements(function.node)))

    def noted(function: FunctionSource, node: ast.FunctionDef) -> None:
        for body, index, number in reversed(list(number_statements(node))):
            body.insert(index, _note(first[function] + number))

    codes: dict[FunctionType, CodeType] = {}
    for _, together in groupby(find_functions(), lambda function: id(function.top)):
        for function, code in compiled_together(list(together), noted).items():
            codes[function_of(function)] = code
    return Noting(codes, first)


def _note(number: Statement) -> ast.stmt:
    return ast.Expr(ast.Call(ast.Name(_NOTE, ast.Load()), [ast.Constant(number)], []))


@contextmanager
def note_statements(note: Callable[[Statement], None]) -> Iterator[None]:
    """Within this block every statement of the reference is noted before it runs."""
    copies = noting_copies()
    spaces = [vars(sys.modules[name]) for name in {function.module for function in copies.first}]
    for space in spaces:
        space[_NOTE] = note
    try:
        with swap_code(copies.codes):
            yield
    finally:
        for space in spaces:
            del space[_NOTE]


class Coverage:
    """Which of some things, by number, run a statement."""

    def __init__(self) -> None:
        self._bits: dict[Statement, int] = {}
        self._seen: set[Statement] = set()
        self.note = self._seen.add

    def assign_noted(self, number: int) -> None:
        """All that was noted since was of this thing."""
        for statement in self._seen:
            self._bits[statement] = self._bits.get(statement, 0) | 1 << number
        self._seen.clear()

    def find_by(self, statements: Iterable[Statement]) -> list[int]:
        """The things that ran one of these statements, in order."""
        bits, found = 0, []
        for statement in statements:
            bits |= self._bits.get(statement, 0)
        while bits:
            lowest = bits & -bits
            found.append(lowest.bit_length() - 1)
            bits ^= lowest
        return found


@dataclass(frozen=True, slots=True)
class Spots:
    """The statements that reach a mutant: the changed ones, and their functions' first."""

    statements: tuple[Statement, ...]
    functions: tuple[Statement, ...]


def spots_of(mutant: Mutant) -> Spots:
    """Where a mutant is met."""
    starts = tuple(noting_copies().first[source] for source in mutant.sources)
    if isinstance(mutant, SampledMutant):
        return Spots((starts[0] + mutant.site.statement,), starts)
    return Spots(starts, starts)


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
def answer_block(block: Block, edition: str) -> Answered:
    """A block answered; noted is what the answers run."""
    question, reached = QUESTIONS[block.question], Coverage()
    expected, seconds = [], []
    with note_statements(reached.note):
        for number, trial in enumerate(generate_trials(block)):
            clear_caches()
            began = process_time()
            expected.append(question.observe(trial, EDITIONS[edition]))
            seconds.append(process_time() - began)
            reached.assign_noted(number)
    return Answered(generate_trials(block), tuple(expected), reached, tuple(seconds))


@lru_cache(maxsize=CACHED)
def judge_block(block: Block, edition: str) -> Answered:
    """A block generated, answered and judged, with the statements that this runs."""
    question, reached = QUESTIONS[block.question], Coverage()
    clauses = clauses_for(block.question, EDITIONS[edition])
    trials, expected, seconds, failed = [], [], [], []
    with note_statements(reached.note):
        for number in range(block.count):
            clear_caches()
            began = process_time()
            trial = make_trial(question, block.seed, block.start + number)
            observation = question.observe(trial, EDITIONS[edition])
            verdicts = judge(question, clauses, trial, observation, EDITIONS[edition])
            seconds.append(process_time() - began)
            reached.assign_noted(number)
            trials.append(trial)
            expected.append(observation)
            failed.append(frozenset(v.clause for v in verdicts if v.failed))
    return Answered(tuple(trials), tuple(expected), reached, tuple(seconds), tuple(failed))
