"""A mutant in the reference itself: whoever calls the function meets the change.

`Mutant.replaced_by` changes one module's name. A function that others imported by name is known
under more of them, in the judge's modules too; here it is changed in all.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from types import ModuleType
from typing import Any

from evenkeel.properties.mutant import Mutant


@contextmanager
def in_reference(mutant: Mutant) -> Iterator[None]:
    """Within this block the mutant stands wherever evenkeel knows the function."""
    if type(mutant) is not Mutant:  # a drawn one changes the function itself
        with mutant.replaced_by(mutant.make(mutant.original())):
            yield
        return
    original, loaded = mutant.original(), len(sys.modules)
    changed = mutant.make(original)
    places = places_of(original, loaded)
    put(places, changed)
    forget(loaded)
    try:
        yield
    finally:
        put(places, original)
        forget(loaded)


@cache
def places_of(function: Callable[..., Any], _loaded: int) -> tuple[tuple[ModuleType, str], ...]:
    """Every module of evenkeel that has the function, and its name there.

    `_loaded`, how many modules there are, makes it look again where one was imported meanwhile.
    """
    return tuple(
        (module, bound)
        for name, module in list(sys.modules.items())
        if name.startswith("evenkeel.") and module is not None
        for bound, value in list(vars(module).items())
        if value is function
    )


def put(places: tuple[tuple[ModuleType, str], ...], function: Callable[..., Any]) -> None:
    """Bind the function at these places."""
    for module, name in places:
        setattr(module, name, function)


def forget(loaded: int) -> None:
    """Forget what functions of the reference remember of their earlier answers."""
    for clear in remembering(loaded):
        clear()


@cache
def remembering(_loaded: int) -> tuple[Callable[[], None], ...]:
    """How to clear each cache in the reference."""
    return tuple(
        value.cache_clear
        for name, module in list(sys.modules.items())
        if name.startswith("evenkeel.reference.")
        for value in list(vars(module).values())
        if hasattr(value, "cache_clear")
    )
