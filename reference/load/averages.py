"""Averages of a bundle's traffic over its last samples (LOA-10 to LOA-16)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from evenkeel.reference.load.traffic import Traffic
from evenkeel_engine.frame.clauses import states

SHORT_TERM_SAMPLES: Final = 10
"""NUM_SHORT_SAMPLES, ModularLoadManagerImpl 4.0.8."""

LONG_TERM_SAMPLES: Final = 1000
"""NUM_LONG_SAMPLES, ModularLoadManagerImpl 4.0.8."""

UNSEEN: Final = Traffic(50.0, 50.0, 50_000.0, 50_000.0)
"""What is assumed of a bundle of which nothing is known: msg/s and bytes/s.

DEFAULT_MESSAGE_RATE and DEFAULT_MESSAGE_THROUGHPUT, ModularLoadManagerImpl 4.0.8.
"""


@dataclass(frozen=True, slots=True)
class Average:
    """A running average: of how many samples it is, never more than `most`, and what it is."""

    samples: int
    most: int
    traffic: Traffic


@dataclass(frozen=True, slots=True)
class BundleAverages:
    """What the leader remembers of a bundle."""

    short_term: Average
    long_term: Average
    topics: int = 0


@states("LOA-12")
def guess() -> BundleAverages:
    """A bundle of which nothing is known: a guess, replaced by the first sample."""
    return begin_averages(UNSEEN)


def begin_averages(traffic: Traffic) -> BundleAverages:
    """Averages of no samples yet."""
    return BundleAverages(
        Average(0, SHORT_TERM_SAMPLES, traffic), Average(0, LONG_TERM_SAMPLES, traffic)
    )


@states("LOA-13")
def from_quota(traffic: Traffic) -> BundleAverages:
    """A bundle with a resource quota: as if this had been seen ever since.

    Source: ModularLoadManagerImpl.getBundleDataOrDefault 4.0.8.
    """
    return BundleAverages(
        Average(SHORT_TERM_SAMPLES, SHORT_TERM_SAMPLES, traffic),
        Average(LONG_TERM_SAMPLES, LONG_TERM_SAMPLES, traffic),
    )


@states("LOA-10", "LOA-11", "LOA-14", "LOA-15", "LOA-16")
def with_sample(average: Average, sample: Traffic) -> Average:
    """The average with one more sample: an ordinary mean until it is full, then a moving one.

    The first sample replaces whatever was assumed. Source: TimeAverageMessageData.update 4.0.8.
    """
    samples = min(average.samples + 1, average.most)
    before, old = samples - 1, average.traffic
    traffic = Traffic(
        (before * old.msg_rate_in + sample.msg_rate_in) / samples,
        (before * old.msg_rate_out + sample.msg_rate_out) / samples,
        (before * old.throughput_in + sample.throughput_in) / samples,
        (before * old.throughput_out + sample.throughput_out) / samples,
    )
    return Average(samples, average.most, traffic)


@states("LOA-16")
def add_sample(averages: BundleAverages, sample: Traffic, topics: int) -> BundleAverages:
    """Both averages with one more sample; the number of topics is the latest one."""
    return BundleAverages(
        with_sample(averages.short_term, sample), with_sample(averages.long_term, sample), topics
    )
