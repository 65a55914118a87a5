"""Mutants of bundles' averages."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from evenkeel.properties.mutant_maker import Function, always, defect, equivalent
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.load import averages
from evenkeel.reference.load.averages import Average
from evenkeel.reference.load.traffic import Traffic


def _guess_counts(original: Function) -> Function:
    return lambda average, sample: original(
        replace(average, samples=average.samples + (average.samples == 0)), sample
    )


def _first_topics(original: Function) -> Function:
    return lambda before, sample, topics: replace(
        original(before, sample, topics), topics=before.topics or topics
    )


def _other_way_round(original: Function) -> Function:
    def with_sample(average: Average, sample: Traffic) -> Average:
        result: Average = original(average, sample)
        step = average.traffic.combined(sample, lambda old, new: old + (new - old) / result.samples)
        return replace(result, traffic=step if average.samples else sample)

    return with_sample


MUTANTS: Final = (
    defect(
        "guess-counts-as-sample",
        averages,
        "with_sample",
        _guess_counts,
        "Every new bundle looks as if it had 50 msg/s, for long.",
        "SH7",
    ),
    defect(
        "unseen-bundles-are-idle",
        averages,
        "unseen",
        always(averages.assumed(Traffic())),
        "All new bundles are given to one broker, since none of them seems to weigh anything.",
    ),
    defect(
        "topics-of-the-first-report",
        averages,
        "sampled",
        _first_topics,
        "The number of a bundle's topics never changes.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "averages-by-steps",
        averages,
        "with_sample",
        _other_way_round,
        "The average is moved by a part of the difference; only its last bits are others.",
    ),
)
