"""Trials of the strategies: few brokers, round numbers that meet at thresholds and in ties.

Most trials ask once or twice; a few so often that every allowed broker must be among the choices.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evenkeel.properties.draw import Draw
from evenkeel.properties.placement.trials_strategies import (
    Active,
    Ask,
    ExtensibleUsageTrial,
    KnownBundle,
    MessageRateTrial,
    ModularUsageTrial,
    Place,
    PlanMove,
    PlannedCommand,
    PlannedTrial,
    RatedBroker,
    Report,
    RoundRobinTrial,
    Turns,
    Update,
    UsageCommand,
    UsedBroker,
)
from evenkeel.reference.load.usage import Resource, Resources, Weights
from evenkeel.reference.placement.message_rate import RateReport
from evenkeel.reference.placement.planned import Statistics
from evenkeel.reference.placement.resource_usage import UsageConfig, UsageReport

OFTEN: Final = 200
"""So many asks choose each of eight brokers, but for one time in a thousand million."""
THRESHOLD: Final = 85
BROKERS: Final = tuple(f"broker-{number}" for number in range(1, 9))
STRANGER: Final = "broker-9"


def draw_brokers(draw: Draw, least: int = 0) -> tuple[str, ...]:
    """The first few brokers."""
    return BROKERS[: sum(1 for _ in draw.items(6, 0.7, least))]


def draw_candidates(draw: Draw, brokers: Sequence[str]) -> tuple[str, ...]:
    """Most brokers, in their order or turned; seldom none, or one that never reported."""
    sort = draw.integer(0, 11)
    if sort == 10 and draw.chance(0.5):
        return ()
    chosen = tuple(broker for broker in brokers if sort < 7 or draw.chance(0.6))
    if sort in (5, 6):
        turn = draw.integer(0, max(len(chosen) - 1, 0))
        chosen = (*chosen[turn:], *chosen[:turn])
    if sort == 11 and draw.chance(0.3):
        return (*chosen, STRANGER)
    return chosen


def draw_times(draw: Draw, often: float = 0.03) -> int:
    """How often to ask."""
    return OFTEN if draw.chance(often) else draw.pick((1, 2, 3))


def draw_percent(draw: Draw, around: int) -> float:
    """A usage in percent: around a threshold, of whole tens, or any."""
    sort = draw.integer(0, 5)
    if sort < 2:
        return float(draw.integer(0, 10) * 10)
    if sort == 2:
        return float(draw.integer(0, 100))
    if sort == 3:
        return around + draw.pick((0.0, 0.0, 0.0, 1.0, -1.0, 0.1, -0.1, 1e-6))
    if sort == 4:
        return draw.pick((0.0, 100.0, 140.0, 99.9, 0.1, -1.0))
    return draw.real(0.0, 120.0)


def draw_resource(draw: Draw, around: int) -> Resource:
    """A resource: of 100 mostly, else of another size or without a limit."""
    percent = draw_percent(draw, around)
    sort = draw.integer(0, 9)
    if sort < 8:
        return Resource(percent, 100.0)
    if sort == 8:
        size = draw.pick((800.0, 3.0, 1e6, 7.0))
        return Resource(percent * size / 100, size)
    return Resource(percent, draw.pick((0.0, -1.0)))


def draw_resources(draw: Draw, around: int) -> Resources:
    """The processor always, other resources sometimes."""
    cpu = draw_resource(draw, around)
    if not draw.chance(0.3):
        return Resources(cpu=cpu)
    return Resources(*(draw_resource(draw, around) for _ in range(5)))


def draw_weights(draw: Draw) -> Weights:
    """The default weights mostly."""
    if not draw.chance(0.2):
        return Weights()
    return Weights(*(draw.pick((1.0, 0.0, 0.5, 2.0, 0.1)) for _ in range(5)))


def draw_rate(draw: Draw) -> float:
    """Messages per second: few values, so that sums meet."""
    sort = draw.integer(0, 3)
    if sort < 2:
        return float(draw.integer(0, 3) * 100)
    if sort == 2:
        return draw.pick((0.0, 0.1, 0.2, 0.3, 50.0, 1000.0, 0.5))
    return draw.real(0.0, 5000.0)


def draw_rate_report(draw: Draw, threshold: int) -> RateReport:
    """What is known of a broker."""
    return RateReport(
        resources=draw_resources(draw, threshold)
        if draw.chance(0.6)
        else Resources(cpu=Resource(float(draw.integer(0, 50)), 100.0)),
        rate_in=draw_rate(draw),
        rate_out=draw_rate(draw),
        preallocated=tuple(draw.pick((100, 20, 0, 200, 1000)) for _ in draw.items(3, 0.25)),
    )


def message_rate_trial(draw: Draw) -> MessageRateTrial:
    """Brokers with rates that often tie, some of them overloaded."""
    threshold = draw.pick((85, 30, 60, 0, 100, 70)) if draw.chance(0.4) else THRESHOLD
    brokers = draw_brokers(draw)
    alike = draw_rate_report(draw, threshold)
    reports = [alike if draw.chance(0.25) else draw_rate_report(draw, threshold) for _ in brokers]
    return MessageRateTrial(
        threshold=threshold,
        weights=draw_weights(draw),
        brokers=tuple(RatedBroker(b, r) for b, r in zip(brokers, reports, strict=True)),
        candidates=draw_candidates(draw, brokers),
        times=draw_times(draw),
    )


def draw_difference(draw: Draw) -> int:
    """Points below the mean."""
    return draw.pick((10, 5, 0, 20, 1, 100, -10)) if draw.chance(0.6) else 10


def draw_usage_report(draw: Draw, around: int) -> UsageReport:
    """A report; seldom of a broker without bundles or traffic."""
    idle = draw.integer(0, 9)
    return UsageReport(
        resources=draw_resources(draw, around),
        bundles=0 if idle == 8 else draw.pick((1, 10)),
        rate_in=0.0 if idle == 9 else draw.pick((1.0, 0.0, 1000.0)),
        rate_out=0.0 if idle == 9 else draw.pick((1.0, 0.0, 0.5)),
    )


def tie_trial(draw: Draw) -> ModularUsageTrial:
    """A broker exactly so many points below the mean; the others' usages are whole percent."""
    difference = draw.pick((10, 0, 5, 20))
    tied = draw.integer(1, 30)
    others = [draw.integer(difference, 60) for _ in draw.items(3, 0.6, least=1)]
    count = len(others) + 2
    rest = count * (tied + difference) - tied - sum(others)
    usages = (tied, *others, max(rest, 0))
    commands: list[UsageCommand] = [
        Report(broker, UsageReport(Resources(cpu=Resource(float(used), 100.0)), 1, 1.0, 1.0))
        for broker, used in zip(BROKERS, usages, strict=False)
    ]
    commands.append(Ask(BROKERS[:count], draw_times(draw)))
    return ModularUsageTrial(UsageConfig(difference), tuple(commands))


