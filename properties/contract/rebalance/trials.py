"""Trials of `contract.rebalance`: a cluster, what happens to it, and how it is asked."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from operator import attrgetter
from random import Random
from typing import Final, TypeVar

from evenkeel.properties.contract.rebalance.strategies import STRATEGIES
from evenkeel.reference.contract.balancer import Balancer
from evenkeel.reference.contract.course import Change, Course, Node, Unit, simplify
from evenkeel.reference.contract.plant import Round, run
from evenkeel.reference.contract.promises import Promises, Repeats
from evenkeel.reference.contract.turn import Kind, Reply, Turn
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.talk import Talk
from evenkeel_engine.kit.trial import require, require_different, require_name

LATEST: Final = 1_000
MOST_LOAD: Final = 2**31
SCALE: Final = 4
"""A power of two: quotients stay exact."""


class Compare(StrEnum):
    """A second cluster that the balancer is asked about, to compare its answers: none, the same
    again, the same listed in another order, with all loads times four, or with other names.
    """

    NOTHING = "nothing"
    AGAIN = "again"
    LISTED = "listed otherwise"
    SCALED = "scaled"
    RENAMED = "renamed"


@dataclass(frozen=True, slots=True)
class Rebalance:
    """`contract.rebalance`: does a balancer keep a cluster even, round after round?

    The harness carries out what the balancer answers, and continues with what came of it.
    """

    nodes: tuple[Node, ...]
    units: tuple[Unit, ...]
    grace: int
    seed: int
    delay: int
    lag: int
    lost: tuple[int, ...]
    compare: Compare

    def __post_init__(self) -> None:
        require_cluster(self.nodes, self.units, self.seed)
        require_different("lost", self.lost)
        for place in ("grace", "delay", "lag"):
            require(0 <= getattr(self, place) <= 20, place, "must be 0 to 20")
        for index, one in enumerate(self.lost):
            require(1 <= one <= LATEST, f"lost[{index}]", f"must be 1 to {LATEST}")

    @property
    def course(self) -> Course:
        """The cluster and what happens to it."""
        return Course(
            self.nodes, self.units, self.grace, self.seed, self.delay, self.lag, self.lost
        )


def require_cluster(nodes: tuple[Node, ...], units: tuple[Unit, ...], seed: int) -> None:
    """Raise `BadTrial` for a node or a unit that cannot be."""
    require_different("nodes", [node.name for node in nodes])
    require_different("units", [unit.name for unit in units])
    known = {node.name for node in nodes if not node.joins}
    for index, node in enumerate(nodes):
        _require_node(node, f"nodes[{index}]")
    for index, unit in enumerate(units):
        _require_unit(unit, known, f"units[{index}]")
    require(0 <= seed < 2**31, "seed", "must be 0 to 2^31 - 1")


def _require_node(node: Node, place: str) -> None:
    require_name(f"{place}.name", node.name)
    require(1 <= node.capacity <= LATEST, f"{place}.capacity", f"must be 1 to {LATEST}")
    limit = 0 if node.limit is None else node.limit
    require(0 <= limit <= MOST_LOAD, f"{place}.limit", "must be 0 to 2^31")
    require(0 <= node.joins <= LATEST, f"{place}.joins", f"must be 0 to {LATEST}")
    later = node.leaves is None or node.joins < node.leaves <= LATEST
    require(later, f"{place}.leaves", f"must be after it joins, and {LATEST} at most")
    ends = not node.stays or node.leaves is not None
    require(ends, f"{place}.stays", "must be false of a node that does not leave")


def _require_unit(unit: Unit, known: set[str], place: str) -> None:
    require_name(f"{place}.name", unit.name)
    for index, load in enumerate((unit.load, *(change.load for change in unit.changes))):
        where = f"{place}.changes[{index - 1}].load" if index else f"{place}.load"
        require(0 <= load <= MOST_LOAD, where, "must be 0 to 2^31")
    there = unit.node is None or unit.node in known
    require(there, f"{place}.node", "must be a node that is there from the beginning, or null")
    rounds = [0, *(change.round for change in unit.changes)]
    ascend = all(before < after for before, after in pairwise(rounds))
    require(ascend, f"{place}.changes", "must be in rounds from 1 on, in order")
    require(rounds[-1] <= LATEST, f"{place}.changes", f"must be in rounds to {LATEST}")
    require(0 <= unit.silent <= 20, f"{place}.silent", "must be 0 to 20")
    require(0 <= unit.fails <= 5, f"{place}.fails", "must be 0 to 5")


@dataclass(frozen=True, slots=True)
class Replies:
    """What the balancer answered, turn by turn."""

    replies: tuple[Reply, ...]


T = TypeVar("T")

# ---------------------------------------------------------------------------- asking


@dataclass(frozen=True, slots=True)
class Watched:
    """A course as it was asked, without what the balancer does not know, and its rounds."""

    course: Course
    rounds: tuple[Round, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """All that happened: what was promised, the cluster, and the one to compare it with, which
    another `open` begins.
    """

    promises: Promises | None
    first: Watched | None = None
    opening: Reply | None = None
    second: Watched | None = None


def watch(trial: Rebalance) -> Generator[Turn, Reply, Seen]:
    """Ask a balancer all turns of a trial."""
    opening = Turn(Kind.OPEN, 0, 0, trial.grace, trial.seed, (), ())
    promises = (yield opening).promises
    if promises is None:
        return Seen(None)
    course = simplify(trial.course, promises.knows)
    first = Watched(course, (yield from run(course, promises)))
    if first.rounds[-1].reply.broke or not may_compare(trial.compare, promises):
        return Seen(promises, first)
    again = yield opening
    if again.promises is None:
        return Seen(promises, first, again)
    other = change_course(course, trial.compare)
    return Seen(promises, first, again, Watched(other, (yield from run(other, again.promises))))


def may_compare(compare: Compare, promises: Promises) -> bool:
    """Whether a balancer promises anything of the second cluster."""
    return {
        Compare.NOTHING: False,
        Compare.AGAIN: promises.repeats is not Repeats.NO,
        Compare.LISTED: promises.repeats is Repeats.ANY_ORDER,
        Compare.SCALED: promises.scales,
        Compare.RENAMED: promises.renames,
    }[compare]


def change_course(course: Course, compare: Compare) -> Course:
    """The course to compare another one with."""
    if compare is Compare.LISTED:
        random = Random(course.seed)
        nodes = shuffle(random, course.nodes)
        return replace(course, nodes=nodes, units=shuffle(random, course.units))
    if compare is Compare.SCALED:
        return replace(
            course,
            nodes=tuple(scale_node(node) for node in course.nodes),
            units=tuple(scale_unit(unit) for unit in course.units),
        )
    return rename(course) if compare is Compare.RENAMED else course


def shuffle(random: Random, listed: tuple[T, ...]) -> tuple[T, ...]:
    """The items in another order."""
    other = tuple(random.sample(listed, len(listed)))
    return listed[::-1] if other == listed else other


def scale_node(node: Node) -> Node:
    """A node that carries more."""
    return node if node.limit is None else replace(node, limit=node.limit * SCALE)


def scale_unit(unit: Unit, times: int = SCALE) -> Unit:
    """A unit of more load."""
    changes = tuple(Change(change.round, change.load * times) for change in unit.changes)
    return replace(unit, load=unit.load * times, changes=changes)


def rename(course: Course) -> Course:
    """The same cluster where the first node has the last one's name, and so on; units alike."""
    names = [node.name for node in course.nodes]
    other = dict(zip(names, reversed(names), strict=True))
    units = [unit.name for unit in course.units]
    return replace(
        course,
        nodes=tuple(replace(node, name=other[node.name]) for node in course.nodes),
        units=tuple(
            replace(unit, name=name, node=other.get(unit.node or ""))
            for unit, name in zip(course.units, reversed(units), strict=True)
        ),
    )


