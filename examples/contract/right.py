"""Right balancers, each of a philosophy of its own. Each promises what it keeps, and no more."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar
from zlib import crc32

from examples.contract.cluster import Balancer, Cluster, Json

RESTS: Json = {"rests_within": 8, "rests_per_unit": 3}
SAME: Json = {"repeats": "any order", "renames": True}
EVEN: Json = {"trigger": 0, "lessens": "move", "grace": True, "scales": True, **RESTS, **SAME}


class Greedy(Balancer):
    """Of all moves, those that help most."""

    promises: ClassVar[Json] = {**EVEN, "most_moves": 2}

    def even_out(self, cluster: Cluster) -> None:
        """The two best moves, in order."""
        for _ in range(2):
            ways = [way for node in cluster.by_use() for way in cluster.ways(node)[:1]]
            if ways:
                unit, node = max(ways, key=lambda way: (cluster.gain(*way), way[0]["name"]))
                cluster.move(unit, node["name"])


class FullestFirst(Balancer):
    """From the fullest node that can help, always one unit, to the emptiest."""

    measure = "usage"
    promises: ClassVar[Json] = {**EVEN, "most_moves": 1, "fullest_first": True}

    def even_out(self, cluster: Cluster) -> None:
        """One move from the fullest node that has any."""
        for source in reversed(cluster.by_use()):
            for unit, node in cluster.ways(source)[:1]:
                cluster.move(unit, node["name"])
                return


class TwoChoices(Balancer):
    """Two random nodes: the fuller one gives. If it cannot, two others are tried."""

    promises: ClassVar[Json] = {**EVEN, "repeats": "as listed", "rests_per_unit": 6}

    def even_out(self, cluster: Cluster) -> None:
        """Of the pairs in random order, the first two that can."""
        nodes = list(cluster.up)
        pairs = [(one, other) for one in nodes for other in nodes if one != other]
        for source, to in self.random.sample(pairs, len(pairs)):
            ways = cluster.ways(source, [to])
            if ways:
                cluster.move(self.random.choice(ways)[0], to)
            if len(cluster.planned) == 2:
                return


class BoundedRing(Balancer):
    """Consistent hashing with bounded loads: a unit belongs to the first node on the ring that has
    room below twice the mean. What is above leaves.
    """

    measure = "count"
    promises: ClassVar[Json] = {**EVEN, "trigger": 1, "trigger_by": "ratio to mean"}

    def place(self, cluster: Cluster, unit: Json) -> str | None:
        """The first node on the ring with room; if none has, the emptiest."""
        start = crc32(unit["name"].encode())
        found = sorted(
            (node["name"] for node in cluster.takers(unit)),
            key=lambda name: (crc32(name.encode()) - start) % 2**32,
        )
        below = (name for name in found if cluster.use(name) < self.bound(cluster))
        return next(below, super().place(cluster, unit))

    def bound(self, cluster: Cluster) -> int:
        """How many units a node has at most."""
        served = [node for node in cluster.where.values() if node in cluster.up]
        return max(2 * len(served) // max(len(cluster.up), 1), 1)

    def even_out(self, cluster: Cluster) -> None:
        """The units above the bound go on along the ring."""
        for source in cluster.by_use():
            for unit in cluster.free(source):
                to = self.place(cluster, unit)
                if to and cluster.use(source) > self.bound(cluster) > cluster.use(to):
                    cluster.move(unit, to)


class Minimal(Balancer):
    """As few moves as can be: all at once, from nodes with too many to nodes with too few."""

    measure = "count"
    promises: ClassVar[Json] = {**EVEN, "trigger": 1, "evenness": 1, "minimal": True}

    def even_out(self, cluster: Cluster) -> None:
        """From the fullest to the emptiest while they differ by more than one."""
        while cluster.spread() > 1:
            ways = [way for source in reversed(cluster.by_use()) for way in cluster.ways(source)]
            if not ways:
                return
            cluster.move(ways[0][0], ways[0][1]["name"])


class Swaps(Balancer):
    """The fullest node and another one exchange units, if no single move is better."""

    promises: ClassVar[Json] = {**EVEN, "lessens": "round"}

    def even_out(self, cluster: Cluster) -> None:
        """The best move or exchange of two nodes, tried with the fullest node first."""
        for source in reversed(cluster.by_use()):
            ways = cluster.ways(source)
            if ways:
                cluster.move(ways[0][0], ways[0][1]["name"])
                return
            for to in cluster.by_use():
                if to != source and self.exchange(cluster, source, to):
                    return

    def exchange(self, cluster: Cluster, source: str, to: str) -> bool:
        """Exchange two units if both nodes are then less full than the fuller one was."""
        most = cluster.use(source)
        for unit in cluster.free(source):
            for other in cluster.free(to):
                tried = Cluster(cluster.turn, self.measure)
                tried.put(unit["name"], to)
                tried.put(other["name"], source)
                fits = tried.may_serve(tried.up[to], unit)
                fits = fits and tried.may_serve(tried.up[source], other)
                if fits and max(tried.use(source), tried.use(to)) < most:
                    cluster.move(unit, to)
                    cluster.move(other, source)
                    return True
        return False


class Hysteresis(Balancer):
    """It begins when nodes differ by more than 4, and ends when they differ by at most 2."""

    promises: ClassVar[Json] = {**EVEN, "trigger": None, "evenness": 4, "scales": False}

    def __init__(self) -> None:
        super().__init__()
        self.begun = False

    def even_out(self, cluster: Cluster) -> None:
        """One move for each round in which it is at work."""
        self.begun = cluster.spread() > (2 if self.begun else 4)
        ways = [way for source in reversed(cluster.by_use()) for way in cluster.ways(source)]
        if self.begun and ways:
            cluster.move(ways[0][0], ways[0][1]["name"])


class Patient(Balancer):
    """In each round it tosses a coin; after four rounds without a move it acts in any case."""

    promises: ClassVar[Json] = {
        **EVEN,
        "repeats": "as listed",
        "waits": 4,
        "rests_within": 20,
        "rests_per_unit": 8,
    }

    def __init__(self) -> None:
        super().__init__()
        self.waited = 0

    def even_out(self, cluster: Cluster) -> None:
        """A random move of those that help, if the coin says so."""
        ways = [way for source in cluster.by_use() for way in cluster.ways(source)]
        self.waited += 1
        if ways and (self.waited > 4 or self.random.random() < 0.5):
            unit, node = self.random.choice(ways)
            cluster.move(unit, node["name"])
            self.waited = 0


class Quantiles(Balancer):
    """The upper third of the nodes gives to the lower third. It computes in fractions."""

    measure = "usage"
    promises: ClassVar[Json] = {**EVEN, "trigger": 1, "scales": False}

    def even_out(self, cluster: Cluster) -> None:
        """Each pair of an upper and a lower node that differ by more than one exchanges a unit."""
        nodes = sorted(cluster.up, key=lambda name: (self.exact(cluster, name), name))
        third = -(-len(nodes) // 3)
        for source in reversed(nodes[-third:]):
            for to in nodes[:third]:
                ways = cluster.ways(source, [to])
                if ways and self.exact(cluster, source) - self.exact(cluster, to) > 1:
                    cluster.move(ways[0][0], to)
        if not cluster.planned and nodes:
            full, low = (self.exact(cluster, nodes[at]) for at in (-1, 0))
            rest = [way for source in reversed(nodes) for way in cluster.ways(source)]
            for unit, node in rest[:1] if full - low > 1 else ():
                cluster.move(unit, node["name"])

    def exact(self, cluster: Cluster, name: str) -> Fraction:
        """How full a node is, exactly."""
        load = sum(unit["load"] or 0 for unit in cluster.on(name))
        return Fraction(load, cluster.up[name]["capacity"])


class StopsAndPlaces(Balancer):
    """It stops units of the fullest nodes, and puts each where it meant to, or where it fits."""

    promises: ClassVar[Json] = {**EVEN, "places": True, "lessens": "round", "most_moves": 2}

    def __init__(self) -> None:
        super().__init__()
        self.meant: dict[str, str] = {}

    def even_out(self, cluster: Cluster) -> None:
        """The two best moves from the fullest nodes, announced without their destinations."""
        for source in reversed(cluster.by_use()):
            for unit, node in cluster.ways(source)[:1]:
                if len(cluster.planned) < 2:
                    self.meant[unit["name"]] = node["name"]
                    cluster.move(unit, node["name"])
                    cluster.planned[-1]["to"] = None

    def rescue(self, cluster: Cluster) -> None:
        """A unit of a node that leaves is stopped if another node may serve it."""
        for unit in self.homeless(cluster):
            if cluster.takers(unit):
                cluster.move(unit, None)

    def place(self, cluster: Cluster, unit: Json) -> str | None:
        """Where it was meant to go, if it still may; else the emptiest."""
        names = [node["name"] for node in cluster.takers(unit)]
        meant = self.meant.pop(unit["name"], None)
        return meant if meant in names else next(iter(names), None)


class Shards(StopsAndPlaces):
    """As shards are evened out elsewhere: one unit is stopped, and is placed by count."""

    measure = "count"
    promises: ClassVar[Json] = {
        **EVEN,
        "places": True,
        "trigger": 1,
        "evenness": 1,
        "most_moves": 1,
    }

    def even_out(self, cluster: Cluster) -> None:
        """One unit of a fullest node that can help."""
        ways = [way for source in reversed(cluster.by_use()) for way in cluster.ways(source)]
        if ways and cluster.spread() > 1:
            cluster.move(ways[0][0], None)


class RoundRobin(Balancer):
    """Nodes take turns in getting units."""

    measure = "count"
    promises: ClassVar[Json] = {**EVEN, "trigger": 1, "evenness": 1, "places": True}

    def __init__(self) -> None:
        super().__init__()
        self.last = ""

    def in_turn(self, names: list[str]) -> list[str]:
        """The names, beginning after the node that got a unit last."""
        return sorted(names, key=lambda name: (name <= self.last, name))

    def place(self, cluster: Cluster, unit: Json) -> str | None:
        """The next node that may serve it."""
        names = self.in_turn([node["name"] for node in cluster.takers(unit)])
        self.last = names[0] if names else self.last
        return names[0] if names else None

    def even_out(self, cluster: Cluster) -> None:
        """To each node in turn, from the fullest node that differs by more than one."""
        for to in self.in_turn(list(cluster.up)):
            for source in reversed(cluster.by_use()):
                ways = cluster.ways(source, [to])
                if ways:
                    cluster.move(ways[0][0], to)
                    self.last = to
                    break


class PlacesOnly(RoundRobin):
    """It places what no node serves, and moves nothing: no cluster is uneven enough for it."""

    promises: ClassVar[Json] = {"trigger": 10**9, "places": True, **RESTS, **SAME}

    def act(self, cluster: Cluster) -> None:
        """It leaves units where they are, also on nodes that leave: they are placed afterwards."""


class Variance(Balancer):
    """It lessens the variance of usage, also where the fuller of two nodes gets no less full."""

    measure = "usage"
    promises: ClassVar[Json] = {**EVEN, "most_moves": 1}

    def even_out(self, cluster: Cluster) -> None:
        """The move that lessens it most."""
        ways = [
            (self.fall(cluster, unit, node), unit["name"], node["name"], unit)
            for source in cluster.by_use()
            for unit in cluster.free(source)
            for node in cluster.takers(unit)
            if cluster.use(node["name"]) < cluster.use(source)
        ]
        best = max(ways, key=lambda way: way[:3], default=None)
        if best and best[0] > 1e-9:
            cluster.move(best[3], best[2])

    def fall(self, cluster: Cluster, unit: Json, node: Json) -> float:
        """By how much a move lessens the sum of the squares of usages."""
        before = cluster.use(unit["node"]), cluster.use(node["name"])
        after = cluster.without(unit), cluster.with_unit(node, unit)
        return self.square(cluster, unit, node, before) - self.square(cluster, unit, node, after)

    def square(self, cluster: Cluster, unit: Json, node: Json, use: tuple[float, float]) -> float:
        """The sum for the two nodes, if they are so full."""
        return use[0] ** 2 + use[1] ** 2


class ByCapacity(Variance):
    """It evens out loads where nodes of more capacity are to have more: the sum of load² by
    capacity falls.
    """

    def square(self, cluster: Cluster, unit: Json, node: Json, use: tuple[float, float]) -> float:
        """The sum of load² / capacity of the two."""
        source = cluster.up[unit["node"]]
        return float(use[0] ** 2 * source["capacity"] + use[1] ** 2 * node["capacity"])


class Sticky(Balancer):
    """A unit stays where it is as long as it can; who has been longest at its place goes first."""

    measure = "count"
    promises: ClassVar[Json] = {**EVEN, "trigger": 2, "evenness": 2, "most_moves": 1}

    def even_out(self, cluster: Cluster) -> None:
        """The unit that has been longest at its place, of all that would help."""
        if cluster.spread() <= 2:
            return
        ways = [way for source in cluster.by_use() for way in cluster.ways(source)]
        eldest = min(ways, key=lambda way: (way[0]["since"], way[0]["name"]), default=None)
        if eldest:
            cluster.move(eldest[0], eldest[1]["name"])


class Lazy(Greedy):
    """It lets a node leave with its units, and takes care of them when no node serves them."""

    def homeless(self, cluster: Cluster) -> list[Json]:  # type: ignore[override]
        """The units that no node serves."""
        return [unit for unit in super().homeless(cluster) if unit["node"] is None]


class BinPacking(Balancer):
    """It packs all units again, the largest first, and takes the result if it is more even."""

    promises: ClassVar[Json] = {
        **EVEN,
        "lessens": "round",
        "memory": False,
        "knows": ["unserved", "joins", "leaves", "changes", "grace", "delay"],
    }

    def may_act(self, turn: Json) -> bool:
        """Reports are never late to who does not know late reports: it remembers nothing."""
        return not any(unit["moving"] for unit in turn["units"])

    def even_out(self, cluster: Cluster) -> None:
        """Everything to its place in the packing; if that is no better, the best single move."""
        packed = Cluster(cluster.turn, self.measure)
        free = [unit for name in packed.up for unit in packed.free(name)]
        for unit in free:
            packed.put(unit["name"], None)
        for unit in sorted(free, key=lambda one: (-(one["load"] or 0), one["name"])):
            packed.put(unit["name"], packed.by_use()[0])
        if self.profile(packed) < self.profile(cluster):
            for unit in free:
                if packed.where[unit["name"]] != unit["node"]:
                    cluster.move(unit, packed.where[unit["name"]])
        else:
            ways = [way for source in reversed(cluster.by_use()) for way in cluster.ways(source)]
            for unit, node in ways[:1]:
                cluster.move(unit, node["name"])

    def profile(self, cluster: Cluster) -> list[float]:
        """How full the nodes are, the fullest first."""
        return sorted(cluster.uses().values(), reverse=True)


class AboveMean(Balancer):
    """As a threshold shedder: what is more than 2 above the mean gives until it is not."""

    measure = "usage"
    promises: ClassVar[Json] = {
        **EVEN,
        "trigger": 2,
        "trigger_by": "above mean",
        "repeats": "as listed",
        "scales": False,
    }

    def even_out(self, cluster: Cluster) -> None:
        """From each node above the threshold, to random nodes that stay below it."""
        mean = cluster.mean()
        for source in reversed(cluster.by_use()):
            while cluster.use(source) > mean + 2:
                ways = cluster.ways(source)
                low = [way for way in ways if cluster.with_unit(way[1], way[0]) <= mean + 2]
                if not ways:
                    break
                unit, node = self.random.choice(low or ways)
                cluster.move(unit, node["name"])


class Pairs(Balancer):
    """As a transfer shedder: the fullest gives to the emptiest, the second to the second, and so
    on, as long as they differ by more than a fifth of the mean.
    """

    promises: ClassVar[Json] = {**EVEN, "trigger": 0.2, "trigger_by": "ratio to mean"}

    def even_out(self, cluster: Cluster) -> None:
        """One unit from each upper node to the node that mirrors it; else the first that can."""
        nodes, mean = cluster.by_use(), cluster.mean()
        if not nodes or cluster.use(nodes[-1]) <= mean * 1.2:
            return
        half = len(nodes) // 2
        for source, to in zip(reversed(nodes[-half:]), nodes[:half], strict=True):
            for unit, node in cluster.ways(source, [to])[:1]:
                cluster.move(unit, node["name"])
        rest = [way for source in reversed(nodes) for way in cluster.ways(source)]
        if not cluster.planned and rest:
            cluster.move(rest[0][0], rest[0][1]["name"])


class Extremes(Balancer):
    """As an averaging shedder: when the two extremes have differed by half for two rounds, they
    halve their difference.
    """

    promises: ClassVar[Json] = {
        **EVEN,
        "trigger": 0.5,
        "trigger_by": "ratio",
        "waits": 4,
        "rests_within": 12,
        "rests_per_unit": 6,
    }

    def __init__(self) -> None:
        super().__init__()
        self.hits = 0

    def even_out(self, cluster: Cluster) -> None:
        """Units of the fullest node, as long as they do not exceed half the difference."""
        nodes = cluster.by_use()
        uneven = bool(nodes) and cluster.use(nodes[-1]) > cluster.use(nodes[0]) * 1.5
        self.hits = self.hits + 1 if uneven else 0
        if self.hits < 2:
            return
        source, to = nodes[-1], nodes[0]
        for unit, _ in cluster.ways(source, [to]):
            half = 2 * (unit["load"] or 0) <= cluster.use(source) - cluster.use(to)
            if half and cluster.may_serve(cluster.up[to], unit):
                cluster.move(unit, to)
        rest = [way for source in reversed(nodes) for way in cluster.ways(source)]
        if not cluster.planned and rest:
            cluster.move(rest[0][0], rest[0][1]["name"])
        self.hits = 0


class Steals(Balancer):
    """Work stealing: nodes with little pull a unit from the fullest that has one for them."""

    promises: ClassVar[Json] = {**EVEN, "repeats": "as listed"}

    def even_out(self, cluster: Cluster) -> None:
        """Each node below the mean pulls one unit, the emptiest first."""
        mean = cluster.mean()
        for to in cluster.by_use():
            for source in reversed(cluster.by_use()):
                ways = cluster.ways(source, [to])
                if ways and cluster.use(to) < mean:
                    cluster.move(ways[-1][0], to)
                    break


class Foresees(Balancer):
    """It does not wait: it counts what it ordered as having arrived, and continues."""

    promises: ClassVar[Json] = {**EVEN, "most_moves": 1}

    def __init__(self) -> None:
        super().__init__()
        self.orders: dict[str, tuple[int, str]] = {}

    def may_act(self, turn: Json) -> bool:
        """Always."""
        return True

    def act(self, cluster: Cluster) -> None:
        """What must move, and one move for balance, in the cluster as it will be."""
        seen = cluster.turn["reported"]
        for name, (ordered, to) in list(self.orders.items()):
            unit = cluster.units.get(name)
            if unit and (unit["moving"] or seen <= ordered):
                cluster.put(name, to)
                cluster.kept.add(name)
            else:
                del self.orders[name]
        self.rescue(cluster)
        ways = [way for source in reversed(cluster.by_use()) for way in cluster.ways(source)]
        for unit, node in ways[:1]:
            cluster.move(unit, node["name"])
        now = cluster.turn["round"]
        self.orders |= {one["unit"]: (now, one["to"]) for one in cluster.planned}

    def homeless(self, cluster: Cluster) -> list[Json]:  # type: ignore[override]
        """Not what was ordered already."""
        return [unit for unit in super().homeless(cluster) if unit["name"] not in cluster.kept]


RIGHT: dict[str, type[Balancer]] = {
    name: one
    for name, one in list(globals().items())
    if isinstance(one, type) and issubclass(one, Balancer) and one.__module__ == __name__
}