def modular_usage_trial(draw: Draw) -> ModularUsageTrial:
    """Reports, asks, brokers that leave; sometimes a tie."""
    if draw.chance(0.1):
        return tie_trial(draw)
    brokers = draw_brokers(draw, least=1)
    around = draw.pick((50, 30, 85, 10))
    commands: list[UsageCommand] = [
        Report(broker, draw_usage_report(draw, around)) for broker in brokers
    ]
    commands.append(Ask(draw_candidates(draw, brokers), draw_times(draw, 0.015)))
    for _ in draw.items(10, 0.75):
        sort = draw.integer(0, 9)
        if sort < 5:
            commands.append(Report(draw.pick(brokers), draw_usage_report(draw, around)))
        elif sort < 9:
            commands.append(Ask(draw_candidates(draw, brokers), draw_times(draw, 0.003)))
        else:
            active = tuple(broker for broker in brokers if not draw.chance(0.3))
            commands.append(Active(active))
    commands.append(Ask(brokers, 1))
    config = UsageConfig(
        draw_difference(draw), draw.pick((0.9, 0.5, 0.0, 1.0, 0.1)), draw_weights(draw)
    )
    return ModularUsageTrial(config, tuple(commands))


def draw_usage(draw: Draw) -> float | None:
    """A usage of the load data; seldom none."""
    sort = draw.integer(0, 9)
    if sort < 4:
        return draw.integer(0, 10) / 10
    if sort < 7:
        return draw.integer(0, 100) / 100
    if sort == 7:
        return None
    return draw.real(0.0, 1.2)


def extensible_usage_trial(draw: Draw) -> ExtensibleUsageTrial:
    """Candidates with usages around their mean."""
    candidates = tuple(UsedBroker(name, draw_usage(draw)) for name in draw_brokers(draw))
    return ExtensibleUsageTrial(draw_difference(draw), candidates, draw_times(draw))


def round_robin_trial(draw: Draw) -> RoundRobinTrial:
    """The same candidates for a while, then others, or the same in another order."""
    counter = draw.pick((2**31 - 1, 2**31 - 2, 7, 1)) if draw.chance(0.1) else 0
    asks: list[Turns] = []
    for _ in draw.items(8, 0.75, least=1):
        candidates = tuple(broker for broker in BROKERS[:5] if draw.chance(0.6))
        if draw.chance(0.3):
            candidates = candidates[::-1]
        again = asks and draw.chance(0.3)
        asks.append(Turns(asks[-1].candidates if again else candidates, draw.integer(1, 7)))
    return RoundRobinTrial(counter, tuple(asks))


def draw_statistics(draw: Draw) -> Statistics:
    """Few values, so that bundles have equal ones."""
    if draw.chance(0.4):
        return Statistics()
    return Statistics(draw.pick((100, 50, 0)), draw.pick((50000, 0)), draw.pick((1, 2)))


def planned_trial(draw: Draw) -> PlannedTrial:
    """Bundles are planned, change, and are placed."""
    names = tuple(f"tenant/ns/{index}" for index in draw.items(4, 0.7, least=1))
    bundles = tuple(KnownBundle(name, draw_statistics(draw)) for name in names)
    brokers = draw_brokers(draw, least=2)
    commands: list[PlannedCommand] = []
    for _ in draw.items(14, 0.85):
        bundle = draw.pick(names)
        sort = draw.integer(0, 9)
        if sort < 3:
            commands.append(PlanMove(bundle, draw.pick((*brokers, STRANGER))))
        elif sort == 3:
            commands.append(Update(bundle, draw_statistics(draw)))
        else:
            candidates = draw_candidates(draw, brokers)
            commands.append(Place(bundle, tuple(c for c in candidates if c != STRANGER)))
    if draw.chance(0.03):
        for _ in range(OFTEN):
            commands.extend((PlanMove(names[0], STRANGER), Place(names[0], brokers)))
    return PlannedTrial(bundles, tuple(commands))
