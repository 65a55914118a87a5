"""Trials and answers about a namespace's boundaries over time: `splitting.life`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from evenkeel.properties.bundles.division import require_boundaries
from evenkeel.properties.names import require_namespace, require_topic_of
from evenkeel.properties.observations import CommandBroke, CommandRefused, Span
from evenkeel.properties.splitting.spans import span, spans
from evenkeel.properties.trial import require_longs
from evenkeel.reference.bundles import boundaries as boundary_lists
from evenkeel.reference.bundles import lookup
from evenkeel.reference.bundles.ranges import HashRange
from evenkeel.reference.bundles.topics import topic_hash
from evenkeel.reference.edition import Edition
from evenkeel.reference.errors import Breakage, Refusal
from evenkeel.reference.splitting import applying, life
from evenkeel.reference.splitting.applying import StoredRecord


@dataclass(frozen=True, slots=True)
class RivalTouch:
    """Another writer rewrites the stored record between our read and our write."""

    DO: ClassVar[str] = "touch"


@dataclass(frozen=True, slots=True)
class RivalSplit:
    """Another broker splits `bundle` at `position` between our read and our write.

    Nothing happens if the stored boundaries have no such bundle.
    """

    DO: ClassVar[str] = "split"
    bundle: HashRange
    position: int

    def __post_init__(self) -> None:
        require_longs("position", (self.position,))


Rival = RivalTouch | RivalSplit


@dataclass(frozen=True, slots=True)
class LookUp:
    """Which bundle serves this topic of the namespace (its complete name)?"""

    DO: ClassVar[str] = "look_up"
    topic: str


@dataclass(frozen=True, slots=True)
class Split:
    """Cut `bundle` at `positions`. Attempt i races with rival i, which writes first."""

    DO: ClassVar[str] = "split"
    bundle: HashRange
    positions: tuple[int, ...]
    rivals: tuple[Rival, ...] = ()

    def __post_init__(self) -> None:
        require_longs("positions", self.positions)


@dataclass(frozen=True, slots=True)
class SetGroup:
    """Set the anti-affinity group, another field of the same stored record; empty: none.

    A name of nothing but white space is refused in 4.0.
    """

    DO: ClassVar[str] = "set_group"
    group: str


@dataclass(frozen=True, slots=True)
class Reload:
    """The broker forgets its view and loads it afresh."""

    DO: ClassVar[str] = "reload"


@dataclass(frozen=True, slots=True)
class Read:
    """What is stored?"""

    DO: ClassVar[str] = "read"


Command = LookUp | Split | SetGroup | Reload | Read


@dataclass(frozen=True, slots=True)
class LifeTrial:
    """`splitting.life`: a namespace is created with these boundaries and lives through commands.

    `namespace` is a namespace's name, `tenant/name` or `tenant/cluster/name`. Topics that the split
    algorithm sees never matter: every split is by specified positions. Topics are looked up by the
    CRC-32 of their complete names in UTF-8 (BUN-3): a subject that hashes otherwise skips this
    question.
    """

    namespace: str
    boundaries: tuple[int, ...]
    commands: tuple[Command, ...]

    def __post_init__(self) -> None:
        require_namespace("namespace", self.namespace)
        require_boundaries(self.boundaries)
        for place, command in enumerate(self.commands):
            if isinstance(command, LookUp):
                require_topic_of(f"commands[{place}].topic", command.topic, self.namespace)


@dataclass(frozen=True, slots=True)
class Found:
    """Answer to `LookUp`."""

    DO: ClassVar[str] = "found"
    bundle: Span


@dataclass(frozen=True, slots=True)
class SplitDone:
    """Answer to `Split`: the children, in ascending order; empty where nothing was to be cut."""

    DO: ClassVar[str] = "split_done"
    children: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Stored:
    """Answer to `Read`: the stored record and the second copy of its boundaries.

    `version` counts writes of the record since the namespace was created.
    """

    DO: ClassVar[str] = "stored"
    boundaries: tuple[int, ...]
    copy: tuple[int, ...]
    group: str
    version: int


@dataclass(frozen=True, slots=True)
class Done:
    """Answer to `SetGroup` and `Reload`."""

    DO: ClassVar[str] = "done"


CommandResult = Found | SplitDone | Stored | Done | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class LifeAnswer:
    """One result for each command."""

    results: tuple[CommandResult, ...]


def rival_of(rival: Rival) -> applying.Rival:
    """Another writer, as a function of the stored record."""
    if isinstance(rival, RivalSplit):
        bundle, position = rival.bundle, rival.position
        return lambda record: life.rival_split(record, bundle, position)
    return life.touch


def answer_life(trial: LifeTrial, edition: Edition) -> LifeAnswer:
    """One result for each command."""
    record = life.create(trial.boundaries)
    results = []
    for command in trial.commands:
        record, result = carry_out(record, command, edition)
        results.append(result)
    return LifeAnswer(tuple(results))


def carry_out(
    record: StoredRecord, command: Command, edition: Edition
) -> tuple[StoredRecord, CommandResult]:
    """One command: the record afterwards and the result."""
    match command:
        case LookUp(topic):
            return record, look_up(record, topic, edition)
        case Split(bundle, positions, rivals):
            writers = [rival_of(rival) for rival in rivals]
            after, made = life.split(record, bundle, positions, writers, edition)
            return after, SplitDone(spans(made)) if isinstance(made, tuple) else failed(made)
        case SetGroup(group):
            try:
                return life.set_group(record, group), Done()
            except Refusal as refusal:
                return record, failed(refusal)
        case Reload():
            life.reload(record)
            return record, Done()
        case Read():
            return record, stored(record)


def look_up(record: StoredRecord, topic: str, edition: Edition) -> CommandResult:
    """The bundle that serves a topic."""
    points = life.reload(record)
    try:
        index = lookup.bundle_index(points, topic_hash(topic), edition)
    except Breakage as breakage:
        return failed(breakage)
    return Found(span(boundary_lists.bundle_at(points, index)))


def stored(record: StoredRecord) -> Stored:
    """The record as an observation states it."""
    return Stored(record.boundaries, record.copy, record.group, record.version)


def failed(error: Refusal | Breakage) -> CommandResult:
    """How a command's failure is stated."""
    reason = type(error).__name__
    return CommandRefused(reason) if isinstance(error, Refusal) else CommandBroke(reason)


def life_labels(trial: LifeTrial) -> Iterator[str]:
    """How many splits, and whether others write in between."""
    splits = [command for command in trial.commands if isinstance(command, Split)]
    yield f"{min(len(splits), 3)}{' or more' if len(splits) >= 3 else ''} splits"
    if any(split.rivals for split in splits):
        yield "rivals"
    if any(len(split.rivals) >= 8 for split in splits):
        yield "eight or more rivals"
