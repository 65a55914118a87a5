"""Where reference/ can be changed: every function, every site in it, and the change as a diff."""

from __future__ import annotations

import ast
import copy
import difflib
import inspect
import pkgutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, is_dataclass
from functools import cache, partial
from importlib import import_module
from itertools import pairwise
from types import CodeType, ModuleType
from typing import Any, Final

from evenkeel_engine import content
from evenkeel_engine.content import reference
from evenkeel_engine.mutation.operators import OPERATORS, Replacement, Surroundings
from evenkeel_engine.mutation.shapes import is_clean, is_docstring, is_requirement
from evenkeel_engine.mutation.walk import Path, visit_nodes

LEFT_OUT: Final = {
    content.name("reference.edition"): "run once, at import: which switches there are",
    content.name("reference.switches"): "run once, at import: which switches there are",
}
"""Modules, with what is below them, and functions that no trial runs."""
_TEXT_METHODS: Final = {"__str__", "__repr__"}
_PAIRS: Final = {"range", "divmod"}


class UnknownSite(ValueError):
    """No mutant has this name: one sentence."""


@dataclass(frozen=True, slots=True, eq=False)
class FunctionSource:
    """A function of reference/, and the statement of its module that it is in (`top`)."""

    module: str
    name: str
    node: ast.FunctionDef
    top: ast.stmt

    @property
    def path(self) -> str:
        """The file, as it is named in the repository."""
        below = self.module.removeprefix(f"{content.PACKAGE}.").replace(".", "/")
        package = hasattr(sys.modules[self.module], "__path__")
        return f"{below}/__init__.py" if package else f"{below}.py"

    @property
    def chapter(self) -> str:
        """The chapter; `common` for what belongs to none."""
        parts = self.module.removeprefix(content.name("reference.")).split(".")
        return parts[0] if len(parts) > 1 or self.path.endswith("__init__.py") else "common"


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """One change of one function: an operator, and which of its places in the function."""

    function: FunctionSource
    operator: str
    number: int
    path: Path
    statement: int
    replaced: ast.AST
    replacement: Replacement

    @property
    def name(self) -> str:
        """A name that stays while the function stays."""
        return f"{self.function.path}:{self.function.name}:{self.operator}:{self.number}"

    @property
    def change(self) -> str:
        """The change in one line."""
        return f"{_in_a_line(self.replaced)} -> {_in_a_line(self.replacement)}"


@cache
def find_functions() -> tuple[FunctionSource, ...]:
    """Every function of reference/ that a trial may run, methods too, in the order of the files."""
    found = pkgutil.walk_packages(reference.__path__, content.name("reference."))
    return tuple(
        function
        for name in sorted(info.name for info in found)
        if not any(name == out or name.startswith(f"{out}.") for out in LEFT_OUT)
        for function in functions_of(import_module(name))
    )


@cache
def functions_of(module: ModuleType) -> tuple[FunctionSource, ...]:
    """The functions of one module."""
    return tuple(
        FunctionSource(module.__name__, name, node, top)
        for top in ast.parse(inspect.getsource(module)).body
        if not _is_exception(module, top)
        for name, node in _find_defined(top, "")
        if f"{module.__name__}:{name}" not in LEFT_OUT and node.name not in _TEXT_METHODS
    )


def _is_exception(module: ModuleType, top: ast.stmt) -> bool:
    """The message of an error is a text."""
    held = getattr(module, top.name) if isinstance(top, ast.ClassDef) else None
    return inspect.isclass(held) and issubclass(held, BaseException)


