"""Which statements of the reference a trial runs: a mutant elsewhere cannot show on it.

Every function of reference/ runs a copy that records its statements, once for all mutants.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from types import CodeType, FunctionType
from typing import Final, TypeAlias

from evenkeel_engine.mutation.code_swap import function_of, swap_code
from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.mutation.sampled import SampledMutant
from evenkeel_engine.mutation.sites import FunctionSource, compiled_together, find_functions
from evenkeel_engine.mutation.walk import number_statements

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

    def insert_notes(function: FunctionSource, node: ast.FunctionDef) -> None:
        for body, index, number in reversed(list(number_statements(node))):
            argument = ast.Constant(first[function] + number)
            body.insert(index, ast.Expr(ast.Call(ast.Name(_NOTE, ast.Load()), [argument], [])))

    codes: dict[FunctionType, CodeType] = {}
    for _, together in groupby(find_functions(), lambda function: id(function.top)):
        for function, code in compiled_together(list(together), insert_notes).items():
            codes[function_of(function)] = code
    return Noting(codes, first)


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
