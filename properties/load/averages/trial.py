"""Trial and answer of `load.bundle_averages`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from evenkeel.properties.load.numbers import require_count, require_traffic
from evenkeel.properties.trial import require
from evenkeel.reference.edition import Edition
from evenkeel.reference.load import averages
from evenkeel.reference.load.averages import LONG_TERM_SAMPLES, BundleAverages
from evenkeel.reference.load.traffic import Traffic

MOST_TIMES: Final = 3000


class Start(StrEnum):
    """What is known of a bundle before its first sample."""

    UNSEEN = "unseen"
    QUOTA = "quota"


@dataclass(frozen=True, slots=True)
class Samples:
    """The same sample, so many times in a row (1 to 3000)."""

    traffic: Traffic
    topics: int
    times: int

    def __post_init__(self) -> None:
        require_traffic("traffic", self.traffic)
        require_count("topics", self.topics)
        require(1 <= self.times <= MOST_TIMES, "times", "must be from 1 to 3000")


@dataclass(frozen=True, slots=True)
class BundleAveragesTrial:
    """`load.bundle_averages`: what is a bundle's traffic on average?

    `quota` is the bundle's resource quota where it starts with one.
    """

    start: Start
    quota: Traffic
    samples: tuple[Samples, ...]

    def __post_init__(self) -> None:
        require_traffic("quota", self.quota)


@dataclass(frozen=True, slots=True)
class AveragesNow:
    """Both averages, of how many samples each is, and the latest number of topics."""

    short_samples: int
    short_term: Traffic
    long_samples: int
    long_term: Traffic
    topics: int

    @staticmethod
    def of(averages: BundleAverages) -> AveragesNow:
        """The same as an answer."""
        short, long = averages.short_term, averages.long_term
        return AveragesNow(
            short.samples, short.traffic, long.samples, long.traffic, averages.topics
        )


@dataclass(frozen=True, slots=True)
class BundleAveragesAnswer:
    """The averages at the start, and after each of the trial's `samples`."""

    averages: tuple[AveragesNow, ...]


def answer_bundle_averages(trial: BundleAveragesTrial, edition: Edition) -> BundleAveragesAnswer:
    """The averages after each group of samples; the same in all editions."""
    del edition
    now = averages.unseen() if trial.start is Start.UNSEEN else averages.from_quota(trial.quota)
    found = [AveragesNow.of(now)]
    for samples in trial.samples:
        for _ in range(samples.times):
            now = averages.sampled(now, samples.traffic, samples.topics)
        found.append(AveragesNow.of(now))
    return BundleAveragesAnswer(tuple(found))


def bundle_averages_labels(trial: BundleAveragesTrial) -> Iterator[str]:
    """How it starts, and how many samples there are."""
    yield trial.start.value
    count = sum(samples.times for samples in trial.samples)
    yield "a full long-term average" if count >= LONG_TERM_SAMPLES else f"{min(count, 11)} samples"
