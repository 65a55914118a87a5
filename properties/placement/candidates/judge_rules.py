"""Isolation and filters, each said for itself: which of these brokers does it keep?

The documents name the filters, not the order in which they are applied. Where every order leaves
the same candidates, these are promised; 4.0's own order is the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final, TypeAlias

from evenkeel.properties.placement.candidates.judge_versions import newest
from evenkeel.properties.placement.candidates.trial import CandidatesTrial, FiltersTrial
from evenkeel.properties.placement.expressions import matches
from evenkeel.reference.edition import Edition
from evenkeel.reference.java_text import same_ignoring_case
from evenkeel.reference.load.namespaces import SYSTEM, namespace_of
from evenkeel.reference.placement.candidates import BrokerReport
from evenkeel.reference.placement.filters import Registration
from evenkeel.reference.placement.isolation import IsolationPolicy

Brokers: TypeAlias = tuple[str, ...]
Keep: TypeAlias = Callable[[Brokers], Brokers]

NO_DOMAIN: Final = "default"


@dataclass(frozen=True, slots=True)
class Filter:
    """`clause` demands what it keeps, if one does; `why` it drops the others."""

    kind: str
    clause: str
    why: str
    keep: Keep


def host_of(broker: str) -> str:
    return broker[: broker.rindex(":")]


def policy_of(trial: CandidatesTrial | FiltersTrial) -> IsolationPolicy | None:
    fitting = [p for p in trial.policies if matches(p.namespaces, trial.namespace)]
    return fitting[0] if fitting else None


def is_primary(policy: IsolationPolicy, broker: str) -> bool:
    return matches(policy.primary, host_of(broker))


def usable(
    trial: CandidatesTrial | FiltersTrial, brokers: Brokers, takes: Callable[[str], bool]
) -> Brokers:
    """Those of these brokers that the namespace may use (PLC-23 to PLC-26)."""
    policy = policy_of(trial)
    if policy is None:
        taken = {b for b in brokers for p in trial.policies if is_primary(p, b)}
        return tuple(b for b in brokers if b not in taken and takes(b))
    chosen = {b for b in brokers if is_primary(policy, b)}
    if len(chosen) < policy.least:
        chosen |= {b for b in brokers if matches(policy.secondary, host_of(b))}
    return tuple(b for b in brokers if b in chosen)


def with_fewest(brokers: Brokers, counts: Mapping[str, int]) -> Brokers:
    """No other of them has fewer."""
    ranked = sorted(counts[broker] for broker in brokers)
    return tuple(broker for broker in brokers if counts[broker] <= ranked[0])


def members(trial: CandidatesTrial | FiltersTrial, group: str, by_bundles: bool) -> dict[str, int]:
    """What each broker has of an anti-affinity group: namespaces, or bundles."""
    inside = {known.namespace for known in trial.groups if same_ignoring_case(known.group, group)}
    counts: dict[str, int] = {}
    for broker in trial.brokers:
        served = [namespace_of(bundle) for bundle in broker.bundles]
        counts[broker.name] = sum(n in inside for n in (served if by_bundles else set(served)))
    return counts


def apart(trial: CandidatesTrial | FiltersTrial, by_bundles: bool) -> Iterator[Filter]:
    """Into a domain with the fewest of the group, and there to a broker with the fewest."""
    groups = {known.namespace: known.group for known in trial.groups}
    if trial.namespace not in groups:
        return
    counts = members(trial, groups[trial.namespace], by_bundles)
    domains = {b.name: b.domain for b in trial.brokers if trial.failure_domains}
    if not any(domains.values()):
        domains = {}

    def keep(brokers: Brokers) -> Brokers:
        if domains and brokers:
            sizes = Counter[str]()
            for broker in brokers:
                sizes[domains[broker] or NO_DOMAIN] += counts[broker]
            inside = {b: sizes[domains[b] or NO_DOMAIN] for b in brokers}
            brokers = with_fewest(brokers, inside)
        return with_fewest(brokers, counts)

    yield Filter("APART", "PLC-28", "it has more of the anti-affinity group", keep)


def even(trial: CandidatesTrial) -> Iterator[Filter]:
    if not trial.config.distribute_evenly and trial.namespace != SYSTEM:
        return
    counts = {
        broker.name: [namespace_of(bundle) for bundle in broker.bundles].count(trial.namespace)
        for broker in trial.brokers
    }
    why = "it has more bundles of the namespace"
    yield Filter("EVEN", "PLC-29", why, lambda brokers: with_fewest(brokers, counts))


def dropping(
    kind: str, clause: str, why: str, dropped: set[str], all_stay: bool = False
) -> Iterator[Filter]:
    """A filter that looks at each broker alone; `all_stay`: if it would drop all, it drops none."""
    if dropped:
        yield Filter(
            kind,
            clause,
            why,
            lambda brokers: (
                tuple(b for b in brokers if b not in dropped) or (brokers if all_stay else ())
            ),
        )


def latest(
    trial: CandidatesTrial | FiltersTrial,
    versions: Mapping[str, str | None],
    edition: Edition,
    all_stay: bool,
) -> Iterator[Filter]:
    """`all_stay`: where versions cannot be compared, nobody is dropped; else everybody."""
    if trial.config.prefer_later_versions:

        def keep(brokers: Brokers) -> Brokers:
            found = newest({b: versions[b] for b in brokers}, edition.versions_in_32_bits)
            return found if found is not None else brokers if all_stay else ()

        yield Filter("VERSION", "PLC-31", "it runs an older version", keep)


def modular_filters(trial: CandidatesTrial, edition: Edition) -> list[Filter]:
    """Behind the isolation policy, in 4.0's order."""
    config = trial.config
    reports = {broker.name: broker.report for broker in trial.brokers}
    full = {
        b
        for b, report in reports.items()
        if (report.topics + sum(report.preallocated) if report else 0) > config.max_topics
    }
    others = {b for b, report in reports.items() if report and report.manager != config.manager}
    versions = {b: report.version if report else None for b, report in reports.items()}
    return [
        *dropping("TOPICS", "PLC-27", "it has too many topics", full, all_stay=True),
        *apart(trial, by_bundles=False),
        *even(trial),
        *dropping("MANAGER", "PLC-30", "it runs another load manager", others),
        *latest(trial, versions, edition, all_stay=False),
    ]


