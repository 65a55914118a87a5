"""What moves do to the measure that a balancer names (CON-9 to CON-18, CON-27)."""

from __future__ import annotations

from evenkeel.properties.contract.rebalance.scene import (
    Scene,
    Story,
    Where,
    is_less,
    measure_distance,
    show_scene,
)
from evenkeel.reference.contract.plant import Order
from evenkeel.reference.contract.promises import Lessens, Measure, Promises
from evenkeel.reference.contract.turn import Move
from evenkeel_engine.kit.run import MonitorRun, fill

CLAUSES = (
    "CON-9", "CON-10", "CON-11", "CON-12", "CON-13", "CON-14", "CON-15", "CON-16", "CON-17",
    "CON-18", "CON-27",
)  # fmt: skip


def judge_effect(run: MonitorRun, story: Story) -> None:
    """Judge the moves of each round that are for balance, and what nodes do that come and go."""
    decline_effects(run, story)
    acted = -1
    for index, scene in enumerate(story.scenes):
        moves = list(story.balancing(index))
        judge_amount(run, story, scene, moves)
        judge_grace(run, story, scene, moves)
        measure = story.promises.measure
        calm = scene.calm and scene.turn.reported > acted
        acted = index if story.rounds[index].acts else acted
        if moves and measure and calm and scene.is_known(measure):
            judge_trigger(run, story, scene, moves, measure)
            judge_each(run, story, scene, moves, measure)
            judge_round(run, story, scene, moves, measure)
            judge_order(run, story, scene, moves, measure)
    judge_joins(run, story)
    judge_leaves(run, story)


def decline_effects(run: MonitorRun, story: Story) -> None:
    """What the balancer does not promise."""
    promises = story.promises
    named = promises.measure is not None
    kept = {
        "CON-9": named and promises.trigger is not None,
        "CON-10": named and promises.lessens is Lessens.MOVE,
        "CON-11": named and promises.lessens is not None,
        "CON-12": named and promises.lessens is Lessens.MOVE,
        "CON-13": named and promises.fullest_first,
        "CON-14": promises.most_moves is not None,
        "CON-15": named and promises.rests_within is not None,
        "CON-16": named and promises.minimal and promises.rests_within is not None,
        "CON-17": promises.minimal and promises.rests_within is not None,
        "CON-18": promises.grace,
        "CON-27": named and promises.share is not None,
    }
    for clause, promised in kept.items():
        if not promised:
            run.decline(clause)


Moves = list[tuple[Move, Order | None]]


def judge_amount(run: MonitorRun, story: Story, scene: Scene, moves: Moves) -> None:
    """At most as many units move in a round as promised."""
    most = story.promises.most_moves
    if most is not None and moves:
        units = len({move.unit for move, _ in moves})
        text = f"round {scene.turn.round}: {units} units move for balance, {most} at most"
        run.require("CON-14", units <= most, text)


def judge_grace(run: MonitorRun, story: Story, scene: Scene, moves: Moves) -> None:
    """A unit that arrived rests."""
    for move, _ in moves if story.promises.grace and scene.turn.grace else ():
        unit = scene.units[move.unit]
        text = f"round {scene.turn.round}: {move.unit} moves, which arrived in round {unit.since}"
        run.require("CON-18", scene.rests(unit), f"{text}; it rests for {scene.turn.grace} rounds")


def judge_trigger(
    run: MonitorRun, story: Story, scene: Scene, moves: Moves, measure: Measure
) -> None:
    """Where the cluster is even enough nothing moves."""
    promises = story.promises
    if promises.trigger is None:
        return
    use = scene.measure(scene.served, measure)
    far = measure_distance(use, promises.trigger_by)
    known = scene.turn.round, moves[0][0].unit, use, promises.trigger_by, far, promises.trigger
    text = fill("round {}: {} moves at {}: {} {}, nothing moves up to {}", *known)
    run.require("CON-9", is_less(promises.trigger, far), text)


def judge_each(run: MonitorRun, story: Story, scene: Scene, moves: Moves, measure: Measure) -> None:
    """Each move lessens the measure, goes to a node that is less full, and is as small as said."""
    where = scene.where
    before = scene.measure(where, measure)
    for move, order in moves:
        to = story.find_destination(move, order, scene.turn.reported)
        if to is None or not scene.is_up(to) or where[move.unit] != move.source:
            return  # where the later ones find the cluster is not known
        where[move.unit] = to
        after = scene.measure(where, measure)
        source = move.source or ""
        known = scene.turn.round, move.unit, source, to, before
        text = "round {}: {} from {} to {}, at {}"
        if story.promises.lessens is Lessens.MOVE:
            run.require("CON-12", not is_less(before[source], before[to]), fill(text, *known))
            less = scene.lessens(before, after, measure)
            run.require("CON-10", less, fill(f"{text}; then {{}}", *known, after))
        if story.promises.share is not None and to != source:
            weight = min(scene.weigh(move.unit, one, measure) for one in (source, to))
            most = story.promises.share * max(before[source] - before[to], 0)
            sentence = fill(f"{text}: it is {{}}, and may be {{}}", *known, weight, most)
            run.require("CON-27", not is_less(most, weight), sentence)
        before = after


