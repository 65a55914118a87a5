"""Mutants of UniformLoadShedder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant import Mutant
from evenkeel.properties.mutant_maker import (
    Function,
    Make,
    always,
    defect,
    equivalent,
    switched,
    then,
)
from evenkeel.properties.shedding.mutants import long_throughput
from evenkeel.reference.edition import PULSAR_4_0, Edition
from evenkeel.reference.errors import Breakage
from evenkeel.reference.shedding import uniform
from evenkeel.reference.shedding.cluster import BrokerId, BrokerReport, BundleName
from evenkeel.reference.shedding.uniform import Dimension, Extremes, UniformRules

Brokers = Mapping[BrokerId, BrokerReport]
TINY: Final = 1e-12


class DivisionByZero(Breakage):
    """A ratio to nothing."""


def _divides_by_zero(original: Function) -> Function:
    def extremes(brokers: Brokers, dimension: Dimension, edition: Edition) -> Extremes:
        if not min(uniform.busyness(report, dimension) for report in brokers.values()):
            raise DivisionByZero("the least busy broker has no traffic")
        found: Extremes = original(brokers, dimension, edition)
        return found

    return extremes


def _last_of_equals(original: Function) -> Function:
    def extremes(brokers: Brokers, dimension: Dimension, edition: Edition) -> Extremes:
        found: Extremes = original(dict(reversed([*brokers.items()])), dimension, edition)
        return found

    return extremes


def _least_of_nothing(original: Function) -> Function:
    def extremes(brokers: Brokers, dimension: Dimension, edition: Edition) -> Extremes:
        found: Extremes = original(brokers, dimension, edition)
        least = min(uniform.busyness(report, dimension) for report in brokers.values())
        return found if least > uniform.NEARLY_NOTHING else replace(found, least=TINY)

    return extremes


def _no_negative_cap(
    bundles: tuple[BundleName, ...], rules: UniformRules
) -> tuple[BundleName, ...]:
    return bundles if rules.max_bundles < 0 else bundles[: rules.max_bundles]


def _quotient_first(original: Function) -> Function:
    def exceeds(found: Extremes, dimension: Dimension, rules: UniformRules) -> bool:
        if dimension is Dimension.MSG_RATE:
            return 0 < rules.rate_difference < found.lead / found.least * 100
        return found.most > found.least * rules.throughput_ratio > 0

    return exceeds


def _both_as_ratio(original: Function) -> Function:
    def exceeds(found: Extremes, dimension: Dimension, rules: UniformRules) -> bool:
        if dimension is Dimension.MSG_RATE:
            return 0 < rules.rate_difference < found.most * 100 / found.least
        return bool(original(found, dimension, rules))

    return exceeds


def _throughput_first(original: Function) -> Function:
    def decide(cluster: Any, rules: UniformRules, edition: Edition) -> Any:
        unrated = original(cluster, replace(rules, rate_difference=0.0), edition)
        return unrated or original(cluster, rules, edition)

    return decide


def _lightest_first(weights: dict[BundleName, float]) -> dict[BundleName, float]:
    return dict(reversed(weights.items()))


def _unlike_4_0(name: str, function: str, story: str, **switches: bool) -> Mutant:
    change: Make = switched(**switches)
    return defect(f"uniform-{name}", uniform, function, change, story, edition=PULSAR_4_0)


MUTANTS: Final = (
    defect(
        "uniform-weighed-by-long-term-averages",
        uniform,
        "short_throughput",
        lambda _: long_throughput,
        "What was heavy an hour ago goes; what is heavy now stays.",
    ),
    defect(
        "uniform-bundle-twice",
        uniform,
        "fitting",
        then(lambda taken: taken + taken[:1]),
        "The second unload of the same bundle fails, and the round with it.",
    ),
    defect(
        "uniform-sole-bundle-shed",
        uniform,
        "has_several_bundles",
        always(True),
        "The only bundle of a broker goes to and fro, and the broker it goes to is too full.",
    ),
    defect(
        "uniform-divides-by-zero",
        uniform,
        "extremes",
        _divides_by_zero,
        "An idle broker stops all shedding.",
        "SH11",
    ),
    defect(
        "uniform-no-minimum",
        uniform,
        "minimum_for",
        always(-(2**31)),
        "1 MB/s and nothing: half a megabyte is moved in every round.",
        "SH12",
    ),
    defect(
        "uniform-moves-half",
        uniform,
        "budget_for",
        then(lambda budget: budget * 2.5),
        "Half of the lead is moved at once.",
        "SH12",
    ),
    defect(
        "uniform-allowance",
        uniform,
        "fits",
        switched(uniform_allowance=True),
        "All of 600 msg/s go to the other broker, and back in the next round.",
        "SH13",
    ),
    defect(
        "uniform-minimum-too-high",
        uniform,
        "minimum_for",
        then(lambda minimum: minimum * 1000 + 1000),
        "A clear imbalance of small bundles is never handled.",
        "SH15",
    ),
    defect(
        "uniform-both-differences-as-ratio",
        uniform,
        "exceeds_threshold",
        _both_as_ratio,
        "A lead of 50 % is never exceeded by less than nothing: everything is moved to and fro.",
        "SH16",
    ),
    defect(
        "uniform-cap-ignored",
        uniform,
        "capped",
        lambda _: lambda bundles, rules: bundles,
        "All bundles of a broker are interrupted at once.",
    ),
    _unlike_4_0(
        "keeps-idle-bundles",
        "fits",
        "Idle bundles stay, other than in 4.0.",
        uniform_sheds_idle_bundles=False,
    ),
    equivalent(
        "uniform-throughput-first",
        uniform,
        "decide",
        _throughput_first,
        "Throughput is looked at before message rate.",
    ),
    equivalent(
        "uniform-lightest-first",
        uniform,
        "heaviest_first",
        then(_lightest_first),
        "Many light bundles go instead of one heavy one.",
    ),
    equivalent(
        "uniform-last-of-the-busiest",
        uniform,
        "extremes",
        _last_of_equals,
        "Of several busiest brokers another one sheds.",
        PULSAR_4_0,
    ),
    equivalent(
        "uniform-rounded-otherwise",
        uniform,
        "exceeds_threshold",
        _quotient_first,
        "Whether a threshold is exceeded is worked out in another order.",
    ),
    equivalent(
        "uniform-lead-over-nothing",
        uniform,
        "extremes",
        _least_of_nothing,
        "A broker without traffic counts as one with nothing, not with 1.",
    ),
    equivalent(
        "uniform-negative-cap-is-none",
        uniform,
        "capped",
        lambda _: _no_negative_cap,
        "Every negative cap lets all bundles go, not only -1.",
    ),
    equivalent(
        "uniform-one-bundle-a-round",
        uniform,
        "capped",
        then(lambda bundles: bundles[:1]),
        "At most one bundle is shed in a round.",
    ),
)
