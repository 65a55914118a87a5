"""Whether a balancer comes to rest, how even it leaves the cluster, and whether it does anything
(CON-19 to CON-21).
"""

from __future__ import annotations

from evenkeel.properties.contract.rebalance.scene import Scene, Story, is_less, show_scene
from evenkeel.reference.contract.allowed import distance
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
    late = (one.now for one in story.rounds if one.now > story.bound and one.reply.moves)
    return next(late, None)


def end_scene(story: Story) -> Scene | None:
    """The cluster at rest; None if it does not rest, or not everything is known and served."""
    scene = show_scene(story.rounds[-1].truth)
    known = all(scene.is_known(measure) for measure in list_measures(story.promises))
    late = story.rounds[-1].now <= story.last_event + story.quiet
    return scene if story.is_resting() and known and scene.calm and not late else None


def list_measures(promises: Promises) -> tuple[Measure, ...]:
    """What is evened out: the measure that is promised, else what is even by all of them."""
    return tuple(Measure) if promises.measure is None else (promises.measure,)


def list_helping(scene: Scene, measure: Measure) -> set[tuple[str, str]]:
    """The moves from a fullest to an emptiest node that would help: units and where they go."""
    where = scene.where
    use = scene.measure(where, measure)
    most, least = max(use.values(), default=0.0), min(use.values(), default=0.0)
    full = [unit for unit, node in where.items() if node in use and not is_less(use[node], most)]
    low = [node for node in use if not is_less(least, use[node])]
    return {(unit, to) for unit in full for to in low if scene.helps(unit, to, where, use, measure)}


def find_help(story: Story, scene: Scene) -> str:
    """A move that would help by what is evened out; empty if there is none."""
    helping = [list_helping(scene, measure) for measure in list_measures(story.promises)]
    unit, to = min(set.intersection(*helping), default=("", ""))
    return f"{unit} could go from {scene.where[unit]} to {to}" if unit else ""


def judge_evenness(run: MonitorRun, story: Story) -> None:
    """At rest the nodes are as even as promised, unless no free unit could change that."""
    scene, measure = end_scene(story), story.promises.measure
    if scene is not None and measure is not None:
        run.require("CON-20", *_judge_even(story, scene, measure))


def _judge_even(story: Story, scene: Scene, measure: Measure) -> tuple[bool, str]:
    use, could = scene.measure(scene.where, measure), find_help(story, scene)
    far = distance(use, Trigger.DIFFERENCE)
    most = story.promises.evenness or 0
    text = f"at rest in round {scene.turn.round}: {display(use)} differ by {display(far)}"
    return not could or not is_less(most, far), f"{text}, {most} at most; {could}"


def judge_progress(run: MonitorRun, story: Story) -> None:
    """Where one free move would lessen an uneven measure, something moves."""
    scene = end_scene(story)
    if scene is None:
        if any(one.acts for one in story.rounds):
            run.require("CON-21", True)
        return
    could = find_help(story, scene)
    threshold, by = find_threshold(story.promises)
    uses = [scene.measure(scene.where, measure) for measure in list_measures(story.promises)]
    uneven = bool(could) and all(is_less(threshold, distance(use, by)) for use in uses)
    if uneven or any(one.acts for one in story.rounds):
        text = f"nothing moves in the last {story.quiet} rounds, at {display(uses[0])}"
        run.require("CON-21", not uneven, f"{text}; {could}")


def find_threshold(promises: Promises) -> tuple[float, Trigger]:
    """How uneven a cluster may stay: the trigger; else the evenness at rest; else not at all."""
    if promises.trigger is not None:
        return promises.trigger, promises.trigger_by
    return promises.evenness or 0, Trigger.DIFFERENCE
