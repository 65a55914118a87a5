"""What came of the situations that a balancer was asked: measured, judged, the smallest kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from evenkeel.certify.situations import QUICK, list_situations
from evenkeel.properties.contract.rebalance import REBALANCE
from evenkeel.properties.contract.rebalance.measures import Measured, Total, measure
from evenkeel.properties.contract.rebalance.trials import Rebalance, Replies
from evenkeel.reference.contract.promises import Promises
from evenkeel_engine.cli.options import Unusable
from evenkeel_engine.content import PROMISED
from evenkeel_engine.kit.catalogue import list_breaches
from evenkeel_engine.subjects.base import Errored, Request, Skipped, Subject, reply_to
from evenkeel_engine.text import number_equal

NOT_AT_REST: Final = "does not come to rest"


@dataclass(frozen=True, slots=True)
class Worst:
    """The first situation, which is the smallest, that shows a failure."""

    place: int
    clause: str
    sentence: str
    trial: Any
    cycle: int = 0


@dataclass(slots=True)
class Part:
    """What came of some situations. `notes` are what else is said of them."""

    total: Total = field(default_factory=Total)
    worst: dict[str, Worst] = field(default_factory=dict)
    unanswered: str = ""
    notes: tuple[str, ...] = ()

    def merge(self, other: Part) -> None:
        """Add another part."""
        self.total.merge(other.total)
        for clause, one in other.worst.items():
            if clause not in self.worst or one.place < self.worst[clause].place:
                self.worst[clause] = one
        self.unanswered = self.unanswered or other.unanswered


@dataclass(frozen=True, slots=True)
class Certified:
    """What came of a subject: `command` starts it, `name` is how it calls itself."""

    command: str
    name: str
    part: Part
    promises: Promises


def number_names(found: Sequence[Certified]) -> list[Certified]:
    """The same, names that are equal with a number."""
    names = number_equal([one.name for one in found])
    return [replace(one, name=name) for one, name in zip(found, names, strict=True)]


def find_promises(subject: Subject) -> Promises:
    """What a subject promises. Raises `Unusable`."""
    trial = next(list_situations(QUICK, False, ()))
    reply = reply_to(subject, REBALANCE, trial)
    if isinstance(reply, Skipped | Errored):
        raise Unusable(f"The subject {subject.name} does not answer: {reply.reason}.")
    opening = getattr(reply.observation, "replies", (None,))[0]
    promises: Promises | None = getattr(opening, "promises", None)
    if promises is None:
        raise Unusable(f"The subject {subject.name} answers the turn `open` without promises.")
    return promises


def count(part: Part, request: Request, observation: object) -> Measured | None:
    """Measure a situation, and judge it. None if that ended before anything could be measured."""
    trial: Rebalance = request.trial
    for verdict in list_breaches(REBALANCE, PROMISED, trial, observation):
        part.total.failed[verdict.clause] = part.total.failed.get(verdict.clause, 0) + 1
        part.worst.setdefault(
            verdict.clause, Worst(request.key, verdict.clause, verdict.sentence, trial)
        )
    measured = measure(trial, observation) if isinstance(observation, Replies) else None
    if measured is None:
        return None
    part.total.add(measured)
    if not measured.rests:
        returns = f"the same situation returns after {measured.cycle} rounds"
        sentence = returns if measured.cycle else "it moves until the end"
        part.worst.setdefault(
            NOT_AT_REST, Worst(request.key, NOT_AT_REST, sentence, trial, measured.cycle)
        )
    return measured


def status_of(subject: Certified) -> int:
    """2 without an answer, or where nothing can be said of a balancer; 1 where a situation does not
    come to rest or a clause is violated.
    """
    if subject.part.unanswered or tells_nothing(subject):
        return 2
    return int(bool(subject.part.worst))


def tells_nothing(subject: Certified) -> bool:
    """Whether a balancer names no measure and never moves anything."""
    return subject.promises.measure is None and not subject.part.total.moves
