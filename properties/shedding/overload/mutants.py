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
    switched,
    then,
)
from evenkeel.properties.shedding.mutants import long_throughput
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.load.usage import Resources, Weights, percent_usage
from evenkeel.reference.shedding import overload
from evenkeel.reference.shedding.cluster import BundleName
from evenkeel.reference.shedding.overload import OverloadRules
from evenkeel.reference.shedding.selecting import short_rate


def _with_memory(original: Function) -> Function:
    def usage(resources: Resources, weights: Weights) -> float:
        found: float = original(resources, weights)
        return max(found, percent_usage(resources.memory) / 100)

    return usage


def _unweighted(resources: Resources, weights: Weights) -> float:
    del weights
    counting = resources.cpu, resources.memory, resources.bandwidth_in, resources.bandwidth_out
    return max(map(percent_usage, counting)) / 100


def _by_cpu(resources: Resources, weights: Weights) -> float:
    return percent_usage(resources.cpu) * weights.cpu / 100


def _only_above(usage: float, rules: OverloadRules) -> bool:
    return usage > overload.overload_threshold(rules)


def _only_one(taken: tuple[BundleName, ...]) -> tuple[BundleName, ...]:
    return taken[:1]


def _one_more(original: Function) -> Function:
    def reaching(weights: Mapping[BundleName, float], amount: float) -> tuple[BundleName, ...]:
        taken = original(weights, amount)
        return tuple(weights)[: len(taken) + 1]

    return reaching


def _everything(original: Function) -> Function:
    def reaching(weights: Mapping[BundleName, float], amount: float) -> tuple[BundleName, ...]:
        return tuple(weights)

    return reaching


MUTANTS: Final = (
    defect(
        "overload-weighed-by-long-term-averages",
        overload,
        "short_throughput",
        lambda _: long_throughput,
        "What was heavy an hour ago goes; what is heavy now stays.",
    ),
    defect(
        "overload-sole-bundle-shed",
        overload,
        "has_several_bundles",
        always(True),
        "The only bundle of a broker goes to and fro, and the broker it goes to is too full.",
    ),
    defect(
        "overload-by-memory",
        overload,
        "max_weighted_usage",
        _with_memory,
        "Every garbage collection makes a broker shed, or not.",
        "SH6",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "overload-by-heap-memory-too",
        overload,
        "max_weighted_usage",
        _with_memory,
        "Memory usage is that of the heap as well: document 002 names memory, and not which.",
    ),
    equivalent(
        "overload-without-weights",
        overload,
        "max_weighted_usage",
        lambda _: _unweighted,
        "CPU, network and memory count as they are: document 002 names no weights.",
    ),
    defect(
        "overload-by-cpu-alone",
        overload,
        "max_weighted_usage",
        lambda _: _by_cpu,
        "A broker whose network is full keeps everything.",
    ),
    defect(
        "overload-only-above-PULSAR_4_0",
        overload,
        "is_overloaded",
        lambda _: _only_above,
        "Other than 4.0, a broker at the threshold itself sheds nothing.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "overload-only-above",
        overload,
        "is_overloaded",
        lambda _: _only_above,
        "The threshold must be exceeded: document 002 says so twice, and once that it is reached.",
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
        "overload-one-bundle-more",
        overload,
        "reaching",
        _one_more,
        "One more bundle than needed is interrupted.",
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
    equivalent(
        "overload-one-more",
        overload,
        "reaching",
        lambda original: (
            lambda weights, amount: tuple(weights)[: len(original(weights, amount)) + 1]
        ),
        "One more bundle is shed than brings the broker below the threshold.",
    ),
)
