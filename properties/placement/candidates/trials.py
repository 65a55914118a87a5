"""Trials and answers about candidates: `placement.candidates`, `placement.filters`.

The trial's strategy records what it is offered and takes the first broker of `prefers` among it
(the last one offered, if none is), so the answer does not depend on chance.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from evenkeel.properties.names import require_broker, require_namespace, require_new_bundle
from evenkeel.properties.placement.trial_parts import (
    matches,
    readable,
    require_amount,
    require_expressions,
    require_integer,
    require_names,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.java_text import code_units, is_blank
from evenkeel.reference.load.namespaces import namespace_of
from evenkeel.reference.placement import candidates, filters, versions
from evenkeel.reference.placement.candidates import BrokerReport, Cluster, PlacementConfig
from evenkeel.reference.placement.filters import Registration, Registry
from evenkeel.reference.placement.isolation import IsolationPolicy
from evenkeel_engine.kit.draw import Draw, seldom_large
from evenkeel_engine.kit.trial import require, require_different

LONGEST_VERSION: Final = 100
LARGE: Final = re.compile("[0-9]{19}")


@dataclass(frozen=True, slots=True)
class Grouped:
    """A namespace and its anti-affinity group; that of the bundle to be placed counts, too."""

    namespace: str
    group: str


@dataclass(frozen=True, slots=True)
class ClusterBroker:
    """An available broker, `host:port`; `report` null before its first.

    `bundles`: what it serves or is about to, by full name. `domain`: its failure domain.
    """

    name: str
    report: BrokerReport | None
    bundles: tuple[str, ...]
    domain: str | None


@dataclass(frozen=True, slots=True)
class RegisteredBroker:
    """A registered broker, `host:port`; `bundles`: what it owns, by full name."""

    name: str
    registration: Registration
    bundles: tuple[str, ...]
    domain: str | None


def require_cluster(
    brokers: Sequence[ClusterBroker | RegisteredBroker],
    groups: Sequence[Grouped],
    policies: Sequence[IsolationPolicy],
    bundle: str,
) -> None:
    """Require what both managers need: names, bundles served once, one policy for a namespace."""
    require_names("brokers", [broker.name for broker in brokers])
    for broker in brokers:
        require_broker("brokers", broker.name)
    bundles = [served for broker in brokers for served in broker.bundles]
    require_different("brokers", bundles)
    require(bundle not in bundles, "bundle", "must not be served")
    require_new_bundle("bundle", bundle)
    for name in bundles:
        require_new_bundle("brokers", name)
    names = [grouped.namespace for grouped in groups]
    for name in names:
        require_namespace("groups", name)
    require_different("groups", names)
    named = not any(is_blank(grouped.group) for grouped in groups)
    require(named, "groups", "must have a name")
    for policy in policies:
        require_policy(policy)
    fitting = sum(matches(policy.namespaces, namespace_of(bundle)) for policy in policies)
    require(fitting <= 1, "policies", "at most one for the bundle's namespace")


def require_policy(policy: IsolationPolicy) -> None:
    """Require a policy that can be stored and is the same in every dialect."""
    for name in ("namespaces", "primary", "secondary"):
        expressions = getattr(policy, name)
        require_expressions(f"policies.{name}", expressions)
        require(readable(expressions), f"policies.{name}", "must be regular expressions")
    require_integer("policies.least", policy.least)


def require_versions(known: Iterable[str | None]) -> None:
    """Require versions that are not too long, and that 4.0 and 5.0.1 can order, too.

    Without an order, as 9, 10 and 1a, the answer depends on the order in which a set is iterated.
    5.0.1 compares words in 64 bits, and a placement can break where one has more.
    """
    found = tuple(known)
    short = all(len(version or "") <= LONGEST_VERSION for version in found)
    require(short, "version", f"must have at most {LONGEST_VERSION} characters")
    small = not any(LARGE.search(version or "") for version in found)
    require(small, "version", "must have numbers of at most 18 digits")
    ordered = versions.has_order(found) and versions.has_order_of_builds(found)
    require(ordered, "version", "versions must have an order")


def require_config(config: PlacementConfig) -> None:
    """Require 32-bit numbers, as in the configuration."""
    require_integer("config.max_topics", config.max_topics)
    require_integer("config.overloaded_threshold", config.overloaded_threshold)


def domains_of(
    enabled: bool, brokers: Sequence[ClusterBroker | RegisteredBroker]
) -> dict[str, str]:
    """The failure domains; none where they are off."""
    return {b.name: b.domain for b in brokers if enabled and b.domain is not None}


@dataclass(frozen=True, slots=True)
class CandidatesTrial:
    """`placement.candidates`: which broker gets an unserved bundle from the modular manager?

    Expressions of policies are as in `placement.policy`, and valid. `prefers`: the strategy's order
    of preference at its first and at its second choice. If it is offered none of these, it takes
    the last one by name.
    """

    config: PlacementConfig
    failure_domains: bool
    brokers: tuple[ClusterBroker, ...]
    groups: tuple[Grouped, ...]
    policies: tuple[IsolationPolicy, ...]
    bundle: str
    persistent: bool
    prefers: tuple[str, ...]
    prefers_then: tuple[str, ...]

    def __post_init__(self) -> None:
        require_cluster(self.brokers, self.groups, self.policies, self.bundle)
        require_config(self.config)
        require_versions(b.report.version for b in self.brokers if b.report is not None)
        for broker in self.brokers:
            if broker.report is not None:
                require_amount("report.cpu", broker.report.cpu)
                require(broker.report.cpu < 1e6, "report.cpu", "must be below 10^6")
                topics = (broker.report.topics, *broker.report.preallocated)
                whole = all(0 <= number < 2**30 for number in topics)
                require(whole, "report.topics", "must be 0 or more, below 2^30")

    @property
    def cluster(self) -> Cluster:
        """The cluster in the reference's form."""
        return Cluster(
            brokers=tuple(broker.name for broker in self.brokers),
            reports={b.name: b.report for b in self.brokers if b.report is not None},
            bundles={broker.name: broker.bundles for broker in self.brokers},
            domains=domains_of(self.failure_domains, self.brokers),
            groups={grouped.namespace: grouped.group for grouped in self.groups},
            policies=self.policies,
        )

    @property
    def namespace(self) -> str:
        """The bundle's namespace."""
        return namespace_of(self.bundle)


