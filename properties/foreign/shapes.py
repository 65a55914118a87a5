"""Parts whose fields belong together."""

from __future__ import annotations

from typing import Any, Final, get_args

from evenkeel.properties.foreign.maker import Maker, Shaper, wire_hints
from evenkeel.properties.foreign.scenario import SCENARIO_SHAPERS
from evenkeel.properties.foreign.world import LAST
from evenkeel.reference.throttling.configuration import BY_NAME


def resource(maker: Maker) -> dict[str, Any]:
    """Usage and limit in one unit: idle, usual, or over its limit; or not to be measured."""
    draw = maker.draw
    limit = draw.pick((100.0, 100.0, 1_250_000.0, 2048.0, 0.0, 0.001))
    if draw.chance(0.05):
        return {"usage": -1.0, "limit": limit}
    share = draw.pick((0.0, 0.5, 0.85, 1.0)) if draw.chance(0.3) else draw.real(0.0, 1.1)
    return {"usage": share * (limit or 1.0), "limit": limit}


def hash_range(maker: Maker) -> dict[str, Any]:
    """Mostly a bundle of the namespace."""
    world, draw = maker.world, maker.draw
    if draw.chance(0.1):
        ends = sorted((draw.integer(0, LAST), draw.integer(0, LAST)))
        return {"lower": ends[0], "upper": max(ends[1], ends[0] + 1)}
    place = draw.integer(0, len(world.boundaries) - 2)
    return {"lower": world.boundaries[place], "upper": world.boundaries[place + 1]}


def boundaries(maker: Maker) -> dict[str, Any]:
    """Boundaries as a namespace has them."""
    return {"boundaries": maker.world.boundaries}


def one_namespace(maker: Maker) -> dict[str, Any]:
    """A namespace with its boundaries; whatever topics come are its own."""
    world = maker.world
    world.namespaces = (maker.draw.pick(world.namespaces),)
    return {"namespace": world.namespaces[0], "boundaries": world.boundaries}


def any_boundaries(maker: Maker) -> dict[str, Any]:
    """Boundaries with a slip in them, at times."""
    draw, ends = maker.draw, list(maker.world.boundaries)
    slip = draw.integer(0, 9)
    if slip == 1:
        ends.reverse()
    elif slip == 2:
        ends.append(draw.pick(ends))
    elif slip == 3:
        ends.pop(draw.integer(0, len(ends) - 1))
    elif slip == 4:
        ends.insert(draw.integer(0, len(ends)), draw.pick((-1, LAST + 1, 2**31, 2**63)))
    elif slip == 5:
        ends = ends[: draw.integer(0, 1)]
    return {"boundaries": tuple(ends)}


def creation(maker: Maker) -> dict[str, Any]:
    """A namespace with explicit boundaries, or without."""
    draw = maker.draw
    forms = ("0x{:08x}", "0x{:x}", "{}", "0X{:08X}", "{:#o}", " {}")
    ends = tuple(draw.pick(forms).format(end) for end in maker.world.boundaries)
    odd = ("", "0x", "0xfffffffff", "-1", "zz", "\u0661")
    if draw.chance(0.2):
        ends = (*ends, draw.pick(odd))
    counts = (0, 1, 4, 64, 1024, -1, 3, 2**31 - 1)
    return {
        "boundaries": ends if draw.chance(0.6) else None,
        "count": len(ends) - 1 if draw.chance(0.4) else draw.pick(counts),
    }


def topic_lookup(maker: Maker) -> dict[str, Any]:
    """A topic of the namespace, mostly."""
    world, draw = maker.world, maker.draw
    namespace = draw.pick(world.namespaces)
    other = draw.chance(0.15)
    return {
        "namespace": namespace,
        "boundaries": world.boundaries,
        "topic": world.topic(None if other else namespace),
    }


def membership(maker: Maker) -> dict[str, Any]:
    """A bundle, or what looks like one."""
    world, draw = maker.world, maker.draw
    place = draw.integer(0, len(world.boundaries) - 2)
    lower, upper = world.boundaries[place], world.boundaries[place + 1]
    slips = ((0, 0), (0, 0), (1, 0), (0, -1), (-1, 0), (0, 1))
    below, above = draw.pick(slips)
    return {"boundaries": world.boundaries, "lower": lower + below, "upper": upper + above}


