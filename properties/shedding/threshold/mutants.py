"""Mutants of ThresholdShedder."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

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
from evenkeel.properties.shedding.mutants import long_throughput
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.load.usage import max_weighted_usage_with_heap
from evenkeel.reference.shedding import threshold
from evenkeel.reference.shedding.cluster import BrokerReport, Cluster
from evenkeel.reference.shedding.threshold import Scores, ThresholdRules


def _from_zero(original: Function) -> Function:
    def next_score(before: float | None, usage: float, rules: ThresholdRules) -> Any:
        return original(0.0 if before is None else before, usage, rules)

    return next_score


def _with_heap(original: Function) -> Function:
    return lambda resources, weights: max_weighted_usage_with_heap(
        resources, replace(weights, memory=1.0)
    )


def _monitoring_too(original: Function) -> Function:
    def heaviest_first(cluster: Cluster, report: BrokerReport, measure: Any) -> Any:
        known = {b: measure(cluster.bundles[b]) for b in report.bundles if b in cluster.bundles}
        free = {b: w for b, w in known.items() if b not in cluster.recently_unloaded}
        return dict(sorted(free.items(), key=lambda item: -item[1]))

    return heaviest_first


def _forgets_the_missing(original: Function) -> Function:
    def step(history: Any, cluster: Cluster, rules: ThresholdRules) -> Scores:
        scores: Scores = original(history, cluster, rules)
        return replace(scores, history={name: scores.history[name] for name in cluster.brokers})

    return step


def _backwards(weights: dict[Any, float]) -> dict[Any, float]:
    return dict(reversed(weights.items()))


def _equals_backwards(weights: dict[Any, float]) -> dict[Any, float]:
    backwards = list(weights.items())[::-1]
    return dict(sorted(backwards, key=lambda item: -item[1]))


def _brokers_backwards(cluster: Cluster) -> Cluster:
    return replace(cluster, brokers=dict(list(cluster.brokers.items())[::-1]))


def _nothing_is_an_average(original: Function) -> Function:
    def step(*arguments: Any) -> Scores:
        scores: Scores = original(*arguments)
        return replace(scores, average=scores.average or -math.ulp(0.0))

    return step


def _no_average(original: Function) -> Function:
    def step(*arguments: Any) -> Scores:
        scores: Scores = original(*arguments)
        return Scores(scores.history, 0.0)

    return step


def _more_than_the_threshold(original: Function) -> Function:
    def is_above(score: float, average: float, rules: ThresholdRules) -> bool:
        return score > average + threshold.fraction(rules.threshold_percentage)

    return is_above


def _nothing_for_nothing(original: Function) -> Function:
    return lambda cluster, report, amount, edition: (
        () if amount <= 0 else original(cluster, report, amount, edition)
    )


def _not_of_a_sole_one(original: Function) -> Function:
    def below(scores: Scores, cluster: Cluster, *others: Any) -> Any:
        fullest = max(scores.history[broker] for broker in cluster.brokers)
        sole = any(
            scores.history[broker] == fullest and len(report.bundles) < 2
            for broker, report in cluster.brokers.items()
        )
        return {} if sole else original(scores, cluster, *others)

    return below


def _tired(original: Function) -> Function:
    """The history has the number of rounds under a name that no broker has."""

    def shed(history: Mapping[str, float], *others: Any) -> Any:
        rounds = history.get("", 0.0) + 1
        after, decision = original(history, *others)
        return {**after, "": rounds}, decision if rounds <= 5 else {}

    return shed


def _decimal(rules: ThresholdRules) -> ThresholdRules:
    return replace(rules, min_throughput=rules.min_throughput * 1e6 / threshold.MEBIBYTE)


MUTANTS: Final = (
    defect(
        "threshold-weighed-by-long-term-averages",
        threshold,
        "short_throughput",
        lambda _: long_throughput,
        "What was heavy an hour ago goes; what is heavy now stays.",
    ),
    defect(
        "threshold-tired-after-five-rounds",
        threshold,
        "shed",
        _tired,
        "A leader that has led for some minutes sheds nothing any more.",
    ),
    defect(
        "threshold-least-of-decimal-megabytes",
        threshold,
        "above_threshold",
        first(2, _decimal),
        "Other than 4.0, 9.6 MiB/s are worth an unload.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "threshold-least-of-10^6-bytes",
        threshold,
        "above_threshold",
        first(2, _decimal),
        "MB is 10^6 bytes.",
    ),
    equivalent(
        "threshold-nothing-for-nothing",
        threshold,
        "select",
        _nothing_for_nothing,
        "Where no traffic needs to go, nothing does: document 003 sheds bundles that come to it.",
    ),
    equivalent(
        "threshold-highest-has-a-sole-bundle",
        threshold,
        "below_boundary",
        _not_of_a_sole_one,
        "The broker with the highest load has one bundle, which document 003 does not unload.",
    ),
    defect(
        "threshold-average-is-zero",
        threshold,
        "step",
        _no_average,
        "Nothing is ever shed: the average usage is always 0.",
        "SH4",
    ),
    defect(
        "threshold-counts-memory",
        threshold,
        "max_weighted_usage",
        _with_heap,
        "Every full heap before a garbage collection sheds bundles.",
        "SH6",
    ),
    defect(
        "threshold-history-from-zero",
        threshold,
        "next_score",
        _from_zero,
        "After a change of the leader nothing is shed for twenty rounds.",
        "SH7",
    ),
    defect(
        "threshold-history-survives",
        threshold,
        "departed",
        lambda _: lambda history, active: history,
        "A restarted broker is judged by what it carried before.",
        "SH25",
    ),
    defect(
        "threshold-sheds-monitoring",
        threshold,
        "heaviest_first",
        _monitoring_too,
        "The heartbeat bundle is chosen; it cannot move, and its load counts as gone.",
        "SH32",
    ),
    defect(
        "threshold-steps-twice",
        threshold,
        "shed",
        switched(threshold_steps_twice=True),
        "With the lower boundary on, idle rounds make the history forget twice as fast.",
        "F-TH3",
    ),
    defect(
        "threshold-lightest-first",
        threshold,
        "heaviest_first",
        then(_backwards),
        "Many small bundles are unloaded where one large one would do.",
    ),
    defect(
        "threshold-one-bundle",
        threshold,
        "reaching",
        lambda _: lambda weights, amount: tuple(weights)[:1],
        "One bundle a round, however much is too much.",
        "SH20",
    ),
    defect(
        "threshold-sole-bundle",
        threshold,
        "has_several_bundles",
        always(True),
        "The only bundle of a broker wanders from one broker to the next.",
    ),
    defect(
        "threshold-no-lower-boundary",
        threshold,
        "below_boundary",
        always({}),
        "A new broker stays idle beside ten full ones, although that is switched on.",
        "SH3",
    ),
    defect(
        "documented-target",
        threshold,
        "share_to_shed",
        switched(threshold_left_in_place=False),
        "Brokers are brought five points below the average, unlike 4.0.",
        edition=PULSAR_4_0,
    ),
    defect(
        "threshold-missing-brokers-forgotten-4.0",
        threshold,
        "step",
        _forgets_the_missing,
        "A broker whose report is missing in one round is judged by one measurement.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "threshold-missing-brokers-forgotten",
        threshold,
        "step",
        _forgets_the_missing,
        "A broker that misses a round has no score of the previous round.",
    ),
    equivalent(
        "threshold-brokers-backwards",
        threshold,
        "shed",
        first(1, _brokers_backwards),
        "Brokers are looked at in another order.",
    ),
    equivalent(
        "threshold-brokers-backwards-4.0",
        threshold,
        "shed",
        first(1, _brokers_backwards),
        "Brokers are looked at in another order.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "threshold-equals-backwards",
        threshold,
        "heaviest_first",
        then(_equals_backwards),
        "Of equally heavy bundles another one goes first.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "threshold-left-in-place",
        threshold,
        "share_to_shed",
        switched(threshold_left_in_place=True),
        "The threshold is taken off what is shed, as document 003 has it.",
    ),
    equivalent(
        "threshold-exceeded",
        threshold,
        "is_above",
        _more_than_the_threshold,
        "The threshold has to be exceeded, as document 002 has it.",
    ),
    equivalent(
        "threshold-in-doubles",
        threshold,
        "max_weighted_usage",
        lambda _: usage_in_doubles,
        "Usage is worked out in double precision.",
    ),
    equivalent(
        "threshold-average-of-nothing",
        threshold,
        "step",
        _nothing_is_an_average,
        "With a threshold of 0 idle brokers are as far above the average of 0 as they have to be.",
    ),
)
