"""Trials of the candidate pipelines: each filter has something to drop, often two of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from evenkeel.properties.draw import Draw, seldom_large
from evenkeel.properties.placement.candidates.trial import (
    CandidatesTrial,
    ClusterBroker,
    FiltersTrial,
    Grouped,
    RegisteredBroker,
)
from evenkeel.reference.placement.candidates import BrokerReport, PlacementConfig
from evenkeel.reference.placement.filters import Registration
from evenkeel.reference.placement.isolation import IsolationPolicy

HERE: Final = "tenant/here"
NAMESPACES: Final = (HERE, "tenant/b", "tenant/c", "other/d")
MANAGER: Final = "manager"
VERSIONS: Final = (
    "4.0.8",
    "4.0.8",
    "4.0.7",
    "4.0.10",
    "4.0.8+1",
    "4.0.8-rc.1",
    "4.0.8-rc.2",
    "4.0.2147483647",
)
BUILDS: Final = ("4.0.8-9", "4.0.8-202611011200", "4.0.8-2147483648", "4.0.8-1a", "4.0.8--1")
"""Semantic versions that 4.0 puts in another order. They must have one: 9, 10 and 1a have none."""

NO_VERSIONS: Final = (None, "", "4.0", "latest", "04.0.8", "4.0.2147483648", "4.0.202611011200")
"""No versions; the last one is none in 4.0 only."""

GROUPS: Final = ("group", "GROUP", "another")
LIMIT: Final = 50


def draw_names(draw: Draw) -> tuple[str, ...]:
    """A few brokers; seldom two ports of one host, or a host whose name begins like another."""
    names = [f"host-{index + 1}:8080" for index in draw.items(6, 0.8, least=1)]
    if draw.chance(0.1):
        names.append(draw.pick(("host-1:8081", "host-10:8080")))
    return tuple(names)


def draw_many(draw: Draw) -> tuple[str, ...]:
    """Eleven to 40 brokers."""
    return tuple(f"host-{number}:8080" for number in range(1, draw.integer(12, 41)))


def draw_expressions(draw: Draw) -> tuple[str, ...]:
    """Expressions for hosts."""
    return tuple(
        draw.pick(("host-1", "host-2", "host-[34]", "host-.*", "host-1:8080", "none", "host-[12]"))
        for _ in draw.items(2, 0.4, least=1)
    )


def draw_policies(draw: Draw) -> tuple[IsolationPolicy, ...]:
    """No policy, one for the namespace, one for another, or both."""
    policies: list[IsolationPolicy] = []
    for namespaces in (("tenant/h.*",), ("tenant/b", "other/.*")):
        if draw.chance(0.25):
            secondary = draw_expressions(draw) if draw.chance(0.6) else ()
            least = draw.pick((1, 0, 2, 3))
            policies.append(IsolationPolicy(namespaces, draw_expressions(draw), secondary, least))
    return tuple(policies)


def draw_version(draw: Draw, strange: bool) -> str | None:
    """A version; of a cluster with strange ones, seldom none that can be read."""
    if strange and draw.chance(0.5):
        return draw.pick(NO_VERSIONS) if draw.chance(0.5) else draw.pick(BUILDS)
    return draw.pick(VERSIONS)


def draw_manager(draw: Draw) -> str | None:
    """The load manager's class."""
    return draw.pick(("another", None)) if draw.chance(0.06) else MANAGER


def draw_bundles(draw: Draw, place: int, namespaces: tuple[str, ...]) -> tuple[str, ...]:
    """What a broker serves: bundles of the namespaces, no other broker has the same."""
    return tuple(
        f"{draw.pick(namespaces)}/{place:#06x}{index:04x}_{place:#06x}{index + 1:04x}"
        for index in draw.items(4, 0.6)
    )


def draw_groups(draw: Draw, bundle_namespace: str) -> tuple[Grouped, ...]:
    """Groups of some namespaces; mostly none."""
    if not draw.chance(0.5):
        return ()
    namespaces = dict.fromkeys((bundle_namespace, *NAMESPACES))
    return tuple(Grouped(n, draw.pick(GROUPS)) for n in namespaces if draw.chance(0.7))


def draw_domain(draw: Draw) -> str | None:
    """A failure domain, or none."""
    return draw.pick(("east", "west", None, "default"))


def draw_place(
    draw: Draw, place: int, namespaces: tuple[str, ...], domains: bool
) -> tuple[tuple[str, ...], str | None]:
    """What the broker at this place serves, and its failure domain, where there are some."""
    return draw_bundles(draw, place, namespaces), draw_domain(draw) if domains else None


