"""Mutation operators: replacements of one expression or one statement.

An operator is a function of a node and of what surrounds it (`Surroundings`), and gives every
replacement, in a fixed order: an expression for an expression, statements for a statement. None
touches a docstring, an annotation, a text, an assertion or the message of an error.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

from evenkeel_engine.mutation.shapes import (
    find_assigned,
    is_clean,
    is_jump,
    is_like_text,
    is_same,
    is_updated_copy,
)

Replacement: TypeAlias = ast.expr | list[ast.stmt] | ast.comprehension
Swappable: TypeAlias = Callable[[ast.Call], Sequence[int]]
"""The arguments of a call that may change places with the next one."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The context of a node, for operators.

    `bound`: names that have a value before the statement. `is_condition`: the node decides a
    branch. `may_return`: the function returns no value, and the statement is in its body
    with something before and after it.
    """

    bound: Set[str]
    swappable: Swappable
    is_condition: bool = False
    may_return: bool = False


Operator: TypeAlias = Callable[[ast.AST, Surroundings], Iterator[Replacement]]

Kinds: TypeAlias = dict[type[Any], type[Any]]
"""By the sort of an operator, that of another one."""


def _pair(*pairs: tuple[type[Any], type[Any]]) -> Kinds:
    return {**dict(pairs), **{other: one for one, other in pairs}}


_OPPOSITE: Final = _pair(
    (ast.Lt, ast.GtE),
    (ast.Gt, ast.LtE),
    (ast.Eq, ast.NotEq),
    (ast.Is, ast.IsNot),
    (ast.In, ast.NotIn),
)
_NEIGHBOUR: Final = _pair((ast.Lt, ast.LtE), (ast.Gt, ast.GtE))
_OTHER: Final = {
    **_pair((ast.Add, ast.Sub), (ast.Mult, ast.Div)),
    **_pair((ast.LShift, ast.RShift), (ast.BitAnd, ast.BitOr)),
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.FloorDiv,
    ast.BitXor: ast.BitOr,
}
_ONE_WAY: Final = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.LShift, ast.RShift)
_EXTREMES: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
_TWEAK: Final = 1.1


def compare(node: ast.AST, _: Surroundings, others: Kinds) -> Iterator[Replacement]:
    """A comparison is negated; or its bound is shut out, or let in."""
    if isinstance(node, ast.Compare):
        for index, operator in enumerate(node.ops):
            if other := others.get(type(operator)):
                ops = [*node.ops[:index], other(), *node.ops[index + 1 :]]
                yield ast.Compare(node.left, ops, node.comparators)


def constant(node: ast.AST, _: Surroundings) -> Iterator[Replacement]:
    """A number is another, a boolean the opposite."""
    if not isinstance(node, ast.Constant):
        return
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield from map(ast.Constant, (value + 1, value - 1))
        if value not in (-1, 0, 1):
            yield ast.Constant(0)
    elif isinstance(value, float):
        yield from map(ast.Constant, (value * _TWEAK, 0.0) if value else (1.0,))


def guard(node: ast.AST, _: Surroundings) -> Iterator[Replacement]:
    """A guard is dropped, a filter, or a choice between two values."""
    if isinstance(node, ast.If) and is_jump(node.body[-1]):
        yield node.orelse or [ast.Pass()]
    elif isinstance(node, ast.comprehension):
        for index in range(len(node.ifs)):
            ifs = [*node.ifs[:index], *node.ifs[index + 1 :]]
            yield ast.comprehension(node.target, node.iter, ifs, node.is_async)
    elif isinstance(node, ast.IfExp):
        yield from (node.body, node.orelse)


def swap(node: ast.AST, around: Surroundings) -> Iterator[Replacement]:
    """Two operands, or two arguments of one type, change places."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, _ONE_WAY):
        if not is_same(node.left, node.right):
            yield ast.BinOp(node.right, node.op, node.left)
    elif isinstance(node, ast.Call):
        for index in around.swappable(node):
            one, other = node.args[index : index + 2]
            if not is_same(one, other):
                args = [*node.args[:index], other, one, *node.args[index + 2 :]]
                yield ast.Call(node.func, args, node.keywords)


