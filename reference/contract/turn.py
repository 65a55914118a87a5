"""What a balancer is shown in a turn, and what it answers.

Loads are whole numbers of any unit; time is counted in rounds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from evenkeel.reference.contract.promises import Promises

LATER: Final = {"omittable": True}
LONG_AGO: Final = -1_000
"""`since` of a unit that the balancer has not moved."""


class Kind(StrEnum):
    """What is asked: the promises, which units move, or where one unit goes."""

    OPEN = "open"
    REBALANCE = "rebalance"
    PLACE = "place"


@dataclass(frozen=True, slots=True)
class NodeView:
    """A node as it is reported.

    `capacity` divides its load where a balancer measures usage. `limit` is the load that it
    carries at most; null: any. A node that is not `up` takes nothing. It is leaving, and serves
    what it has for four rounds more, or it is down: it serves nothing, and stays listed.
    """

    name: str
    capacity: int
    limit: int | None
    zone: str
    up: bool


@dataclass(frozen=True, slots=True)
class UnitView:
    """A unit of load as it is reported.

    `node` serves it; null: none does. `load` is null where none is reported.
    A unit may be moved if it is `movable`; one that is `moving` is on its way and is not.
    `since` is the round in which its last move arrived, -1000 if the balancer has not moved it.
    `zone` is the zone in which it must be served; empty: any. No node serves two units of one
    `group`, unless the group is empty.
    """

    name: str
    node: str | None
    load: int | None
    movable: bool
    moving: bool
    since: int
    zone: str
    group: str


@dataclass(frozen=True, slots=True)
class Turn:
    """One message to the balancer. `open` begins a trial: make a new balancer, and answer what it
    promises; nodes and units are empty. `rebalance` asks which units move; `place` asks for the
    node of `unit`, which no node serves, if the balancer promises `places`. In `contract.placement`
    every balancer is asked, and one without this promise may name none.

    `round` is the time, `reported` the round that nodes and units are reported of. A unit that has
    arrived rests for `grace` rounds. `seed` is for balancers that choose at random.
    """

    do: Kind
    round: int
    reported: int
    grace: int
    seed: int
    nodes: tuple[NodeView, ...]
    units: tuple[UnitView, ...]
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """A unit is to leave `from`. Without `to` it is stopped there, and placed afterwards. Without
    `from` it is a unit that no node serves.
    """

    unit: str
    source: str | None = field(metadata={"wire": "from"})
    to: str | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a turn: `promises` to open, `moves` to rebalance, `node` to place.

    `cannot` says why there is none: no node has room, say. `broke` is what the harness records
    where the balancer failed.
    """

    promises: Promises | None = field(default=None, metadata=LATER)
    moves: tuple[Move, ...] = field(default=(), metadata=LATER)
    node: str | None = field(default=None, metadata=LATER)
    cannot: str = field(default="", metadata=LATER)
    broke: str = field(default="", metadata=LATER)
