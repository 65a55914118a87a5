"""A function's source, node by node, in one fixed order: where operators may apply.

Statements are numbered in the order of the text, those of inner functions too; by number it is
recorded which statements a trial has run (`evenkeel_engine/mutation/noting.py`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from evenkeel_engine.mutation.shapes import (
    find_assigned,
    gives_value,
    is_docstring,
    is_jump,
    is_requirement,
)

Path: TypeAlias = tuple[tuple[str, int | None], ...]
"""From a function to a node in it: fields, and the index where a field is a list."""

_BODIES: Final = ("body", "orelse", "handlers", "finalbody", "cases")
_UNTOUCHED: Final = {"annotation", "decorator_list", "args", "returns", "pattern", "type_params"}
_TYPE_TESTS: Final = {"isinstance": 1, "issubclass": 1, "cast": 0}
_TYPE_NODES: Final = (ast.Raise, ast.Assert, ast.JoinedStr)


@dataclass(frozen=True, slots=True)
class Visited:
    """A node, the path to it, and its statement."""

    path: Path
    node: ast.AST
    statement: int
    bound: frozenset[str]
    is_condition: bool = False
    may_return: bool = False


def visit_nodes(function: ast.FunctionDef) -> Iterator[Visited]:
    """Every node that may be changed, from the first to the last."""
    yield from _Walk(function).visit_body(function.body, (), "body", _list_parameters(function))


@dataclass(slots=True)
class _Walk:
    function: ast.FunctionDef
    statement: int = -1
    bound: frozenset[str] = frozenset()

    def visit_body(
        self, statements: Sequence[ast.AST], path: Path, name: str, bound: frozenset[str]
    ) -> Iterator[Visited]:
        self.bound |= bound
        for index, node in enumerate(statements):
            here = (*path, (name, index))
            if isinstance(node, ast.stmt):
                self.statement += 1
                yield from self.visit_statement(node, here)
            else:  # a handler of exceptions, or a case of a match
                yield from self.visit_fields(node, here)

    def visit_statement(self, node: ast.stmt, path: Path) -> Iterator[Visited]:
        if is_docstring(node) or isinstance(node, ast.Assert):
            return
        yield Visited(path, node, self.statement, self.bound, may_return=self.may_return(path))
        yield from self.visit_fields(node, path)
        if isinstance(node, ast.Assign):
            self.bound |= find_assigned(node)
        elif isinstance(node, ast.AnnAssign | ast.AugAssign | ast.For):
            self.bound |= {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}

    def may_return(self, path: Path) -> bool:
        """Whether a bare `return` here would leave something out that another step does not."""
        body = self.function.body
        first = 1 if is_docstring(body[0]) else 0
        _, index = path[0]
        if len(path) > 1 or index is None or not first < index < len(body) - 1:
            return False
        return not (gives_value(self.function) or is_jump(body[index]))

    def visit_fields(self, node: ast.AST, path: Path) -> Iterator[Visited]:
        if isinstance(node, _TYPE_NODES):
            return
        statement = self.statement
        for name, value in ast.iter_fields(node):
            if name in _UNTOUCHED and not (isinstance(node, ast.Call) and name == "args"):
                continue
            inner = isinstance(node, ast.FunctionDef | ast.ClassDef)
            bound = _list_parameters(node) if isinstance(node, ast.FunctionDef) else frozenset()
            if name in _BODIES and isinstance(value, list) and not isinstance(node, ast.Lambda):
                if not (inner and isinstance(node, ast.ClassDef)):
                    yield from self.visit_body(value, path, name, bound)
            elif isinstance(value, list):
                for index, item in enumerate(value):
                    if isinstance(item, ast.AST) and not _is_no_value(node, name, index):
                        is_condition = isinstance(node, ast.comprehension) and name == "ifs"
                        here = (*path, (name, index))
                        yield from self.visit_expression(item, here, statement, is_condition)
            elif isinstance(value, ast.AST):
                is_condition = name in ("test", "guard")
                yield from self.visit_expression(
                    value, (*path, (name, None)), statement, is_condition
                )

    def visit_expression(
        self, node: ast.AST, path: Path, statement: int, is_condition: bool
    ) -> Iterator[Visited]:
        if isinstance(node, ast.keyword) and node.arg == "strict":
            return
        if isinstance(node, ast.expr | ast.comprehension):
            yield Visited(path, node, statement, self.bound, is_condition)
        yield from self.visit_fields(node, path)


def _is_no_value(node: ast.AST, name: str, index: int) -> bool:
    """Whether an argument is a type or a message."""
    if is_requirement(node):
        return name == "args" and index > 0
    return (
        name == "args"
        and isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and _TYPE_TESTS.get(node.func.id) == index
    )


def _list_parameters(function: ast.FunctionDef) -> frozenset[str]:
    args = function.args
    every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    return frozenset(arg.arg for arg in every if arg is not None)


def number_statements(function: ast.FunctionDef) -> Iterator[tuple[list[ast.stmt], int, int]]:
    """The number of every statement, with its list and its index there.

    The numbers are those of `visit_nodes`. Insert from the last to the first.
    """
    for number, (body, index) in enumerate(_list_below(function)):
        yield body, index, number


def _list_below(node: ast.AST) -> Iterator[tuple[list[ast.stmt], int]]:
    """The statements below a node, handlers and cases seen through; not those of inner classes."""
    for name, value in ast.iter_fields(node):
        if name in _BODIES and isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, ast.stmt):
                    yield value, index
                if not isinstance(item, ast.ClassDef):
                    yield from _list_below(item)
