"""Clauses about a bundle's averages: `load.bundle_averages`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evenkeel.properties.clause import (
    HOLDS,
    UNEXERCISED,
    Case,
    Finding,
    Violation,
    as_expected,
    unless,
)
from evenkeel.properties.load.book import check
from evenkeel.properties.load.comparing import close_traffic, traffic_between
from evenkeel.properties.load.trials_averages import (
    AveragesNow,
    BundleAveragesAnswer,
    BundleAveragesTrial,
    Samples,
    Start,
)
from evenkeel.properties.observations import Broke, Refused
from evenkeel.reference.adding import added
from evenkeel.reference.load.averages import LONG_TERM_SAMPLES, SHORT_TERM_SAMPLES, UNSEEN
from evenkeel.reference.load.traffic import Traffic

AveragesCase = Case[BundleAveragesTrial, BundleAveragesAnswer]


@dataclass(frozen=True, slots=True)
class Step:
    """The averages after some samples: of `seen` in all."""

    seen: tuple[Samples, ...]
    now: AveragesNow

    @property
    def count(self) -> int:
        """How many samples there were."""
        return sum(samples.times for samples in self.seen)


def steps(case: AveragesCase) -> list[Step]:
    """Every answer with what was seen before it; the first one before any sample."""
    observed, samples = case.observation, case.trial.samples
    assert not isinstance(observed, Refused | Broke)
    return [Step(samples[:index], now) for index, now in enumerate(observed.averages)]


def failure(case: AveragesCase) -> Violation | None:
    """Averages are always told, one at the start and one after each group of samples."""
    observed, count = case.observation, len(case.trial.samples) + 1
    if isinstance(observed, Refused | Broke) or len(observed.averages) != count:
        return Violation(f"there are no {count} averages", "shape")
    return None


def mean(seen: tuple[Samples, ...], count: int) -> Traffic:
    """The plain mean."""
    sums = [
        added(getattr(samples.traffic, name) * samples.times for samples in seen) / count
        for name in ("msg_rate_in", "msg_rate_out", "throughput_in", "throughput_out")
    ]
    return Traffic(*sums)


@check("LOA-10", "load.bundle_averages")
def averages_lie_between_samples(case: AveragesCase) -> Finding:
    broken = failure(case)
    if broken is not None:
        return broken
    quota = [case.trial.quota] if case.trial.start is Start.QUOTA else []
    for step in steps(case)[1:]:
        values = quota + [samples.traffic for samples in step.seen]
        for word, average in (("short", step.now.short_term), ("long", step.now.long_term)):
            if not traffic_between(values, average):
                return Violation(f"the {word}-term average {average} was never seen", word)
    return HOLDS if case.trial.samples else UNEXERCISED


@check("LOA-11", "load.bundle_averages")
def the_first_sample_replaces_the_guess(case: AveragesCase) -> Finding:
    if failure(case) is not None or not case.trial.samples:
        return UNEXERCISED
    if case.trial.start is not Start.UNSEEN:
        return UNEXERCISED
    first, now = case.trial.samples[0], steps(case)[1].now
    return unless(
        close_traffic(now.short_term, first.traffic)
        and close_traffic(now.long_term, first.traffic),
        f"{first.traffic} was all that was ever seen, but the averages are {now}",
    )


@check("LOA-12", "load.bundle_averages")
def unseen_bundles_are_guessed(case: AveragesCase) -> Finding:
    if failure(case) is not None or case.trial.start is not Start.UNSEEN:
        return UNEXERCISED
    now = steps(case)[0].now
    return unless(
        now.short_term == now.long_term == UNSEEN and now.short_samples == now.long_samples == 0,
        f"an unseen bundle is assumed to have {now}, not {UNSEEN}",
    )


@check("LOA-13", "load.bundle_averages")
def quotas_count_as_history(case: AveragesCase) -> Finding:
    if failure(case) is not None or case.trial.start is not Start.QUOTA:
        return UNEXERCISED
    found = steps(case)
    start = found[0].now
    if not start.short_term == start.long_term == case.trial.quota:
        return Violation(f"a quota of {case.trial.quota} is taken for {start}", "start")
    if len(found) == 1 or found[1].count != 1:
        return HOLDS
    sample, quota, now = case.trial.samples[0].traffic, case.trial.quota, found[1].now
    short = quota.combined(sample, lambda old, new: old * 0.9 + new * 0.1)
    long = quota.combined(sample, lambda old, new: old * 0.999 + new * 0.001)
    return unless(
        close_traffic(now.short_term, short) and close_traffic(now.long_term, long),
        f"one sample on top of a quota: {now}, but {short} and {long} are right",
        "sample",
    )


def unfilled(case: AveragesCase) -> Iterator[tuple[str, int, Step, int, Traffic]]:
    """Every average that is not full yet: its word, how much it holds, where, samples, value."""
    for step in steps(case)[1:]:
        now = step.now
        if step.count <= SHORT_TERM_SAMPLES:
            yield "short", SHORT_TERM_SAMPLES, step, now.short_samples, now.short_term
        if step.count <= LONG_TERM_SAMPLES:
            yield "long", LONG_TERM_SAMPLES, step, now.long_samples, now.long_term


@check("LOA-14", "load.bundle_averages")
def few_samples_count_alike(case: AveragesCase) -> Finding:
    if failure(case) is not None or case.trial.start is not Start.UNSEEN:
        return UNEXERCISED
    exercised = False
    for word, _, step, samples, average in unfilled(case):
        exercised = True
        right = mean(step.seen, step.count)
        if samples != step.count or not close_traffic(average, right):
            return Violation(
                f"the {word}-term average of {step.count} samples is {average} of {samples}, but "
                f"their mean is {right}",
                word,
            )
    return HOLDS if exercised else UNEXERCISED


@check("LOA-15", "load.bundle_averages")
def old_samples_fade(case: AveragesCase) -> Finding:
    if failure(case) is not None:
        return UNEXERCISED
    exercised = False
    for before, after in zip(steps(case), steps(case)[1:], strict=False):
        latest = after.seen[-1]
        full = case.trial.start is Start.QUOTA or before.count >= SHORT_TERM_SAMPLES
        if not full:
            continue
        exercised = True
        rest = (1 - 1 / SHORT_TERM_SAMPLES) ** latest.times

        def faded(old: float, new: float, rest: float = rest) -> float:
            return old * rest + new * (1 - rest)

        right = before.now.short_term.combined(latest.traffic, faded)
        if not close_traffic(after.now.short_term, right):
            return Violation(
                f"{latest.times} times {latest.traffic} after {before.now.short_term} make "
                f"{right}, not {after.now.short_term}"
            )
    return HOLDS if exercised else UNEXERCISED


@check("LOA-16", "load.bundle_averages")
def averages_of_4_0(case: AveragesCase) -> Finding:
    return as_expected(case, "averages")
