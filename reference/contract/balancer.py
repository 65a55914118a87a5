"""A right balancer, as short as it can be: the unit that helps most leaves the fullest node.

It has several styles, so that every promise is made by one of them; the seed chooses.
"""

from __future__ import annotations

from collections.abc import Iterator

from evenkeel.reference.contract.allowed import distance, may_serve, measure_nodes, weigh
from evenkeel.reference.contract.promises import Lessens, Measure, Promises, Repeats, Trigger
from evenkeel.reference.contract.turn import Kind, Move, NodeView, Reply, Turn, UnitView
from evenkeel_engine.frame.clauses import states

MOST_MOVES = 3
TRIGGERS = ((0.0, Trigger.DIFFERENCE), (2.0, Trigger.DIFFERENCE), (1.0, Trigger.ABOVE_MEAN))
MEASURES = tuple(Measure)
SHARE = 0.5
"""By usage no style promises it: the node that is emptiest with a unit may be another one."""


def promise(seed: int) -> Promises:
    """What the style of this seed promises."""
    measure = MEASURES[seed // 2 % 3]
    trigger, trigger_by = TRIGGERS[seed // 6 % 3]
    counts = measure is Measure.COUNT and trigger == 0
    return Promises(
        measure=measure,
        trigger=trigger,
        trigger_by=trigger_by,
        lessens=Lessens.ROUND if seed // 18 % 4 == 3 else Lessens.MOVE,
        fullest_first=True,
        most_moves=MOST_MOVES,
        grace=True,
        rests_within=6,
        rests_per_unit=2,
        evenness=1 if counts else None,
        emptiest=True,
        minimal=trigger_by is Trigger.DIFFERENCE,
        repeats=Repeats.AS_LISTED if seed // 72 % 4 == 3 else Repeats.ANY_ORDER,
        scales=trigger == 0,
        share=SHARE if seed // 288 % 4 == 3 and measure is not Measure.USAGE else None,
        renames=True,
        places=seed % 2 == 1,
    )


class Balancer:
    """It moves up to three units a round, and waits until these are reported where they went."""

    def __init__(self) -> None:
        self.promises = Promises()
        self.ordered_in = -1

    @states("CON-1", "CON-22")
    def answer(self, turn: Turn) -> Reply:
        """The answer to a turn."""
        if turn.do is Kind.OPEN:
            self.promises = promise(turn.seed)
            return Reply(promises=self.promises)
        if turn.do is Kind.PLACE:
            return self.place(turn)
        moves = self.rebalance(turn)
        if moves:
            self.ordered_in = turn.round
        return Reply(moves=moves)

    @states("CON-6", "CON-7", "CON-8", "CON-26")
    def place(self, turn: Turn) -> Reply:
        """The emptiest node that may serve the unit."""
        where = {unit.name: unit.node for unit in turn.units}
        [unit] = [one for one in turn.units if one.name == turn.unit]
        node = self.find_emptiest(turn, unit, where)
        return Reply(node=node.name) if node else Reply(cannot="no node may serve it")

    def find_emptiest(
        self, turn: Turn, unit: UnitView, where: dict[str, str | None]
    ) -> NodeView | None:
        """The node that is the least full with a unit, of those that may serve it; None if none
        may.
        """
        use = self.measure(turn, where)

        def weigh_with(node: NodeView) -> tuple[float, str]:
            return use[node.name] + weigh(unit, node, self.measured), node.name

        allowed = (node for node in turn.nodes if may_serve(node, unit, where, turn.units))
        return min(allowed, key=weigh_with, default=None)

    @property
    def measured(self) -> Measure:
        """What is evened out."""
        return self.promises.measure or Measure.LOAD

    def measure(self, turn: Turn, where: dict[str, str | None]) -> dict[str, float]:
        """The measure of each node that is up."""
        return measure_nodes(turn.nodes, turn.units, where, self.measured)

    @states("CON-5", "CON-16", "CON-17")
    def rebalance(self, turn: Turn) -> tuple[Move, ...]:
        """First what must be moved; then, if that is nothing, what evens the cluster out."""
        if turn.reported <= self.ordered_in or any(unit.moving for unit in turn.units):
            return ()
        where = {unit.name: unit.node for unit in turn.units}
        must = tuple(self.rescue(turn, where))
        return must or tuple(self.even_out(turn, where))

    @states("CON-2", "CON-3", "CON-4", "CON-6", "CON-7", "CON-8")
    def rescue(self, turn: Turn, where: dict[str, str | None]) -> Iterator[Move]:
        """Moves of the units that no node serves, or one that leaves."""
        up = {node.name for node in turn.nodes if node.up}
        for unit in sorted(turn.units, key=lambda one: one.name):
            if where[unit.name] in up or not unit.movable:
                continue
            if self.promises.places:
                if unit.node is not None and self.find_emptiest(turn, unit, where):
                    yield Move(unit.name, unit.node)
                continue
            node = self.find_emptiest(turn, unit, where)
            if node is not None:
                yield Move(unit.name, unit.node, node.name)
                where[unit.name] = node.name

    @states("CON-9", "CON-14", "CON-15", "CON-19", "CON-20", "CON-21")
    def even_out(self, turn: Turn, where: dict[str, str | None]) -> Iterator[Move]:
        """Moves from the fullest node to the emptiest, while the cluster is uneven."""
        moved: set[str] = set()
        while len(moved) < MOST_MOVES:
            use = self.measure(turn, where)
            if distance(use, self.promises.trigger_by) <= (self.promises.trigger or 0):
                return
            found = self.find_move(turn, where, use, moved)
            if found is None:
                return
            unit, node = found
            yield Move(unit.name, unit.node, None if self.promises.places else node.name)
            moved.add(unit.name)
            where[unit.name] = node.name
            if self.promises.places:
                return  # where it goes is decided later, by a cluster that may be another

    @states("CON-13", "CON-23", "CON-25")
    def find_move(
        self, turn: Turn, where: dict[str, str | None], use: dict[str, float], moved: set[str]
    ) -> tuple[UnitView, NodeView] | None:
        """The move that helps most, from the fullest node that has any."""
        nodes = sorted(turn.nodes, key=lambda node: (-use.get(node.name, 0), node.name))
        for source in (node for node in nodes if node.up):
            ways = list(self.list_ways(turn, source, where, use, moved))
            if ways:
                return min(ways, key=lambda way: (way[0], way[1].name))[1:]
        return None

    @states("CON-2", "CON-10", "CON-11", "CON-12", "CON-18")
    def list_ways(
        self,
        turn: Turn,
        source: NodeView,
        where: dict[str, str | None],
        use: dict[str, float],
        moved: set[str],
    ) -> Iterator[tuple[float, UnitView, NodeView]]:
        """Each unit that may leave a node and helps, with the larger measure of the two then."""
        for unit in turn.units:
            if where[unit.name] != source.name or not unit.movable or unit.name in moved:
                continue
            node = self.find_emptiest(turn, unit, where)
            if node is None or node is source or turn.round - unit.since < turn.grace:
                continue
            difference = use[source.name] - use[node.name]
            if self.is_too_large(weigh(unit, node, self.measured), difference):
                continue
            here = use[source.name] - weigh(unit, source, self.measured)
            there = use[node.name] + weigh(unit, node, self.measured)
            if max(here, there) < use[source.name]:
                yield max(here, there), unit, node

    @states("CON-27")
    def is_too_large(self, weight: float, difference: float) -> bool:
        """Whether a unit is more than the promised share of the difference of two nodes."""
        share = self.promises.share
        return share is not None and weight > share * difference
