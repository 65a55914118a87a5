"""Averages of a bundle's traffic (LOA-10 to LOA-16)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import pairwise
from typing import Final, NamedTuple

from evenkeel.properties.load.judge_parts import close_traffic, traffic_between
from evenkeel.properties.load.trial_parts import draw_traffic, require_count, require_traffic
from evenkeel.reference.edition import Edition
from evenkeel.reference.load import averages
from evenkeel.reference.load.averages import (
    LONG_TERM_SAMPLES,
    SHORT_TERM_SAMPLES,
    UNSEEN,
    BundleAverages,
)
from evenkeel.reference.load.traffic import Traffic
from evenkeel_engine.kit.clause import Case, in_full
from evenkeel_engine.kit.draw import Draw, seldom_repeated
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import decision, is_must, require_equal
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run, fill
from evenkeel_engine.kit.trial import require

MOST_TIMES: Final = 3000


class Start(StrEnum):
    """What is known of a bundle before its first sample."""

    UNSEEN = "unseen"
    QUOTA = "quota"


@dataclass(frozen=True, slots=True)
class Samples:
    """The same sample, a number of times in a row (1 to 3000)."""

    traffic: Traffic
    topics: int
    times: int

    def __post_init__(self) -> None:
        require_traffic("traffic", self.traffic)
        require_count("topics", self.topics)
        require(1 <= self.times <= MOST_TIMES, "times", "must be from 1 to 3000")


@dataclass(frozen=True, slots=True)
class BundleAveragesTrial:
    """`load.bundle_averages`: what are the averages of a bundle's traffic?

    At most 10 samples count for the short-term average, and 1000 for the long-term one. `quota` is
    the bundle's resource quota where it starts with one, and counts as 10 and 1000.
    """

    start: Start
    quota: Traffic
    samples: tuple[Samples, ...]

    def __post_init__(self) -> None:
        require_traffic("quota", self.quota)


@dataclass(frozen=True, slots=True)
class AveragesNow:
    """Both averages, the number of samples of each, and the latest number of topics."""

    short_samples: int
    short_term: Traffic
    long_samples: int
    long_term: Traffic
    topics: int

    @staticmethod
    def of(averages: BundleAverages) -> AveragesNow:
        """The averages in the answer's form."""
        short, long = averages.short_term, averages.long_term
        return AveragesNow(
            short.samples, short.traffic, long.samples, long.traffic, averages.topics
        )


@dataclass(frozen=True, slots=True)
class BundleAveragesAnswer:
    """The averages at the start, and after each of the trial's `samples`."""

    averages: tuple[AveragesNow, ...]


def draw_times(draw: Draw) -> int:
    """The number of samples: one, about a window's, rarely very many."""
    if draw.chance(0.5):
        return 1
    if draw.chance(0.05):
        return draw.pick((998, 999, 1000, 1001, 1100, 2500))
    return draw.pick((2, 8, 9, 10, 11, 100)) if draw.chance(0.5) else draw.integer(2, 30)


@seldom_repeated("samples")
def bundle_averages_trial(draw: Draw) -> BundleAveragesTrial:
    """A few groups of equal samples."""
    start = draw.pick((Start.UNSEEN, Start.UNSEEN, Start.QUOTA))
    samples = tuple(
        Samples(draw_traffic(draw), draw.integer(0, 3), draw_times(draw)) for _ in draw.items(5)
    )
    return BundleAveragesTrial(start, draw_traffic(draw), samples)


def answer_bundle_averages(trial: BundleAveragesTrial, edition: Edition) -> BundleAveragesAnswer:
    """The averages after each group of samples; the same in all editions."""
    del edition
    now = averages.guess() if trial.start is Start.UNSEEN else averages.from_quota(trial.quota)
    found = [AveragesNow.of(now)]
    for samples in trial.samples:
        for _ in range(samples.times):
            now = averages.add_sample(now, samples.traffic, samples.topics)
        found.append(AveragesNow.of(now))
    return BundleAveragesAnswer(tuple(found))


def bundle_averages_labels(trial: BundleAveragesTrial) -> Iterator[str]:
    """How the averages start, and how many samples there are."""
    yield trial.start.value
    count = sum(samples.times for samples in trial.samples)
    yield "a full long-term average" if count >= LONG_TERM_SAMPLES else f"{min(count, 11)} samples"


class Step(NamedTuple):
    """The averages after some groups of samples, `samples` in all."""

    seen: Sequence[Samples]
    samples: int
    now: AveragesNow


