"""Where the generators are blind: ordered comparisons of the reference that are never equal.

Every `<`, `<=`, `>`, `>=` of reference/ is to be seen below, at and above its limit by uniform
trials. A defect that shows only where two numbers are equal is found by no trial in which they
never are.
"""

from __future__ import annotations

import ast
import copy
import operator
import sys
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import CodeType, FunctionType
from typing import Any, Final

from evenkeel import harness
from evenkeel.harness.limits import TooLong, limited
from evenkeel.harness.seeded import Block, make_trial
from evenkeel.mutation.code_swap import function_of, in_force
from evenkeel.mutation.sites import compiled, functions
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.reference.edition import EDITIONS

SIDES: Final = ("below", "equal", "above")
_COMPARE: Final = "__evenkeel_compare__"
_OPERATORS: Final = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """An ordered comparison of the reference. `name` stays while the function stays."""

    path: str
    line: int
    function: str
    text: str
    operator: type[ast.cmpop]

    @property
    def name(self) -> str:
        """Where it is, without its line."""
        return f"{self.path}:{self.function}: {self.text}"


@dataclass(frozen=True, slots=True)
class Watched:
    """All comparisons by number, and the copies of the functions that note them."""

    comparisons: tuple[Comparison, ...]
    codes: dict[FunctionType, CodeType]
    modules: frozenset[str]


class _Noting(ast.NodeTransformer):
    """Puts a call in place of each ordered comparison."""

    def __init__(self, path: str, function: str, found: list[Comparison]) -> None:
        self._path, self._function, self._found = path, function, found

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        pairs: list[ast.expr] = []
        left = node.left
        for kind, right in zip(node.ops, node.comparators, strict=True):
            if type(kind) in _OPERATORS:
                pairs.append(self._noted(left, kind, right))
            else:
                pairs.append(ast.Compare(left, [kind], [right]))
            left = copy.deepcopy(right)
        return pairs[0] if len(pairs) == 1 else ast.BoolOp(ast.And(), pairs)

    def _noted(self, left: ast.expr, kind: ast.cmpop, right: ast.expr) -> ast.expr:
        text = ast.unparse(_plain(ast.Compare(left, [kind], [right])))
        line = getattr(left, "lineno", 0)
        self._found.append(Comparison(self._path, line, self._function, text, type(kind)))
        number = ast.Constant(len(self._found) - 1)
        return ast.Call(ast.Name(_COMPARE, ast.Load()), [number, left, right], [])


class _Plain(ast.NodeTransformer):
    """Leaves what is noted already as it was written."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == _COMPARE:
            return ast.Compare(node.args[1], [ast.Lt()], [node.args[2]])
        return node


def _plain(node: ast.expr) -> ast.expr:
    plain: ast.expr = _Plain().visit(copy.deepcopy(node))
    return plain


@cache
def watched() -> Watched:
    """Every comparison in a function that a trial may run."""
    found: list[Comparison] = []
    codes = {}
    for function in functions():
        before, node = len(found), copy.deepcopy(function.node)
        changed = _Noting(function.path, function.name, found).visit(node)
        if len(found) > before:
            code = compiled(function, ast.fix_missing_locations(changed))
            codes[function_of(function)] = code
    modules = frozenset(function.module for function in functions())
    return Watched(tuple(found), codes, modules)


@contextmanager
def watching(seen: set[tuple[int, str]]) -> Iterator[None]:
    """Within this block `seen` gets the number and the side of every comparison."""
    all_, compare = watched(), {}
    for number, one in enumerate(all_.comparisons):
        compare[number] = _OPERATORS[one.operator]

    def note(number: int, left: Any, right: Any) -> Any:
        if left == right:
            seen.add((number, "equal"))
        elif left < right:
            seen.add((number, "below"))
        elif left > right:
            seen.add((number, "above"))
        return compare[number](left, right)

    spaces = [vars(sys.modules[name]) for name in all_.modules]
    for space in spaces:
        space[_COMPARE] = note
    try:
        with in_force(all_.codes):
            yield
    finally:
        for space in spaces:
            del space[_COMPARE]


def look(block: Block) -> set[tuple[int, str]]:
    """What the reference of every edition compares on the trials of a block."""
    question, seen = QUESTIONS[block.question], set[tuple[int, str]]()
    numbers = range(block.start, block.start + block.count)
    with watching(seen):
        for index in numbers:
            trial = make_trial(question, block.seed, index)
            for edition in EDITIONS.values():
                try:
                    with limited():
                        question.observe(trial, edition)
                except TooLong:
                    continue
    return seen


@dataclass(frozen=True, slots=True)
class Excuse:
    """Why a side of a comparison is never seen."""

    name: str
    missing: tuple[str, ...]
    reason: str


@cache
def excuses() -> dict[str, Excuse]:
    """The excused comparisons, by name (`unreached_comparisons.toml`)."""
    text = files(harness).joinpath("unreached_comparisons.toml").read_text(encoding="utf-8")
    entries = tomllib.loads(text).get("blind", [])
    found = [Excuse(one["name"], tuple(one["missing"]), one["reason"]) for one in entries]
    return {one.name: one for one in found}


@dataclass(frozen=True, slots=True)
class Blind:
    """A comparison with the sides that no trial showed, and why that is no blind spot."""

    comparison: Comparison
    missing: tuple[str, ...]
    excuse: str

    @property
    def crossed(self) -> bool:
        """Whether trials were on both sides of the limit, and never at it."""
        return self.missing == ("equal",)

    @property
    def never(self) -> bool:
        """Whether no trial came to it at all."""
        return len(self.missing) == len(SIDES)


def blind_spots(seen: Sequence[set[tuple[int, str]]]) -> list[Blind]:
    """The comparisons of which not all sides were seen. Equal texts in a function count once."""
    sides: dict[str, set[str]] = {}
    first: dict[str, Comparison] = {}
    whole = set().union(*seen)
    for number, one in enumerate(watched().comparisons):
        first.setdefault(one.name, one)
        known = sides.setdefault(one.name, set())
        known |= {side for side in SIDES if (number, side) in whole}
    found = []
    for name, known in sides.items():
        missing = tuple(side for side in SIDES if side not in known)
        if missing:
            excuse = excuses().get(name)
            excused = excuse is not None and set(missing) <= set(excuse.missing)
            found.append(Blind(first[name], missing, excuse.reason if excuse and excused else ""))
    return found
