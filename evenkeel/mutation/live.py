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
from contextlib import AbstractContextManager, contextmanager
from functools import cache, partial
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

from evenkeel.mutation.sites import FunctionSource
from evenkeel.properties.mutant import Mutant

_CHANGED: Final = "__evenkeel_mutant__"
_FLOORS: Final = ("evenkeel.reference", "evenkeel.properties", "evenkeel.models")
_LISTS: Final = ("evenkeel.properties.catalogue", "evenkeel.properties.question")
"""What these keep says which questions, clauses and mutants there are: no result of a function."""
_JUDGING: Final = ("evenkeel.properties", "evenkeel.models")


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


def everywhere(mutant: Mutant) -> AbstractContextManager[None]:
    """A context in which a mutant is in force on all floors, its judges included.

    One that is drawn changes the function itself. Of those kept by hand a function of the mutant's
    own module is changed for whoever holds it. One that the module has imported is the mutant's
    only there: of the reference the module alone sees the change, and with it whatever judges by
    that function.
    """
    original = mutant.original()
    if type(mutant) is not Mutant:
        return mutant.replaced_by(mutant.make(original))
    if isinstance(original, FunctionType) and original.__module__ == mutant.module.__name__:
        return _forwarded(mutant, original)
    return _rebound(mutant, original)


@contextmanager
def _forwarded(mutant: Mutant, original: FunctionType) -> Iterator[None]:
    """The function's code hands every call to the changed function."""
    changed = mutant.make(copied(original, original.__code__))
    called = partial(_positionally, changed, inspect.signature(original))
    space = original.__globals__
    space[_CHANGED] = called
    try:
        with in_force({original: _forward.__code__}):
            yield
    finally:
        del space[_CHANGED]


def _forward(*arguments: Any, **named: Any) -> Any:
    return __evenkeel_mutant__(*arguments, **named)  # type: ignore[name-defined]  # noqa: F821


def _positionally(
    changed: Callable[..., Any], signature: inspect.Signature, /, *arguments: Any, **named: Any
) -> Any:
    """Mutants by hand are written for arguments in their order; judges may name them."""
    if not named:
        return changed(*arguments)
    bound = signature.bind(*arguments, **named)
    return changed(*bound.args, **bound.kwargs)


@contextmanager
def _rebound(mutant: Mutant, original: Callable[..., Any]) -> Iterator[None]:
    """The names of the function in its module and on the floors above lead to the changed one."""
    changed = mutant.make(original)
    holders = [
        (space, name)
        for module in _loaded(_JUDGING)
        for space in (vars(module),)
        for name, value in space.items()
        if value is original
    ]
    holders.append((vars(mutant.module), mutant.function))
    forget()
    try:
        for space, name in holders:
            space[name] = changed
        yield
    finally:
        for space, name in holders:
            space[name] = original
        forget()


def copied(function: FunctionType, code: CodeType) -> FunctionType:
    """A function with another code and all else as it was."""
    copy = FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


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
    return [
        module
        for name, module in list(sys.modules.items())
        if name.startswith(prefixes) and not name.startswith("evenkeel.properties.mutation")
    ]


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
