"""What is demanded of every question, and not of some: said where the question is defined."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

ALL: Final = "*"
"""In place of a setting's name: every setting of the question."""


@dataclass(frozen=True, slots=True, eq=False)
class Exempt:
    """What tests and sweeps do not demand of one question, by name, with the reason.

    `subjects`: faulty subjects (`evenkeel score --idle`) to which no clause objects.
    `unmet`: what trials need not meet of what their types allow, as regular expressions of
    `place: class`.
    `unread`: settings that nothing in a trial hangs on. `unjudged`: settings that the promised
    edition leaves to other questions or to the subject; `*` is all of them.
    `world`: numbers of a small world that the trial makes itself, and places in its own lists, as
    one regular expression of their names. They need not be wide enough for production.
    `unrecorded`: why the released subject does not answer the question.
    """

    subjects: Mapping[str, str] = field(default_factory=dict)
    unmet: Mapping[str, str] = field(default_factory=dict)
    unread: Mapping[str, str] = field(default_factory=dict)
    unjudged: Mapping[str, str] = field(default_factory=dict)
    world: str = ""
    unrecorded: str = ""


NOTHING: Final = Exempt()
