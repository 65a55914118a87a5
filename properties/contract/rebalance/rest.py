"""Whether a balancer comes to rest, how even it leaves the cluster, and whether it does anything
(CON-19 to CON-21).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import ceil

from evenkeel.properties.contract.rebalance.scene import (
    SLACK,
    Scene,
    Story,
    Where,
    find_bound,
    is_less,
    measure_distance,
    show_scene,
)
from evenkeel.reference.contract.promises import Measure, Promises, Trigger
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.run import MonitorRun

CLAUSES = ("CON-19", "CON-20", "CON-21")


def judge_rest(run: MonitorRun, story: Story) -> None:
    """Judge the end of a course."""
    promises = story.promises
    if promises.rests_within is None:
        run.decline("CON-19")
    else:
        late = find_late(story)
        text = f"round {late}: units still move; the last event was in round {story.last_event}"
        run.require("CON-19", late is None, f"{text}, rest is due by round {story.bound}")
    if promises.evenness is None or promises.measure is None:
        run.decline("CON-20")
    else:
        judge_evenness(run, story)
    judge_progress(run, story)


def find_late(story: Story) -> int | None:
    """The first round in which something moves though all should rest."""
    bound = story.bound
    return next((one.now for one in story.rounds if one.now > bound and one.reply.moves), None)


def end_scene(story: Story) -> Scene | None:
    """The cluster at rest; None if it does not rest, or not everything is known and served."""
    scene = show_scene(story.rounds[-1].truth)
    measure = story.promises.measure
    known = measure is not None and scene.is_known(measure)
    late = story.rounds[-1].now < story.last_event + story.quiet
    return scene if story.is_resting() and known and scene.calm and not late else None


def find_help(story: Story, scene: Scene) -> tuple[dict[str, float], str]:
    """The measure of each node, and a move from a fullest to an emptiest node that would help;
    empty if there is none between two of them: of equals a balancer may look at any.
    """
    measure = story.promises.measure
    assert measure is not None  # asked only then
    where = scene.where
    use = scene.measure(where, measure)
    could = ""
    for source, to, unit in list_ways(scene, where, use, story.promises):
        if unit is None:
            return use, ""
        could = could or f"{unit} could go from {source} to {to}"
    return use, could


def list_ways(
    scene: Scene, where: Where, use: dict[str, float], promises: Promises
) -> Iterator[tuple[str, str, str | None]]:
    """Each fullest with each emptiest node, and a unit of the one that helps at the other."""
    most, least = max(use.values(), default=0.0), min(use.values(), default=0.0)
    fullest = [node for node in use if not is_less(use[node], most)]
    for source, to in product(fullest, [node for node in use if not is_less(least, use[node])]):
        own = (unit for unit, node in where.items() if node == source)
        helps = (unit for unit in own if scene.helps(unit, to, where, use, promises))
        yield source, to, next(helps, None)


def can_lessen(scene: Scene, promises: Promises) -> bool:
    """Whether moves that help, from a fullest to an emptiest node, lessen what is promised."""
    measure, by = promises.measure or Measure.LOAD, find_threshold(promises)[1]
    where = scene.where
    before = use = scene.measure(where, measure)
    for _ in where:
        ways = (way for way in list_ways(scene, where, use, promises) if way[2] is not None)
        _, to, unit = next(ways, ("", None, None))
        if unit is None:
            return False
        where[unit] = to
        use = scene.measure(where, measure)
        if is_less(measure_distance(use, by), measure_distance(before, by)):
            return True
    return False


def is_uneven(use: dict[str, float], promises: Promises) -> bool:
    """Whether the fullest node is above what may stay, of counts the next whole number of units."""
    threshold, by = find_threshold(promises)
    if not is_less(threshold, measure_distance(use, by)):
        return False
    whole = promises.measure is Measure.COUNT
    return not whole or max(use.values()) > ceil(find_bound(use, by, threshold) - SLACK)


def judge_evenness(run: MonitorRun, story: Story) -> None:
    """At rest the nodes are as even as promised, unless no free unit could change that."""
    if (scene := end_scene(story)) is not None:
        run.require("CON-20", *_judge_even(story, scene))


def _judge_even(story: Story, scene: Scene) -> tuple[bool, str]:
    use, could = find_help(story, scene)
    far = measure_distance(use, Trigger.DIFFERENCE)
    most = story.promises.evenness or 0
    text = f"at rest in round {scene.turn.round}: {display(use)} differ by {display(far)}"
    return not could or not is_less(most, far), f"{text}, {most} at most; {could}"


def judge_progress(run: MonitorRun, story: Story) -> None:
    """Where one free move would lessen an uneven measure, something moves."""
    acts = any(True for index in range(len(story.rounds)) for _ in story.balancing(index))
    if story.promises.measure is None and acts:
        run.decline("CON-21")
        return
    if (scene := end_scene(story)) is None:
        if acts and (story.is_resting() or story.promises.rests_within is not None):
            run.require("CON-21", True)  # who never rests, and promises no rest, shows nothing
        return
    use, could = find_help(story, scene)
    promises = story.promises
    uneven = bool(could) and is_uneven(use, promises) and can_lessen(scene, promises)
    if uneven or any(one.acts for one in story.rounds):
        text = f"nothing moves in the last {story.quiet} rounds, at {display(use)}"
        run.require("CON-21", not uneven, f"{text}; {could}")


def find_threshold(promises: Promises) -> tuple[float, Trigger]:
    """How uneven a cluster may stay: the trigger; else the evenness at rest; else not at all."""
    if promises.trigger is not None:
        return promises.trigger, promises.trigger_by
    return promises.evenness or 0, Trigger.DIFFERENCE
