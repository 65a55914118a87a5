"""Whole clusters in virtual time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, get_args

if TYPE_CHECKING:
    from evenkeel.properties.foreign.maker import Maker, Shaper

STEP: Final = 60_000
SLOWEST: Final = 0.001
HOUR: Final = 3_600_000


def timing(maker: Maker) -> dict[str, Any]:
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


def scenario(maker: Maker) -> dict[str, Any]:
    """Different brokers, different bundles, each with an owner or none, and what happens."""
    from evenkeel.properties.foreign.maker import wire_hints  # noqa: PLC0415 - it imports us

    world, draw = maker.world, maker.draw
    types = wire_hints(maker.kinds["Scenario"])
    broker, bundle, event = (get_args(types[name])[0] for name in ("brokers", "bundles", "events"))
    world.brokers = world.some(world.brokers, 20, 1)
    present = [index == 0 or draw.chance(0.9) for index in range(len(world.brokers))]
    brokers = tuple(
        maker.part_with(
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
        maker.part_with(bundle, name=name, owner=draw.pick(owners) if draw.chance(0.9) else None)
        for name in world.some(world.bundles, 40, 1)
    )
    events = tuple(maker.value(event, "events", "Scenario") for _ in draw.items(3, 0.5))
    return {
        "brokers": brokers,
        "bundles": bundles,
        "events": tuple(sorted(events, key=lambda one: int(one.at))),
    }


def traffic(maker: Maker) -> dict[str, Any]:
    """Traffic with a heavy tail: most bundles have little, a few very much."""
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


def moment(maker: Maker) -> int:
    """A moment within a short run (ms)."""
    return maker.draw.integer(0, 12) * STEP


def at_a_moment(maker: Maker) -> dict[str, Any]:
    """An event."""
    factor = maker.draw.pick((0.5, 1.0, SLOWEST, 0.1))
    lasts = maker.draw.integer(1, 5) * STEP
    return {"at": moment(maker), "lasts": lasts, "by": STEP, "factor": factor}


def spike(maker: Maker) -> dict[str, Any]:
    """A spike, or a dip."""
    begin = moment(maker)
    return {
        "begin": begin,
        "end": begin + maker.draw.integer(1, 6) * STEP,
        "factor": maker.draw.pick((2.0, 0.0, 10.0, 0.5)),
    }


def daily(maker: Maker) -> dict[str, Any]:
    """A day and a night."""
    low = maker.draw.pick((0.0, 0.5, 1.0))
    return {"peak": maker.draw.integer(0, 23) * HOUR, "low": low}


def drift(maker: Maker) -> dict[str, Any]:
    """Slow growth, or the opposite."""
    return {"per_hour": maker.draw.pick((0.5, -0.5, 10.0, -1.0)), "until": moment(maker)}


def split(maker: Maker) -> dict[str, Any]:
    """A split in the middle; who gets the halves is for placement to say."""
    from evenkeel.properties.foreign.maker import wire_hints  # noqa: PLC0415 - it imports us

    parent = maker.draw.pick(maker.world.bundles)
    namespace, _, cut = parent.rpartition("/")
    lower, upper = (int(end, 16) for end in cut.split("_"))
    middle = (lower + upper + 1) // 2
    kind = get_args(wire_hints(maker.kinds["Split"])["children"])[0]
    names = (f"{namespace}/0x{a:08x}_0x{b:08x}" for a, b in ((lower, middle), (middle, upper)))
    children = tuple(maker.part_with(kind, name=name, owner=None) for name in names)
    return {"at": moment(maker), "bundle": parent, "children": children}


SCENARIO_SHAPERS: Final[dict[str, Shaper]] = {
    "Timing": timing,
    "Scenario": scenario,
    "balancing.loop/Traffic": traffic,
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
