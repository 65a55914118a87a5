"""Mutants of switches: each function that reads a switch, with the other edition's value.

So every place where the editions differ is tried from both sides, without a list by hand.
"""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from types import FunctionType
from typing import Final

from evenkeel_engine.content import BASE_EDITIONS, PROMISED, RELEASED, Edition, reference, switches
from evenkeel_engine.mutation.patches import Change, Patch

OTHER: Final = {PROMISED.name: RELEASED, RELEASED.name: PROMISED}

DIFFERING: Final = {n for n in switches() if getattr(PROMISED, n) != getattr(RELEASED, n)}
"""The switches that the base editions have otherwise."""

OPEN: Final = {
    ("parse_topic_name", "legacy_topic_names", "DOCUMENTED"): "BUN-6",
    ("apply_positions", "duplicate_positions_kept", "DOCUMENTED"): "SPL-19",
    ("split_stored", "split_attempts", "DOCUMENTED"): "SPL-25",
    ("modular_due", "small_bundles_use_places", "PULSAR_4_0"): "SPL-39",
    ("modular_due", "every_report_takes_a_place", "PULSAR_4_0"): "SPL-75",
    ("settle", "plans_stay", "DOCUMENTED"): "PLC-20",
    ("settle", "random_choices_planned", "DOCUMENTED"): "PLC-20",
    ("possible_means", "placement_in_floating_point", "PULSAR_4_0"): "PLC-10",
}
"""Functions, switches and editions where both answers are right, and the clause that allows it."""
LAST_BITS: Final = {
    ("number", "placement_in_floating_point", "PULSAR_4_0"),
    ("percent", "placement_in_floating_point", "PULSAR_4_0"),
}
"""Left out: the other answer differs in its last bits, on one trial of many thousands at most."""
CHAPTERS: Final = ("bundles", "splitting", "placement")
"""Chapters whose switches are tried here; the others list theirs by hand."""


def mutants_of(chapter: str) -> Iterator[Patch]:
    """Every function of a chapter with each of its switches as in the other edition."""
    for function in functions_of(chapter):
        read = DIFFERING & set(function.__code__.co_names)
        for switch in sorted(read):
            for edition in BASE_EDITIONS.values():
                if (function.__name__, switch, edition.name) not in LAST_BITS:
                    yield _mutant(chapter, function, switch, edition)


def functions_of(chapter: str) -> Iterator[FunctionType]:
    """The functions of a chapter of the reference with the edition as last argument."""
    package = import_module(f"{reference.__name__}.{chapter}")
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        for function in vars(import_module(info.name)).values():
            if isinstance(function, FunctionType) and function.__module__ == info.name:
                last = list(inspect.signature(function).parameters)[-1:]
                if last == ["edition"]:
                    yield function


def _mutant(chapter: str, function: FunctionType, switch: str, edition: Edition) -> Patch:
    """Where the documents leave the choice open, it is a conforming variant."""
    place = f"{function.__module__.removeprefix(f'{reference.__name__}.')}:{function.__name__}"
    other = getattr(OTHER[edition.name], switch)
    return Patch(
        name=f"{function.__name__}:{switch}:{edition.name}",
        chapter=chapter,
        description=switches()[switch][0],
        conforming=(function.__name__, switch, edition.name) in OPEN,
        edition=edition,
        changes=(Change(place, switch=((switch, other),)),),
    )
