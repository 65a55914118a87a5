"""Which cluster a command is about: of `evenkeel operate cluster up`, or one elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, TypeAlias, TypeVar

import typer

from evenkeel.operate.cluster import control
from evenkeel.operate.cluster.configuration import Manager
from evenkeel.operate.cluster.http import Access, why_no_token
from evenkeel.operate.cluster.running import Tell
from evenkeel.operate.cluster.state import clusters_folder
from evenkeel.operate.recording.target import (
    Target,
    require_token_for_all,
    target_of,
    target_of_state,
)
from evenkeel_engine.cli.options import Unusable
from evenkeel_engine.cli.output import err
from evenkeel_engine.files import Unreadable, read_bytes, read_text

NameOption: TypeAlias = Annotated[
    str, typer.Option("--name", help="Of a cluster of `evenkeel operate cluster up`.")
]
ServiceOption: TypeAlias = Annotated[
    str | None, typer.Option("--service-url", help="Another cluster: pulsar://… or pulsar+ssl://…")
]
AdminOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--admin-url", help="Its admin interface: http(s)://…; may be repeated."),
]
ZooKeeperOption: TypeAlias = Annotated[
    str | None, typer.Option("--zookeeper", help="host:port; the modular manager needs it.")
]
TokenOption: TypeAlias = Annotated[
    Path | None, typer.Option("--token-file", help="A file that holds a token.")
]
TrustOption: TypeAlias = Annotated[
    Path | None, typer.Option("--tls-trust-certs", help="Certificates to trust, as PEM.")
]
PulsarOption: TypeAlias = Annotated[str, typer.Option("--pulsar", help="Pulsar's version.")]
ManagerOption: TypeAlias = Annotated[Manager, typer.Option("--manager", help="The load manager.")]
BrokerConfOption: TypeAlias = Annotated[
    list[str] | None, typer.Option("--set", help="key=value for broker.conf.")
]

T = TypeVar("T")
LARGEST: Final = 1 << 20
"""Bytes of a token, and of certificates."""
_UNITS = {"s": 1, "m": 60, "h": 3600}


@dataclass(frozen=True, slots=True)
class NamedCluster:
    """The options that name a cluster."""

    name: str
    service_url: str | None
    admin_urls: list[str]
    zookeeper: str | None
    token: Path | None
    trust: Path | None


def folder_of(name: str) -> Path:
    """Where a cluster is kept. Raises `Unusable`."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,40}", name):
        raise Unusable(f"--name {name!r} must be 1 to 40 letters, digits, - or _.")
    return clusters_folder() / name


def access_of(named: NamedCluster) -> Access:
    """Token and certificates. Raises `Unusable`, with nothing of what the files hold."""
    token = None
    if named.token is not None:
        token = what_holds("--token-file", named.token, read_text).strip()
        if why := why_no_token(token):
            raise Unusable(f"--token-file {named.token}: {why}.")
    if named.trust is not None:
        what_holds("--tls-trust-certs", named.trust, read_bytes)  # ssl would wait for a pipe
    return Access(token, str(named.trust) if named.trust else None)


def what_holds(option: str, path: Path, read: Callable[[Path, int], T]) -> T:
    """What the file that an option names holds. Raises `Unusable`."""
    try:
        return read(path, LARGEST)
    except Unreadable as why:
        raise Unusable(f"{option} {path}: {why}.") from None


def target_named(named: NamedCluster) -> Target:
    """The cluster. Raises `Unusable`, `ClusterUnusable`."""
    if (named.service_url is None) != (not named.admin_urls):
        raise Unusable("--service-url and --admin-url belong together.")
    access = access_of(named)
    if named.service_url is not None:
        urls = [url.rstrip("/") for url in named.admin_urls]
        found = target_of(named.service_url, urls, access, named.zookeeper)
        require_token_for_all(found)
        return found
    return target_of_state(control.require(folder_of(named.name)), access)


def seconds_of(text: str) -> float:
    """90, 90s, 20m or 8h. Raises `Unusable`."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text)
    if found is None or not 0 < float(found[1]) * _UNITS[found[2] or "s"] <= 30 * 86400:
        raise Unusable(f"--for {text} must be a time such as 90s, 20m or 8h, 30 days at most.")
    return float(found[1]) * _UNITS[found[2] or "s"]


def print_progress(stamp: Callable[[], str] = str) -> Tell:
    """Prints what happens on standard error, each time after a stamp."""

    def print_stamped(text: str) -> None:
        if text:
            err.print(f"{stamp()}{text}", markup=False)

    return print_stamped
