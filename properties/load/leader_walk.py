"""Following what a leader is told, command by command (LOA-17 to LOA-22)."""

from __future__ import annotations

from dataclasses import dataclass, field

from evenkeel.properties.clause import Case, describe
from evenkeel.properties.findings import Findings
from evenkeel.properties.load.comparing import close_traffic, traffic_between
from evenkeel.properties.load.trials_averages import (
    Knowledge,
    KnownBundle,
    LeaderAnswer,
    LeaderCommand,
    LeaderTrial,
    Publish,
    Write,
)
from evenkeel.properties.observations import Broke, Refused
from evenkeel.reference.load import averages as averaging
from evenkeel.reference.load.averages import BundleAverages
from evenkeel.reference.load.leader import BundleSample
from evenkeel.reference.load.traffic import Traffic, total


@dataclass(slots=True)
class Course:
    """What the leader was told: latest reports, and of every bundle in them all samples since it
    is known.
    """

    reports: dict[str, tuple[BundleSample, ...]] = field(default_factory=dict)
    samples: dict[str, list[Traffic]] = field(default_factory=dict)
    averages: dict[str, BundleAverages] = field(default_factory=dict)

    def told(self, command: LeaderCommand) -> None:
        """One more command."""
        if isinstance(command, Write):
            return
        self.reports.pop(command.broker, None)
        if isinstance(command, Publish):
            self.reports[command.broker] = command.bundles
            for sample in command.bundles:
                self.samples.setdefault(sample.bundle, []).append(sample.traffic)
                before = self.averages.get(sample.bundle) or averaging.unseen()
                self.averages[sample.bundle] = averaging.sampled(
                    before, sample.traffic, sample.topics
                )
        active = self.active()
        for gone in set(self.samples) - active:
            del self.samples[gone], self.averages[gone]

    def active(self) -> set[str]:
        """The bundles in some report."""
        return {sample.bundle for report in self.reports.values() for sample in report}


def walk_leader(case: Case[LeaderTrial, LeaderAnswer]) -> Findings:
    """What the answers say."""
    observed, findings, course = case.observation, Findings(), Course()
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(case.trial.commands):
        findings.note("LOA-17", False, f"the leader {describe(observed)}", "shape")
        return findings
    for command, known in zip(case.trial.commands, observed.results, strict=True):
        course.told(command)
        who_is_known(course, known, findings)
        for bundle in known.bundles:
            if bundle.bundle in course.samples:
                what_is_known(course, bundle, findings)
        what_brokers_have(course, known, findings)
    return findings


def who_is_known(course: Course, known: Knowledge, findings: Findings) -> None:
    """Exactly the bundles and brokers that there are."""
    names = [bundle.bundle for bundle in known.bundles]
    findings.note(
        "LOA-17",
        sorted(names) == sorted(course.active()),
        f"{names} are known, but {sorted(course.active())} are served",
    )
    brokers = [broker.broker for broker in known.brokers]
    findings.note(
        "LOA-18",
        sorted(brokers) == sorted(course.reports),
        f"{brokers} are known, but {sorted(course.reports)} are there",
    )


def what_is_known(course: Course, bundle: KnownBundle, findings: Findings) -> None:
    """A bundle's averages are of what was reported, each report counting once."""
    samples, now = course.samples[bundle.bundle], bundle.averages
    for average in (now.short_term, now.long_term):
        findings.note(
            "LOA-19",
            traffic_between(samples, average),
            f"{bundle.bundle} has {average} on average, which was never reported",
        )
    right = course.averages[bundle.bundle]
    findings.note(
        "LOA-20",
        close_traffic(now.short_term, right.short_term.traffic)
        and close_traffic(now.long_term, right.long_term.traffic)
        and now.long_samples == right.long_term.samples,
        f"{bundle.bundle} was in {len(samples)} reports: {now}, but {right} is right",
        "samples" if now.long_samples != right.long_term.samples else "average",
    )


def what_brokers_have(course: Course, known: Knowledge, findings: Findings) -> None:
    """A broker's averages are the sums over its bundles."""
    bundles = {bundle.bundle: bundle.averages for bundle in known.bundles}
    for broker in known.brokers:
        report = course.reports.get(broker.broker, ())
        mine = [bundles[sample.bundle] for sample in report if sample.bundle in bundles]
        if len(mine) != len(report):
            continue
        short = total(average.short_term for average in mine)
        long = total(average.long_term for average in mine)
        findings.note(
            "LOA-21",
            close_traffic(broker.averages.short_term, short)
            and close_traffic(broker.averages.long_term, long),
            f"{broker} has bundles with {short} and {long}",
        )