def draw_namespace(draw: Draw) -> str:
    """Where the bundle belongs."""
    return "pulsar/system" if draw.chance(0.08) else HERE


def draw_config(draw: Draw) -> PlacementConfig:
    """Every filter is sometimes off."""
    return PlacementConfig(
        manager=MANAGER,
        max_topics=LIMIT if draw.chance(0.5) else 50000,
        distribute_evenly=not draw.chance(0.5),
        prefer_later_versions=draw.chance(0.3),
        overloaded_threshold=draw.pick((85, 30)) if draw.chance(0.3) else 85,
    )


def draw_topics(draw: Draw) -> int:
    """Topics around the limit."""
    return draw.pick((0, LIMIT, LIMIT + 1, LIMIT - 1, 1000))


def draw_cpu(draw: Draw) -> float:
    """A usage in percent around the thresholds."""
    return draw.pick((10.0, 85.0, 86.0, 30.0, 90.0, 50.0))


def draw_preference(draw: Draw, names: tuple[str, ...]) -> tuple[str, ...]:
    """An order of preference."""
    turn = draw.integer(0, len(names) - 1)
    return (*names[turn:], *names[:turn])


def draw_reported(draw: Draw, strange: bool) -> BrokerReport | None:
    """A broker's report; seldom none."""
    if draw.chance(0.07):
        return None
    return BrokerReport(
        cpu=draw_cpu(draw) if draw.chance(0.5) else 10.0,
        topics=draw_topics(draw) if draw.chance(0.6) else 0,
        preallocated=tuple(draw.pick((1, 10, 0)) for _ in draw.items(2, 0.15)),
        persistent=not draw.chance(0.08),
        non_persistent=not draw.chance(0.3),
        version=draw_version(draw, strange),
        manager=draw_manager(draw),
    )


def candidates_trial(draw: Draw) -> CandidatesTrial:
    """The modular manager places a bundle."""
    trial = seldom_large(draw, draw_candidates, 0.004)
    if len(trial.policies) > 1 and draw.chance(0.5):
        return replace(trial, policies=trial.policies[::-1])
    return trial


def draw_candidates(draw: Draw, large: bool) -> CandidatesTrial:
    """The same; a large trial has many brokers."""
    names, namespace = draw_many(draw) if large else draw_names(draw), draw_namespace(draw)
    domains, strange = draw.chance(0.3), draw.chance(0.2)
    served = (namespace, *NAMESPACES) if draw.chance(0.7) else NAMESPACES[1:]
    return CandidatesTrial(
        config=draw_config(draw),
        failure_domains=domains,
        brokers=tuple(
            ClusterBroker(
                name, draw_reported(draw, strange), *draw_place(draw, place, served, domains)
            )
            for place, name in enumerate(names)
        ),
        groups=draw_groups(draw, namespace),
        policies=draw_policies(draw),
        bundle=f"{namespace}/0xf0000000_0xffffffff",
        persistent=not draw.chance(0.2),
        prefers=draw_preference(draw, names),
        prefers_then=draw_preference(draw, names),
    )


def draw_registration(draw: Draw, strange: bool) -> Registration:
    """How a broker is registered, and how many topics it has."""
    return Registration(
        topics=None if draw.chance(0.1) else draw_topics(draw) if draw.chance(0.3) else 0,
        persistent=not draw.chance(0.08),
        non_persistent=not draw.chance(0.3),
        version=draw_version(draw, strange),
        manager=draw_manager(draw),
    )


def filters_trial(draw: Draw) -> FiltersTrial:
    """The extensible manager places a bundle."""
    trial = seldom_large(draw, draw_filters, 0.004)
    if len(trial.policies) > 1 and draw.chance(0.5):
        return replace(trial, policies=trial.policies[::-1])
    return trial


def draw_filters(draw: Draw, large: bool) -> FiltersTrial:
    """The same; a large trial has many brokers."""
    names, namespace = draw_many(draw) if large else draw_names(draw), draw_namespace(draw)
    domains, strange = draw.chance(0.3), draw.chance(0.2)
    served = (namespace, *NAMESPACES) if draw.chance(0.7) else NAMESPACES[1:]
    return FiltersTrial(
        config=draw_config(draw),
        failure_domains=domains,
        brokers=tuple(
            RegisteredBroker(
                name, draw_registration(draw, strange), *draw_place(draw, place, served, domains)
            )
            for place, name in enumerate(names)
        ),
        groups=draw_groups(draw, namespace),
        policies=draw_policies(draw),
        bundle=f"{namespace}/0xf0000000_0xffffffff",
        persistent=not draw.chance(0.2),
        excluded=tuple(name for name in names if draw.chance(0.1)),
        prefers=draw_preference(draw, names),
    )
