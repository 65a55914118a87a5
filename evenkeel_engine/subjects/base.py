"""The contract of a subject, and its replies.

Standard library only: subjects live in Spark workers too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from evenkeel_engine.kit.question import Observation, Question


@dataclass(frozen=True, slots=True)
class Request:
    """One trial put to a subject. `key` is the caller's own (a seed, an index, a path)."""

    key: int
    question: Question[Any, Any]
    trial: Any


@dataclass(frozen=True, slots=True)
class Observed:
    """The subject answered, refused or broke."""

    observation: Observation


@dataclass(frozen=True, slots=True)
class Skipped:
    """The subject cannot answer this trial, with the reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class Errored:
    """The subject failed as a process: it crashed, hung, or broke the protocol.

    `definite` means that the trial had no effect; otherwise that is unknown.
    """

    reason: str
    definite: bool


Reply: TypeAlias = Observed | Skipped | Errored


class Subject(Protocol):
    """Whatever answers trials."""

    @property
    def name(self) -> str:
        """How reports call it."""

    @property
    def questions(self) -> frozenset[str] | None:
        """The names of the questions that it answers; None: all that there are."""

    def replies(self, requests: Iterable[Request]) -> Iterator[tuple[Request, Reply]]:
        """Each request with its reply, in order. May read some requests ahead."""

    def close(self) -> None:
        """Release the subject's resources. No replies afterwards."""


def offers(subject: Subject, question: str) -> bool:
    """Whether a subject answers a question."""
    return subject.questions is None or question in subject.questions


def reply_to(subject: Subject, question: Question[Any, Any], trial: Any) -> Reply:
    """A subject's reply to one trial."""
    [(_, reply)] = subject.replies([Request(0, question, trial)])
    return reply
