"""What an edition's module says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A switch that a released line has otherwise than its parent.

    `since` and `until`: the release in which this behaviour came, and the one in which it went; ""
    if it is older than all lines that were checked, or is still there. `source`: the class, and the
    issue or pull request that changed it. `questions`: those about what it decides.
    """

    switch: str
    value: Any = True
    since: str = ""
    until: str = ""
    source: str
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """An edition.

    `release`: the version of Pulsar that it was checked against. An edition without a parent is a
    *base edition*: the switches have a value for it, and the specification's clauses name it.
    Any other has its parent's clauses, and its parent's values but for `changes`.
    """

    name: str
    release: str = ""
    parent: str | None = None
    changes: tuple[Change, ...] = ()
