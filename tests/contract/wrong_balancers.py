"""Wrong balancers of six kinds: right ones with one fault each, which they do not know of."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import ClassVar

from examples.contract.cluster import Balancer, Cluster, Json
from examples.contract.right import (
    AboveMean,
    BinPacking,
    Extremes,
    Foresees,
    FullestFirst,
    Greedy,
    Minimal,
    Patient,
    RoundRobin,
    Shards,
    Sticky,
    Swaps,
    TwoChoices,
)

# ------------------------------------------------------------------------- moves without end


class PingPong(Minimal):
    """A difference of one is worth a move."""

    def even_out(self, cluster: Cluster) -> None:
        super().even_out(cluster)
        move_any(cluster, 1 if cluster.spread() == 1 and not cluster.planned else 0)


class RandomWalk(TwoChoices):
    """Now and then a unit goes somewhere at random."""

    def even_out(self, cluster: Cluster) -> None:
        super().even_out(cluster)
        if not cluster.planned and self.random.random() < 0.1:
            move_any(cluster, 1)


class ComesBack(Shards):
    """A unit is stopped where nodes differ by one: it comes back, or changes sides."""

    def even_out(self, cluster: Cluster) -> None:
        super().even_out(cluster)
        fullest = cluster.by_use()[-1:]
        units = cluster.free(fullest[0]) if fullest and not cluster.planned else []
        for unit in units[:1] if cluster.spread() == 1 else ():
            cluster.move(unit, None)


class SwapsEquals(Swaps):
    """Nodes exchange units of equal load."""

    def exchange(self, cluster: Cluster, source: str, to: str) -> bool:
        for unit, other in zip(cluster.free(source), cluster.free(to), strict=False):
            if unit["load"] == other["load"] and not unit["zone"] + other["zone"]:
                cluster.move(unit, to)
                cluster.move(other, source)
                return True
        return False


# -------------------------------------------------------------------------- moves for nothing


class Fussy(Sticky):
    """It promises to leave a difference of two alone, and evens it out."""

    def even_out(self, cluster: Cluster) -> None:
        ways = [way for source in reversed(cluster.by_use()) for way in cluster.ways(source)]
        for unit, node in ways[:1]:
            cluster.move(unit, node["name"])


class MovesNothings(Greedy):
    """Units without load go to the emptiest node."""

    def even_out(self, cluster: Cluster) -> None:
        super().even_out(cluster)
        units = [unit for node in cluster.by_use()[1:] for unit in cluster.free(node)]
        for unit in [one for one in units if one["load"] == 0][: 2 - len(cluster.planned)]:
            if cluster.may_serve(cluster.up[cluster.by_use()[0]], unit):
                cluster.move(unit, cluster.by_use()[0])


class PacksAnyway(BinPacking):
    """The packing is taken also if it is no better."""

    def profile(self, cluster: Cluster) -> list[float]:
        return [] if any(node is None for node in cluster.where.values()) else [cluster.mean()]

    def even_out(self, cluster: Cluster) -> None:
        free = [unit for name in cluster.up for unit in cluster.free(name)]
        free.sort(key=lambda one: (-(one["load"] or 0), one["name"]))
        for index, unit in enumerate(free):
            if (to := sorted(cluster.up)[index % len(cluster.up)]) != unit["node"]:
                cluster.move(unit, to)


class OneTooMany(Greedy):
    """It counts to two, and begins at nought."""

    def even_out(self, cluster: Cluster) -> None:
        super().even_out(cluster)
        super().even_out(cluster)


class BelowThreshold(AboveMean):
    """A node above the mean gives, not only one that is far above."""

    def even_out(self, cluster: Cluster) -> None:
        for source in reversed(cluster.by_use()):
            ways = cluster.ways(source)
            if ways and cluster.use(source) > cluster.mean():
                cluster.move(ways[0][0], ways[0][1]["name"])


class NeverRested(TwoChoices):
    """Units that have just arrived move on."""

    def even_out(self, cluster: Cluster) -> None:
        cluster.turn = {**cluster.turn, "grace": 0}
        super().even_out(cluster)


# ---------------------------------------------------------------- overshoot on stale load


class Storm(Greedy):
    """It does not ask how old the report is."""

    def may_act(self, turn: Json) -> bool:
        return not any(unit["moving"] for unit in turn["units"])


class Overshoots(Greedy):
    """It does not move a unit again too early, but forgets what its last moves will do."""

    def may_act(self, turn: Json) -> bool:
        return True

    def even_out(self, cluster: Cluster) -> None:
        asked = self.__dict__.setdefault("asked", {})
        seen = cluster.turn["reported"]
        cluster.kept |= {name for name, ordered in asked.items() if seen <= ordered}
        super().even_out(cluster)
        asked |= {one["unit"]: cluster.turn["round"] for one in cluster.planned}


class ForgetsOrders(Foresees):
    """Orders are forgotten after a round."""

    def act(self, cluster: Cluster) -> None:
        now = cluster.turn["round"]
        self.orders = {unit: it for unit, it in self.orders.items() if it[0] >= now - 1}
        super().act(cluster)


class BelievesInOrders(Foresees):
    """What was ordered has happened: a move that failed is not seen."""

    def act(self, cluster: Cluster) -> None:
        super().act(cluster)
        self.__dict__.setdefault("ever", {}).update(self.orders)
        self.orders = dict(self.__dict__["ever"])

    def may_act(self, turn: Json) -> bool:
        for name, (_, to) in self.__dict__.get("ever", {}).items():
            self.orders[name] = (10**9, to)
        return True


class AllToOne(AboveMean):
    """All that is too much goes to the node that was the emptiest at first."""

    def even_out(self, cluster: Cluster) -> None:
        mean, nodes = cluster.mean(), cluster.by_use()
        for source in reversed(nodes):
            for unit in cluster.free(source):
                if cluster.use(source) > mean + 2 and cluster.may_serve(cluster.up[nodes[0]], unit):
                    cluster.move(unit, nodes[0])


class Smooths(Greedy):
    """It decides by loads that are averages of what was reported."""

    def even_out(self, cluster: Cluster) -> None:
        known = self.__dict__.setdefault("known", {})
        for name, unit in cluster.units.items():
            known[name] = (known.get(name, unit["load"] or 0) + (unit["load"] or 0)) / 2
        cluster.units = {name: {**u, "load": known[name]} for name, u in cluster.units.items()}
        super().even_out(cluster)


class ChecksLimitsOnce(Extremes):
    """Several units go to a node that has room for each of them, but not for all."""

    def even_out(self, cluster: Cluster) -> None:
        nodes = cluster.by_use()
        for unit, _ in cluster.ways(nodes[-1], nodes[:1]) if nodes else ():
            if 2 * (unit["load"] or 0) <= cluster.use(nodes[-1]) - cluster.use(nodes[0]):
                cluster.move(unit, nodes[0])


# ------------------------------------------------------------------ moves from the wrong side


class FromTheEmptiest(Greedy):
    """It takes the smallest for the largest."""

    def even_out(self, cluster: Cluster) -> None:
        nodes = cluster.by_use()
        for unit in cluster.free(nodes[0])[:1] if nodes and cluster.spread() else ():
            if cluster.may_serve(cluster.up[nodes[-1]], unit) and nodes[-1] != nodes[0]:
                cluster.move(unit, nodes[-1])


class AnyoneFirst(FullestFirst):
    """The first node that can gives, not the fullest."""

    def even_out(self, cluster: Cluster) -> None:
        ways = [way for source in sorted(cluster.up) for way in cluster.ways(source)]
        for unit, node in ways[:1]:
            cluster.move(unit, node["name"])


class NamesTheTarget(Greedy):
    """As the node that gives it names the one that gets."""

    def act(self, cluster: Cluster) -> None:
        super().act(cluster)
        for one in cluster.planned:
            one["from"] = one["to"]


class CapacityForgotten(FullestFirst):
    """It promises to even out usage, and evens out load."""

    def even_out(self, cluster: Cluster) -> None:
        cluster.measure = "load"
        super().even_out(cluster)


class ToLeavers(Greedy):
    """A node that is leaving is taken for one that is there."""

    def act(self, cluster: Cluster) -> None:
        cluster.up = {node["name"]: node for node in cluster.turn["nodes"]}
        super().act(cluster)


class LightAnywhere(Greedy):
    """A unit without load may go to any node, in whatever zone."""

    def place(self, cluster: Cluster, unit: Json) -> str | None:
        return super().place(cluster, unit if unit["load"] else {**unit, "zone": ""})


class AnyZone(RoundRobin):
    """A unit without a node goes to the next one, whatever its zone."""

    def place(self, cluster: Cluster, unit: Json) -> str | None:
        return super().place(cluster, {**unit, "zone": ""})


class PushesOn(Minimal):
    """What the last node got it gives to the first."""

    def even_out(self, cluster: Cluster) -> None:
        super().even_out(cluster)
        last = max(cluster.up, default="")
        for unit in cluster.free(last)[:1] if not cluster.planned and len(cluster.up) > 1 else ():
            if unit["since"] >= 0 and cluster.may_serve(cluster.up[min(cluster.up)], unit):
                cluster.move(unit, min(cluster.up))


# --------------------------------------------------------------- dependence on names or order


class AsListed(FullestFirst):
    """Of equal units the first listed goes, though any order is promised."""

    def even_out(self, cluster: Cluster) -> None:
        super().even_out(cluster)
        for one in cluster.planned:
            alike = [
                name
                for name, unit in cluster.units.items()
                if unit["node"] == one["from"]
                and {**unit, "name": ""} == {**cluster.units[one["unit"]], "name": ""}
            ]
            one["unit"] = alike[0]


class NodesAsListed(Greedy):
    """Of equally full nodes the first listed gets a unit."""

    def place(self, cluster: Cluster, unit: Json) -> str | None:
        takers = cluster.takers(unit)
        order = list(cluster.up)
        takers.sort(key=lambda node: (cluster.with_unit(node, unit), order.index(node["name"])))
        return takers[0]["name"] if takers else None


class OwnRandom(TwoChoices):
    """It draws from random numbers of its own, not from the seed."""

    def __init__(self) -> None:
        super().__init__()
        self.own = Random()

    def even_out(self, cluster: Cluster) -> None:
        self.random = self.own
        super().even_out(cluster)


class Remembers(Patient):
    """It remembers how long it waited in another trial."""

    ever: ClassVar[list[int]] = [0]

    def even_out(self, cluster: Cluster) -> None:
        self.ever[0] += 1
        if self.ever[0] % 3:
            super().even_out(cluster)


class Uphill(Minimal):
    """It moves on only to nodes whose names come later."""

    def even_out(self, cluster: Cluster) -> None:
        for source in reversed(cluster.by_use()):
            later = [name for name in cluster.up if name > source]
            for unit, node in cluster.ways(source, later)[:1] if cluster.spread() > 1 else ():
                cluster.move(unit, node["name"])


# ------------------------------------------------------------------------------- never even


class Idle(Greedy):
    """It takes care of units without a node, and of nothing else."""

    def even_out(self, cluster: Cluster) -> None:
        pass


class PromisesNothing(Idle):
    """The same, with no promise at all."""

    measure = None  # type: ignore[assignment]
    promises: ClassVar[Json] = {}


class LightUnitsStay(Greedy):
    """Units of load 1 are not worth a move."""

    def even_out(self, cluster: Cluster) -> None:
        cluster.kept |= {name for name, unit in cluster.units.items() if unit["load"] == 1}
        super().even_out(cluster)


class GivesUp(Greedy):
    """A unit is asked to move once in its life."""

    def even_out(self, cluster: Cluster) -> None:
        asked = self.__dict__.setdefault("asked", set())
        cluster.kept |= asked
        super().even_out(cluster)
        asked |= {one["unit"] for one in cluster.planned}


class Tires(Greedy):
    """After round 15 it does no more."""

    def even_out(self, cluster: Cluster) -> None:
        if cluster.turn["round"] < 15:
            super().even_out(cluster)


class WaitsForTheDown(Greedy):
    """While a node is leaving or down it evens nothing out."""

    def even_out(self, cluster: Cluster) -> None:
        if all(node["up"] for node in cluster.turn["nodes"]):
            super().even_out(cluster)


class Overflows(Greedy):
    """It adds loads up as numbers of 32 bits."""

    def even_out(self, cluster: Cluster) -> None:
        add = cluster.amount
        cluster.amount = lambda units: (add(units) + 2**31) % 2**32 - 2**31  # type: ignore[method-assign]
        super().even_out(cluster)


class BlockedByOne(FullestFirst):
    """If the fullest node cannot give, none does; if its unit may not go, none does."""

    def even_out(self, cluster: Cluster) -> None:
        for source in cluster.by_use()[-1:]:
            for unit in cluster.free(source)[:1]:
                ways = [way for way in cluster.ways(source) if way[0] is unit]
                for _, node in ways[:1]:
                    cluster.move(unit, node["name"])


class LeavesThemUnserved(Greedy):
    """Units that no node serves are none of its business."""

    def homeless(self, cluster: Cluster) -> Iterable[Json]:  # type: ignore[override]
        return [unit for unit in super().homeless(cluster) if unit["node"] is not None]


class BreaksWithoutALoad(Greedy):
    """A unit whose load is not reported is too much for it."""

    def act(self, cluster: Cluster) -> None:
        assert all(unit["load"] + 1 for unit in cluster.units.values())
        super().act(cluster)


def move_any(cluster: Cluster, many: int) -> None:
    """The heaviest units of the fullest node go to the emptiest, if they may."""
    nodes = cluster.by_use()
    units = sorted(cluster.free(nodes[-1]), key=lambda one: -(one["load"] or 0)) if nodes else []
    for unit in units[:many]:
        if len(nodes) > 1 and cluster.may_serve(cluster.up[nodes[0]], unit):
            cluster.move(unit, nodes[0])


WRONG: dict[str, type[Balancer]] = {
    name: one
    for name, one in list(globals().items())
    if isinstance(one, type) and issubclass(one, Balancer) and one.__module__ == __name__
    if one is not PromisesNothing
}
