"""Make frozen dataclasses cheaper to construct, in processes that run trials.

A frozen dataclass sets each field by a call that looks its name up. mypy and the sweep `records`,
which runs with the original classes, ensure that no record is changed; so a process that runs
trials may set fields directly. It may also skip the checks of generated trials, which that sweep
makes. `dataclasses.replace` looks up the fields of a class at each call; a faster one replaces it
in the same modules.
"""

from __future__ import annotations

import dataclasses
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, make_dataclass
from functools import cache
from types import ModuleType
from typing import Any, Final, TypeVar

from evenkeel_engine import content
from evenkeel_engine.frame.replacing import replace
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_in, find_home
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.trial import Tagged, bounds_of

OURS: Final = (
    content.name("reference."),
    content.name("properties."),
    "evenkeel_engine.frame.",
    "evenkeel_engine.kit.",
    "evenkeel_engine.subjects.base",
)
TRIALS: Final = content.name("properties.")


T = TypeVar("T")


class Checks(threading.local):
    """Whether this thread checks trials when they are created."""

    on = True


CHECKS: Final = Checks()


def skip_checks(generate: Callable[[Draw], T]) -> Callable[[Draw], T]:
    """The generator without checks of its trials, if records are not frozen."""

    def generate_unchecked(draw: Draw) -> T:
        CHECKS.on = False
        try:
            return generate(draw)
        finally:
            CHECKS.on = True

    return generate_unchecked


_seen: Final = set[str]()
"""The modules whose classes were seen."""


@cache
def unfreeze(question: str | None = None) -> None:
    """Make records cheap in this process for good: of one question's modules, or of all."""
    for name in QUESTIONS if question is None else (question,):
        clauses_in(find_home(name))  # imports what judges it, too
    left = [name for name in sys.modules if name.startswith(OURS) and name not in _seen]
    _seen.update(left)
    for module in (sys.modules[name] for name in left):
        for kind in frozen_in(module):
            thaw(kind)
        if vars(module).get("replace") is dataclasses.replace:
            vars(module)["replace"] = replace


def frozen_in(module: ModuleType) -> Iterator[type[Any]]:
    """The frozen dataclasses that a module defines."""
    for kind in list(vars(module).values()):
        if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == module.__name__:
            parameters: Any = kind.__dict__.get("__dataclass_params__")
            if parameters is not None and parameters.frozen and "__setattr__" in kind.__dict__:
                yield kind


def thaw(kind: Any) -> None:
    """Give the class the `__init__` that it would have if it were not frozen."""
    check: Any = getattr(kind, "__post_init__", None)
    # A command or a result may have no bounds: then there is nothing to check.
    checked = check is not None and (check is not Tagged.__post_init__ or bool(bounds_of(kind)))
    mutable = make_dataclass(
        kind.__name__,
        [(one.name, one.type, one) for one in fields(kind)],
        namespace={"__post_init__": None} if checked else {},
        repr=False,
        eq=False,
    )
    kind.__init__ = mutable.__init__  # type: ignore[misc]  # of the class, not of an object
    for method in ("__setattr__", "__delattr__"):
        delattr(kind, method)
    own = "__post_init__" in kind.__dict__ or check is Tagged.__post_init__
    if checked and own and kind.__module__.startswith(TRIALS):
        kind.__post_init__ = unless_off(check)


def unless_off(check: Callable[[Any], None]) -> Callable[[Any], None]:
    """The check, while checks are on."""

    def check_if_on(record: Any) -> None:
        if CHECKS.on:
            check(record)

    return check_if_on
