"""Each function that asks for a switch, with the switch as the other edition has it.

So every place where the editions part is tried from both sides, and nobody lists them by hand.
"""

from __future__ import annotations

import inspect
import pkgutil
import sys
from collections.abc import Iterator
from importlib import import_module
from types import FunctionType
from typing import Final

from evenkeel import reference
from evenkeel.properties.mutant import Mutant
from evenkeel.properties.mutant_maker import switched
from evenkeel.reference.edition import DOCUMENTED, EDITIONS, PULSAR_4_0, Edition, switches

OTHER: Final = {DOCUMENTED.name: PULSAR_4_0, PULSAR_4_0.name: DOCUMENTED}

OPEN: Final = {
    ("parse_topic_name", "legacy_topic_names", "DOCUMENTED"): "BUN-6",
    ("apply_positions", "duplicate_positions_kept", "DOCUMENTED"): "SPL-19",
    ("split_stored", "split_attempts", "DOCUMENTED"): "SPL-25",
    ("modular_due", "small_bundles_use_places", "PULSAR_4_0"): "SPL-39",
    ("modular_due", "every_report_takes_a_place", "PULSAR_4_0"): "SPL-75",
    ("possible_means", "placement_in_floating_point", "PULSAR_4_0"): "PLC-10",
}
"""Functions, switches and editions where both answers are right, and the clause that says so."""
CHAPTERS: Final = ("bundles", "splitting", "placement")
"""Chapters whose switches are tried here; the others list theirs by hand."""


def mutants_of(chapter: str) -> Iterator[Mutant]:
    """Every function of a chapter with each of its switches as in the other edition."""
    if chapter not in CHAPTERS:
        return
    for function in functions_of(chapter):
        asked = switches().keys() & set(function.__code__.co_names)
        for switch in sorted(asked):
            for edition in EDITIONS.values():
                yield _mutant(chapter, function, switch, edition)


def functions_of(chapter: str) -> Iterator[FunctionType]:
    """The functions of a chapter of the reference whose last argument is the edition."""
    package = import_module(f"{reference.__name__}.{chapter}")
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        for function in vars(import_module(info.name)).values():
            if isinstance(function, FunctionType) and function.__module__ == info.name:
                last = list(inspect.signature(function).parameters)[-1:]
                if last == ["edition"] and not is_imported(function):
                    yield function


def is_imported(function: FunctionType) -> bool:
    """Whether another module of the reference has the function by its name: to such a caller a
    changed one would be unknown.
    """
    prefix = f"{reference.__name__}."
    return any(
        vars(module).get(function.__name__) is function
        for name, module in list(sys.modules.items())
        if name.startswith(prefix) and name != function.__module__
    )


def _mutant(chapter: str, function: FunctionType, switch: str, edition: Edition) -> Mutant:
    """Where the documents leave the choice open the mutant is an equivalent one."""
    other = getattr(OTHER[edition.name], switch)
    name = f"{function.__name__}:{switch}:{edition.name}"
    return Mutant(
        name,
        chapter,
        sys.modules[function.__module__],
        function.__name__,
        switched(**{switch: other}),
        switches()[switch][0],
        correct=(function.__name__, switch, edition.name) in OPEN,
        edition=edition,
    )
