"""What a subject can observe of a trial other than an answer.

An observation is the question's own answer type, or one of the two shapes below. A subject's
answers may be nonsense: the clauses judge them, so nothing here validates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, Self, runtime_checkable


@dataclass(frozen=True, slots=True)
class Refused:
    """The subject rejected the input on purpose, and nothing changed.

    `reason` is a short word of the subject's choice (the name of an exception or error code);
    clauses look only at the fact of the refusal.
    """

    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Broke:
    """The subject failed where it should have answered or refused.

    An index out of bounds, a failed cast, a request that never completes.
    """

    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class CommandRefused:
    """One command of a list was rejected and changed nothing of its own."""

    DO: ClassVar[str] = "refused"
    reason: str


@dataclass(frozen=True, slots=True)
class CommandBroke:
    """One command of a list failed where it should have been answered or refused."""

    DO: ClassVar[str] = "broke"
    reason: str


@runtime_checkable
class Effects(Protocol):
    """The result of one command of a list that says what it ended and how things stand after it.

    Faulty subjects need to know what it is where a command has no effect. If such a type says
    besides what came of the command, it is in its field `result`.
    """

    def idle(self, before: Self | None) -> Self:
        """What it is if the command changed nothing; `before` is that of an earlier command."""

    def renumber(self, numbers: Sequence[int]) -> Self:
        """What it is if the commands 0, 1 … that it names have these numbers instead."""


@dataclass(frozen=True, slots=True, repr=False)
class Span:
    """A hash range in an observation: `lower` to `upper`, `upper` itself included or not.

    Unlike `HashRange` of the reference it can hold any numbers.
    """

    lower: int
    upper: int
    upper_included: bool

    def __repr__(self) -> str:
        return f"[{self.lower:#010x}, {self.upper:#010x}{']' if self.upper_included else ')'}"
