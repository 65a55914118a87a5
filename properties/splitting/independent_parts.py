"""How the independent generator draws fields of this chapter, alone and together."""

from __future__ import annotations

from typing import Any, Final, get_args

from evenkeel.properties.independent_parts import Production
from evenkeel.properties.production import LAST, Cluster
from evenkeel_engine.kit.independent.fields import Fields
from evenkeel_engine.kit.independent.maker import Shaper, record_in, trial_hints, wire_hints
from evenkeel_engine.kit.independent.numbers import Whole

FIELDS: Final = Fields(
    wholes={
        "position": Cluster.hash,
        "positions": Cluster.hash,
        "loadBalancerNamespaceBundleMaxTopics": Whole(1000, 0, 5000),
        "loadBalancerNamespaceBundleMaxSessions": Whole(1000, 0, 5000),
        "loadBalancerNamespaceBundleMaxMsgRate": Whole(30_000, 0, 100_000),
        "loadBalancerNamespaceBundleMaxBandwidthMbytes": Whole(100, 0, 4096),
        "loadBalancerNamespaceMaximumBundles": Whole(128, 0, 300),
        "loadBalancerNamespaceBundleSplitConditionHitCountThreshold": Whole(3, -1, 5),
        "loadBalancerMaxNumberOfBundlesToSplitPerCycle": Whole(10, 0, 12),
        "flowOrQpsDifferenceThresholdPercentage": Whole(10, 0, 100),
        "known_brokers": Whole(3, 0, 12),
        "NamespaceCount.bundles": Whole(127, 1, 300),
    },
    lists={"splitting": Cluster.some_bundles},
    yes={"reported": 0.8},
    lengths={"positions": (1, 6)},
)


def hash_range(maker: Production) -> dict[str, Any]:
    """Mostly a bundle of the namespace."""
    world, draw = maker.world, maker.draw
    if draw.chance(0.1):
        ends = sorted((draw.integer(0, LAST), draw.integer(0, LAST)))
        return {"lower": ends[0], "upper": max(ends[1], ends[0] + 1)}
    place = draw.integer(0, len(world.boundaries) - 2)
    return {"lower": world.boundaries[place], "upper": world.boundaries[place + 1]}


def one_namespace(maker: Production) -> dict[str, Any]:
    """A namespace with its boundaries; all topics are its own."""
    world = maker.world
    world.namespaces = (maker.draw.pick(world.namespaces),)
    return {"namespace": world.namespaces[0], "boundaries": world.boundaries}


def whole_range(maker: Production) -> dict[str, Any]:
    """The bundle with all hashes, so that any topic lies in it."""
    kind = trial_hints(maker)["bundle"]
    known: dict[str, Any] = {"positions": ()} if maker.draw.chance(0.1) else {}
    topics = topics_of(maker, maker.world.namespaces[0])
    return {"bundle": kind(0, LAST), "topics": topics, **known}


def topics_of(maker: Production, namespace: str) -> tuple[Any, ...]:
    """Different topics of a namespace with their traffic."""
    kind = record_in(maker, "topics")
    names = [f"persistent://{namespace}/t{number}" for number in maker.draw.items(12, 0.8)]
    return tuple(maker.make_part(kind, topic=name) for name in names)


def manual(maker: Production) -> dict[str, Any]:
    """A request for a split, of a namespace whose topics are known."""
    world, draw = maker.world, maker.draw
    namespace = draw.pick(world.namespaces)
    names = (
        "range_equally_divide",
        "topic_count_equally_divide",
        "specified_positions_divide",
        "flow_or_qps_equally_divide",
    )
    place = draw.integer(0, len(world.boundaries) - 2)
    inside = [draw.integer(*world.boundaries[place : place + 2]) for _ in draw.items(3)]
    selector = "0x{:08x}_0x{:08x}".format(*world.boundaries[place : place + 2])
    return {
        "namespace": namespace,
        "boundaries": world.boundaries,
        "positions": tuple(inside),
        "selector": draw.pick((selector, world.range_text(), "LARGEST", "HOT", "largest")),
        "algorithm": draw.pick((*names, "", "by_moonlight")),
        "defaultNamespaceBundleSplitAlgorithm": draw.pick(names),
        "supportedNamespaceBundleSplitAlgorithms": world.some(names, 4, 1),
        "topics": topics_of(maker, namespace),
    }


def split_among_others(maker: Production) -> dict[str, Any]:
    """A split: at times without positions, or while others write again and again."""
    draw, kind = maker.draw, get_args(wire_hints(maker.kinds["Split"])["rivals"])[0]
    known: dict[str, Any] = {"positions": ()} if draw.chance(0.1) else {}
    if draw.chance(0.1):
        known["rivals"] = (maker.make_part(draw.pick(get_args(kind))),) * draw.integer(6, 9)
    return known


def split_target(maker: Production) -> dict[str, Any]:
    """A bundle that is cut at hashes within it, mostly."""
    world, draw = maker.world, maker.draw
    place = draw.integer(0, len(world.boundaries) - 2)
    lower, upper = world.boundaries[place], world.boundaries[place + 1]
    points = []
    for _ in draw.items(5, 0.5, 1):
        inside = draw.integer(lower, upper)
        points.append(draw.pick((inside, (lower + upper) // 2, lower, upper, lower + 1)))
    return {
        "boundaries": world.boundaries,
        "target": trial_hints(maker)["target"](lower, upper),
        "positions": tuple(points),
    }


def own_load(maker: Production) -> dict[str, Any]:
    """A bundle, mostly with a hash inside it to cut it at."""
    draw = maker.draw
    load = maker.make_part(wire_hints(maker.kinds["OwnLoad"])["load"])
    lower, upper = (int(end, 16) for end in load.bundle.rpartition("/")[2].split("_"))
    inside = draw.pick(((lower + upper) // 2, draw.integer(lower, upper)))
    return {"load": load, **({"positions": (inside,)} if draw.chance(0.7) else {})}


def count_bundles(cycle: str) -> Shaper:
    """Of a cycle: how many bundles every namespace has."""

    def counts(maker: Production) -> dict[str, Any]:
        kind = get_args(wire_hints(maker.kinds[cycle])["counts"])[0]
        every = (maker.make_part(kind, namespace=name) for name in maker.world.namespaces)
        return {"counts": tuple(every)}

    return counts


def automatic_splits(maker: Production) -> dict[str, Any]:
    """Different bundles, each owned by one of the brokers."""
    world, draw, kind = maker.world, maker.draw, record_in(maker, "splits")
    brokers = world.some(world.brokers, 20, 1)
    bundles = world.some(world.bundles, 8)
    splits = tuple(maker.make_part(kind, bundle=b, owner=draw.pick(brokers)) for b in bundles)
    return {"brokers": brokers, "splits": splits}


SHAPERS: Final[dict[str, Shaper]] = {
    "HashRange": hash_range,
    "splitting.positions/PositionsTrial": whole_range,
    "splitting.manual/ManualTrial": manual,
    "splitting.apply/ApplyTrial": split_target,
    "splitting.life/LifeTrial": one_namespace,
    "splitting.life/Split": split_among_others,
    "OwnLoad": own_load,
    "ExtensibleCycle": count_bundles("ExtensibleCycle"),
    "splitting.due_modular/ModularRound": count_bundles("ModularRound"),
    "splitting.unloading/UnloadingTrial": automatic_splits,
}