def record_failure(failure: Refused | Broke) -> Reply:
    """The reply that stands for a turn without an answer."""
    words = f"{failure.reason}: {failure.detail}" if failure.detail else failure.reason
    return Reply(broke=words) if isinstance(failure, Broke) else Reply(cannot=words or "refused")


# ------------------------------------------------------------------------ generator

LOADS: Final = ((1,), (1, 2, 3, 4), (1, 2, 4, 8), (0, 1, 5), (3, 10, 100))


def make_trial(draw: Draw) -> Rebalance:
    """Mostly small clusters, each with few of the things that can happen."""
    busy = draw.pick((0.0, 0.15, 0.4))
    large = draw.chance(0.15)
    nodes = tuple(
        make_node(draw, index, busy) for index in draw.items(7 if large else 4, 0.8, least=1)
    )
    there = [node.name for node in nodes if not node.joins]
    loads = draw.pick(LOADS)
    crowded = draw.chance(0.5)
    units = tuple(
        make_unit(draw, index, there, loads, crowded, busy)
        for index in draw.items(24 if large else 8, 0.93 if large else 0.85)
    )
    late = draw.chance(busy / 2)
    trial = Rebalance(
        nodes,
        units,
        grace=draw.integer(1, 5) if draw.chance(busy) else 0,
        seed=draw.integer(0, 2**31 - 1),
        delay=draw.integer(1, 3) if draw.chance(busy) else 0,
        lag=draw.integer(1, 3) if late else 0,
        lost=tuple(sorted({draw.integer(1, 12) for _ in draw.items(3, 0.5)})) if late else (),
        compare=draw.pick(tuple(Compare)) if draw.chance(0.4) else Compare.NOTHING,
    )
    # These are decided last, so that the other trials of a seed stay as they are.
    if draw.chance(0.15):
        trial = draw.pick((make_plain, make_restless, make_unserved))(draw, trial)
    trial = replace(trial, nodes=tuple(make_down(draw, node) for node in trial.nodes))
    return make_heavy(trial) if draw.chance(1 / 32) else trial


