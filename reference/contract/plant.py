"""The cluster around a balancer: it asks turn by turn, and carries out what is answered.

Round by round, in this order: loads change, nodes come and go; moves that were ordered before
arrive, or fail; units that no node serves are placed; what nodes carry is reported; and the
balancer moves units by the reports that have arrived. No strategy is in here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field, replace

from evenkeel.reference.contract.course import Course, Unit, list_events
from evenkeel.reference.contract.promises import Promises
from evenkeel.reference.contract.turn import LONG_AGO, Kind, Move, NodeView, Reply, Turn, UnitView
from evenkeel_engine.frame.clauses import states

Talk = Generator[Turn, Reply, "tuple[Round, ...]"]
REST_WITHIN = 10
REST_PER_UNIT = 2
"""How long a balancer is watched that does not promise when it rests."""


@dataclass(slots=True)
class Order:
    """A move on its way: when it arrives, whether it fails, what became of it, and when it was
    decided where its unit goes.
    """

    move: Move
    due: int
    fails: bool
    decided: int
    arrived: str | None = None


@dataclass(frozen=True, slots=True)
class Placing:
    """A unit that no node served, what the balancer was shown, and the node it chose."""

    turn: Turn
    reply: Reply


@dataclass(frozen=True, slots=True)
class Round:
    """A round: what the balancer was shown, what was so, what it answered, and what was carried
    out of that.
    """

    now: int
    turn: Turn
    truth: Turn
    reply: Reply
    placings: tuple[Placing, ...]
    orders: tuple[Order, ...]

    @property
    def acts(self) -> bool:
        """Whether the balancer orders anything, or a unit is placed."""
        return bool(self.reply.moves) or any(one.reply.node for one in self.placings)


@dataclass(slots=True)
class State:
    """The cluster between two rounds. `node` of a unit that none serves is None; `stopped` is its
    order without destination. `views` are the units as they were reported last.
    """

    node: dict[str, str | None]
    since: dict[str, int]
    on_their_way: dict[str, Order] = field(default_factory=dict)
    stopped: dict[str, Order] = field(default_factory=dict)
    ordered: Counter[str] = field(default_factory=Counter)
    reports: list[Turn] = field(default_factory=list)
    views: dict[str, UnitView] = field(default_factory=dict)


def begin(course: Course) -> State:
    """The cluster before anything happens."""
    return State(
        {unit.name: unit.node for unit in course.units},
        {unit.name: LONG_AGO for unit in course.units},
    )


def run(course: Course, promises: Promises) -> Talk:
    """Ask round by round, until the cluster has rested, or for as long as it may need."""
    state = begin(course)
    rounds: list[Round] = []
    calm, quiet = 0, quiet_rounds(course, promises)
    events = list_events(course)
    last = max(events, default=0)
    end = last + rests_within(course, promises) + quiet
    for now in range(end + 1):
        rounds.append((yield from _take_round(course, promises, state, now)))
        if rounds[-1].reply.broke:
            break
        moving = rounds[-1].acts or state.on_their_way or None in state.node.values()
        calm = 0 if moving or now < last else calm + 1
        if calm > quiet:
            break
    return tuple(rounds)


def rests_within(course: Course, promises: Promises) -> int:
    """Rounds after the last event within which it is at rest: as promised, and longer where moves
    take long or fail, reports are late or lost, and units rest.
    """
    base, per_unit = promises.rests_within, promises.rests_per_unit
    if base is None:
        base, per_unit = REST_WITHIN, REST_PER_UNIT
    slow = 1 + course.delay + course.lag + len(course.lost)
    failed = sum(unit.fails for unit in course.units)
    return (base + per_unit * len(course.units) + failed) * slow + 2 * course.grace


def quiet_rounds(course: Course, promises: Promises) -> int:
    """Rounds without any move after which a cluster counts as being at rest."""
    slow = course.delay + course.lag + len(course.lost) + course.grace
    return 1 + promises.waits + slow


def _take_round(
    course: Course, promises: Promises, state: State, now: int
) -> Generator[Turn, Reply, Round]:
    _arrive(course, state, now)
    placings = yield from _place(course, promises, state, now)
    truth = report(course, state, now)
    if now not in course.lost or not state.reports:
        state.reports.append(truth)
    turn = replace(_latest(course, state, now), round=now)
    reply = yield turn
    orders = tuple(_carry_out(course, state, now, reply))
    return Round(now, turn, truth, reply, placings, orders)


def _latest(course: Course, state: State, now: int) -> Turn:
    arrived = (one for one in reversed(state.reports) if one.round <= now - course.lag)
    return next(arrived, state.reports[0])


def _arrive(course: Course, state: State, now: int) -> None:
    """Moves arrive; what a node served that is gone is served by none."""
    up = {node.name for node in course.nodes if node.is_up(now)}
    there = {node.name for node in course.nodes if node.is_there(now)}
    for name, order in list(state.on_their_way.items()):
        if order.due > now:
            continue
        del state.on_their_way[name]
        if order.fails:
            continue
        if order.move.to is None:
            state.node[name], state.stopped[name] = None, order
        elif order.move.to in up:
            state.node[name] = order.arrived = order.move.to
            if order.move.source is not None or name in state.stopped:
                state.since[name] = now
            stopped = state.stopped.pop(name, order)
            stopped.arrived, stopped.decided = order.move.to, order.decided
    for name, node in state.node.items():
        if node is not None and node not in there:
            state.node[name] = None
            state.on_their_way.pop(name, None)


def _place(
    course: Course, promises: Promises, state: State, now: int
) -> Generator[Turn, Reply, tuple[Placing, ...]]:
    """Ask for the node of each unit that none serves, if the balancer is to be asked."""
    placings: list[Placing] = []
    waiting = (name for name, node in state.node.items() if node is None)
    names = sorted(name for name in waiting if name not in state.on_their_way)
    for name in names if promises.places else ():
        turn = replace(report(course, state, now), do=Kind.PLACE, unit=name)
        reply = yield turn
        placings.append(Placing(turn, reply))
        if reply.node in {node.name for node in turn.nodes if node.up}:
            state.node[name] = reply.node
            if name in state.stopped:
                state.since[name] = now
                stopped = state.stopped.pop(name)
                stopped.arrived, stopped.decided = reply.node, now
    return tuple(placings)


@states("CON-2", "CON-3", "CON-4")
def _carry_out(course: Course, state: State, now: int, reply: Reply) -> Iterator[Order]:
    """The orders that can be carried out: others change nothing."""
    units = {unit.name: unit for unit in course.units}
    there = {node.name for node in course.nodes if node.is_there(now)}
    for move in reply.moves:
        unit = units.get(move.unit)
        if unit is None or not _can_move(unit, move, state, there):
            continue
        state.ordered[move.unit] += 1
        order = Order(move, now + 1 + course.delay, state.ordered[move.unit] <= unit.fails, now)
        state.on_their_way[move.unit] = order
        yield order


def _can_move(unit: Unit, move: Move, state: State, there: set[str]) -> bool:
    at = state.node[unit.name]
    moves = move.source == at and unit.name not in state.on_their_way
    if at is None:
        return moves and move.to in there
    return moves and not unit.pinned and move.to != at and (move.to is None or move.to in there)


def report(course: Course, state: State, now: int) -> Turn:
    """What all nodes carry now."""
    return Turn(
        Kind.REBALANCE,
        now,
        now,
        course.grace,
        course.seed,
        tuple(
            NodeView(node.name, node.capacity, node.limit, node.zone, node.is_up(now))
            for node in course.nodes
            if node.is_listed(now)
        ),
        tuple(_report_unit(unit, state, now) for unit in course.units),
    )


def _report_unit(unit: Unit, state: State, now: int) -> UnitView:
    moving = unit.name in state.on_their_way
    node, since = state.node[unit.name], state.since[unit.name]
    load = None if now < unit.silent else unit.load_at(now) if unit.changes else unit.load
    old = state.views.get(unit.name)
    if old and (old.node, old.load, old.moving, old.since) == (node, load, moving, since):
        return old
    movable = not moving and (not unit.pinned or node is None)
    view = UnitView(unit.name, node, load, movable, moving, since, unit.zone, unit.group)
    state.views[unit.name] = view
    return view
