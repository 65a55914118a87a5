"""Isolation policies: which brokers a namespace may use, which it shares.

Source: SimpleResourceAllocationPolicies, NamespaceIsolationPolicies, LoadManagerShared.
applyNamespacePolicies 4.0.8.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel_engine.frame.clauses import states

LARGEST_PORT: Final = 65_535


@dataclass(frozen=True, slots=True)
class IsolationPolicy:
    """Expressions that namespaces (`tenant/name`) and hosts must match as a whole.

    `least`: with fewer primary brokers secondary ones are used as well.
    """

    namespaces: tuple[str, ...]
    primary: tuple[str, ...]
    secondary: tuple[str, ...] = ()
    least: int = 1


@states("PLC-25")
def host(broker: str) -> str:
    """A broker's name without its port."""
    return broker.rpartition(":")[0]


@states("PLC-25")
def matches(expressions: Sequence[str], text: str) -> bool:
    """Whether one of the expressions matches the whole text; digits are ASCII, as in Java."""
    return any(re.fullmatch(expression, text, re.ASCII) for expression in expressions)


@states("PLC-25")
def address(broker: str) -> str:
    """A broker's host and port as 5.0.1 writes them; of a port that there is none, nothing."""
    name, port = host(broker), int(broker.rpartition(":")[2])
    if name.startswith("[") and name.endswith("]"):
        name = name[1:-1]
    if port > LARGEST_PORT or name.count(":") == 1:
        return ""
    return f"[{name}]:{port}" if ":" in name else f"{name}:{port}"


@states("PLC-25")
def covers(expressions: Sequence[str], broker: str, edition: Edition) -> bool:
    """Whether one of the expressions matches a broker's host, or, with a colon, host and port."""
    if matches(expressions, host(broker)):
        return True
    named = [expression for expression in expressions if ":" in expression]
    return edition.policies_name_ports and bool(address(broker)) and matches(named, address(broker))


@states("PLC-23")
def policy_of(policies: Sequence[IsolationPolicy], namespace: str) -> IsolationPolicy | None:
    """The policy of a namespace."""
    return next((p for p in policies if matches(p.namespaces, namespace)), None)


@states("PLC-23", "PLC-24", "PLC-57")
def isolate(policy: IsolationPolicy, brokers: Sequence[str], edition: Edition) -> tuple[str, ...]:
    """The brokers of a namespace with a policy: its primary ones, with too few also secondary."""
    primary = [b for b in brokers if covers(policy.primary, b, edition)]
    if len(primary) >= policy.least:
        return tuple(primary)
    return tuple(b for b in brokers if b in primary or covers(policy.secondary, b, edition))


@states("PLC-26")
def list_shared(
    policies: Sequence[IsolationPolicy],
    brokers: Sequence[str],
    accepts: Callable[[str], bool],
    edition: Edition,
) -> tuple[str, ...]:
    """The brokers of a namespace without a policy: primary in none, and taking its topics."""
    return tuple(
        broker
        for broker in brokers
        if accepts(broker) and not any(covers(p.primary, broker, edition) for p in policies)
    )


@states("PLC-23", "PLC-26")
def usable(
    policies: Sequence[IsolationPolicy],
    namespace: str,
    brokers: Sequence[str],
    accepts: Callable[[str], bool],
    edition: Edition,
) -> tuple[str, ...]:
    """The brokers that a namespace may use. What topics they take matters without a policy only."""
    policy = policy_of(policies, namespace)
    if policy is None:
        return list_shared(policies, brokers, accepts, edition)
    return isolate(policy, brokers, edition)
