"""Which cluster is recorded, and how it is asked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

from evenkeel.operate.cluster.errors import ClusterUnusable
from evenkeel.operate.cluster.http import Access, Answer, NoAnswer, request, require_given
from evenkeel.operate.cluster.state import State

LONGEST: Final = 8.0
"""Seconds that a broker may take to answer a probe."""

_PORT: Final = re.compile("[0-9]{1,5}")
"""Brokers tell theirs as `Optional[8443]`."""

BALANCING: Final = ("loadBalance", "lowerBoundary", "maxUnload", "minUnload")
"""How the settings begin that are kept; others may hold secrets."""


@dataclass(frozen=True, slots=True)
class Target:
    """A cluster. `admin_urls` name one broker at least; the others are asked of it."""

    service_url: str
    admin_urls: tuple[str, ...]
    cluster: str
    access: Access = field(default_factory=Access)
    zookeeper: str | None = None
    manager: str = "extensible"
    logs: tuple[str, ...] = ()
    settings: dict[str, str] = field(default_factory=dict)
    """Those of the load balancer."""
    tls_ports: dict[str, str] = field(default_factory=dict)
    """Where https is served by a broker that is called by another port."""

    @property
    def scheme(self) -> str:
        """Of admin requests."""
        return urlsplit(self.admin_urls[0]).scheme

    def locate_admin(self, broker: str) -> str:
        """A broker's admin interface. It is called by its port without TLS, if it has one."""
        host, _, port = broker.rpartition(":")
        if self.scheme == "https":
            return f"https://{host}:{self.tls_ports.get(port, port)}"
        return f"http://{broker}"

    def ask(self, broker: str, path: str) -> Answer:
        """What a broker answers. Raises `NoAnswer`."""
        return request(f"{self.locate_admin(broker)}/{path}", self.access, timeout=LONGEST)

    def describe_target(self) -> dict[str, Any]:
        """For the recording; no token."""
        given = ("service_url", "admin_urls", "cluster", "zookeeper", "manager", "settings")
        return {name: getattr(self, name) for name in given}

    def ask_known(self) -> list[str]:
        """The names (host:port) of brokers that are up, by the first that answers."""
        for url in self.admin_urls:
            try:
                answer = request(
                    f"{url}/admin/v2/brokers/{self.cluster}", self.access, timeout=LONGEST
                )
                if answer.good:
                    return sorted(filter(is_address, answer.parse_names()))
            except NoAnswer:
                continue
        return []


def target_of(
    service_url: str,
    admin_urls: Sequence[str],
    access: Access,
    zookeeper: str | None = None,
    logs: Sequence[str] = (),
) -> Target:
    """The cluster behind the addresses, which alone gets the token. Raises `ClusterUnusable`."""
    access = access.for_hosts(admin_urls)
    why = "none was named"
    for url in admin_urls:
        try:
            names = request(f"{url}/admin/v2/clusters", access, timeout=LONGEST)
            settings = request(f"{url}/admin/v2/brokers/configuration/runtime", access)
            refuse_if_barred(url, names)
            if names.good:
                cluster = cluster_of(names)
                refuse_if_barred(url, request(f"{url}/admin/v2/brokers/{cluster}", access))
                reported = settings.parse_fields() if settings.good else {}
                name = reported.get("loadManagerClassName", "")
                return Target(
                    service_url,
                    tuple(admin_urls),
                    cluster,
                    access,
                    zookeeper,
                    "extensible" if not name or "Extensible" in name else "modular",
                    tuple(logs),
                    {key: reported[key] for key in sorted(reported) if key.startswith(BALANCING)},
                    tls_ports_of(reported, admin_urls, access),
                )
            why = f"it answers {names.status}"
        except NoAnswer as error:
            why = str(error)
    raise ClusterUnusable(f"--admin-url {', '.join(admin_urls)}: no answer ({why}).")


def target_of_state(state: State, access: Access | None = None) -> Target:
    """A cluster of ours, with its brokers' logs. Raises `ClusterUnusable`."""
    logs = [str(state.folder / "logs" / f"{broker.name}.log") for broker in state.brokers]
    at = state.service_url, state.admin_urls
    return target_of(*at, access or Access(), state.zookeeper_address, logs)


def is_address(broker: str) -> bool:
    """Whether a broker's name is HOST:PORT."""
    host, _, port = broker.rpartition(":")
    return bool(host) and _PORT.fullmatch(port) is not None and 0 < int(port) < 65536


def cluster_of(answer: Answer) -> str:
    """The cluster's name among all. Raises `NoAnswer`."""
    found = [name for name in answer.parse_names() if name != "global"]
    if not found:
        raise NoAnswer("it names no cluster")
    return found[0]


def require_brokers(target: Target) -> None:
    """Raises `ClusterUnusable` where no broker is registered under an address."""
    if not target.ask_known():
        raise ClusterUnusable(f"{target.admin_urls[0]}: no broker is registered.")


def require_token_for_all(target: Target) -> None:
    """Raises `ClusterUnusable` where a broker was not named, so that it is not sent the token."""
    if target.access.token is None:
        return
    for broker in target.ask_known():
        try:
            require_given(target.locate_admin(broker), target.access)
        except NoAnswer as withheld:
            raise ClusterUnusable(f"{broker}: {withheld}.") from withheld


def refuse_if_barred(url: str, answer: Answer) -> None:
    """Raises `ClusterUnusable`."""
    if answer.status in (401, 403):
        raise ClusterUnusable(f"--admin-url {url} wants a token that may ask it.")


def tls_ports_of(
    settings: Mapping[str, str], admin_urls: Sequence[str], access: Access
) -> dict[str, str]:
    """The ports with TLS by those without: of the brokers that are named, each by its settings.

    Brokers of a cluster mostly have the same two; where they do not, all have to be named.
    """
    found = {}
    reported = [settings]
    for url in admin_urls[1:]:
        try:
            answer = request(f"{url}/admin/v2/brokers/configuration/runtime", access)
            reported.append(answer.parse_fields() if answer.good else {})
        except NoAnswer:
            continue
    for each in reported:
        plain, secure = (
            _PORT.search(str(each.get(key))) for key in ("webServicePort", "webServicePortTls")
        )
        if plain and secure:
            found[plain[0]] = secure[0]
    return found
