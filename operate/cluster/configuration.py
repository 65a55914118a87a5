"""The servers' configuration files: those of the distribution, with what a small cluster needs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from evenkeel.operate.cluster.errors import ClusterUnusable
from evenkeel.operate.cluster.http import why_no_token
from evenkeel.operate.cluster.ports import LOOPBACK
from evenkeel.operate.tables import read_table
from evenkeel_engine.files import write_file

NAME: Final = "c1"
"""The cluster's name in Pulsar."""
MOST_BROKERS: Final = 8


class Manager(StrEnum):
    """Which load manager runs."""

    EXTENSIBLE = "extensible"
    MODULAR = "modular"


SERVERS: Final = read_table("cluster/servers.toml")


@dataclass(frozen=True, slots=True)
class RequestedCluster:
    """The requested cluster. `settings` go into broker.conf as they are."""

    version: str
    brokers: int
    manager: Manager
    settings: dict[str, str] = field(default_factory=dict)
    cut_off: bool = False
    """Brokers speak to ZooKeeper through a proxy of ours, so that they can be cut off."""
    clocks: bool = False
    """Brokers' clocks can be stepped."""

    def __post_init__(self) -> None:
        if not 1 <= self.brokers <= MOST_BROKERS:
            raise ClusterUnusable(
                f"--brokers must be from 1 to {MOST_BROKERS}, not {self.brokers}."
            )
        if self.token is not None and (why := why_no_token(self.token)):
            raise ClusterUnusable(f"brokerClientAuthenticationParameters {why}.")

    @property
    def token(self) -> str | None:
        """What the brokers show each other, where they want tokens: good enough to ask them."""
        kind, _, token = self.settings.get("brokerClientAuthenticationParameters", "").partition(
            ":"
        )
        return token if kind == "token" and token else None

    def data(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> RequestedCluster:
        """From JSON."""
        return cls(**{**data, "manager": Manager(data["manager"])})


def settings_of(texts: list[str]) -> dict[str, str]:
    """What `--set key=value` says. Raises `ClusterUnusable`, without a value: it may be secret."""
    found = {}
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign or not re.fullmatch(r"[A-Za-z][A-Za-z0-9_.]*", key):
            raise ClusterUnusable(f"--set {key!r} must be of the form key=value.")
        if not value.isprintable():
            raise ClusterUnusable(f"--set {key}: the value must be printable, and one line.")
        found[key] = value
    return found


def change_properties(text: str, settings: Mapping[str, str]) -> str:
    """A properties file with these settings: in their places, or at its end."""
    left = dict(settings)
    lines = []
    for line in text.splitlines():
        if (key := line.partition("=")[0].strip()) in settings:
            if key in left:
                lines.append(f"{key}={left.pop(key)}")
            continue
        lines.append(line)
    lines += [f"{key}={value}" for key, value in left.items()]
    return "\n".join(lines) + "\n"


def configure(server: str, **own: object) -> dict[str, str]:
    """A server's settings, with what a cluster has of its own."""
    texts: dict[str, str] = SERVERS[server]
    own |= {"loopback": LOOPBACK, "cluster": NAME}
    return {key: text.format_map(own) for key, text in texts.items()}


def configure_broker(requested: RequestedCluster, **own: object) -> dict[str, str]:
    """A broker's settings; those that the user set come last."""
    manager: dict[str, str] = SERVERS["managers"][requested.manager.value]
    return {**configure("broker", **own), **manager, **requested.settings}


def write(source: Path, place: Path, settings: Mapping[str, str]) -> None:
    """A configuration file of the distribution, changed."""
    write_file(place, change_properties(source.read_text(), settings))
