"""Trials of `placement.policy`: mostly readable expressions, with a piece that is not."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.draw import Draw
from evenkeel.properties.placement.policy.trial import StoredPolicyTrial

READABLE: Final = ("host-1", "tenant/ns", "tenant/.*", "host-[a-z]", "(a|b)", ".*", "")
UNREADABLE: Final = ("[z-a]", "host-[z-a]", "(tenant/ns", "tenant/ns)", "a|(", ".*)")


def expressions(draw: Draw) -> tuple[str, ...]:
    """A few expressions; one in ten cannot be read."""
    return tuple(
        draw.pick(UNREADABLE) if draw.chance(0.1) else draw.pick(READABLE)
        for _ in draw.items(3, 0.7)
    )


def policy_trial(draw: Draw) -> StoredPolicyTrial:
    """A policy that may name nobody."""
    return StoredPolicyTrial(expressions(draw), expressions(draw), expressions(draw))
