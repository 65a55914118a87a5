"""Namespaces of bundles, and those that belong to the brokers themselves."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final

from evenkeel_engine.frame.clauses import states

SYSTEM: Final = "pulsar/system"
"""The namespace of Pulsar's own topics. Its bundles are always spread evenly (PLC-29)."""

_MONITORING: Final = re.compile(r"(?:pulsar|sla-monitor)/[^/:]+:\d+", re.ASCII)
_CLUSTERED: Final = re.compile(r"(?:pulsar|sla-monitor/[^/]+)/[^:]+:\d+", re.ASCII)


@lru_cache(maxsize=2**17)
def namespace_of(bundle: str) -> str:
    """The namespace that a bundle belongs to."""
    return bundle.rpartition("/")[0]


@cache
@states("LOA-52")
def is_monitoring(namespace: str, clustered: bool) -> bool:
    """Whether a namespace is a broker's heartbeat or SLA monitor, bound to that broker.

    `pulsar/system` is not. `clustered` is the edition's `clustered_monitors`.
    Source: NamespaceService.isSLAOrHeartbeatNamespace, NamespaceBundle.getBundleNamespace 4.0.8,
    4.2.4.
    """
    return bool((_CLUSTERED if clustered else _MONITORING).fullmatch(namespace))
