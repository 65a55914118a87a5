"""The functions of the reference that state a clause, checked against the specification."""

from __future__ import annotations

import pkgutil
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from evenkeel_engine import content, spec
from evenkeel_engine.content import reference
from evenkeel_engine.frame.clauses import STATED


@dataclass(frozen=True, slots=True, order=True)
class StatedFunction:
    """A function of the reference: its file, from the repository's root, and its name there."""

    path: str
    name: str

    def __str__(self) -> str:
        return f"{self.path}: {self.name}"


def require_known(stated: Mapping[str, Collection[str]]) -> None:
    """Raises `spec.UnknownClause` with the function and the id."""
    for id_, names in stated.items():
        if id_ not in spec.read_entries():
            places = ", ".join(sorted(names))
            raise spec.UnknownClause(
                f"{places} states {id_}, which the specification does not have"
            )


def function_of(stated: str) -> StatedFunction:
    """The function that is `module:name` in `STATED`."""
    module, _, name = stated.partition(":")
    path = module.removeprefix(f"{content.PACKAGE}.").replace(".", "/")
    package = hasattr(sys.modules.get(module), "__path__")
    return StatedFunction(f"{path}/__init__.py" if package else f"{path}.py", name)


@cache
def stated_by() -> dict[str, tuple[StatedFunction, ...]]:
    """By id: the functions that state the clause; they register when all modules are imported.
    Raises `spec.UnknownClause` with the function and the id.
    """
    for module in pkgutil.walk_packages(reference.__path__, f"{reference.__name__}."):
        import_module(module.name)
    require_known(STATED)
    return {id_: tuple(sorted(map(function_of, names))) for id_, names in STATED.items()}
