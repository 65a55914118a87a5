from __future__ import annotations

from evenkeel.properties.draw import Draw, seldom_large, seldom_repeated
from evenkeel.properties.placement.drawing import (
    BROKERS,
    draw_brokers,
    draw_candidates,
    draw_difference,
    draw_many_brokers,
    draw_resources,
    draw_times,
    draw_weights,
)
from evenkeel.properties.placement.resource_usage.trial import (
    Active,
    Ask,
    ExtensibleUsageTrial,
    ModularUsageTrial,
    Report,
    UsageCommand,
    UsedBroker,
)
from evenkeel.reference.load.usage import Resource, Resources
from evenkeel.reference.placement.resource_usage import UsageConfig, UsageReport


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


@seldom_repeated("commands", 0.06)
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
    return seldom_large(draw, draw_extensible)


def draw_extensible(draw: Draw, large: bool) -> ExtensibleUsageTrial:
    """The same; a large trial has many."""
    names = draw_many_brokers(draw) if large else draw_brokers(draw)
    candidates = tuple(UsedBroker(name, draw_usage(draw)) for name in names)
    return ExtensibleUsageTrial(draw_difference(draw), candidates, draw_times(draw))
