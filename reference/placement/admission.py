"""Whether an isolation policy is stored: it must name brokers, and be readable.

Source: NamespaceIsolationDataImpl.validate 4.0.8 (#8804); PLC-46 to PLC-49.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from evenkeel.reference.edition import Edition
from evenkeel.reference.placement.isolation import IsolationPolicy
from evenkeel_engine.frame.clauses import states


@states("PLC-46", "PLC-47")
def readable(expressions: Sequence[str]) -> bool:
    """Whether all of them are regular expressions."""
    for expression in expressions:
        try:
            re.compile(expression)
        except re.error:
            return False
    return True


@states("PLC-46", "PLC-47", "PLC-48", "PLC-49")
def is_stored(policy: IsolationPolicy, edition: Edition) -> bool:
    """Whether a policy is accepted: it names namespaces and primary brokers, in expressions that
    can be read.
    """
    if not policy.namespaces or not policy.primary:
        return False
    if not edition.unreadable_namespaces_stored and not readable(policy.namespaces):
        return False
    return readable(policy.primary) and readable(policy.secondary)
