"""SPL-37: the running means of a bundle, in whichever order its samples come.

What several brokers report of one bundle in one round is averaged in an order that is left open,
and each order rounds differently. A step of a mean can only grow with what it was and with the
sample, rounding included. So the least that a set of samples can come to ends with one of them, and
goes on from the least that the others can come to: sets are gone through, never orders.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import Final, NamedTuple, TypeAlias

from evenkeel.properties.splitting.due import BundleLoad
from evenkeel.reference.splitting.due import LONG_TERM_SAMPLES

Four: TypeAlias = tuple[float, float, float, float]
"""Message rate in and out, throughput in and out."""

MOST_SETS: Final = 1024
"""Of more sets of samples than this not all are gone through."""

ROUNDING: Final = 2.0**-50
"""More than the relative error of one step of a mean."""


class Mean(NamedTuple):
    """The mean of so many samples: the least and the most that each number of it can be."""

    taken: int
    least: Four
    most: Four

    def after(self, loads: Sequence[BundleLoad]) -> Mean:
        """The mean with these samples, in any order."""
        samples = [
            (load.msg_rate_in, load.msg_rate_out, load.throughput_in, load.throughput_out)
            for load in loads
        ]
        least = self.numbers(min, self.least, samples)
        most = self.numbers(max, self.most, samples)
        return Mean(min(self.taken + len(loads), LONG_TERM_SAMPLES), least, most)

    def numbers(
        self, end: Callable[[float, float], float], before: Four, samples: Iterable[Four]
    ) -> Four:
        """The least or the most of each number."""
        rate_in, rate_out, flow_in, flow_out = (
            farthest(end, self.taken, old, new)
            for old, new in zip(before, zip(*samples, strict=True), strict=True)
        )
        return rate_in, rate_out, flow_in, flow_out


NO_MEAN: Final = Mean(0, (0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0))


def moved(count: int, mean: float, sample: float) -> float:
    """The mean of so many samples with one more."""
    if not count:
        return sample
    count = min(count + 1, LONG_TERM_SAMPLES)
    return ((count - 1) * mean + sample) / count


def farthest(
    end: Callable[[float, float], float], count: int, mean: float, samples: Sequence[float]
) -> float:
    """The least, or the most, that a mean can be after these samples."""
    if len(samples) == 1:
        return moved(count, mean, samples[0])
    kinds = sorted(Counter(samples).items())
    if prod(times + 1 for _, times in kinds) > MOST_SETS:
        return roughly(end, count, mean, samples)
    taken: dict[tuple[int, ...], float] = {(0,) * len(kinds): mean}
    for more in range(len(samples)):
        longer: dict[tuple[int, ...], float] = {}
        for numbers, old in taken.items():
            for kind, (sample, times) in enumerate(kinds):
                if numbers[kind] < times:
                    key = (*numbers[:kind], numbers[kind] + 1, *numbers[kind + 1 :])
                    new = moved(count + more, old, sample)
                    longer[key] = end(longer.get(key, new), new)
        taken = longer
    [found] = taken.values()
    return found


def roughly(
    end: Callable[[float, float], float], count: int, mean: float, samples: Sequence[float]
) -> float:
    """A bound of the same, near it: what comes later counts as much or more, so that without
    rounding the mean is the most if samples ascend, and the least if they descend.
    """
    for more, sample in enumerate(sorted(samples, reverse=end is min)):
        mean = moved(count + more, mean, sample)
    room = mean * ROUNDING * len(samples)
    return mean - room if end is min else mean + room
