"""What a judge looks at in a round: who is where, how full the nodes are, which moves are for
balance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf, isfinite

from evenkeel.properties.contract.rebalance.trials import Watched
from evenkeel.reference.contract.course import list_events
from evenkeel.reference.contract.plant import Order, Round, quiet_rounds, rests_within
from evenkeel.reference.contract.promises import Measure, Promises, Trigger
from evenkeel.reference.contract.turn import LONG_AGO, Move, NodeView, Turn, UnitView

Where = dict[str, str | None]
DIFFERENCES = (Trigger.DIFFERENCE, Trigger.ABOVE_MEAN)
SLACK = 1e-12
"""Sums of quotients are compared with this relative tolerance."""


def is_less(after: float, before: float) -> bool:
    """Less by more than what rounding does."""
    slack = SLACK * max(1.0, abs(before)) if isfinite(before) else 0.0
    return after < before - slack


def measure_distance(use: Mapping[str, float], trigger: Trigger) -> float:
    """How far from even nodes are, as a balancer promises to count it."""
    if len(use) < 2:
        return 0.0
    most, below = max(use.values()), find_base(use, trigger)
    if trigger in DIFFERENCES:
        return most - below
    return (most - below) / below if below else (inf if most else 0.0)


def find_base(use: Mapping[str, float], trigger: Trigger) -> float:
    """The measure with which that of the fullest node is compared."""
    if trigger in (Trigger.DIFFERENCE, Trigger.RATIO):
        return min(use.values())
    return sum(use.values()) / len(use)


def find_bound(use: Mapping[str, float], trigger: Trigger, threshold: float) -> float:
    """How full a node may be where a balancer promises to act above this threshold."""
    base = find_base(use, trigger)
    return base + threshold if trigger in DIFFERENCES else base * (1 + threshold)


@dataclass(frozen=True, slots=True)
class Scene:
    """A report as the balancer saw it. `calm`: nothing is on its way, and every unit is served by a
    node that is up.
    """

    turn: Turn
    nodes: Mapping[str, NodeView]
    units: Mapping[str, UnitView]
    served: Where
    calm: bool

    @property
    def where(self) -> Where:
        """The node of each unit: a copy, to be changed."""
        return dict(self.served)

    def is_up(self, node: str | None) -> bool:
        """Whether a node is listed and up."""
        return node in self.nodes and self.nodes[node or ""].up

    def weigh(self, name: str, node: str, measure: Measure) -> float:
        """What a unit adds to the measure of a node."""
        if measure is Measure.COUNT:
            return 1
        load = self.units[name].load or 0
        return load if measure is Measure.LOAD else load / self.nodes[node].capacity

    def is_known(self, measure: Measure) -> bool:
        """Whether the measure can be computed: every load is reported."""
        return measure is Measure.COUNT or all(one.load is not None for one in self.turn.units)

    def measure(self, where: Where, measure: Measure) -> dict[str, float]:
        """The measure of each node that is up."""
        use = {name: 0.0 for name, node in self.nodes.items() if node.up}
        by_capacity = measure is Measure.USAGE
        for unit, node in where.items():
            if node not in use:
                continue
            load = 1 if measure is Measure.COUNT else self.units[unit].load or 0
            use[node] += load / self.nodes[node].capacity if by_capacity else load
        return use

    def fits(self, name: str, node: str, where: Where) -> bool:
        """Whether a node may serve a unit as well as what it then serves."""
        if not self.suits(name, node, where):
            return False
        if (limit := self.nodes[node].limit) is None:
            return True
        held = (self.units[name], *self.list_others(name, node, where))
        return sum(one.load or 0 for one in held) <= limit

    def suits(self, name: str, node: str, where: Where) -> bool:
        """Whether a node is up, in a unit's zone, and serves no other one of its group."""
        unit, it = self.units[name], self.nodes[node]
        if not it.up or unit.zone not in ("", it.zone):
            return False
        others = self.list_others(name, node, where) if unit.group else ()
        return all(one.group != unit.group for one in others)

    def list_others(self, name: str, node: str, where: Where) -> list[UnitView]:
        """The other units of a node."""
        return [self.units[one] for one, at in where.items() if at == node and one != name]

    def may_serve(self, name: str, node: str, where: Where) -> bool:
        """As `fits`; a unit without a known load, or without load, is not held to the limit."""
        held = self.fits if self.units[name].load else self.suits
        return held(name, node, where)

    def lessens(self, before: dict[str, float], after: dict[str, float], measure: Measure) -> bool:
        """Whether a measure of all nodes is less: the fullest of those that differ, or a sum of
        squares. Balancers mean the one or the other.
        """
        for old, new in zip(
            sorted(before.values(), reverse=True), sorted(after.values(), reverse=True), strict=True
        ):
            if is_less(new, old):
                return True
            if is_less(old, new):
                break
        touched = [name for name, one in before.items() if after[name] != one]
        old_and_new = ({name: use[name] for name in touched} for use in (before, after))
        squares = zip(*(self._square(use, measure) for use in old_and_new), strict=True)
        return any(is_less(new, old) for old, new in squares)

    def _square(self, use: dict[str, float], measure: Measure) -> tuple[float, float]:
        """The sum of squares, and by usage that of load² / capacity."""
        plain = sum(one * one for one in use.values())
        if measure is not Measure.USAGE:
            return plain, plain
        return plain, sum(one * one * self.nodes[name].capacity for name, one in use.items())

    def rests(self, unit: UnitView) -> bool:
        """Whether a unit's grace period is over."""
        return unit.since == LONG_AGO or self.turn.round - unit.since >= self.turn.grace

    def helps(
        self, name: str, to: str, where: Where, use: dict[str, float], promises: Promises
    ) -> bool:
        """Whether a free unit, moved to a node, lessens the larger of the two and all squares, and
        is less than the promised share of their difference, on either node.
        """
        m = promises.measure or Measure.LOAD
        unit, source = self.units[name], where[name]
        if source not in use or source == to or not unit.movable or not self.rests(unit):
            return False
        here, there = self.weigh(name, source, m), self.weigh(name, to, m)
        full, low = use[source], use[to]
        lower = is_less(low + there, full) and is_less((here + there) / 2, full - low)
        squares = is_less(there * (2 * low + there), here * (2 * full - here))
        most = inf if promises.share is None else promises.share * (full - low)
        small = is_less(max(here, there), most)
        return here > 0 and small and lower and squares and self.fits(name, to, where)


