"""The records of the ownership channel: which state may follow, and which record wins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from evenkeel.reference import java_text
from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership import conflict, records
from evenkeel.reference.ownership.records import (
    FIRST_VERSION,
    FOLLOWERS,
    LARGEST_VERSION,
    SMALLEST_VERSION,
    BrokerId,
    Record,
    State,
    Storage,
)
from evenkeel_engine.kit.clause import Case, describe, name_shape
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.judge import answers, decision
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run
from evenkeel_engine.kit.trial import require

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


@dataclass(frozen=True, slots=True)
class RecordData:
    """A record: brokers as texts (`b0`, `b1` and so on in a channel), null or blank for none. One
    that is not Free names a broker. Where records are compared, null and blank texts differ.
    """

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


def transition_trial(draw: Draw) -> TransitionTrial:
    return TransitionTrial(
        draw.pick(tuple(Storage)), draw.pick(tuple(State)), draw.pick(tuple(State))
    )


# --------------------------------------------------------------------------------- conflict

TEXTS: Final = ("b0", "b1", None, "", " ", "b2")
EDGES: Final = (2**63 - 1, -(2**63), 2**63 - 2, -(2**63) + 1)


def draw_record(draw: Draw, version: int) -> RecordData:
    state = draw.pick(tuple(State))
    destination, source = draw.pick(TEXTS), draw.pick(TEXTS)
    if state is not State.FREE and not any(n and n.strip() for n in (destination, source)):
        destination = "b0"
    return RecordData(state, destination, source, version, draw.chance(0.15))


def conflict_trial(draw: Draw) -> ConflictTrial:
    storage = draw.pick(tuple(Storage))
    if draw.chance(0.04):  # an owned bundle whose record names no owner
        ends = draw.pick((State.SPLITTING, State.RELEASING))
        ownerless = RecordData(State.OWNED, None, "b1", 1)
        return ConflictTrial(storage, ownerless, RecordData(ends, None, draw.pick(("b1", "b0")), 2))
    before = draw.pick(EDGES) if draw.chance(0.1) else draw.integer(1, 4)
    current = draw_record(draw, before) if not draw.chance(0.15) else None
    if draw.chance(0.05):
        return ConflictTrial(storage, current, None)
    step = draw.pick((1, 1, 1, 0, 2, -1))
    after = before + step if current is not None else draw.integer(0, 3)
    after = (after + 2**63) % 2**64 - 2**63
    update = draw_record(draw, after)
    if current is not None and draw.chance(0.6):
        update = draw_follower(draw, storage, current, update)
    return ConflictTrial(storage, current, update)


def draw_follower(
    draw: Draw, storage: Storage, current: RecordData, update: RecordData
) -> RecordData:
    followers = sorted(FOLLOWERS[storage][current.state], key=lambda state: state.value)
    state = draw.pick(followers)
    pair = draw.pick(
        (
            (current.destination, current.source),
            (None, current.destination),
            (update.destination, current.destination),
            (update.destination, update.source),
        )
    )
    if not any(text and text.strip() for text in pair):
        pair = (None, "b0")
    return RecordData(state, *pair, update.version, update.force)


AnyRecord: TypeAlias = RecordData | Record

TABLE: Final = frozenset(
    {
        (State.FREE, State.ASSIGNING),
        (State.OWNED, State.SPLITTING),
        (State.OWNED, State.RELEASING),
        (State.ASSIGNING, State.OWNED),
        (State.RELEASING, State.ASSIGNING),
        (State.RELEASING, State.FREE),
        (State.SPLITTING, State.DELETED),
        (State.DELETED, State.INIT),
    }
)
"""The transitions between states of records that both storages allow."""


def in_table(storage: Storage, before: State, after: State) -> bool:
    """OWN-1."""
    if before is State.INIT:
        topic = storage is Storage.TOPIC
        return after is not State.INIT if topic else after is State.ASSIGNING
    freed = (before, after) == (State.FREE, State.INIT)
    return (before, after) in TABLE or (freed and storage is Storage.TOPIC)


def distance(before: int, after: int) -> int:
    """By how many versions `after` is newer; the smallest follows the largest."""
    return 1 if (before, after) == (LARGEST_VERSION, SMALLEST_VERSION) else after - before


class Ruling(NamedTuple):
    """Whether a record replaces another, and the clause that demands it; None: 4.0 fails."""

    clause: str
    accepted: bool | None


def ruling(
    storage: Storage,
    current: AnyRecord | None,
    update: AnyRecord | None,
    edition: Edition,
    removed: int | None = None,
) -> Ruling:
    """The ruling; `removed`: the version known to be removed, without a `current` record."""
    if update is None:
        return Ruling("OWN-5", True)
    node = storage is Storage.NODES
    last = removed if current is None else current.version
    if last is None and node:
        return Ruling("OWN-3", update.version == FIRST_VERSION)
    if last is not None and (newer := distance(last, update.version)) != 1:
        return Ruling("OWN-2", newer > 1 and not node)
    if update.force or (current is None and node):
        return Ruling("OWN-4", True)
    if not in_table(storage, State.INIT if current is None else current.state, update.state):
        return Ruling("OWN-4", False)
    return Ruling("OWN-4", current is None or brokers_fit(current, update, edition))


def brokers_fit(current: AnyRecord, update: AnyRecord, edition: Edition) -> bool | None:
    """OWN-4, of a step of the table."""
    owner, gets, gives = current.destination, update.destination, update.source
    same_pair = (gets, gives) == (owner, current.source)
    match current.state, update.state:
        case State.OWNED, _:
            splits = update.state is State.SPLITTING
            if not is_blank(gets) if splits else is_blank(gives):
                return False
            if owner is None and edition.ownerless_records_break:
                return None
            return owner == gives and (splits or owner != gets)
        case State.FREE, State.ASSIGNING:
            return is_blank(gives) and not is_blank(gets)
        case State.RELEASING, State.ASSIGNING:
            return same_pair and not is_blank(gets)
        case (State.INIT, _) | (_, State.INIT):
            return True
    return same_pair


def is_blank(broker: str | None) -> bool:
    """No broker: absent, or nothing but spaces."""
    return broker is None or java_text.is_blank(broker)


def answer_transition(trial: TransitionTrial, edition: Edition) -> TransitionAnswer:
    return TransitionAnswer(records.may_follow(trial.storage, trial.before, trial.after))


def transition_labels(trial: TransitionTrial) -> Iterator[str]:
    yield trial.storage.value


def answer_conflict(trial: ConflictTrial, edition: Edition) -> ConflictAnswer:
    current, update = record_of(trial.current), record_of(trial.update)
    return ConflictAnswer(conflict.accepts(trial.storage, current, update, edition))


def conflict_labels(trial: ConflictTrial) -> Iterator[str]:
    """How the two records are related."""
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
    """The record as in answers."""
    return RecordData(record.state, record.destination, record.source, record.version, record.force)


@decision("ownership.transition", "OWN-1")
def judge_transition(run: Run, case: Case[TransitionTrial, TransitionAnswer]) -> None:
    if answers(run, case, "OWN-1"):
        trial, observed = case.trial, case.observation
        right = in_table(trial.storage, trial.before, trial.after)
        run.require(
            "OWN-1",
            observed == TransitionAnswer(right),
            lambda: (
                f"{trial.before.value} to {trial.after.value}: must{'' if right else ' not'} be "
                f"allowed, but the subject {describe(observed)}"
            ),
        )


MUST = {None: "it cannot be compared", True: "must be accepted", False: "must not be accepted"}

WHAT = {
    "OWN-2": "the version",
    "OWN-3": "the first record",
    "OWN-4": "the next record",
    "OWN-5": "the removal",
}


@decision("ownership.conflict", *WHAT)
def judge_conflict(run: Run, case: Case[ConflictTrial, ConflictAnswer]) -> None:
    trial, observed = case.trial, case.observation
    clause, accepted = ruling(trial.storage, trial.current, trial.update, case.edition)
    kinds = name_shape(observed), "broke" if accepted is None else "answered"
    same = kinds[0] == kinds[1] and (accepted is None or observed == ConflictAnswer(accepted))
    run.require(
        clause,
        same,
        lambda: f"{WHAT[clause]}: {MUST[accepted]}, but the subject {describe(observed)}",
        "" if kinds[0] == kinds[1] else " instead of ".join(kinds),
    )


TRANSITION: Final = Question(
    "ownership.transition",
    TransitionTrial,
    TransitionAnswer,
    transition_trial,
    answer_transition,
    transition_labels,
)

CONFLICT: Final = Question(
    "ownership.conflict",
    ConflictTrial,
    ConflictAnswer,
    conflict_trial,
    answer_conflict,
    conflict_labels,
)

QUESTIONS: Final = (TRANSITION, CONFLICT)