def make_plain(draw: Draw, trial: Rebalance) -> Rebalance:
    """All are alike and nothing is in the way; from rest one node joins or leaves, alone."""
    at = draw.integer(12, 25)
    names = [node.name for node in trial.nodes]
    joins = draw.chance(0.7)
    last = Node(f"n{len(names)}", joins=at) if joins else Node(f"n{len(names)}", leaves=at)
    load = draw.integer(1, 4)
    units = tuple(Unit(unit.name, load, unit.node or names[0]) for unit in trial.units)
    nodes = (*(Node(name) for name in names), last)
    return replace(trial, nodes=nodes, units=units, grace=0, delay=0, lag=0, lost=())


def make_restless(draw: Draw, trial: Rebalance) -> Rebalance:
    """Loads change while units rest that moved just before."""
    units = tuple(
        replace(unit, changes=tuple(Change(at, draw.integer(0, 9)) for at in range(2, 8, 2)))
        for unit in trial.units
    )
    return replace(trial, units=units, grace=draw.integer(2, 5))


def make_unserved(draw: Draw, trial: Rebalance) -> Rebalance:
    """Nodes that are alike serve nothing at first: which of them gets a unit is open."""
    units = tuple(replace(unit, node=None, zone="", group="") for unit in trial.units)
    nodes = tuple(Node(node.name) for node in trial.nodes)
    compare = draw.pick((trial.compare, Compare.LISTED))
    return replace(trial, nodes=nodes, units=units, compare=compare)


def make_heavy(trial: Rebalance) -> Rebalance:
    """The largest load is about as large as can be: two of them are no number of 32 bits."""
    loads = [load for unit in trial.units for load in (unit.load, *(c.load for c in unit.changes))]
    times = (MOST_LOAD - 1) // max((1, *loads))
    nodes = tuple(replace(node, limit=None) for node in trial.nodes)
    return replace(trial, nodes=nodes, units=tuple(scale_unit(unit, times) for unit in trial.units))


def make_down(draw: Draw, node: Node) -> Node:
    """Some of the nodes that leave stay listed."""
    return replace(node, stays=draw.chance(0.5)) if node.leaves is not None else node


def make_node(draw: Draw, index: int, busy: float) -> Node:
    """A node that is there from the beginning, or joins, or leaves."""
    joins = draw.integer(1, 25) if index and draw.chance(busy / 2) else 0
    leaves = joins + draw.integer(1, 25) if draw.chance(busy / 2) else None
    return Node(
        f"n{index}",
        capacity=draw.pick((1, 2, 4)) if draw.chance(busy) else 1,
        limit=draw.integer(4, 30) if draw.chance(busy / 4) else None,
        zone=draw.pick(("a", "ab")),
        joins=joins,
        leaves=leaves,
    )


def make_unit(
    draw: Draw, index: int, there: list[str], loads: tuple[int, ...], crowded: bool, busy: float
) -> Unit:
    """A unit on a node; where they crowd, mostly on the first."""
    node = there[0] if crowded and draw.chance(0.7) else draw.pick(there) if there else None
    changes = sorted({draw.integer(1, 25) for _ in draw.items(2, busy / 3)})
    return Unit(
        f"u{index}",
        draw.pick(loads),
        None if draw.chance(busy / 4) else node,
        pinned=draw.chance(busy / 4),
        zone=draw.pick(("a", "ab")) if draw.chance(busy / 6) else "",
        group=draw.pick(("g", "h")) if draw.chance(busy / 4) else "",
        changes=tuple(Change(round_, draw.pick(loads)) for round_ in changes),
        silent=draw.integer(1, 6) if draw.chance(busy / 6) else 0,
        fails=draw.integer(1, 2) if draw.chance(busy / 4) else 0,
    )


def label(trial: Rebalance) -> Iterator[str]:
    """What can happen in a trial."""
    yield "one node" if len(trial.nodes) == 1 else "several nodes"
    if any(node.joins for node in trial.nodes):
        yield "a node joins"
    if any(node.leaves is not None for node in trial.nodes):
        yield "a node leaves"
    if any(node.stays for node in trial.nodes):
        yield "a node is down"
    if trial.lag or trial.lost:
        yield "late reports"
    if trial.compare is not Compare.NOTHING:
        yield f"compared: {trial.compare}"


def make_talk(ask: Callable[[T], Generator[Turn, Reply, object]]) -> Talk[T, Replies, Turn, Reply]:
    """How a question of this chapter is asked, whose turns these are."""
    return Talk(
        Turn,
        Reply,
        ask,
        Replies,
        attrgetter("replies"),
        record_failure,
        lambda _: Balancer().answer,
        lambda turn: turn.do is Kind.OPEN,
        STRATEGIES,
    )


TALK: Final = make_talk(watch)


def replay(trial: Rebalance, answer: Replies) -> Seen:
    """What happened, from what was answered. Raises `WrongCount`."""
    seen: Seen = TALK.replay(trial, answer)
    return seen
