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
from types import CodeType, FunctionType
from typing import Any, Final

from evenkeel_engine import content
from evenkeel_engine.mutation.sites import FunctionSource

_PACKAGES: Final = tuple(f"{content.name(room)}." for room in ("reference", "properties", "models"))
"""What is defined elsewhere computes nothing by a function of the reference."""


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
    loaded = [one for name, one in list(sys.modules.items()) if name.startswith(_PACKAGES)]
    held = (value for module in loaded for value in list(vars(module).values()))
    caches = [value for value in held if hasattr(value, "cache_clear")]
    own = {id(one): one.cache_clear for one in caches if one.__module__.startswith(_PACKAGES)}
    return tuple(own.values())
