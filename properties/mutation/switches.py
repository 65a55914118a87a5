"""Each function that asks for a switch, with the other edition's answer: a mutant that is not drawn.

So every place where the editions part is tried from both sides, and nobody lists them by hand.
"""

from __future__ import annotations

import inspect
import pkgutil
import sys
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from importlib import import_module
from types import FunctionType
from typing import Final

from evenkeel import reference
from evenkeel.properties.mutant import Mutant
from evenkeel.properties.mutant_maker import switched
from evenkeel.reference.edition import DOCUMENTED, EDITIONS, PULSAR_4_0, Edition, switches

OTHER: Final = {DOCUMENTED.name: PULSAR_4_0, PULSAR_4_0.name: DOCUMENTED}


def mutants_of(chapter: str) -> Iterator[Mutant]:
    """Every function of a chapter with each of its switches as in the other edition."""
    for function in functions_of(chapter):
        asked = switches().keys() & set(function.__code__.co_names)
        for switch in sorted(asked):
            for edition in EDITIONS.values():
                yield mutant(chapter, function, switch, edition)


def functions_of(chapter: str) -> Iterator[FunctionType]:
    """The functions of a chapter of the reference whose last argument is the edition."""
    package = import_module(f"{reference.__name__}.{chapter}")
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        for name, function in vars(import_module(info.name)).items():
            if isinstance(function, FunctionType) and function.__module__ == info.name:
                if list(inspect.signature(function).parameters)[-1:] == ["edition"]:
                    yield function


def mutant(chapter: str, function: FunctionType, switch: str, edition: Edition) -> Mutant:
    other = getattr(OTHER[edition.name], switch)
    return Mutant(
        f"{function.__name__}: {switch} = {other} in {edition.name}",
        chapter,
        sys.modules[function.__module__],
        function.__name__,
        switched(**{switch: other}),
        switches()[switch][0],
        edition=edition,
    )
