"""Trials and answers about a namespace's boundaries over time: `splitting.life`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from evenkeel.properties.bundles.division import require_boundaries
from evenkeel.properties.observations import CommandBroke, CommandRefused, Span
from evenkeel.reference.bundles.ranges import HashRange


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


Rival = RivalTouch | RivalSplit


@dataclass(frozen=True, slots=True)
class LookUp:
    """Which bundle serves this topic (a full name of the namespace)?"""

    DO: ClassVar[str] = "look_up"
    topic: str


@dataclass(frozen=True, slots=True)
class Split:
    """Cut `bundle` at `positions`. Attempt i races with rival i, which writes first."""

    DO: ClassVar[str] = "split"
    bundle: HashRange
    positions: tuple[int, ...]
    rivals: tuple[Rival, ...] = ()


@dataclass(frozen=True, slots=True)
class SetGroup:
    """Set the anti-affinity group, another field of the same stored record."""

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

    Topics that the split algorithm sees never matter: every split is by specified positions.
    """

    namespace: str
    boundaries: tuple[int, ...]
    commands: tuple[Command, ...]

    def __post_init__(self) -> None:
        require_boundaries(self.boundaries)


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