def range_text(maker: Maker) -> dict[str, Any]:
    """The name of a range."""
    return {"text": maker.world.range_text()}


def topic_text(maker: Maker) -> dict[str, Any]:
    """A topic's name: full, short, old, or nonsense."""
    world, draw = maker.world, maker.draw
    full = world.topic()
    forms = (
        full,
        full.rpartition("/")[2],
        full.partition("://")[2],
        full.replace("persistent://", "persistent://cluster/", 1),
        f"{full}-partition-{draw.integer(0, 20)}",
        f"{full}-partition-0{draw.integer(0, 9)}",
        f"{full}-partition--1",
        full.replace("://", ":/"),
        full.upper(),
        f"{full}/deep/er",
        "",
        "://",
        f" {full} ",
        full.replace("/", "//", 1),
    )
    return {"text": draw.pick(forms)}


def whole_range(maker: Maker) -> dict[str, Any]:
    """The bundle in which any topic lies, so that topics need no choosing."""
    kind = trial_hints(maker)["bundle"]
    return {"bundle": kind(0, LAST), "topics": topics_of(maker, maker.world.namespaces[0])}


def trial_hints(maker: Maker) -> dict[str, Any]:
    """The types of the fields of the question's trial."""
    return wire_hints(maker.trial_type)


def record_in(maker: Maker, name: str) -> Any:
    """The type of the records of a list in the trial."""
    return get_args(trial_hints(maker)[name])[0]


def topics_of(maker: Maker, namespace: str) -> tuple[Any, ...]:
    """Different topics of a namespace with their traffic."""
    kind = record_in(maker, "topics")
    names = [f"persistent://{namespace}/t{number}" for number in maker.draw.items(12, 0.8)]
    return tuple(maker.part_with(kind, topic=name) for name in names)


def manual(maker: Maker) -> dict[str, Any]:
    """A request for a split, of a namespace whose topics are known."""
    world, draw = maker.world, maker.draw
    namespace = draw.pick(world.namespaces)
    names = (
        "range_equally_divide",
        "topic_count_equally_divide",
        "specified_positions_divide",
        "flow_or_qps_equally_divide",
    )
    return {
        "namespace": namespace,
        "boundaries": world.boundaries,
        "selector": draw.pick((world.range_text(), "LARGEST", "HOT", "largest")),
        "algorithm": draw.pick((*names, "", "by_moonlight")),
        "defaultNamespaceBundleSplitAlgorithm": draw.pick(names),
        "supportedNamespaceBundleSplitAlgorithms": world.some(names, 4, 1),
        "topics": topics_of(maker, namespace),
    }


def split_target(maker: Maker) -> dict[str, Any]:
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


def automatic_splits(maker: Maker) -> dict[str, Any]:
    """Different bundles, each with an owner that is there."""
    world, draw, kind = maker.world, maker.draw, record_in(maker, "splits")
    brokers = world.some(world.brokers, 20, 1)
    bundles = world.some(world.bundles, 8)
    splits = tuple(maker.part_with(kind, bundle=b, owner=draw.pick(brokers)) for b in bundles)
    return {"brokers": brokers, "splits": splits}


def modular_round(maker: Maker) -> dict[str, Any]:
    """Brokers with their bundles, and the averages of most; a few bundles change their broker, so
    that two report them.
    """
    world, draw = maker.world, maker.draw
    types = wire_hints(maker.kinds["ModularRound"])
    reported, averaged = (get_args(types[name])[0] for name in ("brokers", "bundles"))
    served: dict[str, list[str]] = {name: [] for name in world.brokers}
    for bundle in world.bundles:
        if draw.chance(0.85):
            served[draw.pick(world.brokers)].append(bundle)
            taker = served[draw.pick(world.brokers)]
            if draw.chance(0.03) and bundle not in taker:
                taker.append(bundle)
    brokers = tuple(
        maker.part_with(reported, broker=name, bundles=tuple(bundles))
        for name, bundles in served.items()
        if draw.chance(0.95)
    )
    known = [name for name in world.bundles if draw.chance(0.9)]
    averages = tuple(maker.part_with(averaged, bundle=name) for name in known)
    return {"at": world.later(), "brokers": brokers, "bundles": averages}


