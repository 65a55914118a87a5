"""Find ordered comparisons of the reference that generated trials never reach at equality.

Uniform trials should take every `<`, `<=`, `>`, `>=` of reference/ below, at and above its limit:
else they cannot find a defect that shows only where the two numbers are equal.
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
from evenkeel.mutation.code_swap import function_of, swapped
from evenkeel.mutation.sites import compiled, functions
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.reference.edition import BASE_EDITIONS

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
    """An ordered comparison of the reference. `name` is stable while the function exists."""

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
    """All comparisons by number, and copies of the functions that record them."""

    comparisons: tuple[Comparison, ...]
    codes: dict[FunctionType, CodeType]
    modules: frozenset[str]


class _Recording(ast.NodeTransformer):
    """Replaces each ordered comparison by a call."""

    def __init__(self, path: str, function: str, found: list[Comparison]) -> None:
        self._path, self._function, self._found = path, function, found

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        pairs: list[ast.expr] = []
        left = node.left
        for kind, right in zip(node.ops, node.comparators, strict=True):
            if type(kind) in _OPERATORS:
                pairs.append(self._recorded(left, kind, right))
            else:
                pairs.append(ast.Compare(left, [kind], [right]))
            left = copy.deepcopy(right)
        return pairs[0] if len(pairs) == 1 else ast.BoolOp(ast.And(), pairs)

    def _recorded(self, left: ast.expr, kind: ast.cmpop, right: ast.expr) -> ast.expr:
        text = ast.unparse(_restored(ast.Compare(left, [kind], [right])))
        line = getattr(left, "lineno", 0)
        self._found.append(Comparison(self._path, line, self._function, text, type(kind)))
        number = ast.Constant(len(self._found) - 1)
        return ast.Call(ast.Name(_COMPARE, ast.Load()), [number, left, right], [])


class _Restoring(ast.NodeTransformer):
    """Restores calls that replaced a comparison."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == _COMPARE:
            return ast.Compare(node.args[1], [ast.Lt()], [node.args[2]])
        return node


def _restored(node: ast.expr) -> ast.expr:
    restored: ast.expr = _Restoring().visit(copy.deepcopy(node))
    return restored


@cache
def watched() -> Watched:
    """Every comparison in a function that a trial may run, instrumented."""
    found: list[Comparison] = []
    codes = {}
    for function in functions():
        before, node = len(found), copy.deepcopy(function.node)
        changed = _Recording(function.path, function.name, found).visit(node)
        if len(found) > before:
            code = compiled(function, ast.fix_missing_locations(changed))
            codes[function_of(function)] = code
    modules = frozenset(function.module for function in functions())
    return Watched(tuple(found), codes, modules)


@contextmanager
def watching(seen: set[tuple[int, str]]) -> Iterator[None]:
    """In this context every comparison adds its number and side to `seen`."""
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
        with swapped(all_.codes):
            yield
    finally:
        for space in spaces:
            del space[_COMPARE]


def look(block: Block) -> set[tuple[int, str]]:
    """The comparisons that the reference of every edition makes on the trials of a block."""
    question, seen = QUESTIONS[block.question], set[tuple[int, str]]()
    numbers = range(block.start, block.start + block.count)
    with watching(seen):
        for index in numbers:
            trial = make_trial(question, block.seed, index)
            for edition in BASE_EDITIONS.values():
                try:
                    with limited():
                        question.observe(trial, edition)
                except TooLong:
                    continue
    return seen


@dataclass(frozen=True, slots=True)
class Exemption:
    """Why a side of a comparison is never seen."""

    name: str
    missing: tuple[str, ...]
    reason: str


@cache
def exemptions() -> dict[str, Exemption]:
    """The exempt comparisons, by name (`unreached_comparisons.toml`)."""
    text = files(harness).joinpath("unreached_comparisons.toml").read_text(encoding="utf-8")
    entries = tomllib.loads(text).get("exempt", [])
    found = [Exemption(one["name"], tuple(one["missing"]), one["reason"]) for one in entries]
    return {one.name: one for one in found}


@dataclass(frozen=True, slots=True)
class Unreached:
    """A comparison with the sides that no trial reached, and why it is exempt, if it is."""

    comparison: Comparison
    missing: tuple[str, ...]
    exemption: str

    @property
    def crossed(self) -> bool:
        """Whether trials were on both sides of the limit, but never at it."""
        return self.missing == ("equal",)

    @property
    def never(self) -> bool:
        """Whether no trial reached it at all."""
        return len(self.missing) == len(SIDES)


def unreached_comparisons(seen: Sequence[set[tuple[int, str]]]) -> list[Unreached]:
    """The comparisons of which not all sides were reached. Equal texts in a function count once."""
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
            exemption = exemptions().get(name)
            exempt = exemption is not None and set(missing) <= set(exemption.missing)
            reason = exemption.reason if exemption and exempt else ""
            found.append(Unreached(first[name], missing, reason))
    return found
