"""Trials and answers of `ownership.transition` and `ownership.conflict`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evenkeel.properties.trial import require
from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership import conflict, records
from evenkeel.reference.ownership.records import BrokerId, Record, State, Storage

LONG = 2**63


@dataclass(frozen=True, slots=True)
class TransitionTrial:
    """`ownership.transition`: may a record in state `after` follow one in state `before`?"""

    storage: Storage
    before: State
    after: State


@dataclass(frozen=True, slots=True)
class TransitionAnswer:
    """Whether it may."""

    allowed: bool


def answer_transition(trial: TransitionTrial, edition: Edition) -> TransitionAnswer:
    return TransitionAnswer(records.may_follow(trial.storage, trial.before, trial.after))


def transition_labels(trial: TransitionTrial) -> Iterator[str]:
    yield trial.storage.value


@dataclass(frozen=True, slots=True)
class RecordData:
    """A record: brokers as texts (`b0`, `b1` and so on in a channel), null or blank for none."""

    state: State
    destination: str | None
    source: str | None
    version: int
    force: bool = False

    def __post_init__(self) -> None:
        require(-LONG <= self.version < LONG, "version", "must be a 64-bit integer")
        named = any(name is not None and name.strip() for name in (self.destination, self.source))
        require(named or self.state is State.FREE, "state", "needs a broker unless it is Free")


@dataclass(frozen=True, slots=True)
class ConflictTrial:
    """`ownership.conflict`: does `update` take the place of `current`? Null: no record, removal."""

    storage: Storage
    current: RecordData | None
    update: RecordData | None


@dataclass(frozen=True, slots=True)
class ConflictAnswer:
    """Whether it does."""

    accepted: bool


def answer_conflict(trial: ConflictTrial, edition: Edition) -> ConflictAnswer:
    current, update = record_of(trial.current), record_of(trial.update)
    return ConflictAnswer(conflict.accepts(trial.storage, current, update, edition))


def conflict_labels(trial: ConflictTrial) -> Iterator[str]:
    """How the two records stand to each other."""
    yield trial.storage.value
    if trial.update is None:
        yield "removal"
    elif trial.current is None:
        yield "first record"
    else:
        step = trial.update.version - trial.current.version
        yield "next version" if step == 1 else "newer" if step > 1 else "older or wrapped"
        if trial.update.force:
            yield "forced"


def record_of(data: RecordData | None) -> Record | None:
    """The reference's record."""
    if data is None:
        return None
    destination = None if data.destination is None else BrokerId(data.destination)
    source = None if data.source is None else BrokerId(data.source)
    return Record(data.state, destination, source, data.version, data.force)


def data_of(record: Record) -> RecordData:
    """The record as it is stated in answers."""
    return RecordData(record.state, record.destination, record.source, record.version, record.force)
