"""The question about the lock protocol."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Any, Final

from evenkeel.properties.ownership.answers_locks import answer_locks
from evenkeel.properties.ownership.generators_locks import locks_trial
from evenkeel.properties.ownership.trials_locks import (
    Closed,
    Closing,
    Crash,
    Disconnect,
    Expire,
    Find,
    LocksAnswer,
    LocksTrial,
    Lookup,
    Restart,
    Stop,
    Unload,
    Views,
)
from evenkeel.properties.question import Question
from evenkeel.reference.ownership.locks_state import Sort

SORTS: Final = (
    (Unload, "unloads"),
    (Expire, "a session ends"),
    (Disconnect, "a connection breaks"),
    (Crash, "a process crashes"),
    (Restart, "a process starts again"),
    (Stop, "a broker stops"),
    (Find, "a client searches"),
    (Views, "views are compared"),
)


def locks_labels(trial: LocksTrial) -> Iterator[str]:
    """What happens in it."""
    yield f"{trial.brokers} brokers"
    kinds = {type(command) for command in trial.commands}
    for kind, label in SORTS:
        if kind in kinds:
            yield label
    if any(bundle.sort is not Sort.PLAIN for bundle in trial.bundles):
        yield "named after a broker"
    if any(isinstance(c, Closed) and c.how is Closing.TIMED_OUT for c in trial.commands):
        yield "closing times out"
    if any(isinstance(c, Lookup) and c.read_only for c in trial.commands):
        yield "read-only"


LOCKS: Final = Question(
    "ownership.locks",
    LocksTrial,
    LocksAnswer,
    locks_trial,
    answer_locks,
    locks_labels,
    commands=attrgetter("commands"),
)
QUESTIONS: Final[tuple[Question[Any, Any], ...]] = (LOCKS,)