def show_scene(turn: Turn, before: Scene | None = None) -> Scene:
    """A turn as judges look at it; `before` is another one, which may have the same report."""
    nodes = {node.name: node for node in turn.nodes}
    if before and before.turn.units == turn.units and before.turn.nodes == turn.nodes:
        return Scene(turn, nodes, before.units, before.served, before.calm)
    up = {node.name for node in turn.nodes if node.up}
    return Scene(
        turn,
        nodes,
        {unit.name: unit for unit in turn.units},
        {unit.name: unit.node for unit in turn.units},
        not any(unit.moving or unit.node not in up for unit in turn.units),
    )


@dataclass(frozen=True, slots=True)
class Story:
    """A course with its rounds, as judges look at it."""

    watched: Watched
    promises: Promises
    scenes: tuple[Scene, ...]
    events: tuple[int, ...]

    @property
    def rounds(self) -> tuple[Round, ...]:
        """All that was asked and answered."""
        return self.watched.rounds

    @property
    def last_event(self) -> int:
        """The last round in which something happens that no balancer does."""
        return max(self.events, default=0)

    @property
    def bound(self) -> int:
        """The last round in which a balancer may move anything that rests as it promises."""
        return self.last_event + rests_within(self.watched.course, self.promises)

    @property
    def quiet(self) -> int:
        """Rounds without any move after which it rests."""
        return quiet_rounds(self.watched.course, self.promises)

    def next_event(self, now: int) -> int:
        """The first event after a round; the end if there is none."""
        return next((one for one in self.events if one > now), len(self.rounds))

    def balancing(self, index: int) -> Iterator[tuple[Move, Order | None]]:
        """The moves of a round that are neither placements nor away from a node that leaves, each
        with the order that it became.
        """
        scene, round_ = self.scenes[index], self.rounds[index]
        if not round_.reply.moves:
            return
        orders = {id(order.move): order for order in round_.orders}
        for move in round_.reply.moves:
            known = move.unit in scene.units and scene.is_up(move.source)
            if known and scene.units[move.unit].node == move.source:
                yield move, orders.get(id(move))

    def find_destination(self, move: Move, order: Order | None, reported: int) -> str | None:
        """Where a move leads that was ordered by the report of this round; None if that is unknown,
        or was decided after something else happened: without destination it is placed later.
        """
        if move.to is not None:
            return move.to
        if order is None or order.arrived is None:
            return None
        changed = any(reported < event <= order.decided for event in self.events)
        return None if changed else order.arrived

    def is_resting(self) -> bool:
        """Whether the last rounds passed without a move, or a unit on its way."""
        last = self.rounds[-self.quiet :]
        return len(last) == self.quiet and not any(
            one.acts or any(unit.moving for unit in one.truth.units) for one in last
        )

    def is_disturbed(self, now: int, times: int = 1) -> bool:
        """Whether so much happens in a round, and nothing moved or happened just before."""
        span = 3 + self.quiet
        before = self.rounds[max(0, now - span) : now]
        calm = now >= span and not any(one.acts for one in before)
        return calm and [one for one in self.events if now - span <= one <= now] == [now] * times


def tell(watched: Watched, promises: Promises) -> Story:
    """The story of a course."""
    scenes: list[Scene] = []
    for one in watched.rounds:
        scenes.append(show_scene(one.turn, scenes[-1] if scenes else None))
    return Story(watched, promises, tuple(scenes), tuple(list_events(watched.course)))
