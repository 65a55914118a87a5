"""Namespaces of bundles, and those that belong to the brokers themselves."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final

from evenkeel.reference.clauses import states

SYSTEM: Final = "pulsar/system"
"""The namespace of Pulsar's own topics. Its bundles are always spread evenly (PLC-29)."""

_MONITORING: Final = tuple(
    re.compile(form, re.ASCII)
    for form in (
        r"pulsar/[^/]+/[^:]+:\d+",
        r"pulsar/[^:]+:\d+",
        r"sla-monitor/[^/]+/[^:]+:\d+",
    )
)


@lru_cache(maxsize=2**17)
def namespace_of(bundle: str) -> str:
    """The namespace that a bundle belongs to."""
    return bundle.rpartition("/")[0]


@cache
@states("LOA-52")
def is_monitoring(namespace: str) -> bool:
    """Whether a namespace is a broker's heartbeat or SLA monitor, bound to that broker.

    `pulsar/system` is not. Source: NamespaceService.isSLAOrHeartbeatNamespace 4.0.8.
    """
    return any(form.fullmatch(namespace) for form in _MONITORING)
