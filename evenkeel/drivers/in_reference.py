"""A mutant in the reference itself: whoever calls the function meets the change.

`Mutant.replaced_by` changes one module's name. A function that others imported by name is known
under more of them, in the judge's modules too; here it is changed in all.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from evenkeel.properties.mutant import Mutant


@contextmanager
def in_reference(mutant: Mutant) -> Iterator[None]:
    """Within this block the mutant stands wherever evenkeel knows the function."""
    original = mutant.original()
    places = list(places_of(original))
    changed = mutant.make(original)
    put(places, changed)
    try:
        yield
    finally:
        put(places, original)


def places_of(function: Callable[..., Any]) -> Iterator[tuple[ModuleType, str]]:
    """Every module of evenkeel that has the function, and its name there."""
    for name, module in list(sys.modules.items()):
        if name.startswith("evenkeel.") and module is not None:
            for bound, value in list(vars(module).items()):
                if value is function:
                    yield module, bound


def put(places: list[tuple[ModuleType, str]], function: Callable[..., Any]) -> None:
    """Bind the function at these places; what was remembered of another one is forgotten."""
    for module, name in places:
        setattr(module, name, function)
    for name, module in list(sys.modules.items()):
        if name.startswith("evenkeel.reference."):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()