@decision("load.bundle_averages", *(f"LOA-{number}" for number in range(10, 17)))
def judge_averages(run: Run, case: Case[BundleAveragesTrial, BundleAveragesAnswer]) -> None:
    trial, observed = case.trial, case.observation
    groups = len(trial.samples) + 1
    if isinstance(observed, Refused | Broke) or len(observed.averages) != groups:
        sentence = f"there must be {groups} averages, but the subject {in_full(observed)}"
        run.require("LOA-10", False, sentence, "shape")
        return
    steps, count = [], 0
    for index, now in enumerate(observed.averages):
        count += trial.samples[index - 1].times if index else 0
        steps.append(Step(trial.samples[:index], count, now))
    judge_start(run, trial, steps)
    for before, after in pairwise(steps):
        judge_step(run, trial, before, after)
    if is_must("LOA-16", case.edition.name):
        require_equal(run, case, "LOA-16", what="averages")


def judge_start(run: Run, trial: BundleAveragesTrial, steps: Sequence[Step]) -> None:
    """LOA-11 to LOA-13: the assumed averages, and what the first sample makes of them."""
    start, quota = steps[0].now, trial.quota
    if trial.start is Start.UNSEEN:
        guess = start.short_term == start.long_term == UNSEEN
        fresh = start.short_samples == start.long_samples == 0
        run.require(
            "LOA-12",
            guess and fresh,
            lambda: f"an unseen bundle is assumed to have {display(start)}",
        )
    else:
        taken = start.short_term == start.long_term == quota
        run.require(
            "LOA-13",
            taken,
            lambda: f"a quota of {display(quota)} is taken for {display(start)}",
            "start",
        )
    if len(steps) == 1:
        return
    first, now = trial.samples[0].traffic, steps[1].now
    if trial.start is Start.UNSEEN:
        right = close_traffic(now.short_term, first) and close_traffic(now.long_term, first)
        run.require(
            "LOA-11", right, lambda: f"{display(first)} is the only sample, but: {display(now)}"
        )
    elif steps[1].samples == 1:
        short = quota.combine(first, lambda old, new: old * 0.9 + new * 0.1)
        long = quota.combine(first, lambda old, new: old * 0.999 + new * 0.001)
        right = close_traffic(now.short_term, short) and close_traffic(now.long_term, long)
        run.require(
            "LOA-13",
            right,
            lambda: (
                f"one sample on top of a quota: {display(now)}, but {display(short)} and "
                f"{display(long)} are right"
            ),
            "sample",
        )


def judge_step(run: Run, trial: BundleAveragesTrial, before: Step, after: Step) -> None:
    """LOA-10, LOA-14, LOA-15: the averages after one more group of samples."""
    now, latest = after.now, after.seen[-1]
    values = [samples.traffic for samples in after.seen]
    if trial.start is Start.QUOTA:
        values.append(trial.quota)
    for word, most, samples, average in (
        ("short", SHORT_TERM_SAMPLES, now.short_samples, now.short_term),
        ("long", LONG_TERM_SAMPLES, now.long_samples, now.long_term),
    ):
        seen = traffic_between(values, average)
        run.require("LOA-10", seen, lambda: f"an average outside all samples: {display(now)}", word)
        if trial.start is Start.UNSEEN and after.samples <= most:
            right = mean(after)
            is_mean = samples == after.samples and close_traffic(average, right)
            sentence = "the {}-term average of {} samples is {} of {}, but their mean is {}"
            why = fill(sentence, word, after.samples, average, samples, right)
            run.require("LOA-14", is_mean, why, word)
    if trial.start is Start.QUOTA or before.samples >= SHORT_TERM_SAMPLES:
        rest = (1 - 1 / SHORT_TERM_SAMPLES) ** latest.times
        old = before.now.short_term
        faded = old.combine(latest.traffic, lambda one, new: one * rest + new * (1 - rest))
        run.require(
            "LOA-15",
            close_traffic(now.short_term, faded),
            lambda: (
                f"{latest.times} times {display(latest.traffic)} after {display(old)} give "
                f"{display(faded)}, not {display(now.short_term)}"
            ),
        )


def mean(step: Step) -> Traffic:
    """The plain mean of all samples."""
    total = Traffic()
    for samples in step.seen:
        total = samples.traffic.combine(total, partial(added_share, samples.times / step.samples))
    return total


def added_share(share: float, sample: float, total: float) -> float:
    return total + sample * share


BUNDLE_AVERAGES: Final = Question(
    "load.bundle_averages",
    BundleAveragesTrial,
    BundleAveragesAnswer,
    bundle_averages_trial,
    answer_bundle_averages,
    bundle_averages_labels,
)

QUESTIONS: Final = (BUNDLE_AVERAGES,)
