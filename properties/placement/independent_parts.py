"""How the independent generator draws fields of this chapter, alone and together."""

from __future__ import annotations

from typing import Any, Final, get_args

from evenkeel.properties.independent_parts import MEGABYTE, Production
from evenkeel.properties.production import Cluster
from evenkeel_engine.kit.independent.fields import Fields
from evenkeel_engine.kit.independent.maker import MANY, Shaper, record_in, trial_hints, wire_hints
from evenkeel_engine.kit.independent.numbers import Real, Whole

VERSIONS: Final = ("4.0.8", "3.3.1", "4.1.0-SNAPSHOT", "2.11", "4.0.8.1")
MANAGERS: Final = (
    "org.apache.pulsar.broker.loadbalance.extensions.ExtensibleLoadManagerImpl",
    "org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl",
)
DOMAINS: Final = ("zone-a", "zone-b", "zone-c")


def expressions(world: Cluster, names: tuple[str, ...], least: int) -> tuple[str, ...]:
    """Of hosts, some with their ports, or of namespaces; seldom one that is none."""
    draw = world.draw
    known = [name for name in names if name.isascii()]
    hosts = [name if draw.chance(0.3) else name.partition(":")[0] for name in known]
    odd = (draw.pick((".*", "[b-z].*", "(", "[z-a]")),) if draw.chance(0.2) else ()
    return (*world.some(hosts, 3, least), *odd)


def any_expressions(world: Cluster) -> tuple[str, ...]:
    """Of hosts and of namespaces."""
    return expressions(world, (*world.brokers, *world.namespaces), 0)


def all_brokers(world: Cluster) -> tuple[str, ...]:
    """Every broker, in any order."""
    return world.some(world.brokers, len(world.brokers), len(world.brokers))


FIELDS: Final = Fields(
    wholes={
        "difference": Whole(10, 0, 100),
        "overloaded_threshold": Whole(85, 0, 100),
        "max_topics": Whole(50_000, 1, 100_000),
        "least": Whole(1, 0, 4),
        "counter": Whole(0, 0, 2**31 - 1),
        "throughput": Whole(1000, 0, 10 * MEGABYTE),
    },
    reals={"UsedBroker.usage": Real((0.5, 0.85, 0.0, 1.0), 0.3, 1.2)},
    texts={
        "version": lambda world: world.draw.pick(VERSIONS),
        "manager": lambda world: world.draw.pick(MANAGERS),
        "domain": lambda world: world.draw.pick(DOMAINS),
    },
    lists={
        "bundles": Cluster.some_bundles,
        "namespaces": Cluster.some_namespaces,
        "primary": lambda world: expressions(world, world.brokers, 1),
        "secondary": lambda world: expressions(world, world.brokers, 0),
        "prefers": all_brokers,
        "prefers_then": all_brokers,
        **{
            f"StoredPolicyTrial.{name}": any_expressions
            for name in ("namespaces", "primary", "secondary")
        },
    },
    yes={"persistent": 0.8, "non_persistent": 0.6, "failure_domains": 0.3},
    lengths={"asks": (1, 6), "candidates": (1, 6)},
)


def served_brokers(maker: Production) -> dict[str, Any]:
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
        maker.make_part(groups, namespace=name) for name in world.some(world.namespaces)
    )
    brokers = (maker.make_part(kind, name=name, bundles=tuple(served[name])) for name in names)
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


def known_bundles(maker: Production) -> dict[str, Any]:
    """Different bundles, to which the commands refer."""
    world, field = maker.world, "bundles"
    kind = record_in(maker, field)
    key = "name" if "name" in wire_hints(kind) else "bundle"
    world.bundles = world.some(world.bundles, 8, 1)
    return {field: tuple(maker.make_part(kind, **{key: name}) for name in world.bundles)}


def make_planned(maker: Production) -> dict[str, Any]:
    """Known bundles; at times one is planned and placed again and again, on the same brokers."""
    found, draw = known_bundles(maker), maker.draw
    if draw.chance(0.9):
        return found
    types = get_args(record_in(maker, "commands"))
    plan, update, place = (
        next(one for one in types if field in wire_hints(one))
        for field in ("broker", "statistics", "candidates")
    )
    bundle = draw.pick(maker.world.bundles)
    placed, often = maker.make_part(place, bundle=bundle), draw.pick(MANY)
    if draw.chance(0.5):
        return {**found, "commands": (maker.make_part(plan, bundle=bundle), placed) * often}
    again = [maker.make_part(update, bundle=bundle) for _ in range(often)]
    return {**found, "commands": tuple(one for change in again for one in (change, placed))}


def make_overloaded(maker: Production) -> dict[str, Any]:
    """Candidates, of which some are overloaded, or none."""
    candidates = maker.world.few_names()
    most = len(candidates) if maker.draw.chance(0.5) else 0
    return {"candidates": candidates, "full": maker.world.some(candidates, most)}


def known_brokers_too(maker: Production) -> dict[str, Any]:
    """The same, with the active brokers."""
    return {**known_bundles(maker), "brokers": maker.world.some(maker.world.brokers, 20, 1)}


SHAPERS: Final[dict[str, Shaper]] = {
    "placement.candidates/CandidatesTrial": served_brokers,
    "placement.filters/FiltersTrial": served_brokers,
    "placement.avg_shedder/PlannedTrial": make_planned,
    "placement.avg_shedder/Place": make_overloaded,
    "placement.preallocation/PreallocationTrial": known_brokers_too,
}
