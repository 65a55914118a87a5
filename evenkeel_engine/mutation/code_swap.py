"""Replace the code of functions for a while, for every caller, and restore it completely.

A function is changed by giving the function object another code object. So all its
users see the change: modules that imported it by name, tables of handlers, closures, partials,
classes and their copies with slots. Replacing a module's attribute would reach the first sort of
caller only where it looks the function up in that very module.

Results cached before or during a change must not be seen after or in it: the caches of
`functools.cache` and of judges are cleared at both ends. What a module computes once, at import,
stays.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

from evenkeel_engine import content
from evenkeel_engine.mutation.sites import FunctionSource

_PACKAGES: Final = tuple(map(content.name, ("reference", "properties", "models")))
_LISTS: Final = ("evenkeel_engine.kit.catalogue", "evenkeel_engine.kit.question")
"""Their caches list questions, clauses and mutants: not results of a function of the reference."""


@cache
def function_of(source: FunctionSource) -> FunctionType:
    """The function object of a source."""
    held: Any = sys.modules[source.module]
    for name in source.name.split("."):
        held = inspect.getattr_static(held, name)
    function = held
    while not isinstance(function, FunctionType):
        function = _unwrap(function)
    if function.__code__.co_qualname != source.name:
        raise LookupError(f"{source.path}:{source.name} is {function!r}")
    return function


def _unwrap(held: Any) -> Any:
    """The object that a decorator of the standard library wraps."""
    for name in ("fget", "__func__", "func", "__wrapped__"):
        if (inner := getattr(held, name, None)) is not None:
            return inner
    raise LookupError(f"{held!r} holds no function")


@contextmanager
def swap_code(codes: Mapping[FunctionType, CodeType]) -> Iterator[None]:
    """A context in which these functions run these codes, for every caller."""
    originals = {function: function.__code__ for function in codes}
    clear_caches()
    try:
        for function, code in codes.items():
            function.__code__ = code
        yield
    finally:
        for function, code in originals.items():
            function.__code__ = code
        clear_caches()


def clear_caches() -> None:
    """Clear every cache of results that depend on the reference."""
    for clear in _cache_clears(len(sys.modules)):
        clear()


@cache
def _cache_clears(_modules: int) -> tuple[Callable[[], None], ...]:
    """The functions that clear such caches, of all loaded modules."""
    found: dict[int, Callable[[], None]] = {}
    for module in _list_loaded(_PACKAGES):
        for value in list(vars(module).values()):
            if hasattr(value, "cache_clear") and _depends_on_reference(value.__module__):
                found[id(value)] = value.cache_clear
    return tuple(found.values())


def _list_loaded(packages: tuple[str, ...]) -> list[ModuleType]:
    prefixes = tuple(f"{package}." for package in packages)
    return [module for name, module in list(sys.modules.items()) if name.startswith(prefixes)]


@cache
def _depends_on_reference(name: str) -> bool:
    """Whether a module is of the reference or uses it: else no mutant changes its results."""
    if name in _LISTS:
        return False
    waiting, seen = [name], {name}
    while waiting:
        name = waiting.pop()
        if name.startswith(content.name("reference")):
            return True
        for value in vars(sys.modules[name]).values():
            used = value.__name__ if inspect.ismodule(value) else getattr(value, "__module__", None)
            if (
                isinstance(used, str)
                and used.startswith((f"{content.PACKAGE}.", "evenkeel_engine."))
                and used not in seen
            ):
                seen.add(used)
                waiting.extend([used] if used in sys.modules else [])
    return False
