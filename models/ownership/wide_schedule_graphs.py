"""Large graphs of the ownership channel: a division with what can befall it, for long profiles.

Two or three brokers, the parent and its halves, transfers before and after the division, and one
crash and a change of leader, or sessions that are lost and regained; or a broker that leaves in the
midst of a division while the other is away. Their sizes are pinned.
"""

from __future__ import annotations

from typing import Final

from evenkeel.models.graph import Graph, Size
from evenkeel.models.ownership.schedule_graphs import (
    PARENT,
    at_each,
    graph_from,
    once,
    owned,
    scope_of,
)
from evenkeel.models.ownership.scope import Offer, Scope, Situation
from evenkeel.properties.ownership.channel.commands import (
    Assign,
    Bundle,
    Crash,
    Elect,
    LoseSession,
    RegainSession,
    Split,
    Unload,
)
from evenkeel.reference.ownership.records import Storage

LEFT: Final = Bundle.LEFT
SESSIONS: Final = (
    once(Split(0)),
    once(Unload(0, PARENT, 0), Unload(0, LEFT, 0)),
    at_each(LoseSession),
    at_each(RegainSession),
    at_each(Elect),
    once(Assign(0, PARENT, 0)),
)
CRASH: Final = (
    once(Split(0)),
    once(Unload(0, PARENT, 0)),
    once(Unload(0, LEFT, 2)),
    at_each(Crash, 3),
    once(Elect(1)),
)
ELECTION: Final = (
    once(Split(0)),
    once(Unload(0, PARENT, 0), Unload(0, LEFT, 2)),
    at_each(Crash, 3),
    at_each(Elect, 3),
    once(Assign(0, PARENT, 0)),
)
CRASH_OVER_NODES: Final = (
    once(Split(0)),
    once(Unload(0, PARENT, 0)),
    once(Unload(0, LEFT, 2)),
    at_each(Crash, 3),
    at_each(Elect, 3),
    once(Assign(0, PARENT, 0)),
)
SESSIONS_OF_THREE: Final = (
    once(Split(0)),
    once(Unload(0, PARENT, 0)),
    at_each(LoseSession, 3),
    at_each(RegainSession, 3),
    at_each(Elect, 3),
)


def wide(name: str, storage: Storage, brokers: int, offers: tuple[Offer, ...]) -> Scope:
    """A scope in which broker 1 owns the parent at first, and everybody knows."""
    return Scope(f"{name}, {storage.value}", storage, brokers, owned(brokers), offers)


WIDE: Final[tuple[tuple[str, Scope, str, Size], ...]] = (
    (
        "sessions-of-2",
        wide("sessions-of-2", Storage.TOPIC, 2, SESSIONS),
        "no-health-check",
        Size(199_791, 729_129),
    ),
    (
        "crash-of-3",
        wide("crash-of-3", Storage.TOPIC, 3, CRASH),
        "everybody-cleans",
        Size(166_029, 671_204),
    ),
    (
        "crash-of-3",
        wide("crash-of-3", Storage.NODES, 3, CRASH_OVER_NODES),
        "everybody-cleans",
        Size(189_588, 965_020),
    ),
    (
        "election-of-3",
        wide("election-of-3", Storage.TOPIC, 3, ELECTION),
        "everybody-cleans",
        Size(443_061, 1_787_784),
    ),
    (
        "sessions-of-3",
        wide("sessions-of-3", Storage.NODES, 3, SESSIONS_OF_THREE),
        "no-health-check",
        Size(304_673, 1_568_156),
    ),
    (
        "alone",
        scope_of("alone", Storage.TOPIC),
        "divisions_freed",
        Size(284_606, 1_055_408),
    ),
)
"""Names, scopes, the rules that are broken for comparison, and the sizes."""

GRAPHS: Final[tuple[Graph[Situation], ...]] = tuple(
    graph_from(name, scope, broken, size) for name, scope, broken, size in WIDE
)