@dataclass(frozen=True, slots=True)
class FiltersTrial:
    """`placement.filters`: which broker gets an unowned bundle from the extensible manager?

    Expressions of policies are as in `placement.policy`, and valid. `excluded`: brokers that must
    not get the bundle. `prefers`: as in `placement.candidates`.
    """

    config: PlacementConfig
    failure_domains: bool
    brokers: tuple[RegisteredBroker, ...]
    groups: tuple[Grouped, ...]
    policies: tuple[IsolationPolicy, ...]
    bundle: str
    persistent: bool
    excluded: tuple[str, ...]
    prefers: tuple[str, ...]

    def __post_init__(self) -> None:
        require_cluster(self.brokers, self.groups, self.policies, self.bundle)
        require_config(self.config)
        require_versions(broker.registration.version for broker in self.brokers)
        for broker in self.brokers:
            topics = broker.registration.topics
            require(topics is None or 0 <= topics < 2**31, "topics", "must be 0 or more")

    @property
    def registry(self) -> Registry:
        """The cluster in the reference's form."""
        return Registry(
            brokers={broker.name: broker.registration for broker in self.brokers},
            bundles={broker.name: broker.bundles for broker in self.brokers},
            domains=domains_of(self.failure_domains, self.brokers),
            groups={grouped.namespace: grouped.group for grouped in self.groups},
            policies=self.policies,
        )

    @property
    def namespace(self) -> str:
        """The bundle's namespace."""
        return namespace_of(self.bundle)


@dataclass(frozen=True, slots=True)
class CandidatesAnswer:
    """What the strategy was offered, each time in the order of names; and the bundle's broker."""

    offers: tuple[tuple[str, ...], ...]
    chosen: str | None


HERE: Final = "tenant/here"
NAMESPACES: Final = (HERE, "tenant/here2", "tenant/c", "other/d")
MANAGER: Final = "manager"

VERSIONS: Final = (
    "4.0.8",
    "4.0.8",
    "4.0.7",
    "4.0.10",
    "4.0.8+1",
    "4.0.8-rc.1",
    "4.0.8-rc.2",
    "4.0.8-rc.10",
    "4.0.2147483647",
)

