"""How the independent generator draws fields of this chapter, alone and together."""

from __future__ import annotations

from typing import Any, Final, get_args

from evenkeel.properties.independent_parts import WEIGHT, Production, quick_settings
from evenkeel.properties.production import Cluster
from evenkeel_engine.kit.independent.fields import Fields
from evenkeel_engine.kit.independent.maker import Shaper, record_in, wire_hints
from evenkeel_engine.kit.independent.numbers import Real, Whole

FIELDS: Final = Fields(
    wholes={
        "now": Cluster.later,
        "updated_at": Cluster.later,
        "round": Whole(0, 0, 5),
        "available": Whole(3, 0, 100),
    },
    reals={
        **{
            f"loadBalancer{name}ResourceWeight": WEIGHT
            for name in ("CPU", "DirectMemory", "BandwidthIn", "BandwidthOut")
        },
        "TransferReport.load": Real((0.5, 0.85, 0.0, 1.0), 0.3, 1.2),
    },
    lists={"failing": Cluster.some_bundles},
    yes={
        "filter_fails": 0.1,
        "enabled": 0.9,
        "shedding_enabled": 0.9,
        "loadBalancerDebugModeEnabled": 0.3,
    },
)


def modular_round(maker: Production) -> dict[str, Any]:
    """Brokers with their bundles, and the averages of most; two brokers report a few bundles."""
    world, draw = maker.world, maker.draw
    types = wire_hints(maker.kinds["ModularRound"])
    reported, averaged = (get_args(types[name])[0] for name in ("brokers", "bundles"))
    served: dict[str, list[str]] = {name: [] for name in world.brokers}
    monitored = f"{draw.pick(('pulsar', 'sla-monitor/c'))}/{draw.pick(world.brokers)}"
    if draw.chance(0.3) and monitored.isascii():
        served[draw.pick(world.brokers)].append(f"{monitored}/0x00000000_0xffffffff")
    for bundle in world.bundles:
        if draw.chance(0.85):
            served[draw.pick(world.brokers)].append(bundle)
            taker = served[draw.pick(world.brokers)]
            if draw.chance(0.03) and bundle not in taker:
                taker.append(bundle)
    brokers = tuple(
        maker.make_part(reported, broker=name, bundles=tuple(bundles))
        for name, bundles in served.items()
        if draw.chance(0.95)
    )
    known = [name for name in world.bundles if draw.chance(0.9)]
    averages = tuple(maker.make_part(averaged, bundle=name) for name in known)
    return {"at": world.later(), "brokers": brokers, "bundles": averages}


def transfer_view(maker: Production) -> dict[str, Any]:
    """All brokers, most of them with a fresh report; mostly one carries more than the others."""
    world, draw = maker.world, maker.draw
    now = world.later()
    world.brokers = world.brokers[:12]
    types = wire_hints(maker.kinds["TransferView"])
    kind, last = (get_args(types[name])[0] for name in ("reports", "recent_brokers"))
    bundle = get_args(get_args(wire_hints(kind)["top"])[0])[0]
    tops = {
        name: world.bundles[at :: len(world.brokers)][:5] for at, name in enumerate(world.brokers)
    }
    hot, rest = draw.pick(world.brokers), draw.pick((0.0, 0.3, 0.6))
    return {
        "now": now,
        "registered": None if draw.chance(0.05) else world.brokers,
        "reports": in_proportion(maker, now, tops)
        if draw.chance(0.4)
        else tuple(
            maker.make_part(
                kind,
                broker=name,
                load=1.0 if name == hot else rest,
                updated_at=max(0, now - draw.pick((0, 1000, 60_000, 1_800_001, 7_200_000))),
                top=tuple(maker.make_part(bundle, bundle=top, admits=None) for top in tops[name]),
            )
            for name in world.brokers
            if draw.chance(0.95)
        ),
        "isolated": world.some(world.namespaces, 1) if draw.chance(0.2) else (),
        "anti_affine": world.some(world.namespaces, 1) if draw.chance(0.2) else (),
        "recent_bundles": world.some(world.bundles, 2) if draw.chance(0.2) else (),
        "recent_brokers": tuple(
            last(name, max(0, now - draw.pick((1000, 60_000, 600_000))))
            for name in (world.some(world.brokers, 2) if draw.chance(0.2) else ())
        ),
    }


def in_proportion(maker: Production, now: int, tops: dict[str, tuple[str, ...]]) -> tuple[Any, ...]:
    """Reports in which a broker's load is that of its bundles, the smallest of them first."""
    draw = maker.draw
    kind = get_args(wire_hints(maker.kinds["TransferView"])["reports"])[0]
    bundle = get_args(get_args(wire_hints(kind)["top"])[0])[0]
    free = {"throughput_out": 0.0, "owned": True, "admits": None, "filter_fails": False}

    def report(name: str) -> Any:
        heat = draw.pick((1, 1, 10))
        sizes = sorted(draw.integer(1, 6) * heat for _ in tops[name])
        top = tuple(
            maker.make_part(bundle, bundle=one, throughput_in=size * 1e6, **free)
            for one, size in zip(tops[name], sizes, strict=True)
        )
        known = {"throughput_in": sum(sizes) * 1e6, "throughput_out": 0.0, "updated_at": now}
        return maker.make_part(kind, broker=name, load=sum(sizes) / 100, top=top, **known)

    return tuple(report(name) for name in tops)


def unloaded_before(maker: Production) -> dict[str, Any]:
    """Bundles that were unloaded before the first round, each named once."""
    world, kind = maker.world, record_in(maker, "recently_unloaded")
    done = tuple(kind(bundle, world.later()) for bundle in world.some(world.bundles, 5))
    return {"recently_unloaded": done}


def cycle(maker: Production) -> dict[str, Any]:
    """A cycle at a whole minute, with decisions about a few bundles, each once."""
    world = maker.world
    world.now += 60_000 * maker.draw.pick((1, 1, 2, 5, 30, 60))
    return {"now": world.now}


SHAPERS: Final[dict[str, Shaper]] = {
    "Cycle": cycle,
    "TransferView": transfer_view,
    "TransferRules": quick_settings,
    **{
        key: shaper
        for name in ("avg", "overload", "threshold", "uniform")
        for key, shaper in (
            (f"shedding.{name}/ModularRound", modular_round),
            (f"shedding.{name}/{name.title()}Trial", unloaded_before),
        )
    },
}
