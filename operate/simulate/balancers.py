"""Scenarios for balancers of any kind: the cluster of a file as a trial of `contract.rebalance`.

A round is a step of the scenario. A broker's capacity is how many times the smallest broker it is.
A bundle's load is the points (per cent) of the smallest broker that it takes, in whole points.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from evenkeel.certify.part import Certified, Part, count, find_promises
from evenkeel.operate.simulate.scenario_file import ScenarioFile
from evenkeel.properties.contract.rebalance import REBALANCE
from evenkeel.properties.contract.rebalance.trials import LATEST, Compare, Rebalance
from evenkeel.reference.balancing.curves import traffic_at
from evenkeel.reference.balancing.scenario import (
    BrokerSpec,
    BundleSpec,
    Crash,
    Join,
    Leave,
    Scenario,
)
from evenkeel.reference.contract.course import Change, Node, Unit
from evenkeel.reference.shedding.cluster import MINUTE, Millis
from evenkeel_engine.cli.options import Unusable
from evenkeel_engine.content import PROMISED
from evenkeel_engine.subjects.base import Observed, Request, reply_to
from evenkeel_engine.subjects.choose import open_subject

GRACE_MINUTES = 30
MOST_GRACE = 20


def run_balancers(files: Sequence[ScenarioFile], commands: Sequence[str]) -> list[Certified]:
    """What each balancer does on all scenarios. Raises `Unusable`."""
    trials = [make_trial(file) for file in files]
    found = []
    for command in commands:
        subject = open_subject(command, PROMISED)
        try:
            promises, part = find_promises(subject), Part()
            for place, trial in enumerate(trials):
                reply = reply_to(subject, REBALANCE, trial)
                if isinstance(reply, Observed):
                    count(part, Request(place, REBALANCE, trial), reply.observation)
                else:
                    part.unanswered = part.unanswered or reply.reason
        finally:
            subject.close()
        found.append((command, part, promises))
    return found


def make_trial(file: ScenarioFile) -> Rebalance:
    """The trial of a scenario. Raises `Unusable` if it is too long."""
    scenario = file.scenario
    if scenario.timing.steps > LATEST:
        raise Unusable(f"{file.name}: has more than {LATEST} steps, the most for --balancer.")
    smallest = min(scenario.brokers, key=lambda broker: broker.messages)
    grace = ceil(GRACE_MINUTES * MINUTE / scenario.timing.step)
    return Rebalance(
        tuple(make_node(broker, smallest, scenario) for broker in scenario.brokers),
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


def make_node(broker: BrokerSpec, smallest: BrokerSpec, scenario: Scenario) -> Node:
    """A broker with its first join and the first time that it goes after that."""

    def find_first(
        kinds: tuple[type[Join], ...] | tuple[type[Leave], type[Crash]], after: int
    ) -> int | None:
        rounds = (
            ceil(event.at / scenario.timing.step)
            for event in scenario.events
            if isinstance(event, kinds) and event.broker == broker.id
        )
        return min((one for one in rounds if one > after), default=None)

    joins = 0 if broker.present else find_first((Join,), 0) or LATEST
    return Node(
        broker.id,
        capacity=max(1, round(broker.messages / smallest.messages)),
        joins=joins,
        leaves=find_first((Leave, Crash), joins),
    )


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
