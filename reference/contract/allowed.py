"""Which node may serve a unit, and how even a cluster is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from evenkeel.reference.contract.promises import Measure, Trigger
from evenkeel.reference.contract.turn import NodeView, UnitView
from evenkeel_engine.frame.clauses import states


@states("CON-6", "CON-7")
def may_serve(
    node: NodeView, unit: UnitView, where: Mapping[str, str | None], units: Sequence[UnitView]
) -> bool:
    """Whether a node takes a unit: it is up, in the unit's zone, has room, and serves no other
    unit of the group.
    """
    if not node.up or unit.zone not in ("", node.zone):
        return False
    if node.limit is None and not unit.group:
        return True
    others = [one for one in units if where[one.name] == node.name and one.name != unit.name]
    if unit.group and any(one.group == unit.group for one in others):
        return False
    carried = sum(one.load or 0 for one in others)
    return node.limit is None or carried + (unit.load or 0) <= node.limit


def weigh(unit: UnitView, node: NodeView, measure: Measure) -> float:
    """What a unit adds to the measure of a node."""
    if measure is Measure.COUNT:
        return 1
    load = unit.load or 0
    return load if measure is Measure.LOAD else load / node.capacity


@states("CON-24")
def measure_nodes(
    nodes: Iterable[NodeView],
    units: Iterable[UnitView],
    where: Mapping[str, str | None],
    measure: Measure,
) -> dict[str, float]:
    """The measure of each node that is up."""
    up = {node.name: node for node in nodes if node.up}
    found = dict.fromkeys(up, 0.0)
    for unit in units:
        node = up.get(where[unit.name] or "")
        if node is not None:
            found[node.name] += weigh(unit, node, measure)
    return found


@states("CON-9")
def distance(use: Mapping[str, float], trigger: Trigger) -> float:
    """How far from even the nodes are: 0 for one node or none."""
    if not use:
        return 0.0
    most, least = max(use.values()), min(use.values())
    if trigger is Trigger.DIFFERENCE:
        return most - least
    mean = sum(use.values()) / len(use)
    if trigger is Trigger.ABOVE_MEAN:
        return most - mean
    by = least if trigger is Trigger.RATIO else mean
    return 0.0 if most == by else (most / by - 1 if by else float("inf"))