BUILDS: Final = ("4.0.8-9", "4.0.8-202611011200", "4.0.8-2147483648", "4.0.8-1a", "4.0.8--1")
"""Semantic versions that 4.0 orders differently. They need an order: 9, 10 and 1a have none."""

NO_VERSIONS: Final = (None, "", "4.0", "latest", "04.0.8", "4.0.2147483648", "4.0.202611011200")
"""Invalid versions; the last one is invalid in 4.0 only."""

EXPRESSIONS: Final = (
    *("host-1", "host-2", "host-[34]", "host-.*", "host-1:8080", "none", "host-[12]"),
    *("host-.*:80.*", ".2001:db8.*", "host-1|host-2", "host-2|none"),
)
PORTS: Final = ("host-1:8081", "host-10:8080", "host-2:80802")
GROUPS: Final = ("group", "GROUP", "another")
LIMIT: Final = 50


def draw_names(draw: Draw) -> tuple[str, ...]:
    """A few brokers; seldom two ports of one host, one of them too large, a host whose name begins
    like another, or one of IPv6.
    """
    names = [f"host-{index + 1}:8080" for index in draw.items(6, 0.8, least=1)]
    if draw.chance(0.2):
        names.append(draw.pick((*PORTS, "[2001:db8::1]:8080")))
    return tuple(names)


def draw_many(draw: Draw) -> tuple[str, ...]:
    """Eleven to 40 brokers."""
    return tuple(f"host-{number}:8080" for number in range(1, draw.integer(12, 41)))


def draw_expressions(draw: Draw) -> tuple[str, ...]:
    """Expressions for hosts."""
    return tuple(draw.pick(EXPRESSIONS) for _ in draw.items(2, 0.4, least=1))


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
    """A version; in a cluster with strange ones, rarely an invalid one."""
    if strange and draw.chance(0.5):
        return draw.pick(NO_VERSIONS) if draw.chance(0.5) else draw.pick(BUILDS)
    return draw.pick(VERSIONS)


def draw_manager(draw: Draw) -> str | None:
    """The load manager's class."""
    return draw.pick(("another", None)) if draw.chance(0.06) else MANAGER


def draw_bundles(draw: Draw, place: int, namespaces: tuple[str, ...]) -> tuple[str, ...]:
    """The bundles that a broker serves; no other broker has the same."""
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


def draw_place(
    draw: Draw, place: int, namespaces: tuple[str, ...], domains: bool
) -> tuple[tuple[str, ...], str | None]:
    """The bundles of the broker at this place, and its failure domain, if domains are on."""
    bundles = draw_bundles(draw, place, namespaces)
    return bundles, draw.pick(("east", "west", None, "default")) if domains else None


def draw_namespace(draw: Draw) -> str:
    """The bundle's namespace."""
    return "pulsar/system" if draw.chance(0.08) else HERE


def draw_config(draw: Draw) -> PlacementConfig:
    """A configuration in which every filter is sometimes off."""
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


def draw_preference(draw: Draw, names: tuple[str, ...]) -> tuple[str, ...]:
    """An order of preference."""
    turn = draw.integer(0, len(names) - 1)
    return (*names[turn:], *names[:turn])


def draw_reported(draw: Draw, strange: bool) -> BrokerReport | None:
    """A broker's report; rarely none."""
    if draw.chance(0.07):
        return None
    return BrokerReport(
        cpu=draw.pick((10.0, 85.0, 86.0, 30.0, 90.0, 50.0)) if draw.chance(0.5) else 10.0,
        topics=draw_topics(draw) if draw.chance(0.6) else 0,
        preallocated=tuple(draw.pick((1, 10, 0)) for _ in draw.items(2, 0.15)),
        persistent=not draw.chance(0.08),
        non_persistent=not draw.chance(0.3),
        version=draw_version(draw, strange),
        manager=draw_manager(draw),
    )


T = TypeVar("T", "CandidatesTrial", "FiltersTrial")


def in_either_order(draw: Draw, trial: T) -> T:
    """The trial, its policies in either order."""
    if len(trial.policies) > 1 and draw.chance(0.5):
        return replace(trial, policies=trial.policies[::-1])
    return trial


def candidates_trial(draw: Draw) -> CandidatesTrial:
    """The modular manager places a bundle."""
    return in_either_order(draw, draw_candidates(draw))