def judge_round(
    run: MonitorRun, story: Story, scene: Scene, moves: Moves, measure: Measure
) -> None:
    """A round as a whole lessens the measure."""
    if story.promises.lessens is None:
        return
    where = scene.where
    for move, order in moves:
        to = story.find_destination(move, order, scene.turn.reported)
        if to is None or not scene.is_up(to):
            return  # what becomes of the round is not known
        where[move.unit] = to
    before, after = (scene.measure(one, measure) for one in (scene.served, where))
    text = fill("round {}: {}; after its moves {}", scene.turn.round, before, after)
    run.require("CON-11", scene.lessens(before, after, measure), text)


def judge_order(
    run: MonitorRun, story: Story, scene: Scene, moves: Moves, measure: Measure
) -> None:
    """The fullest node gives first: no fuller one could give something that helps."""
    if not story.promises.fullest_first:
        return
    where, moved = scene.where, set[str]()
    as_set = any(move.to is None for move, _ in moves)
    giving = {move.source for move, _ in moves} if as_set else set()
    for move, _ in moves:
        source = move.source or ""
        use = scene.measure(where, measure)
        fuller = find_able(scene, where, use, story.promises, moved, use.get(source, 0)) - giving
        known = scene.turn.round, source, move.unit, use, min(fuller, default="")
        text = fill("round {}: {} gives {} at {}; {} could give", *known)
        run.require("CON-13", not fuller, text)
        if not as_set:
            where[move.unit] = move.to
        moved.add(move.unit)


def find_able(
    scene: Scene,
    where: Where,
    use: dict[str, float],
    promises: Promises,
    moved: set[str],
    full: float,
) -> set[str]:
    """The nodes fuller than this that have a unit which, gone to an emptiest node, helps."""
    least = min(use.values(), default=0)
    emptiest = [name for name in use if not is_less(least, use[name])]
    fuller = {name for name in use if is_less(full, use[name])}
    found = set[str]()
    for name, node in where.items():
        if node not in fuller or node in found or name in moved:
            continue
        if any(scene.helps(name, to, where, use, promises) for to in emptiest):
            found.add(node)
    return found


# --------------------------------------------------------------- nodes that come and go


def is_plain(story: Story) -> bool:
    """Whether all units are alike and may go anywhere, and every move arrives."""
    course = story.watched.course
    alike = {unit.load for unit in course.units} | {
        change.load for unit in course.units for change in unit.changes
    }
    measure = story.promises.measure
    same = measure is not Measure.USAGE or len({node.capacity for node in course.nodes}) <= 1
    weights = measure is Measure.COUNT or (len(alike) <= 1 and same)
    free = not any(
        unit.zone or unit.group or unit.fails or unit.pinned or unit.silent for unit in course.units
    )
    return weights and free and all(node.limit is None for node in course.nodes)


def judge_joins(run: MonitorRun, story: Story) -> None:
    """From rest, a node that joins only receives; where that is promised, it alone does."""
    promises = story.promises
    if promises.rests_within is None or promises.measure is None or not is_plain(story):
        return
    nodes = story.watched.course.nodes
    for at in sorted({node.joins for node in nodes} - {0}):
        joined = {node.name for node in nodes if node.joins == at}
        if not story.is_disturbed(at, len(joined)):
            continue
        for index in range(at, min(story.next_event(at), len(story.rounds))):
            for move, order in story.balancing(index):
                text = f"round {index}: {move.unit} leaves {move.source}"
                since = f"{min(joined)} joined in round {at}"
                if len(joined) == 1:
                    run.require("CON-15", move.source not in joined, f"{text}; {since}")
                to = story.find_destination(move, order, story.rounds[index].turn.reported)
                if promises.minimal and to is not None and to != move.source:
                    run.require("CON-16", to in joined, f"{text} for {to}; {since}")


def judge_leaves(run: MonitorRun, story: Story) -> None:
    """From rest, a node that leaves gives what it has before any other gives anything."""
    promises = story.promises
    if not promises.minimal or promises.rests_within is None or not is_plain(story):
        return
    for node in story.watched.course.nodes:
        if (at := node.leaves) is None or not story.is_disturbed(at):
            continue
        for index in range(at, min(story.next_event(at), len(story.rounds))):
            truth = story.rounds[index].truth
            serving = any(unit.node == node.name for unit in truth.units)
            for move in story.rounds[index].reply.moves if serving else ():
                own = move.source is None or not show_scene(truth).is_up(move.source)
                text = f"round {index}: {move.unit} leaves {move.source}"
                run.require("CON-17", own, f"{text}; {node.name} is leaving, with units left")
