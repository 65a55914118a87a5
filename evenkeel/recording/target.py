"""Which cluster is recorded, and how it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

from evenkeel.cluster.errors import ClusterUnusable
from evenkeel.cluster.http import Access, NoAnswer, request

LONGEST: Final = 8.0
"""Seconds that a broker may take to answer a probe."""

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

    @property
    def scheme(self) -> str:
        """Of admin requests."""
        return urlsplit(self.admin_urls[0]).scheme

    def about(self) -> dict[str, Any]:
        """For the recording; no token."""
        return {
            "service_url": self.service_url,
            "admin_urls": list(self.admin_urls),
            "cluster": self.cluster,
            "zookeeper": self.zookeeper,
            "manager": self.manager,
            "settings": self.settings,
        }

    def known(self) -> list[str]:
        """The addresses (host:port) of brokers that are up, by whoever answers first."""
        for url in self.admin_urls:
            try:
                answer = request(
                    f"{url}/admin/v2/brokers/{self.cluster}", self.access, timeout=LONGEST
                )
                if answer.good:
                    return sorted(map(str, answer.json()))
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
    """The cluster behind these addresses. Raises `ClusterUnusable` if none answers."""
    why = "none was named"
    for url in admin_urls:
        try:
            names = request(f"{url}/admin/v2/clusters", access, timeout=LONGEST)
            settings = request(f"{url}/admin/v2/brokers/configuration/runtime", access)
            if names.status in (401, 403):
                raise ClusterUnusable(f"--admin-url {url} wants a token that may ask it.")
            if names.good:
                cluster = next(name for name in names.json() if name != "global")
                told = settings.json() if settings.good else {}
                return Target(
                    service_url,
                    tuple(admin_urls),
                    cluster,
                    access,
                    zookeeper,
                    manager_of(told),
                    tuple(logs),
                    {key: told[key] for key in sorted(told) if key.startswith(BALANCING)},
                )
            why = f"it answers {names.status}"
        except NoAnswer as error:
            why = str(error)
    raise ClusterUnusable(f"--admin-url {', '.join(admin_urls)}: no answer ({why}).")


def manager_of(settings: dict[str, str]) -> str:
    """The load manager by the brokers' settings."""
    name = settings.get("loadManagerClassName", "")
    return "extensible" if not name or "Extensible" in name else "modular"
