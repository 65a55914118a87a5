"""What the leader knows of bundles and brokers, command by command (LOA-17 to LOA-22, LOA-64)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from evenkeel.properties.clause import Case, in_full
from evenkeel.properties.findings import Findings
from evenkeel.properties.judging.judge import binds, monitor
from evenkeel.properties.load.comparing import close_traffic, sums, traffic_within
from evenkeel.properties.load.exact import note_exactly
from evenkeel.properties.load.leader.in_turn import explain_in_turn, shared_by
from evenkeel.properties.load.leader.trial import (
    Knowledge,
    KnownBroker,
    KnownBundle,
    LeaderAnswer,
    LeaderCommand,
    LeaderTrial,
    Leave,
    Publish,
    Write,
)
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.plain import plain
from evenkeel.reference.load.averages import LONG_TERM_SAMPLES, SHORT_TERM_SAMPLES
from evenkeel.reference.load.leader import BundleSample
from evenkeel.reference.load.traffic import Traffic


class Reported(NamedTuple):
    """What was reported of a bundle since it is known: so many reports, the least and the most of
    each number, and the averages, each report once.
    """

    samples: int
    least: Traffic
    most: Traffic
    short_term: Traffic
    long_term: Traffic


@dataclass(slots=True)
class Course:
    """What the leader was told: latest reports, and what they said of every bundle in them."""

    reports: dict[str, tuple[BundleSample, ...]] = field(default_factory=dict)
    bundles: dict[str, Reported] = field(default_factory=dict)
    active: set[str] = field(default_factory=set)
    """The bundles in some report."""

    def take(self, command: LeaderCommand) -> None:
        """One more command."""
        if isinstance(command, Write):
            return
        self.reports.pop(command.broker, None)
        if isinstance(command, Publish):
            self.reports[command.broker] = command.bundles
            for sample in command.bundles:
                before = self.bundles.get(sample.bundle)
                self.bundles[sample.bundle] = with_sample(before, sample.traffic)
        self.active = {sample.bundle for report in self.reports.values() for sample in report}
        for gone in self.bundles.keys() - self.active:
            del self.bundles[gone]


def with_sample(before: Reported | None, sample: Traffic) -> Reported:
    """LOA-14, LOA-15, LOA-20: one report is one sample; the first replaces the guess."""
    if before is None:
        return Reported(1, sample, sample, sample, sample)
    samples = before.samples + 1

    def moved(average: Traffic, most: int) -> Traffic:
        count = min(samples, most)
        return average.combined(sample, lambda old, new: old + (new - old) / count)

    return Reported(
        samples,
        before.least.combined(sample, min),
        before.most.combined(sample, max),
        moved(before.short_term, SHORT_TERM_SAMPLES),
        moved(before.long_term, LONG_TERM_SAMPLES),
    )


@monitor("load.leader", *(f"LOA-{number}" for number in range(17, 23)), "LOA-64")
def leader(case: Case[LeaderTrial, LeaderAnswer], findings: Findings) -> None:
    observed, course = case.observation, Course()
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(case.trial.commands):
        findings.note("LOA-17", False, f"the leader {in_full(observed)}", "shape")
        return
    once = binds("LOA-20", case.edition.name)
    before: dict[str, tuple[Reported, KnownBundle]] = {}
    for command, known in zip(case.trial.commands, observed.results, strict=True):
        course.take(command)
        who_is_known(course, known, findings)
        for bundle in known.bundles:
            right = course.bundles.get(bundle.bundle)
            if right is not None and before.get(bundle.bundle) != (right, bundle):
                what_is_known(right, bundle, findings, once)
                before[bundle.bundle] = right, bundle
        what_brokers_have(course, known, findings, once)
    if not binds("LOA-22", case.edition.name):
        return
    if any_shared(case.trial):
        in_turn(case, observed, findings)
    else:
        note_exactly(case, findings, "LOA-22", same_knowledge)


def any_shared(trial: LeaderTrial) -> bool:
    """Whether a bundle is ever in two latest reports."""
    course = Course()
    for command in trial.commands:
        course.take(command)
        if shared_by(course.reports)[0]:
            return True
    return False


def in_turn(
    case: Case[LeaderTrial, LeaderAnswer], observed: LeaderAnswer, findings: Findings
) -> None:
    """The same where bundles are in two reports, which in 4.0 count in any order."""
    course, before = Course(), Knowledge((), ())
    for command, known in zip(case.trial.commands, observed.results, strict=True):
        silent = isinstance(command, Leave) and command.broker not in course.reports
        course.take(command)
        if silent:
            findings.note("LOA-22", known == before, "what is known changes by itself", "silent")
        elif not explain_in_turn(command, before, course.reports, known, findings):
            return
        before = known


def who_is_known(course: Course, known: Knowledge, findings: Findings) -> None:
    """Exactly the bundles and brokers that there are."""
    names, active = [bundle.bundle for bundle in known.bundles], sorted(course.active)
    findings.note(
        "LOA-17",
        sorted(names) == active,
        lambda: f"{plain(names)} are known, but {plain(active)} are served",
    )
    brokers, there = [broker.broker for broker in known.brokers], sorted(course.reports)
    findings.note(
        "LOA-18",
        sorted(brokers) == there,
        lambda: f"{plain(brokers)} are known, but {plain(there)} are there",
    )


def what_is_known(right: Reported, bundle: KnownBundle, findings: Findings, once: bool) -> None:
    """A bundle's averages are of what was reported, each report counting once."""
    now, count = bundle.averages, right.samples
    for average in (now.short_term, now.long_term):
        findings.note(
            "LOA-19",
            traffic_within(right.least, average, right.most),
            lambda: f"{plain(bundle)} on average, which was never reported",
        )
    if once:
        samples = min(count, LONG_TERM_SAMPLES)
        findings.note(
            "LOA-20",
            close_traffic(now.short_term, right.short_term)
            and close_traffic(now.long_term, right.long_term)
            and now.long_samples == samples,
            lambda: (
                f"{bundle.bundle} was in {count} reports: {plain(now)}, but "
                f"{plain(right.short_term)} and {plain(right.long_term)} are right"
            ),
            "samples" if now.long_samples != samples else "average",
        )