def stale(node: ast.AST, around: Surroundings) -> Iterator[Replacement]:
    """A value that is derived from an old one stays the old one, whole or in one field."""
    if isinstance(node, ast.Call) and is_updated_copy(node):
        yield node.args[0]
        for index in range(len(node.keywords) if len(node.keywords) > 1 else 0):
            keywords = [*node.keywords[:index], *node.keywords[index + 1 :]]
            yield ast.Call(node.func, node.args, keywords)
    elif isinstance(node, ast.Dict) and len(node.keys) > 1 and node.keys[0] is None:
        yield node.values[0]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        if isinstance(node.right, ast.Dict | ast.Set | ast.DictComp | ast.SetComp):
            yield node.left
    elif isinstance(node, ast.Assign) and _renews(node, around):
        yield [ast.Pass()]


def _renews(node: ast.Assign, around: Surroundings) -> bool:
    """Whether a name gets a new value that is derived from its old one."""
    names = find_assigned(node)
    used = {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}
    return bool(names) and names <= around.bound and not names.isdisjoint(used)


def step(node: ast.AST, around: Surroundings) -> Iterator[Replacement]:
    """A step is skipped."""
    if isinstance(node, ast.Expr):
        skipped = isinstance(node.value, ast.Call | ast.Yield | ast.YieldFrom)
    elif isinstance(node, ast.Assign):
        skipped = find_assigned(node) <= around.bound and not _renews(node, around)
    elif isinstance(node, ast.If):
        skipped = not node.orelse and not is_jump(node.body[-1])
    else:
        skipped = isinstance(node, ast.AugAssign | ast.Delete)
    if skipped:
        yield [ast.Pass()]


def early(node: ast.AST, around: Surroundings) -> Iterator[Replacement]:
    """A loop ends after its first pass, or instead of `continue`; a function returns too soon."""
    if isinstance(node, ast.For | ast.While) and not is_jump(node.body[-1]):
        body = [*node.body, ast.Break()]
        if isinstance(node, ast.While):
            yield [ast.While(node.test, body, node.orelse)]
        else:
            yield [ast.For(node.target, node.iter, body, node.orelse)]
    elif isinstance(node, ast.Continue):
        yield [ast.Break()]
    if around.may_return and not isinstance(node, ast.Return):
        yield [ast.Return()]


def logic(node: ast.AST, _: Surroundings) -> Iterator[Replacement]:
    """`and` becomes `or`; or one of the conditions is left out."""
    if isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        for index in range(len(node.values)):
            rest = [*node.values[:index], *node.values[index + 1 :]]
            yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)


def extreme(node: ast.AST, _: Surroundings) -> Iterator[Replacement]:
    """The smallest is the largest, any is all; or a limit is not applied."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
        return
    if node.func.id in _EXTREMES:
        yield ast.Call(ast.Name(_EXTREMES[node.func.id], ast.Load()), node.args, node.keywords)
        if len(node.args) > 1 and is_clean(node):
            yield from node.args


def arithmetic(node: ast.AST, _: Surroundings) -> Iterator[Replacement]:
    """Another operation."""
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in _OTHER:
        other = _OTHER[type(node.op)]()
        if isinstance(node, ast.AugAssign):
            if not is_like_text(node.value):
                yield [ast.AugAssign(node.target, other, node.value)]
        elif not (is_like_text(node.left) or is_like_text(node.right)):
            yield ast.BinOp(node.left, other, node.right)


def unary(node: ast.AST, around: Surroundings) -> Iterator[Replacement]:
    """A sign or a negation is lost, or a condition is negated."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub | ast.Invert):
        yield node.operand
    elif isinstance(node, ast.Compare | ast.BoolOp | ast.Constant):
        return  # other operators change these
    elif around.is_condition and isinstance(node, ast.expr):
        yield ast.UnaryOp(ast.Not(), node)


OPERATORS: Final[dict[str, Operator]] = {
    "relation": partial(compare, others=_OPPOSITE),
    "boundary": partial(compare, others=_NEIGHBOUR),
    "constant": constant,
    "guard": guard,
    "swap": swap,
    "stale": stale,
    "step": step,
    "early": early,
    "logic": logic,
    "extreme": extreme,
    "arithmetic": arithmetic,
    "unary": unary,
}
