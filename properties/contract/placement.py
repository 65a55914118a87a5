"""Any placement: a node for each unit that none serves, one after another."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Final

from evenkeel.properties.contract.rebalance.safety import judge_placing, replay_case
from evenkeel.properties.contract.rebalance.scene import is_less, show_scene
from evenkeel.properties.contract.rebalance.trials import (
    LOADS,
    Compare,
    Replies,
    change_course,
    make_node,
    make_talk,
    make_unit,
    may_compare,
    require_cluster,
)
from evenkeel.reference.contract.course import Course, Node, Unit, simplify
from evenkeel.reference.contract.plant import Placing, begin, report
from evenkeel.reference.contract.promises import Promises
from evenkeel.reference.contract.turn import Kind, Reply, Turn
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.judge import monitor
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun
from evenkeel_engine.kit.talk import WrongCount

COMPARED: Final = (Compare.NOTHING, Compare.AGAIN, Compare.LISTED)


@dataclass(frozen=True, slots=True)
class Place:
    """`contract.placement`: which node gets each unit that none serves?

    They are asked for by name, each when those before it are placed.
    """

    nodes: tuple[Node, ...]
    units: tuple[Unit, ...]
    seed: int
    compare: Compare

    def __post_init__(self) -> None:
        require_cluster(self.nodes, self.units, self.seed)

    @property
    def course(self) -> Course:
        """The cluster."""
        return Course(self.nodes, self.units, seed=self.seed)


@dataclass(frozen=True, slots=True)
class Placed:
    """What was promised, and each placement; those in the second cluster, if one was asked for."""

    promises: Promises | None
    first: tuple[Placing, ...] = ()
    second: tuple[Placing, ...] | None = None


def watch(trial: Place) -> Generator[Turn, Reply, Placed]:
    """Ask for a node of each unit."""
    opening = Turn(Kind.OPEN, 0, 0, 0, trial.seed, (), ())
    promises = (yield opening).promises
    if promises is None:
        return Placed(None)
    course = simplify(trial.course, promises.knows)
    first = yield from place_all(course)
    if trial.compare not in COMPARED or not may_compare(trial.compare, promises):
        return Placed(promises, first)
    if (yield opening).promises is None:
        return Placed(promises, first)
    second = yield from place_all(change_course(course, trial.compare))
    return Placed(promises, first, second)


def place_all(course: Course) -> Generator[Turn, Reply, tuple[Placing, ...]]:
    """Ask for a unit after another."""
    placings: list[Placing] = []
    state = begin(course)
    for name in sorted(name for name, node in state.node.items() if node is None):
        turn = replace(report(course, state, 0), do=Kind.PLACE, unit=name)
        reply = yield turn
        placings.append(Placing(turn, reply))
        if reply.node in {node.name for node in turn.nodes}:
            state.node[name] = reply.node
    return tuple(placings)


def make_trial(draw: Draw) -> Place:
    """A few nodes, most units unserved."""
    busy = draw.pick((0.0, 0.2, 0.5))
    nodes = tuple(make_node(draw, index, busy) for index in draw.items(6, 0.8, least=1))
    there = [node.name for node in nodes if not node.joins]
    loads = draw.pick(LOADS)
    units = tuple(
        replace(make_unit(draw, index, there, loads, draw.chance(0.5), busy), silent=0)
        for index in draw.items(12, 0.85)
    )
    kept = tuple(unit if draw.chance(0.4) else replace(unit, node=None) for unit in units)
    compare = draw.pick(COMPARED) if draw.chance(0.4) else Compare.NOTHING
    return Place(nodes, kept, draw.integer(0, 2**31 - 1), compare)


TALK: Final = make_talk(watch)


@monitor("contract.placement", "CON-1", "CON-6", "CON-7", "CON-8", "CON-22", "CON-23", "CON-26")
def judge_placement(run: MonitorRun, case: Case[Place, Replies]) -> None:
    """Judge each placement by what the balancer was shown."""
    seen: Placed | None = replay_case(run, case, TALK)
    if seen is None or seen.promises is None:
        return
    decline(run, seen.promises)
    answers = (placing.reply.node for placing in seen.first)
    places = seen.promises.places or seen.promises.emptiest or any(answers)
    for placing in seen.first:
        judge_one(run, placing, seen.promises, places)
    if seen.second is not None:
        clause = "CON-22" if case.trial.compare is Compare.AGAIN else "CON-23"
        one, two = (describe(placings) for placings in (seen.first, seen.second))
        run.require(clause, one == two, f"{one}; {case.trial.compare.value}: {two}")


def decline(run: MonitorRun, promises: Promises) -> None:
    """What the balancer does not promise."""
    for compare, clause in ((Compare.AGAIN, "CON-22"), (Compare.LISTED, "CON-23")):
        if not may_compare(compare, promises):
            run.decline(clause)
    if not promises.emptiest or promises.measure is None:
        run.decline("CON-26")


def judge_one(run: MonitorRun, placing: Placing, promises: Promises, places: bool) -> None:
    """A node that is up and may serve the unit, if there is one; the emptiest, where promised. One
    that does not place at all names no node.
    """
    scene, node, broke = show_scene(placing.turn), placing.reply.node, placing.reply.broke
    name = placing.turn.unit or ""
    run.require("CON-1", not broke, f"{name}: broke: {broke}", "broke")
    judge_placing(run, scene, node)
    able = [one for one in scene.nodes if scene.fits(name, one, scene.where)]
    if not places:
        run.decline("CON-8")
    elif able:
        run.require("CON-8", node is not None, f"{name} is placed nowhere; {able[0]} may serve it")
    if not promises.emptiest or promises.measure is None or node not in able or len(able) == 1:
        return
    if not scene.is_known(promises.measure):
        return
    use = scene.measure(scene.where, promises.measure)
    full = {one: use[one] + scene.weigh(name, one, promises.measure) for one in able}
    least = min(able, key=lambda one: (full[one], one))
    text = f"{name} is placed on {node}, {full[node]:g} with it; {least} has {full[least]:g}"
    run.require("CON-26", not is_less(full[least], full[node]), text)


def describe(placings: tuple[Placing, ...]) -> str:
    """What was answered."""
    chosen = (f"{one.turn.unit} on {one.reply.node}" for one in placings)
    return ", ".join(chosen) or "nothing is placed"


def narrate(trial: Place, answer: Replies) -> list[str]:
    """Each placement, with what the nodes served before."""
    try:
        seen: Placed = TALK.replay(trial, answer)
    except WrongCount as wrong:
        return [str(wrong)]
    lines = []
    for one in seen.first:
        served: dict[str, list[str]] = {node.name: [] for node in one.turn.nodes}
        for unit in one.turn.units:
            served.get(unit.node or "", []).append(f"{unit.name}={unit.load}")
        held = ", ".join(f"{name}: {' '.join(units) or '-'}" for name, units in served.items())
        lines.append(f"{held}; {one.turn.unit} on {one.reply.node or 'none'}")
    return lines


PLACEMENT = Question(
    "contract.placement",
    Place,
    Replies,
    make_trial,
    TALK.answer,
    exempt=Exempt(world=r".*", unrecorded="it asks any balancer"),
    talk=TALK,
    narrate=narrate,
)
QUESTIONS = (PLACEMENT,)