def unloaded_before(maker: Maker) -> dict[str, Any]:
    """Bundles that were unloaded before the first round, each named once."""
    world, kind = maker.world, record_in(maker, "recently_unloaded")
    done = tuple(kind(bundle, world.later()) for bundle in world.some(world.bundles, 5))
    return {"recently_unloaded": done}


def served_brokers(maker: Maker) -> dict[str, Any]:
    """Different brokers, each bundle served by one of them at most."""
    world, draw = maker.world, maker.draw
    kind = record_in(maker, "brokers")
    names = world.some(world.brokers, 100, 1)
    served: dict[str, list[str]] = {name: [] for name in names}
    for bundle in world.bundles[1:]:
        if draw.chance(0.6):
            served[draw.pick(names)].append(bundle)
    groups = record_in(maker, "groups")
    grouped = tuple(
        maker.part_with(groups, namespace=name) for name in world.some(world.namespaces)
    )
    brokers = (maker.part_with(kind, name=name, bundles=tuple(served[name])) for name in names)
    return {
        "brokers": tuple(brokers),
        "groups": grouped,
        "bundle": world.bundles[0],
        "prefers": world.some(names, 100, len(names)),
        **(
            {"prefers_then": world.some(names, 100, len(names))}
            if "prefers_then" in trial_hints(maker)
            else {}
        ),
    }


def known_bundles(maker: Maker) -> dict[str, Any]:
    """Different bundles, of which the commands speak."""
    world, field = maker.world, "bundles"
    kind = record_in(maker, field)
    key = "name" if "name" in wire_hints(kind) else "bundle"
    world.bundles = world.some(world.bundles, 8, 1)
    return {field: tuple(maker.part_with(kind, **{key: name}) for name in world.bundles)}


def known_brokers_too(maker: Maker) -> dict[str, Any]:
    """The same, with the brokers that are there."""
    return {**known_bundles(maker), "brokers": maker.world.some(maker.world.brokers, 20, 1)}


def cycle(maker: Maker) -> dict[str, Any]:
    """A cycle at a whole minute, that decides about a few bundles, each once."""
    world = maker.world
    world.now += 60_000 * maker.draw.pick((1, 1, 2, 5, 30, 60))
    return {"now": world.now}


def throttling_key(maker: Maker) -> dict[str, Any]:
    """A key of dispatch throttling, as the wire lists them."""
    return {"key": maker.draw.pick(tuple(BY_NAME))}


SHAPERS: Final[dict[str, Shaper]] = {
    "throttling.default/DefaultTrial": throttling_key,
    **SCENARIO_SHAPERS,
    "Resource": resource,
    "HashRange": hash_range,
    "Cycle": cycle,
    "bundles.boundaries/BoundariesTrial": any_boundaries,
    "bundles.creation/CreationTrial": creation,
    "bundles.hash_lookup/HashLookupTrial": boundaries,
    "bundles.topic_lookup/TopicLookupTrial": topic_lookup,
    "bundles.membership/MembershipTrial": membership,
    "bundles.range/RangeTrial": range_text,
    "bundles.topic/TopicTrial": topic_text,
    "splitting.positions/PositionsTrial": whole_range,
    "splitting.manual/ManualTrial": manual,
    "splitting.apply/ApplyTrial": split_target,
    "splitting.life/LifeTrial": one_namespace,
    "splitting.unloading/UnloadingTrial": automatic_splits,
    "placement.candidates/CandidatesTrial": served_brokers,
    "placement.filters/FiltersTrial": served_brokers,
    "placement.avg_shedder/PlannedTrial": known_bundles,
    "placement.preallocation/PreallocationTrial": known_brokers_too,
    **{
        key: shaper
        for chapter in ("avg", "overload", "threshold", "uniform")
        for key, shaper in (
            (f"shedding.{chapter}/ModularRound", modular_round),
            (f"shedding.{chapter}/{chapter.title()}Trial", unloaded_before),
        )
    },
}
