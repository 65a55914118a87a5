"""A cluster at one moment: its brokers, its bundles, and the settings that balance it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from evenkeel.reference.load.traffic import Traffic
from evenkeel_engine.errors import UserError
from evenkeel_engine.files import Unreadable, read_json, write_file
from evenkeel_engine.frame.errors import Refusal
from evenkeel_engine.kit.codec import BadData, from_json, to_json

T = TypeVar("T")
FORMAT: Final = "evenkeel operate snapshot 1"


class BadSnapshot(UserError):
    """A snapshot cannot be taken, or read: one sentence."""


@dataclass(frozen=True, slots=True)
class Resource:
    """What is used of a resource, and how much there is: percent, MB or kbit/s."""

    usage: float
    limit: float

    @property
    def percent(self) -> float:
        """Usage in percent of what there is; 0 where that is unknown."""
        return self.usage / self.limit * 100 if self.limit > 0 else 0.0


@dataclass(frozen=True, slots=True)
class SeenBroker:
    """A broker by its own load report. Rates are messages, throughput is bytes a second."""

    id: str
    cpu: Resource
    memory: Resource
    direct_memory: Resource
    bandwidth_in: Resource
    bandwidth_out: Resource
    msg_rate: float
    msg_throughput: float
    load: float | None = None
    """The moving average of the most used resource, a fraction, where the broker tells it."""


@dataclass(frozen=True, slots=True)
class SeenBundle:
    """A bundle with the traffic of its topics, and who serves it."""

    name: str
    broker: str
    msg_rate_in: float
    msg_rate_out: float
    msg_throughput_in: float
    msg_throughput_out: float
    topics: tuple[str, ...]

    @property
    def traffic(self) -> Traffic:
        """The four numbers."""
        return Traffic(
            self.msg_rate_in, self.msg_rate_out, self.msg_throughput_in, self.msg_throughput_out
        )


@dataclass(frozen=True, slots=True)
class SetTo:
    """A setting of the brokers, by Pulsar's name."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What was seen. `taken`: ms since 1970. `source`: which cluster, or which files."""

    format: str
    taken: int
    source: str
    version: str
    settings: tuple[SetTo, ...]
    brokers: tuple[SeenBroker, ...]
    bundles: tuple[SeenBundle, ...]

    def __post_init__(self) -> None:
        if self.format != FORMAT:
            raise Refusal(f"format: must be {FORMAT!r}")
        if not self.brokers:
            raise Refusal("brokers: there is none")

    def value(self, key: str) -> str | None:
        """A setting; None if it is not known."""
        return next((one.value for one in self.settings if one.key == key), None)


def write(snapshot: Snapshot, path: Path) -> None:
    """Write a snapshot as JSON. Raises `Unwritable`."""
    write_file(path, json.dumps(to_json(snapshot), indent=1) + "\n")


def read(path: Path) -> Snapshot:
    """The snapshot in a file. Raises `BadSnapshot`."""
    data = json_of(path)
    try:
        return from_json(Snapshot, data)
    except (BadData, Refusal) as bad:
        raise BadSnapshot(f"{path}: {bad}.") from bad


def json_of(path: Path) -> object:
    """The JSON in a file. Raises `BadSnapshot`."""
    return read_by(read_json, path)


def read_by(read: Callable[[Path], T], path: Path) -> T:
    """What a file holds. Raises `BadSnapshot`."""
    try:
        return read(path)
    except Unreadable as why:
        raise BadSnapshot(f"{path}: {why}.") from why
