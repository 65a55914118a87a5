"""Whether every round makes the load more even, where that is promised (BAL-17).

Load is constant and in proportion, brokers are equal, nothing happens to them and none is
overloaded: then the share that UniformLoadShedder, AvgShedder and TransferShedder move cannot make
it less even, and so no bundle goes back and forth for ever.
"""

from __future__ import annotations

from evenkeel.properties.balancing.loop.progress import is_constant
from evenkeel.properties.balancing.loop.trial import BalancingTrial
from evenkeel.properties.findings import Findings
from evenkeel.properties.judging.near import added
from evenkeel.properties.judging.tolerance import DOUBLE
from evenkeel.reference.balancing.history import History, Moment
from evenkeel.reference.balancing.scenario import Scenario
from evenkeel.reference.balancing.settings import BalancerSpec, Placer, Strategy

HALF = 0.5


def is_in_proportion(scenario: Scenario) -> bool:
    """Whether all bundles have the same messages per byte, in and out, and brokers are equal."""
    rates = {
        (load.msg_rate / load.throughput, load.throughput_in / load.throughput)
        for load in (bundle.traffic for bundle in scenario.bundles)
        if load.throughput
    }
    silent = [bundle for bundle in scenario.bundles if not bundle.traffic.throughput]
    sizes = {(broker.messages, broker.bandwidth, broker.present) for broker in scenario.brokers}
    return (
        len(rates) == 1
        and not any(bundle.traffic.msg_rate for bundle in silent)
        and len(sizes) == 1
        and is_constant(scenario)
        and not scenario.events
    )


def moves_parts(balancer: BalancerSpec) -> bool:
    """Whether at most half of a difference is moved, and to the emptier broker."""
    settings = balancer.settings
    if balancer.strategy is Strategy.TRANSFER:
        return settings.transfer
    placements = {Strategy.UNIFORM: Placer.MESSAGE_RATE, Strategy.AVG: Placer.AVG}
    return (
        placements.get(balancer.strategy) is balancer.placement
        and 0 <= settings.max_unload_share <= HALF
        and not settings.distribute_evenly
    )


def squares(moment: Moment) -> float:
    """How uneven it is: the sum of the squares of the brokers' usages."""
    return added(gauge.usage * gauge.usage for gauge in moment.gauges)


def is_judged(moment: Moment, balancer: BalancerSpec) -> bool:
    """Whether nobody is overloaded: who is, may be passed over when bundles are placed."""
    limit = balancer.settings.overloaded_percent / 100 - DOUBLE
    free = balancer.strategy is Strategy.TRANSFER
    return free or all(gauge.usage < limit for gauge in moment.gauges)


def evens(trial: BalancingTrial, observed: History, findings: Findings) -> None:
    """One round of moves, from a moment when everything is served to the next such moment."""
    if not (moves_parts(trial.balancer) and is_in_proportion(trial.scenario)):
        return
    before: Moment | None = None
    rounds = 0
    for moment in observed.moments:
        if not moment.away:
            if before is not None and rounds == 1 and is_judged(before, trial.balancer):
                was, now = squares(before), squares(moment)
                sentence = "the round at {} ms: squares {:.6f}, then {:.6f}"
                kind, values = str(trial.balancer.strategy), (before.at, was, now)
                findings.check("BAL-17", now <= was * (1 - DOUBLE), kind, sentence, *values)
            before, rounds = moment, 0
        rounds += bool(moment.moves)
