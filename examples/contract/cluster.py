"""What the balancers share: a report as they read it, and the turns they are asked."""

from __future__ import annotations

from bisect import insort
from collections.abc import Collection, Iterable, Iterator
from random import Random
from typing import Any, ClassVar

Json = dict[str, Any]
Way = tuple[Json, Json]
"""A unit, and the node that it goes to."""


class Cluster:
    """A report, and what becomes of it while moves are planned."""

    def __init__(self, turn: Json, measure: str) -> None:
        self.turn = turn
        self.measure = measure
        self.up = {node["name"]: node for node in turn["nodes"] if node["up"]}
        self.units = {unit["name"]: unit for unit in turn["units"]}
        self.where: dict[str, str | None] = {}
        self.at: dict[str | None, list[str]] = {}
        for name in sorted(self.units):
            self.put(name, self.units[name]["node"])
        self.planned: list[Json] = []
        self.kept: set[str] = set()

    def put(self, unit: str, node: str | None) -> None:
        """From now on this node serves a unit."""
        if unit in self.where:
            self.at[self.where[unit]].remove(unit)
        self.where[unit] = node
        insort(self.at.setdefault(node, []), unit)

    def on(self, node: str) -> list[Json]:
        """The units of a node, by name."""
        return [self.units[name] for name in self.at.get(node, ())]

    def amount(self, units: Iterable[Json]) -> int:
        """How many units these are, or their load."""
        return sum(1 if self.measure == "count" else unit["load"] or 0 for unit in units)

    def use(self, node: str, more: int = 0) -> float:
        """How full a node is; with so much more, or less."""
        divisor = self.up[node]["capacity"] if self.measure == "usage" else 1
        return (self.amount(self.on(node)) + more) / divisor

    def uses(self) -> dict[str, float]:
        """How full each node is that is up."""
        return {name: self.use(name) for name in sorted(self.up)}

    def by_use(self) -> list[str]:
        """The nodes that are up, the emptiest first."""
        uses = self.uses()
        return sorted(uses, key=lambda name: (uses[name], name))

    def mean(self) -> float:
        """How full nodes are on average."""
        uses = self.uses().values()
        return sum(uses) / len(uses) if uses else 0.0

    def spread(self) -> float:
        """How much fuller the fullest node is than the emptiest."""
        uses = self.uses().values()
        return max(uses) - min(uses) if uses else 0.0

    def may_serve(self, node: Json, unit: Json) -> bool:
        """Whether a node takes a unit."""
        if unit["zone"] not in ("", node["zone"]):
            return False
        if node["limit"] is None and not unit["group"]:
            return True
        others = [one for one in self.on(node["name"]) if one["name"] != unit["name"]]
        load = sum(one["load"] or 0 for one in (*others, unit))
        room = node["limit"] is None or not unit["load"] or load <= node["limit"]
        return room and (not unit["group"] or all(one["group"] != unit["group"] for one in others))

    def takers(self, unit: Json) -> list[Json]:
        """The nodes that may take a unit, the one first that is the emptiest with it."""
        found = [node for node in self.up.values() if self.may_serve(node, unit)]
        found = [node for node in found if node["name"] != self.where[unit["name"]]]
        return sorted(found, key=lambda node: (self.with_unit(node, unit), node["name"]))

    def with_unit(self, node: Json, unit: Json) -> float:
        """How full a node is with one unit more."""
        return self.use(node["name"], self.amount([unit]))

    def without(self, unit: Json) -> float:
        """How full its node is when a unit has left it."""
        return self.use(self.where[unit["name"]] or "", -self.amount([unit]))

    def free(self, node: str) -> list[Json]:
        """The units of a node that may move for balance now."""
        rested = [u for u in self.on(node) if self.turn["round"] - u["since"] >= self.turn["grace"]]
        return [one for one in rested if one["movable"] and one["name"] not in self.kept]

    def gain(self, unit: Json, node: Json) -> float:
        """By how much a move lessens the sum of squares; 0 if the fuller gets no less full."""
        here, there = self.use(self.where[unit["name"]] or ""), self.use(node["name"])
        if there >= here:
            return 0
        left, got = self.without(unit), self.with_unit(node, unit)
        squares = here * here + there * there - left * left - got * got
        return max(squares, 0) if max(left, got) < here else 0

    def ways(self, source: str, targets: Collection[str] | None = None) -> list[Way]:
        """Each move from a node that helps, the one first that helps most."""
        nodes = [self.up[name] for name in self.up if targets is None or name in targets]
        gains = [
            (-self.gain(unit, node), unit["name"], node["name"], (unit, node))
            for unit in self.free(source)
            for node in nodes
            if node["name"] != source and self.may_serve(node, unit)
        ]
        return [way for gain, _, _, way in sorted(gains, key=lambda one: one[:3]) if gain < 0]

    def move(self, unit: Json, to: str | None) -> None:
        """Plan a move; without destination, the unit is to be stopped."""
        self.planned.append({"unit": unit["name"], "from": unit["node"], "to": to})
        self.put(unit["name"], to)
        self.kept.add(unit["name"])


class Balancer:
    """Answers the turns. It acts when nothing is on its way and what it ordered is reported."""

    measure: ClassVar[str] = "load"
    promises: ClassVar[Json] = {}

    def __init__(self) -> None:
        self.ordered = -1
        self.random = Random(0)

    def __call__(self, turn: Json) -> Json:
        """The answer to a turn."""
        if turn["do"] == "open":
            self.random = Random(turn["seed"])
            return {"promises": {"measure": self.measure, **self.promises}}
        cluster = Cluster(turn, self.measure)
        if turn["do"] == "place":
            node = self.place(cluster, cluster.units[turn["unit"]])
            return {"node": node} if node else {"cannot": "no node may serve it"}
        if self.may_act(turn):
            self.act(cluster)
        if cluster.planned:
            self.ordered = turn["round"]
        return {"moves": cluster.planned}

    def may_act(self, turn: Json) -> bool:
        """Whether it knows what its last moves have done."""
        return turn["reported"] > self.ordered and not any(u["moving"] for u in turn["units"])

    def act(self, cluster: Cluster) -> None:
        """First what must move; if that is nothing, what evens the cluster out."""
        self.rescue(cluster)
        if not cluster.planned:
            self.even_out(cluster)

    def rescue(self, cluster: Cluster) -> None:
        """Moves of units that no node serves, or one that leaves."""
        for unit in self.homeless(cluster):
            node = self.place(cluster, unit)
            if node:
                cluster.move(unit, node)

    def homeless(self, cluster: Cluster) -> Iterator[Json]:
        """The units that no node serves, or one that leaves."""
        for unit in sorted(cluster.units.values(), key=lambda one: str(one["name"])):
            placed = unit["node"] is None and self.promises.get("places")
            if unit["movable"] and unit["node"] not in cluster.up and not placed:
                yield unit

    def place(self, cluster: Cluster, unit: Json) -> str | None:
        """The node of a unit that none serves: the emptiest."""
        return next((node["name"] for node in cluster.takers(unit)), None)

    def even_out(self, cluster: Cluster) -> None:
        """Moves that even the cluster out."""
        raise NotImplementedError
