"""Mutants of switches: each function that reads a switch, with the other edition's value.

So every place where the editions differ is tried from both sides, without a list by hand. This is
done in each chapter whose mutants.toml has a table `[switches]`. There `conforming` has the clause
that allows both answers, by the mutant's name (`function:switch:edition`); `left_out` lists mutants
that are not tried.
"""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from types import FunctionType
from typing import Final

from evenkeel_engine.content import BASE_EDITIONS, PROMISED, RELEASED, list_switches, reference
from evenkeel_engine.mutation.chapter_files import table_of
from evenkeel_engine.mutation.patches import FILE, Edit, Patch

TABLE: Final = "switches"
OTHER: Final = {PROMISED.name: RELEASED, RELEASED.name: PROMISED}

DIFFERING: Final = {n for n in list_switches() if getattr(PROMISED, n) != getattr(RELEASED, n)}
"""The switches that the base editions have otherwise."""


def mutants_of(chapter: str) -> Iterator[Patch]:
    """Every function of a chapter with each of its switches as in the other edition; none where the
    chapter lists them by hand.
    """
    file = table_of(chapter, FILE)
    table = file.get(TABLE, {})
    for function in functions_of(chapter) if TABLE in file else ():
        place = f"{function.__module__.removeprefix(f'{reference.__name__}.')}:{function.__name__}"
        for switch in sorted(DIFFERING & set(function.__code__.co_names)):
            for edition in BASE_EDITIONS.values():
                name = f"{function.__name__}:{switch}:{edition.name}"
                other = getattr(OTHER[edition.name], switch)
                if name not in table.get("left_out", ()):
                    yield Patch(
                        name=name,
                        chapter=chapter,
                        description=list_switches()[switch][0],
                        edition=edition,
                        changes=(Edit(place, switch=((switch, other),)),),
                        conforming=name in table.get("conforming", ()),
                    )


def functions_of(chapter: str) -> Iterator[FunctionType]:
    """The functions of a chapter of the reference with the edition as last argument."""
    package = import_module(f"{reference.__name__}.{chapter}")
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        for function in vars(import_module(info.name)).values():
            if isinstance(function, FunctionType) and function.__module__ == info.name:
                last = list(inspect.signature(function).parameters)[-1:]
                if last == ["edition"]:
                    yield function