def what_brokers_have(
    course: Course, known: Knowledge, findings: Findings, at_the_end: bool
) -> None:
    """A broker's averages are the sums over its bundles; in 4.0 as they were at its turn."""
    later = set() if at_the_end else shared_by(course.reports)[0]
    bundles = {bundle.bundle: bundle.averages for bundle in known.bundles}
    for broker in known.brokers:
        report = course.reports.get(broker.broker, ())
        mine = [bundles[sample.bundle] for sample in report if sample.bundle in bundles]
        if len(mine) != len(report) or any(sample.bundle in later for sample in report):
            continue
        short = sums(average.short_term for average in mine)
        long = sums(average.long_term for average in mine)
        findings.note(
            "LOA-21",
            close_traffic(broker.averages.short_term, short)
            and close_traffic(broker.averages.long_term, long),
            partial(unlike, broker, short, long),
        )


def unlike(broker: KnownBroker, short: Traffic, long: Traffic) -> str:
    return f"{plain(broker)} has bundles with {plain(short)} and {plain(long)}"


def same_knowledge(one: Knowledge, other: Knowledge) -> bool:
    """Bundles to the last bit; sums of brokers in whatever order they were added."""
    if one.bundles != other.bundles or len(one.brokers) != len(other.brokers):
        return False
    return all(
        mine.broker == right.broker
        and close_traffic(mine.averages.short_term, right.averages.short_term)
        and close_traffic(mine.averages.long_term, right.averages.long_term)
        for mine, right in zip(one.brokers, other.brokers, strict=True)
    )