def _find_defined(node: ast.stmt, prefix: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    if isinstance(node, ast.FunctionDef):
        yield prefix + node.name, node
    elif isinstance(node, ast.ClassDef):
        for inner in node.body:
            yield from _find_defined(inner, f"{prefix}{node.name}.")


@cache
def all_sites() -> tuple[Site, ...]:
    """Every site of every function."""
    return tuple(site for function in find_functions() for site in sites_of(function))


@cache
def sites_of(function: FunctionSource) -> tuple[Site, ...]:
    """Every site of a function. Equal changes are one site."""
    found: list[Site] = []
    numbers = dict.fromkeys(OPERATORS, 0)
    seen = set[tuple[Path, str]]()
    swappable = partial(_list_swappable, function.module)
    for at in visit_nodes(function.node):
        around = Surroundings(at.bound, swappable, at.is_condition, at.may_return)
        for operator, changes in OPERATORS.items():
            for new in changes(at.node, around):
                number, numbers[operator] = numbers[operator], numbers[operator] + 1
                site = Site(function, operator, number, at.path, at.statement, at.node, new)
                key = (at.path, ast.dump(ast.Module(new, []) if isinstance(new, list) else new))
                if key not in seen:
                    seen.add(key)
                    found.append(site)
    return tuple(found)


def site_named(name: str) -> Site:
    """The site with this name. Raises `UnknownSite`."""
    path, _, rest = name.partition(":")
    for function in find_functions():
        if function.path == path and function.name == rest.partition(":")[0]:
            for site in sites_of(function):
                if site.name == name:
                    return site
    raise UnknownSite(f"There is no mutant {name}.")


def change_function(site: Site) -> ast.FunctionDef:
    """The function with the change in it."""
    function = copy.deepcopy(site.function.node)
    parent: Any = function
    *way, (name, index) = site.path
    for field, number in way:
        held = getattr(parent, field)
        parent = held if number is None else held[number]
    new = copy.deepcopy(site.replacement)
    if isinstance(new, list):
        getattr(parent, name)[index : index + 1] = new  # type: ignore[operator]
    elif index is None:
        setattr(parent, name, new)
    else:
        getattr(parent, name)[index] = new
    return ast.fix_missing_locations(function)


def compile_function(function: FunctionSource, body: ast.FunctionDef) -> CodeType:
    """The code of a function with another body, as its module would have it."""

    def become(_: FunctionSource, node: ast.FunctionDef) -> None:
        vars(node).update(vars(body))

    code = compiled_together([function], become)[function]
    if code.co_freevars == (free := _list_free(function)):
        return code
    # A code fits a function only if it has the same free variables: it names them, unreached.
    uses: list[ast.stmt] = [ast.Expr(ast.Name(name, ast.Load())) for name in free]
    body.body.append(ast.If(ast.Constant(False), uses, []))
    return compiled_together([function], become)[function]


def compiled_together(
    functions: Sequence[FunctionSource], change: Callable[[FunctionSource, ast.FunctionDef], None]
) -> dict[FunctionSource, CodeType]:
    """The codes of functions of one top statement, changed."""
    copies: dict[int, Any] = {}
    top = copy.deepcopy(functions[0].top, copies)
    for function in functions:
        change(function, copies[id(function.node)])
    code = _compile(functions[0], top)
    return {function: _find_code(code, function.name.split(".")) for function in functions}


@cache
def _list_free(function: FunctionSource) -> tuple[str, ...]:
    return _find_code(_compile(function, function.top), function.name.split(".")).co_freevars


def _compile(function: FunctionSource, top: ast.stmt) -> CodeType:
    tree = ast.fix_missing_locations(ast.Module([top], []))
    flags = import_module("__future__").annotations.compiler_flag
    file = inspect.getfile(sys.modules[function.module])
    code = compile(tree, file, "exec", flags=flags, dont_inherit=True)
    assert isinstance(code, CodeType)
    return code


def _find_code(code: CodeType, names: Sequence[str]) -> CodeType:
    for constant in code.co_consts:
        if isinstance(constant, CodeType) and constant.co_name == names[0]:
            return constant if len(names) == 1 else _find_code(constant, names[1:])
    raise LookupError(f"{code.co_qualname} has no code for {'.'.join(names)}")


def _list_swappable(module: str, call: ast.Call) -> Sequence[int]:
    """Which arguments of a call may change places with the next one: those of one type."""
    if not is_clean(call) or is_requirement(call):
        return ()
    if isinstance(call.func, ast.Name) and call.func.id in _PAIRS:
        return range(len(call.args) - 1)
    types = _parameter_types(_resolve_call(module, call.func))[: len(call.args)]
    return [index for index, (one, other) in enumerate(pairwise(types)) if one == other is not None]


def _resolve_call(module: str, node: ast.expr) -> Any:
    """The function of ours that an expression names, if it does."""
    if isinstance(node, ast.Name):
        return getattr(sys.modules[module], node.id, None)
    if isinstance(node, ast.Attribute):
        holder = _resolve_call(module, node.value)
        return getattr(holder, node.attr, None) if isinstance(holder, ModuleType) else None
    return None


def _parameter_types(called: Any) -> list[str | None]:
    """The types of the positional parameters of a function or class of ours, as written."""
    if not (inspect.isfunction(called) or (inspect.isclass(called) and is_dataclass(called))):
        return []
    if not called.__module__.startswith((f"{content.PACKAGE}.", "evenkeel_engine.")):
        return []
    return [
        str(parameter.annotation) if parameter.annotation is not parameter.empty else None
        for parameter in inspect.signature(called).parameters.values()
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    ]


def _in_a_line(node: ast.AST | list[ast.stmt]) -> str:
    nodes = copy.deepcopy(node if isinstance(node, list) else [node])
    texts = (ast.unparse(ast.fix_missing_locations(one)) for one in nodes)
    return " ".join(" ".join(texts).split())


def render_diff(site: Site) -> str:
    """The change as a unified diff of the function, without docstring and decorators."""
    name = f"{site.function.path}:{site.function.name}"
    lines = _list_lines(site.function.node), _list_lines(change_function(site))
    heads = name, f"{name}:{site.operator}:{site.number}"
    return "\n".join(difflib.unified_diff(*lines, *heads, lineterm="", n=2))


def _list_lines(function: ast.FunctionDef) -> list[str]:
    bare = copy.deepcopy(function)
    bare.decorator_list = []
    if is_docstring(bare.body[0]):
        bare.body = bare.body[1:] or [ast.Pass()]
    return ast.unparse(bare).splitlines()
