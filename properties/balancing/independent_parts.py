"""How the independent generator draws fields of this chapter, alone and together."""

from __future__ import annotations

from typing import Any, Final, get_args

from evenkeel.properties.independent_parts import Production, quick_settings
from evenkeel_engine.kit.independent.fields import Fields
from evenkeel_engine.kit.independent.maker import Shaper, wire_hints
from evenkeel_engine.kit.independent.numbers import Whole

STEP: Final = 60_000
SLOWEST: Final = 0.001
HOUR: Final = 3_600_000

FIELDS: Final = Fields(
    wholes={
        "loadBalancerMaxNumberOfBundlesInBundleLoadReport": Whole(10, 0, 20),
        "loadBalancerAverageResourceUsageDifferenceThresholdPercentage": Whole(10, 0, 100),
        "seed": Whole(1, 0, 2**31 - 1),
    }
)


def timing(maker: Production) -> dict[str, Any]:
    """A few steps of a minute, with the defaults of Pulsar around them."""
    draw = maker.draw
    step = draw.pick((STEP, STEP, 10_000, 300_000))
    return {
        "steps": draw.integer(2, 12),
        "step": step,
        "shedding": step * draw.pick((1, 1, 2, 3)),
        "reconnect": draw.pick((1000, 0, 100, STEP, STEP + 1)),
        "transfer": draw.pick((100, 0, STEP)),
        "session": draw.pick((30_000, 0, STEP, 120_000)),
    }


def scenario(maker: Production) -> dict[str, Any]:
    """Different brokers, different bundles, each with an owner or none, and events."""
    world, draw = maker.world, maker.draw
    if draw.chance(0.4):
        return constant(maker)
    types = wire_hints(maker.kinds["Scenario"])
    broker, bundle, event = (get_args(types[name])[0] for name in ("brokers", "bundles", "events"))
    world.brokers = world.some(world.brokers, 20, 1)
    present = [index == 0 or draw.chance(0.9) for index in range(len(world.brokers))]
    brokers = tuple(
        maker.make_part(
            broker,
            id=name,
            present=there,
            messages=draw.pick((1000.0, 10_000.0, 50_000.0)),
            bandwidth=draw.pick((1e6, 1.25e8, 1.25e9)),
        )
        for name, there in zip(world.brokers, present, strict=True)
    )
    owners = [name for name, there in zip(world.brokers, present, strict=True) if there]
    bundles = tuple(
        maker.make_part(bundle, name=name, owner=draw.pick(owners) if draw.chance(0.9) else None)
        for name in world.some(world.bundles, 40, 1)
    )
    events = tuple(maker.make_value(event, "events", "Scenario") for _ in draw.items(3, 0.5))
    return {
        "brokers": brokers,
        "bundles": bundles,
        "events": tuple(sorted(events, key=lambda one: int(one.at))),
    }


def constant(maker: Production) -> dict[str, Any]:
    """Equal brokers, constant traffic in proportion, most of it at one of them; perhaps a split."""
    world, draw = maker.world, maker.draw
    types = wire_hints(maker.kinds["Scenario"])
    broker, bundle, event = (get_args(types[name])[0] for name in ("brokers", "bundles", "events"))
    world.brokers, world.bundles = world.brokers[:6], world.some(world.bundles, 12, 2)
    same = {"present": True, "messages": 10_000.0, "bandwidth": 1.25e8}
    hints_ = wire_hints(bundle)
    splits = [one for one in get_args(event) if "children" in wire_hints(one)]

    def spec(name: str) -> Any:
        rate = draw.integer(1, 15) * 100.0
        load = hints_["traffic"](rate, rate, rate * 12_500, rate * 12_500)
        owner = world.brokers[0] if draw.chance(0.7) else draw.pick(world.brokers)
        steady = get_args(hints_["curve"])[0]()
        return maker.make_part(bundle, name=name, owner=owner, traffic=load, curve=steady)

    return {
        "brokers": tuple(maker.make_part(broker, id=name, **same) for name in world.brokers),
        "bundles": tuple(map(spec, world.bundles)),
        "events": tuple(maker.make_part(one) for one in splits if draw.chance(0.4)),
    }


def traffic(maker: Production) -> dict[str, Any]:
    """Traffic with a heavy tail: most bundles have little, a few have very much."""
    draw = maker.draw
    scale = draw.pick((0.0, 1.0, 100.0, 1000.0, 10_000.0))
    rate, size = draw.real(0.0, 1.0) * scale, draw.pick((0.0, 100.0, 1024.0, 65_536.0))
    fan_out = draw.pick((0.0, 1.0, 2.0, 10.0))
    return {
        "msg_rate_in": rate,
        "msg_rate_out": rate * fan_out,
        "throughput_in": rate * size,
        "throughput_out": rate * size * fan_out,
    }


def moment(maker: Production) -> int:
    """A moment within a short run (ms)."""
    return maker.draw.integer(0, 12) * STEP


def at_a_moment(maker: Production) -> dict[str, Any]:
    """An event."""
    factor = maker.draw.pick((0.5, 1.0, SLOWEST, 0.1))
    lasts = maker.draw.integer(1, 5) * STEP
    return {"at": moment(maker), "lasts": lasts, "by": STEP, "factor": factor}


def spike(maker: Production) -> dict[str, Any]:
    """A spike, or a dip."""
    begin = moment(maker)
    return {
        "begin": begin,
        "end": begin + maker.draw.integer(1, 6) * STEP,
        "factor": maker.draw.pick((2.0, 0.0, 10.0, 0.5)),
    }


def daily(maker: Production) -> dict[str, Any]:
    """A day and a night."""
    low = maker.draw.pick((0.0, 0.5, 1.0))
    return {"peak": maker.draw.integer(0, 23) * HOUR, "low": low}


def drift(maker: Production) -> dict[str, Any]:
    """Slow growth, or the opposite."""
    return {"per_hour": maker.draw.pick((0.5, -0.5, 10.0, -1.0)), "until": moment(maker)}


def split(maker: Production) -> dict[str, Any]:
    """A split in the middle; placement decides which broker gets the halves."""
    parent = maker.draw.pick(maker.world.bundles)
    namespace, _, cut = parent.rpartition("/")
    lower, upper = (int(end, 16) for end in cut.split("_"))
    middle = (lower + upper + 1) // 2
    kind = get_args(wire_hints(maker.kinds["Split"])["children"])[0]
    names = (f"{namespace}/0x{a:08x}_0x{b:08x}" for a, b in ((lower, middle), (middle, upper)))
    children = tuple(maker.make_part(kind, name=name, owner=None) for name in names)
    return {"at": moment(maker), "bundle": parent, "children": children}


SHAPERS: Final[dict[str, Shaper]] = {
    "Timing": timing,
    "Scenario": scenario,
    "balancing.loop/Traffic": traffic,
    "balancing.loop/Settings": quick_settings,
    "Spike": spike,
    "Daily": daily,
    "Drift": drift,
    **{
        f"balancing.loop/{name}": at_a_moment
        for name in ("Join", "Leave", "Crash", "Slow", "DelayReports", "LoseReports")
    },
    "LeaderChange": at_a_moment,
    "balancing.loop/Split": split,
}
