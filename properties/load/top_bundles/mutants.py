"""Mutants of the heaviest bundles."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from evenkeel.properties.mutant_maker import Function, always, defect, equivalent, first, switched
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.load import top_bundles
from evenkeel.reference.load.namespaces import namespace_of
from evenkeel.reference.load.statistics import BundleStatistics
from evenkeel.reference.load.top_bundles import Rank, TopRules
from evenkeel.reference.settings import INT


def _idle_too(statistics: BundleStatistics, rules: TopRules) -> bool:
    namespace = namespace_of(statistics.bundle)
    return not top_bundles.is_system(namespace) and not top_bundles.is_bound(namespace, rules)


def _isolated_only(namespace: str, rules: TopRules) -> bool:
    return not rules.with_policies and namespace in rules.isolated


def _by_messages(original: Function) -> Function:
    def rank(statistics: BundleStatistics) -> Rank:
        inbound, outbound, messages, clients, cache = original(statistics)
        return (messages, inbound, outbound, clients, cache)

    return rank


def _all_for_none(original: Function) -> Function:
    return lambda bundles, rules, edition: original(
        bundles, replace(rules, most=rules.most if rules.most > 0 else len(bundles) + 1), edition
    )


def _empty_for_none(original: Function) -> Function:
    return lambda bundles, rules, edition: (
        [] if INT[0] < rules.most <= 0 else original(bundles, rules, edition)
    )


MUTANTS: Final = (
    defect(
        "idle-bundles-told",
        top_bundles,
        "eligible",
        lambda _: _idle_too,
        "Idle bundles are moved back and forth.",
    ),
    defect(
        "system-bundles-told",
        top_bundles,
        "is_system",
        always(False),
        "A broker's heartbeat is chosen to be moved, which fails.",
        "SH32",
    ),
    defect(
        "bound-bundles-told",
        top_bundles,
        "is_bound",
        always(False),
        "Bundles that may not move are chosen in every cycle.",
        "SH35",
    ),
    defect(
        "groups-not-looked-at",
        top_bundles,
        "is_bound",
        lambda _: _isolated_only,
        "Bundles of anti-affinity groups are chosen in every cycle.",
        "SH35",
    ),
    defect(
        "ranked-by-messages",
        top_bundles,
        "rank",
        _by_messages,
        "The bundles with most bytes stay where they are.",
        "SH20",
    ),
    defect(
        "none-wanted-all-given",
        top_bundles,
        "top_bundles",
        _all_for_none,
        "A limit of nothing, which switches reports off, is taken for none: all bundles are told.",
    ),
    defect(
        "none-means-all",
        top_bundles,
        "top_bundles",
        _all_for_none,
        "A limit of 0 bundles is no limit.",
        edition=PULSAR_4_0,
    ),
    defect(
        "least-limit-does-not-wrap",
        top_bundles,
        "top_bundles",
        switched(no_top_bundles_breaks=False),
        "With the least limit there is, which means none, an empty report is published.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "ties-the-other-way",
        top_bundles,
        "top_bundles",
        first(0, lambda bundles: bundles[::-1]),
        "Of bundles that are equal the others are listed.",
    ),
    equivalent(
        "none-is-empty",
        top_bundles,
        "top_bundles",
        _empty_for_none,
        "With a limit of 0 the list is empty.",
        edition=PULSAR_4_0,
    ),
)
