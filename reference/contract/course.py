"""What happens to a cluster, before any balancer acts: nodes, units, loads, events, reports."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from evenkeel.reference.contract.promises import LATER, Feature

LINGERS = 4
"""Rounds between a node's announcement that it leaves and its end."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node. It comes up in the round `joins`, 0: it is there from the beginning. In the round
    `leaves` it announces that it leaves; four rounds later it is gone. One that `stays` is listed
    from then on as a node that is down: not up, and serving nothing.
    """

    name: str
    capacity: int = 1
    limit: int | None = None
    zone: str = ""
    joins: int = 0
    leaves: int | None = None
    stays: bool = field(default=False, metadata=LATER)

    def is_listed(self, now: int) -> bool:
        """Whether a report has it."""
        return self.is_there(now) or (self.stays and self.joins <= now)

    def is_there(self, now: int) -> bool:
        """Whether it runs, leaving or not."""
        return self.joins <= now and (self.leaves is None or now < self.leaves + LINGERS)

    def is_up(self, now: int) -> bool:
        """Whether it runs and is not leaving."""
        return self.joins <= now and (self.leaves is None or now < self.leaves)


@dataclass(frozen=True, slots=True)
class Change:
    """From this round on the unit has this load."""

    round: int
    load: int


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of load, and the node that serves it at the beginning. One that is `pinned` may not
    be moved. For its first `silent` rounds its load is not reported. Its first `fails` moves fail:
    it stays where it is.
    """

    name: str
    load: int
    node: str | None
    pinned: bool = False
    zone: str = ""
    group: str = ""
    changes: tuple[Change, ...] = ()
    silent: int = 0
    fails: int = 0

    def load_at(self, now: int) -> int:
        """Its load in a round."""
        known = [change.load for change in self.changes if change.round <= now]
        return known[-1] if known else self.load


@dataclass(frozen=True, slots=True)
class Course:
    """A cluster and what happens to it.

    A move arrives 1 + `delay` rounds after it was ordered. Reports arrive `lag` rounds late; those
    of the rounds `lost` never do. A unit that arrived is to rest for `grace` rounds.
    """

    nodes: tuple[Node, ...]
    units: tuple[Unit, ...]
    grace: int = 0
    seed: int = 0
    delay: int = 0
    lag: int = 0
    lost: tuple[int, ...] = ()


def list_events(course: Course) -> list[int]:
    """The round of each thing that happens and that no balancer does."""
    found = [node.joins for node in course.nodes if node.joins]
    for node in course.nodes:
        if node.leaves is not None:
            found += (node.leaves, node.leaves + LINGERS)
    for unit in course.units:
        found += (change.round for change in unit.changes)
        found += (unit.silent,) if unit.silent else ()
    return sorted(found)


def simplify(course: Course, knows: Collection[Feature]) -> Course:
    """The course without the features that a balancer does not know."""
    without = frozenset(Feature) - frozenset(knows)
    nodes = tuple(_simplify_node(node, without) for node in course.nodes)
    first = next((node.name for node in nodes if not node.joins), None)
    there = {node.name for node in nodes if not node.joins}
    units = tuple(_simplify_unit(unit, without, there, first) for unit in course.units)
    late = Feature.LATE in without
    return replace(
        course,
        nodes=nodes,
        units=units,
        grace=0 if Feature.GRACE in without else course.grace,
        delay=0 if Feature.DELAY in without else course.delay,
        lag=0 if late else course.lag,
        lost=() if late else course.lost,
    )


def _simplify_node(node: Node, without: Collection[Feature]) -> Node:
    return replace(
        node,
        capacity=1 if Feature.CAPACITY in without else node.capacity,
        limit=None if Feature.LIMITS in without else node.limit,
        zone="" if Feature.ZONES in without else node.zone,
        joins=0 if Feature.JOINS in without else node.joins,
        leaves=None if Feature.LEAVES in without else node.leaves,
        stays=node.stays and Feature.LEAVES not in without,
    )


def _simplify_unit(
    unit: Unit, without: Collection[Feature], there: Collection[str], first: str | None
) -> Unit:
    node = unit.node if unit.node in there else None
    return replace(
        unit,
        node=first if node is None and Feature.UNSERVED in without else node,
        pinned=unit.pinned and Feature.PINNED not in without,
        zone="" if Feature.ZONES in without else unit.zone,
        group="" if Feature.GROUPS in without else unit.group,
        changes=() if Feature.CHANGES in without else unit.changes,
        silent=0 if Feature.UNREPORTED in without else unit.silent,
        fails=0 if Feature.FAILURES in without else unit.fails,
    )
