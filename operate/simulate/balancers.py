"""Scenarios for balancers of any kind: the cluster of a file as a trial of `contract.rebalance`.

A round is a step of the scenario. A broker that returns is a node of another name. A broker's
capacity is how many times the smallest broker it is.
A bundle's load is the points (per cent) of the smallest broker that it takes, in whole points.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from math import ceil

from evenkeel.certify.part import Certified, Part, count, find_promises
from evenkeel.operate.simulate.scenario_file import ScenarioFile
from evenkeel.properties.contract.rebalance import REBALANCE
from evenkeel.properties.contract.rebalance.scene import Story, show_scene, tell
from evenkeel.properties.contract.rebalance.trials import (
    LATEST,
    Compare,
    Rebalance,
    Replies,
    replay,
)
from evenkeel.reference.balancing.curves import traffic_at
from evenkeel.reference.balancing.scenario import (
    BrokerSpec,
    BundleSpec,
    Crash,
    Join,
    Leave,
    Scenario,
)
from evenkeel.reference.contract.course import Change, Node, Unit, simplify
from evenkeel.reference.contract.promises import Feature, Measure
from evenkeel.reference.shedding.cluster import MINUTE, Millis
from evenkeel_engine.cli.options import Unusable
from evenkeel_engine.content import PROMISED
from evenkeel_engine.kit.talk import WrongCount
from evenkeel_engine.subjects.base import Observed, Request, reply_to
from evenkeel_engine.subjects.choose import open_subject

GRACE_MINUTES = 30
MOST_GRACE = 20


@dataclass(frozen=True, slots=True)
class Played:
    """What a balancer answered on a scenario."""

    file: ScenarioFile
    name: str
    trial: Rebalance
    answer: Replies


def run_balancers(
    files: Sequence[ScenarioFile], commands: Sequence[str], played: list[Played]
) -> list[Certified]:
    """What each balancer does on all scenarios; `played` gets its answers. Raises `Unusable`."""
    trials = [make_trial(file) for file in files]
    found = []
    for command in commands:
        with closing(open_subject(command, PROMISED)) as subject:
            promises, part = find_promises(subject), Part()
            for place, trial in enumerate(trials):
                reply = reply_to(subject, REBALANCE, trial)
                if isinstance(reply, Observed):
                    count(part, Request(place, REBALANCE, trial), reply.observation)
                    if isinstance(reply.observation, Replies):
                        played.append(Played(files[place], subject.name, trial, reply.observation))
                else:
                    part.unanswered = part.unanswered or reply.reason
        found.append(Certified(command, subject.name, part, promises))
    return found


def story_of(played: Played) -> Story | None:
    """The rounds; None if the balancer broke before it saw the cluster."""
    try:
        seen = replay(played.trial, played.answer)
    except WrongCount:
        return None
    if seen.promises is None or seen.first is None:
        return None
    return tell(seen.first, seen.promises)


def list_usages(story: Story) -> list[dict[str, float]]:
    """The usage of each node in every round."""
    scenes = [show_scene(one.truth) for one in story.rounds]
    return [scene.measure(scene.where, Measure.USAGE) for scene in scenes]


def make_trial(file: ScenarioFile) -> Rebalance:
    """The trial of a scenario. Raises `Unusable` if it is too long."""
    scenario = file.scenario
    if scenario.timing.steps > LATEST:
        raise Unusable(f"{file.name}: has more than {LATEST} steps, the most for --balancer.")
    smallest = min(scenario.brokers, key=lambda broker: broker.messages)
    grace = ceil(GRACE_MINUTES * MINUTE / scenario.timing.step)
    return Rebalance(
        tuple(node for each in scenario.brokers for node in make_nodes(each, smallest, scenario)),
        tuple(make_unit(bundle, smallest, scenario) for bundle in scenario.bundles),
        grace=min(grace, MOST_GRACE),
        seed=1,
        delay=0,
        lag=0,
        lost=(),
        compare=Compare.NOTHING,
    )


def list_left_out(file: ScenarioFile) -> list[str]:
    """The sorts of events that such a trial does not have."""
    sorts = {type(event).DO for event in file.scenario.events}
    return sorted(sorts - {Join.DO, Leave.DO, Crash.DO})


def list_unknown(file: ScenarioFile, knows: Collection[Feature]) -> list[Feature]:
    """The features of a scenario that a balancer does not know, and was asked without."""
    course = make_trial(file).course
    unknown = [feature for feature in Feature if feature not in knows]
    return [one for one in unknown if simplify(course, frozenset(Feature) - {one}) != course]


def make_nodes(broker: BrokerSpec, smallest: BrokerSpec, scenario: Scenario) -> Iterator[Node]:
    """A node for each time that a broker is there: one that returns has a name of its own."""
    stays: list[tuple[int, int | None]] = [(0, None)] if broker.present else []
    for event in sorted(scenario.events, key=lambda event: event.at):
        if not isinstance(event, Join | Leave | Crash) or event.broker != broker.id:
            continue
        now, up = ceil(event.at / scenario.timing.step), bool(stays) and stays[-1][1] is None
        if isinstance(event, Join) and not up:
            stays.append((now, None))
        elif not isinstance(event, Join) and up:
            stays[-1] = (stays[-1][0], now)
    capacity = max(1, round(broker.messages / smallest.messages))
    for number, (joins, leaves) in enumerate(stays or [(LATEST, None)], 1):
        name = broker.id if number == 1 else f"{broker.id}-{number}"
        yield Node(name, capacity=capacity, joins=joins, leaves=leaves)


def make_unit(bundle: BundleSpec, smallest: BrokerSpec, scenario: Scenario) -> Unit:
    """A bundle with its load in every round in which that is another one."""
    step, steps = scenario.timing.step, scenario.timing.steps
    loads = [find_points(bundle, smallest, now * step) for now in range(steps + 1)]
    changes = tuple(
        Change(now, load) for now, load in enumerate(loads) if now and load != loads[now - 1]
    )
    return Unit(bundle.name, loads[0], bundle.owner, changes=changes)


def find_points(bundle: BundleSpec, smallest: BrokerSpec, now: Millis) -> int:
    """The points of the smallest broker that a bundle takes; at least one if it has traffic."""
    traffic = traffic_at(bundle.traffic, bundle.curve, now)
    usage = max(
        traffic.msg_rate / smallest.messages,
        traffic.throughput_in / smallest.bandwidth,
        traffic.throughput_out / smallest.bandwidth,
    )
    return max(round(100 * usage), 1 if usage else 0)
