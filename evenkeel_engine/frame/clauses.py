"""Which clauses of the specification a function states.

`@states("ABC-1", "ABC-2")` notes the function under both ids and returns it as it is, so that a
call costs nothing. The ids are texts here, since the reference imports nothing but itself; they
are compared with spec/ when the catalogue of properties is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

STATED: Final[dict[str, set[str]]] = {}
"""By id: the functions that state the clause, each as `module:name`."""


def states(*ids: str) -> Callable[[F], F]:
    """The function below states these clauses."""

    def note(function: F) -> F:
        for id_ in ids:
            STATED.setdefault(id_, set()).add(f"{function.__module__}:{function.__qualname__}")
        return function

    return note
