"""A cluster's state file: what was requested, which ports it has, which processes are its own."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from evenkeel.operate.cluster.configuration import NAME, RequestedCluster
from evenkeel.operate.cluster.errors import ClusterUnusable
from evenkeel.operate.cluster.ports import LOOPBACK
from evenkeel.operate.cluster.process import Process
from evenkeel_engine.files import Unreadable, read_json, write_file

FILE: Final = "cluster.json"


@dataclass(frozen=True, slots=True)
class Broker:
    """A broker's ports. `metadata`: where it finds ZooKeeper."""

    name: str
    service: int
    web: int
    metadata: int

    @property
    def id(self) -> str:
        """As Pulsar calls it."""
        return f"{LOOPBACK}:{self.web}"

    @property
    def admin_url(self) -> str:
        """Its admin interface."""
        return f"http://{LOOPBACK}:{self.web}"

    @property
    def service_url(self) -> str:
        """Where clients find it."""
        return f"pulsar://{LOOPBACK}:{self.service}"


@dataclass(slots=True)
class State:
    """All that is known of a cluster; written whenever it changes."""

    folder: Path
    requested: RequestedCluster
    zookeeper: int
    bookie: int
    brokers: list[Broker]
    owner: Process
    processes: dict[str, Process] = field(default_factory=dict)
    ready: float | None = None
    """Seconds that it took until every broker answered."""

    @property
    def started(self) -> list[Broker]:
        """The brokers that were started; there are ports for one more."""
        return [broker for broker in self.brokers if broker.name in self.processes]

    @property
    def service_url(self) -> str:
        """All brokers, for clients."""
        return "pulsar://" + ",".join(f"{LOOPBACK}:{broker.service}" for broker in self.started)

    @property
    def admin_urls(self) -> list[str]:
        """All brokers, for requests."""
        return [broker.admin_url for broker in self.started]

    @property
    def zookeeper_address(self) -> str:
        """ZooKeeper itself, not the proxies before it."""
        return f"{LOOPBACK}:{self.zookeeper}"

    def data(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "cluster": NAME,
            "wanted": self.requested.data(),
            "zookeeper": self.zookeeper,
            "bookie": self.bookie,
            "brokers": [
                [broker.name, broker.service, broker.web, broker.metadata]
                for broker in self.brokers
            ],
            "owner": [self.owner.pid, self.owner.started],
            "processes": {
                name: [process.pid, process.started] for name, process in self.processes.items()
            },
            "ready": self.ready,
        }

    def write(self) -> None:
        """Whole or not at all."""
        write_file(self.folder / FILE, json.dumps(self.data(), indent=1) + "\n")


def read(folder: Path) -> State | None:
    """The state of the cluster in this folder; None if there is none. Raises `ClusterUnusable`."""
    place = folder / FILE
    try:
        if not place.exists():
            return None
        data = read_json(place)
        return State(
            folder,
            RequestedCluster.of(data["wanted"]),
            data["zookeeper"],
            data["bookie"],
            [Broker(*fields) for fields in data["brokers"]],
            Process(*data["owner"]),
            {name: Process(*fields) for name, fields in data["processes"].items()},
            data["ready"],
        )
    except (Unreadable, OSError, ValueError, KeyError, TypeError) as error:
        raise ClusterUnusable(f"{place} is no state of a cluster ({error}).") from error


def clusters_folder() -> Path:
    """Where clusters are kept that no command keeps elsewhere."""
    folder = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(folder) / "evenkeel" / "clusters"