@seldom_large(0.004)
def draw_candidates(draw: Draw, large: bool) -> CandidatesTrial:
    """The trial."""
    names, cluster = draw_cluster(draw, large, ClusterBroker, draw_reported)
    prefers, then = draw_preference(draw, names), draw_preference(draw, names)
    return CandidatesTrial(**cluster, prefers=prefers, prefers_then=then)


def draw_cluster(
    draw: Draw,
    large: bool,
    broker: type[ClusterBroker | RegisteredBroker],
    reported: Callable[[Draw, bool], Any],
) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The brokers' names, and what both managers' trials have; a large one has many brokers."""
    names, namespace = draw_many(draw) if large else draw_names(draw), draw_namespace(draw)
    domains, strange = draw.chance(0.3), draw.chance(0.2)
    served = (namespace, *NAMESPACES) if draw.chance(0.7) else NAMESPACES[1:]
    return names, {
        "config": draw_config(draw),
        "failure_domains": domains,
        "brokers": tuple(
            broker(name, reported(draw, strange), *draw_place(draw, place, served, domains))
            for place, name in enumerate(names)
        ),
        "groups": draw_groups(draw, namespace),
        "policies": draw_policies(draw),
        "bundle": f"{namespace}/0xf0000000_0xffffffff",
        "persistent": not draw.chance(0.2),
    }


def draw_registration(draw: Draw, strange: bool) -> Registration:
    """A broker's registration, and its number of topics."""
    return Registration(
        topics=None if draw.chance(0.1) else draw_topics(draw) if draw.chance(0.3) else 0,
        persistent=not draw.chance(0.08),
        non_persistent=not draw.chance(0.3),
        version=draw_version(draw, strange),
        manager=draw_manager(draw),
    )


def filters_trial(draw: Draw) -> FiltersTrial:
    """The extensible manager places a bundle."""
    return in_either_order(draw, draw_filters(draw))


@seldom_large(0.004)
def draw_filters(draw: Draw, large: bool) -> FiltersTrial:
    """The trial."""
    names, cluster = draw_cluster(draw, large, RegisteredBroker, draw_registration)
    excluded = tuple(name for name in names if draw.chance(0.1))
    return FiltersTrial(**cluster, excluded=excluded, prefers=draw_preference(draw, names))


def choose_preferred(prefers: Sequence[str], offered: Sequence[str]) -> str | None:
    """The trial's strategy: the first preferred broker that is offered, else the last by name."""
    first = next((broker for broker in prefers if broker in offered), None)
    return first if first is not None else max(offered, key=code_units, default=None)


def answer_candidates(trial: CandidatesTrial, edition: Edition) -> CandidatesAnswer:
    """The offers, once or twice, and the bundle's broker."""
    cluster = trial.cluster
    left = candidates.filter_all(cluster, trial.namespace, trial.persistent, trial.config, edition)
    offers = [tuple(sorted(left.candidates, key=code_units))]
    chosen = choose_preferred(trial.prefers, left.candidates)
    if chosen is not None and candidates.asks_again(chosen, cluster, trial.config, edition):
        everybody = candidates.usable(cluster, trial.namespace, trial.persistent, edition)
        offers.append(tuple(sorted(everybody, key=code_units)))
        chosen = candidates.last_choice(chosen, choose_preferred(trial.prefers_then, everybody))
    return CandidatesAnswer(tuple(offers), chosen)


def answer_filters(trial: FiltersTrial, edition: Edition) -> CandidatesAnswer:
    """The offer, if any, and the bundle's broker."""
    left, _ = filters.filter_all(
        trial.registry, trial.excluded, trial.namespace, trial.persistent, trial.config, edition
    )
    if (chosen := choose_preferred(trial.prefers, left)) is None:
        return CandidatesAnswer((), None)
    offer = tuple(sorted(left, key=code_units))
    return CandidatesAnswer((offer,), candidates.last_choice(chosen, None))


def candidates_labels(trial: CandidatesTrial | FiltersTrial) -> Iterator[str]:
    """Policies, groups, domains, versions."""
    if trial.policies:
        yield "isolation policies"
    if any(grouped.namespace == trial.namespace for grouped in trial.groups):
        yield "an anti-affinity group"
    if trial.failure_domains:
        yield "failure domains"
    if trial.config.prefer_later_versions:
        yield "later versions preferred"
    if not trial.persistent:
        yield "non-persistent topics"
