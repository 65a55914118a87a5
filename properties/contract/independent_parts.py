"""How the independent generator draws clusters of this chapter: a few nodes, most units on one of
them, loads with a heavy tail, and seldom more than two things that go wrong.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, get_args

from evenkeel.properties.independent_parts import Production
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.independent.maker import Shaper, wire_hints

LATEST: Final = 20
ZONES: Final = ("", "eu-west-1", "eu-west-1b")


def cluster(maker: Production, kind: str = "Rebalance") -> dict[str, Any]:
    """Nodes, units on them, and what happens."""
    world, draw = maker.world, maker.draw
    types = wire_hints(maker.kinds[kind])
    node, unit = (get_args(types[name])[0] for name in ("nodes", "units"))
    busy = draw.pick((0.0, 0.1, 0.3))
    names = world.some(world.brokers, 9, 1)
    nodes = tuple(maker.make_part(node, name=one, **shape_node(draw, busy)) for one in names)
    first = [one.name for one in nodes if not one.joins]
    loads = draw.pick(((1,), (1, 1, 2, 3, 50), (7, 11, 13), (1000, 1001), (0, 2**31)))
    units = tuple(
        maker.make_part(
            unit, name=one, load=draw.pick(loads), **shape_unit(draw, unit, first, busy)
        )
        for one in world.some(world.bundles, 25, 0)
    )
    late = draw.chance(busy)
    return {
        "nodes": nodes,
        "units": units,
        "grace": draw.integer(1, 6) if draw.chance(busy) else 0,
        "delay": draw.integer(1, 2) if draw.chance(busy) else 0,
        "lag": draw.integer(0, 2) if late else 0,
        "lost": tuple(sorted({draw.integer(1, LATEST) for _ in draw.items(2, 0.4)}))
        if late
        else (),
    }


def make_unserved(maker: Production) -> dict[str, Any]:
    """The same, mostly without nodes that serve anything."""
    made = cluster(maker, "Place")
    units = tuple(
        one if maker.draw.chance(0.3) else replace(one, node=None) for one in made["units"]
    )
    return {"nodes": made["nodes"], "units": units}


def shape_node(draw: Draw, busy: float) -> dict[str, Any]:
    """Alike, but for a few."""
    joins = draw.integer(1, LATEST) if draw.chance(busy) else 0
    leaves = joins + draw.integer(1, LATEST) if draw.chance(busy / 2) else None
    return {
        "capacity": draw.pick((8, 1, 16)) if draw.chance(busy) else 8,
        "limit": draw.pick((1, 20, 100)) if draw.chance(busy / 3) else None,
        "zone": draw.pick(ZONES),
        "joins": joins,
        "leaves": leaves,
        "stays": leaves is not None and draw.chance(0.5),
    }


def shape_unit(draw: Draw, unit: Any, first: list[str], busy: float) -> dict[str, Any]:
    """On one of the nodes that are there, the first one mostly."""
    change = get_args(wire_hints(unit)["changes"])[0]
    rounds = sorted({draw.integer(1, LATEST) for _ in draw.items(2, busy / 2)})
    return {
        "node": draw.pick((first[0], draw.pick(first)))
        if first and not draw.chance(busy / 3)
        else None,
        "pinned": draw.chance(busy / 4),
        "zone": draw.pick(ZONES) if draw.chance(busy / 4) else "",
        "group": draw.pick(("g", "")) if draw.chance(busy / 3) else "",
        "changes": tuple(change(one, draw.pick((0, 3, 40))) for one in rounds),
        "silent": draw.integer(1, 4) if draw.chance(busy / 6) else 0,
        "fails": draw.integer(1, 3) if draw.chance(busy / 4) else 0,
    }


SHAPERS: Final[dict[str, Shaper]] = {"Rebalance": cluster, "Place": make_unserved}
