"""A changed function in force, wherever the function is known, and nothing left of it afterwards.

A function is changed by giving the function object another code object. So whoever holds the
function sees the change: modules that imported it by name, tables of handlers, closures, partials,
classes and their copies with slots. Replacing a module's attribute would reach the first sort of
caller only where it looks the function up in that very module.

What was worked out before a change, or under it, must not be seen on the other side: results that
`functools.cache` or a judge keeps are forgotten at both ends. What a module works out once, at
import, stays as it is.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

from evenkeel.mutation.sites import FunctionSource

_FLOORS: Final = ("evenkeel.reference", "evenkeel.properties", "evenkeel.models")
_LISTS: Final = ("evenkeel.properties.catalogue", "evenkeel.properties.kit.question")
"""What these keep says which questions, clauses and mutants there are: no result of a function."""


@cache
def function_of(source: FunctionSource) -> FunctionType:
    """The function object that a source has become."""
    held: Any = sys.modules[source.module]
    for name in source.name.split("."):
        held = inspect.getattr_static(held, name)
    function = held
    while not isinstance(function, FunctionType):
        function = _unwrapped(function)
    if function.__code__.co_qualname != source.name:
        raise LookupError(f"{source.path}:{source.name} has become {function!r}")
    return function


def _unwrapped(held: Any) -> Any:
    """What a decorator of the standard library has put something around."""
    for name in ("fget", "__func__", "func", "__wrapped__"):
        if (inner := getattr(held, name, None)) is not None:
            return inner
    raise LookupError(f"{held!r} holds no function")


@contextmanager
def in_force(codes: Mapping[FunctionType, CodeType]) -> Iterator[None]:
    """Within this block these functions run these codes, whoever calls them."""
    originals = {function: function.__code__ for function in codes}
    forget()
    try:
        for function, code in codes.items():
            function.__code__ = code
        yield
    finally:
        for function, code in originals.items():
            function.__code__ = code
        forget()


def forget() -> None:
    """Forget every result that depends on the reference and is kept."""
    for clear in _kept(len(sys.modules)):
        clear()


@cache
def _kept(_modules: int) -> tuple[Callable[[], None], ...]:
    """What forgets the kept results, of all modules that are loaded."""
    found: dict[int, Callable[[], None]] = {}
    for module in _loaded(_FLOORS):
        for value in list(vars(module).values()):
            if hasattr(value, "cache_clear") and _depends_on_reference(value.__module__):
                found[id(value)] = value.cache_clear
    return tuple(found.values())


def _loaded(floors: tuple[str, ...]) -> list[ModuleType]:
    prefixes = tuple(f"{floor}." for floor in floors)
    return [module for name, module in list(sys.modules.items()) if name.startswith(prefixes)]


@cache
def _depends_on_reference(name: str) -> bool:
    """Whether a module is of the reference or uses it: else no mutant changes its results."""
    if name in _LISTS:
        return False
    waiting, seen = [name], {name}
    while waiting:
        name = waiting.pop()
        if name.startswith("evenkeel.reference"):
            return True
        for value in vars(sys.modules[name]).values():
            used = value.__name__ if inspect.ismodule(value) else getattr(value, "__module__", None)
            if isinstance(used, str) and used.startswith("evenkeel.") and used not in seen:
                seen.add(used)
                waiting.extend([used] if used in sys.modules else [])
    return False