def extensible_filters(trial: FiltersTrial, edition: Edition) -> list[Filter]:
    """Isolation among them, in 4.0's order."""
    config = trial.config
    known = {broker.name: broker.registration for broker in trial.brokers}
    others = {b for b, one in known.items() if one.manager != config.manager}
    full = {b for b, one in known.items() if (one.topics or 0) >= config.max_topics}
    versions = {b: one.version for b, one in known.items()}

    def takes(broker: str) -> bool:
        one = known[broker]
        return one.persistent if trial.persistent else one.non_persistent

    return [
        *dropping("MANAGER", "PLC-30", "it runs another load manager", others),
        *dropping("TOPICS", "PLC-27", "it has too many topics", full),
        *latest(trial, versions, edition, all_stay=True),
        *apart(trial, edition.spread_counts_bundles),
        Filter("ISOLATION", "", "", lambda left: usable(trial, left, takes)),
    ]


def has_topics(known: BrokerReport | Registration) -> bool:
    """Whether a broker has topics, or is given some."""
    given = known.preallocated if isinstance(known, BrokerReport) else ()
    return bool(known.topics or any(given))


def grounds(trial: CandidatesTrial | FiltersTrial) -> list[str]:
    """The clauses of practice from which a balancer can depart so that it drops others here: no
    document says which rules there are.
    """
    known: Sequence[BrokerReport | Registration | None]
    even_too = False
    if isinstance(trial, CandidatesTrial):
        known = [broker.report for broker in trial.brokers]
        even_too = trial.config.distribute_evenly or trial.namespace == SYSTEM
    else:
        known = [broker.registration for broker in trial.brokers]
    told = [one for one in known if one is not None]
    takers = [one.persistent if trial.persistent else one.non_persistent for one in told]
    met = {
        "PLC-23": bool(trial.policies),
        "PLC-26": len(told) < len(known) or not all(takers),
        "PLC-27": any(map(has_topics, told)),
        "PLC-28": bool(trial.groups),
        "PLC-29": even_too,
        "PLC-30": any(one.manager != trial.config.manager for one in told),
        "PLC-31": trial.config.prefer_later_versions,
    }
    return [clause for clause, possible in met.items() if possible]


def left_by(filters: Sequence[Filter], brokers: Brokers) -> Brokers:
    """What one filter after the other leaves."""
    for one in filters:
        brokers = one.keep(brokers) if brokers else ()
    return brokers


def same_in_every_order(filters: Sequence[Filter], brokers: Brokers) -> bool:
    first = set(left_by(filters, brokers))
    return all(set(left_by(order, brokers)) == first for order in permutations(filters))
