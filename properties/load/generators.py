"""Trials of `load.usage`, `load.bundle_averages`, `load.leader` and `load.history`."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.draw import Draw
from evenkeel.properties.load.trials_averages import (
    BundleAveragesTrial,
    LeaderCommand,
    LeaderTrial,
    Leave,
    Publish,
    Samples,
    Start,
    Write,
)
from evenkeel.properties.load.trials_history import (
    Active,
    HistoryCommand,
    HistoryTrial,
    Look,
)
from evenkeel.properties.load.trials_usage import Metered, UsageTrial
from evenkeel.reference.load.history import Keeper, Seen
from evenkeel.reference.load.leader import BundleSample
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Weights

BROKERS: Final = ("broker-1:8080", "broker-2:8080", "broker-3:8080")
BUNDLES: Final = (
    "tenant/ns/0x00000000_0x40000000",
    "tenant/ns/0x40000000_0x80000000",
    "tenant/ns/0x80000000_0xc0000000",
    "tenant/ns/0xc0000000_0xffffffff",
    "tenant/other/0x00000000_0x80000000",
    "pulsar/system/0x00000000_0x40000000",
)

# ---------------------------------------------------------------------------------- usage


def draw_metered(draw: Draw) -> Metered:
    """A resource: a round percentage, something in between, too much, or unknown."""
    sort = draw.integer(0, 9)
    if sort == 0:
        return Metered(0.0, draw.pick((0.0, 100.0, -1.0)))
    if sort <= 4:
        return Metered(float(draw.integer(0, 120)), draw.pick((100.0, 200.0, 1600.0, 3.0)))
    if sort <= 6:
        return Metered(draw.real(0.0, 120.0), 100.0)
    if sort == 7:
        return Metered(draw.real(0.0, 1e8), draw.real(1.0, 1e8))
    if sort == 8:
        return Metered(None, draw.pick((100.0, 0.0)))
    return Metered(draw.pick((-1.0, 5.0, 1e12)), draw.pick((-1.0, 1e-6, 100.0)))


def draw_weight(draw: Draw, default: float) -> float:
    """A weight, mostly the default."""
    if draw.chance(0.6):
        return draw.pick((0.0, 1.0, 0.5, 2.0)) if draw.chance(0.7) else draw.real(0.0, 3.0)
    return default


def usage_trial(draw: Draw) -> UsageTrial:
    """Five resources and seven weights."""
    known = Weights()
    return UsageTrial(
        cpu=draw_metered(draw),
        memory=draw_metered(draw),
        direct_memory=draw_metered(draw),
        bandwidth_in=draw_metered(draw),
        bandwidth_out=draw_metered(draw),
        weights=Weights(
            draw_weight(draw, known.cpu),
            draw_weight(draw, known.memory),
            draw_weight(draw, known.direct_memory),
            draw_weight(draw, known.bandwidth_in),
            draw_weight(draw, known.bandwidth_out),
        ),
        misspelt_in=draw_weight(draw, 1.0),
        misspelt_out=draw_weight(draw, 1.0),
    )


# ------------------------------------------------------------------------------- averages


def draw_traffic(draw: Draw) -> Traffic:
    """Idle, equal in and out, or anything."""
    if draw.chance(0.2):
        return Traffic()
    if draw.chance(0.3):
        rate = draw.pick((10.0, 100.0, 1000.0))
        return Traffic(rate, rate, rate * 1024, rate * 1024)
    return Traffic(
        float(draw.integer(0, 5000)),
        draw.real(0.0, 5000.0),
        float(draw.integer(0, 10**8)),
        draw.real(0.0, 1e8),
    )


def draw_times(draw: Draw) -> int:
    """How often a sample comes: once, about as often as a window is long, seldom very often."""
    if draw.chance(0.5):
        return 1
    if draw.chance(0.05):
        return draw.pick((998, 999, 1000, 1001, 1100, 2500))
    return draw.pick((2, 8, 9, 10, 11, 100)) if draw.chance(0.5) else draw.integer(2, 30)


def bundle_averages_trial(draw: Draw) -> BundleAveragesTrial:
    """A few sorts of samples, one after the other."""
    start = draw.pick((Start.UNSEEN, Start.UNSEEN, Start.QUOTA))
    samples = tuple(
        Samples(draw_traffic(draw), draw.integer(0, 3), draw_times(draw)) for _ in draw.items(5)
    )
    return BundleAveragesTrial(start, draw_traffic(draw), samples)


def leader_trial(draw: Draw) -> LeaderTrial:
    """Two or three brokers that publish, move bundles among them, leave and come back."""
    served: dict[str, str] = {}
    commands: list[LeaderCommand] = []
    for _ in draw.items(12, 0.85, least=1):
        sort = draw.integer(0, 9)
        if sort == 9:
            commands.append(Write())
            continue
        broker = draw.pick(BROKERS)
        served = {bundle: other for bundle, other in served.items() if other != broker}
        if sort == 8:
            commands.append(Leave(broker))
            continue
        free = [bundle for bundle in BUNDLES if bundle not in served]
        chosen = draw.sample(free, 4)
        served |= dict.fromkeys(chosen, broker)
        samples = (BundleSample(b, draw_traffic(draw), draw.integer(0, 3)) for b in chosen)
        commands.append(Publish(broker, tuple(samples)))
    return LeaderTrial(tuple(commands))


# -------------------------------------------------------------------------------- history


def draw_seen(draw: Draw, broker: str) -> Seen:
    """What is seen of a broker: now and then it is new, or idle."""
    cpu = float(draw.integer(0, 120)) if draw.chance(0.7) else draw.real(0.0, 100.0)
    bundles = 0 if draw.chance(0.15) else draw.integer(1, 5)
    msg_rate = 0.0 if draw.chance(0.15) else draw.pick((100.0, 1.0, 0.5))
    return Seen(broker, cpu, bundles, msg_rate)


def history_trial(draw: Draw) -> HistoryTrial:
    """Looks at some of the brokers, and changes of who is there."""
    keeper = draw.pick(tuple(Keeper))
    weight = draw.pick((0.9, 0.5, 0.0, 1.0)) if draw.chance(0.7) else draw.real(0.0, 1.0)
    commands: list[HistoryCommand] = []
    for _ in draw.items(10, 0.85, least=1):
        brokers = draw.sample(BROKERS, 6)
        if draw.chance(0.2):
            commands.append(Active(tuple(brokers)))
        else:
            commands.append(Look(tuple(draw_seen(draw, broker) for broker in brokers)))
    return HistoryTrial(keeper, weight, tuple(commands))
