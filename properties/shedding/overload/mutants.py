"""Mutants of OverloadShedder."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evenkeel.properties.load.comparing import usage_in_doubles
from evenkeel.properties.mutant_maker import (
    Function,
    always,
    defect,
    equivalent,
    first,
    switched,
    then,
)
from evenkeel.reference.edition import PULSAR_4_0, Edition
from evenkeel.reference.load.usage import Resources, Weights, percent_usage
from evenkeel.reference.shedding import overload
from evenkeel.reference.shedding.cluster import BrokerReport, BundleName
from evenkeel.reference.shedding.overload import OverloadRules
from evenkeel.reference.shedding.selecting import short_rate


def _strictly(original: Function) -> Function:
    def is_overloaded(usage: float, rules: OverloadRules) -> bool:
        return usage > overload.overload_threshold(rules)

    return is_overloaded


def _with_memory(original: Function) -> Function:
    def usage(resources: Resources, weights: Weights) -> float:
        found: float = original(resources, weights)
        return max(found, percent_usage(resources.memory) / 100)

    return usage


def _only_one(taken: tuple[BundleName, ...]) -> tuple[BundleName, ...]:
    return taken[:1]


def _one_more(original: Function) -> Function:
    def reaching(weights: Mapping[BundleName, float], amount: float) -> tuple[BundleName, ...]:
        taken = original(weights, amount)
        return tuple(weights)[: len(taken) + 1]

    return reaching


def _none_if_unneeded(original: Function) -> Function:
    def reaching(weights: Mapping[BundleName, float], amount: float) -> tuple[BundleName, ...]:
        taken: tuple[BundleName, ...] = original(weights, amount)
        return taken if amount > 0 else ()

    return reaching


def _everything(original: Function) -> Function:
    def reaching(weights: Mapping[BundleName, float], amount: float) -> tuple[BundleName, ...]:
        return tuple(weights)

    return reaching


def _lightest_first(weights: dict[BundleName, float]) -> dict[BundleName, float]:
    return dict(reversed(weights.items()))


def _of_message_rate(original: Function) -> Function:
    def amount_to_shed(
        usage: float, report: BrokerReport, rules: OverloadRules, edition: Edition
    ) -> float:
        return report.traffic.msg_rate * overload.share_to_shed(usage, rules, edition)

    return amount_to_shed


MUTANTS: Final = (
    defect(
        "overload-sole-bundle-shed",
        overload,
        "has_several_bundles",
        always(True),
        "The only bundle of a broker goes to and fro, and the broker it goes to is too full.",
    ),
    defect(
        "overload-beyond-threshold-only",
        overload,
        "is_overloaded",
        _strictly,
        "A broker at exactly its threshold is left alone.",
    ),
    defect(
        "overload-five-points-early",
        overload,
        "is_overloaded",
        first(0, lambda usage: usage + 0.05),
        "A broker at 80 % sheds although 85 % are allowed.",
    ),
    defect(
        "overload-by-memory",
        overload,
        "max_weighted_usage",
        _with_memory,
        "Every garbage collection makes a broker shed, or not.",
        "SH6",
    ),
    defect(
        "overload-one-bundle-a-round",
        overload,
        "reaching",
        then(_only_one),
        "One bundle leaves in a minute where three must.",
        "SH20",
    ),
    defect(
        "overload-ranked-by-message-rate",
        overload,
        "short_throughput",
        lambda _: short_rate,
        "Bundles of many small messages go, those that fill the network stay.",
        "SH20",
    ),
    defect(
        "overload-amount-by-message-rate",
        overload,
        "amount_to_shed",
        _of_message_rate,
        "Messages are taken for bytes: hardly anything is shed.",
    ),
    defect(
        "overload-lightest-first",
        overload,
        "heaviest_first",
        then(_lightest_first),
        "Dozens of small bundles are interrupted where one large would do.",
    ),
    defect(
        "overload-points-for-traffic",
        overload,
        "share_to_shed",
        switched(overload_share_of_capacity=True),
        "With a threshold of 50 % a broker at 80 % sheds, and is still at 52 %.",
    ),
    defect(
        "overload-nothing-without-traffic",
        overload,
        "reaching",
        _none_if_unneeded,
        "A broker that is busy without traffic keeps all bundles.",
        edition=PULSAR_4_0,
    ),
    defect(
        "overload-one-bundle-more",
        overload,
        "reaching",
        _one_more,
        "One more bundle than needed is interrupted.",
        edition=PULSAR_4_0,
    ),
    defect(
        "overload-no-margin",
        overload,
        "share_to_shed",
        then(lambda share: share - overload.MARGIN),
        "A broker comes to just its threshold and sheds again at the next ripple.",
        edition=PULSAR_4_0,
    ),
    defect(
        "overload-monitoring-does-not-count",
        overload,
        "has_several_bundles",
        switched(monitoring_bundles_count=False),
        "Other than 4.0, a sole bundle beside the heartbeat stays.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "overload-sheds-all-that-may-move",
        overload,
        "reaching",
        _everything,
        "All movable bundles leave an overloaded broker, as the document's words are.",
    ),
    equivalent(
        "overload-in-doubles",
        overload,
        "max_weighted_usage",
        lambda _: usage_in_doubles,
        "Usage is worked out in double precision.",
    ),
)
