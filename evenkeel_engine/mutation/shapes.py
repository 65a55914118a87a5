"""What a piece of source looks like, for the mutation operators."""

from __future__ import annotations

import ast
from typing import Final

_TEXTS: Final = (
    ast.JoinedStr,
    ast.List,
    ast.Tuple,
    ast.ListComp,
    ast.GeneratorExp,
    ast.Dict,
    ast.DictComp,
)
_SEQUENCES: Final = {"tuple", "list", "str", "sorted", "bytes"}


def is_same(one: ast.AST, other: ast.AST) -> bool:
    """Whether two pieces of source are equal."""
    return ast.dump(one) == ast.dump(other)


def is_jump(node: ast.stmt) -> bool:
    """Whether what follows a statement is not run."""
    return isinstance(node, ast.Return | ast.Raise | ast.Continue | ast.Break)


def is_like_text(node: ast.expr) -> bool:
    """Whether an operand is plainly a text or a sequence, with which one cannot calculate."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str | bytes)
    if isinstance(node, ast.BinOp):
        return is_like_text(node.left) or is_like_text(node.right)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in _SEQUENCES
    return isinstance(node, _TEXTS)


def is_updated_copy(node: ast.Call) -> bool:
    """`replace(x, field=…)`, of dataclasses."""
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    only_named = all(keyword.arg is not None for keyword in node.keywords)
    return name == "replace" and len(node.args) == 1 and bool(node.keywords) and only_named


def is_clean(node: ast.Call) -> bool:
    """Whether all arguments are given one by one, and none by name."""
    return not node.keywords and not any(isinstance(arg, ast.Starred) for arg in node.args)


def is_requirement(node: ast.AST) -> bool:
    """`require(condition, place, reason)`: all but the condition is a message."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id.strip("_") == "require"
    )


def find_assigned(node: ast.Assign) -> set[str]:
    """The names that an assignment binds."""
    return {
        name.id
        for target in node.targets
        for name in ast.walk(target)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }


def is_docstring(node: ast.stmt) -> bool:
    """Whether a statement is nothing but a text."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def gives_value(function: ast.FunctionDef) -> bool:
    """Whether a function gives anything back, or yields."""
    return any(
        isinstance(node, ast.Yield | ast.YieldFrom)
        or (isinstance(node, ast.Return) and node.value is not None)
        for node in ast.walk(function)
    )
