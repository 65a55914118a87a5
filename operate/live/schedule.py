"""What is done to a cluster, step by step: plain data that a run keeps and that replays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from evenkeel.operate.cluster.configuration import Manager
from evenkeel.operate.cluster.errors import ClusterUnusable
from evenkeel_engine.files import Unreadable, read_json, write_file

OPERATIONS: Final = (
    *("create", "unload", "unload-to", "split", "delete", "limit", "policy", "visit"),
    *("add-broker", "remove-broker"),
)
FAULTS: Final = (
    *("kill", "start", "stop", "pause", "resume", "cut", "join", "clock"),
    *("zookeeper-restart", "bookie-restart"),
)
KINDS: Final = (*OPERATIONS, *FAULTS)
ALGORITHMS: Final = (
    "range_equally_divide",
    "topic_count_equally_divide",
    "specified_positions_divide",
    "flow_or_qps_equally_divide",
)
OWNER: Final = -1
"""Instead of a broker's number: the owner of the bundle when the step is taken."""
LEADER: Final = -2
"""The same: whichever broker leads."""


@dataclass(frozen=True, slots=True)
class Step:
    """An action after a pause in seconds. Steps without a pause begin together.

    `place` chooses a bundle, by where it lies among all hashes (0 to 1), and a topic; `broker` is
    a broker's number, from 0, or OWNER, or LEADER. `number`: of "clock", the seconds by which the
    broker's clock is ahead from then on, or behind.
    """

    wait: float
    do: str
    place: float = 0.0
    broker: int = 0
    algorithm: str = ""
    number: int = 0

    def __post_init__(self) -> None:
        if self.do not in KINDS:
            raise ClusterUnusable(f"A schedule cannot do {self.do!r}: {', '.join(KINDS)}.")
        if not (0 <= self.wait <= 3600 and 0 <= self.place <= 1 and LEADER <= self.broker <= 8):
            raise ClusterUnusable(f"A step of the schedule is out of range: {asdict(self)}.")


@dataclass(frozen=True, slots=True)
class Load:
    """Producers and consumers: one each for a topic, and the messages a second in all."""

    topics: int = 8
    rate: int = 40
    bytes: int = 100


@dataclass(frozen=True, slots=True)
class Schedule:
    """A whole run."""

    plan: str
    seed: int
    version: str
    brokers: int
    manager: Manager
    settings: dict[str, str]
    load: Load
    steps: tuple[Step, ...]
    bundles: int = 4
    found: tuple[str, ...] = field(default=())
    """The kinds of violations that the run showed."""

    def with_steps(self, steps: tuple[Step, ...]) -> Schedule:
        """The same, but for its steps."""
        return replace(self, steps=steps)

    def write(self, path: Path) -> None:
        """Keep it."""
        write_file(path, json.dumps(asdict(self), indent=1) + "\n")


def read(path: Path) -> Schedule:
    """A schedule that was kept. Raises `ClusterUnusable`."""
    try:
        return of_data(read_json(path))
    except Unreadable as why:
        raise ClusterUnusable(f"{path}: {why}.") from why
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ClusterUnusable(
            f"{path} is no schedule of `evenkeel operate live` ({error})."
        ) from error


def of_data(data: Mapping[str, Any]) -> Schedule:
    """From JSON."""
    if unknown := set(data) - {one.name for one in fields(Schedule)}:
        raise ValueError(f"it has {', '.join(sorted(unknown))}")
    return Schedule(
        **{
            **data,
            "manager": Manager(data["manager"]),
            "load": Load(**data["load"]),
            "steps": tuple(Step(**step) for step in data["steps"]),
            "found": tuple(data.get("found", ())),
        }
    )
