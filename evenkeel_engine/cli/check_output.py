"""The output of a check for people: its failures, shrunk, saved and printed."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from evenkeel_engine.check.failure import (
    describe_failures,
    describe_unshrunk,
    flatten_groups,
    group_failures,
)
from evenkeel_engine.check.state_leaks import StateLeak, find_leak
from evenkeel_engine.check.tally import STATUSES, Tally
from evenkeel_engine.cli.check_report import Report, ShownFailure, clauses_in, render_failure
from evenkeel_engine.cli.failure_files import replay_command, save
from evenkeel_engine.cli.failure_report import ANSWERS_DIFFER, leak_lines, replay_sequence
from evenkeel_engine.cli.output import print_line, print_lines, print_prose, print_table
from evenkeel_engine.cli.render import Paper
from evenkeel_engine.content import Edition
from evenkeel_engine.subjects.base import Subject
from evenkeel_engine.subjects.choose import open_subject
from evenkeel_engine.subjects.parent import PARENT

ROWS: Final = 20
REASONS: Final = 10
REPORTS: Final = 3
"""Failures that are shown in full; the others have a line each, unless `full`.
"""
SUSPECTS: Final = 30
"""Failures that are tried for state between trials."""


@dataclass(slots=True)
class Display:
    """Shrinks, saves and prints the failures of a check of one subject.

    `subject` is the command, as replays name it. `folder` is where trials are saved; None: a cache.
    `most` failures are shrunk; None: all. Without `text` nothing is printed.
    """

    subject: str
    edition: Edition
    text: bool = True
    full: bool = False
    quiet: bool = False
    folder: Path | None = None
    most: int | None = REPORTS
    printed: set[str] = field(default_factory=set)

    def print_counts(self, report: Report) -> None:
        """A row per clause, and why trials have no answer."""
        if self.text and not self.quiet:
            print_verdicts(report.tally, self.full)
            print_unanswered(report.tally, self.full)

    def print_failures(self, report: Report, opened: Subject) -> None:
        """Shrink, save and print one failure after the other, the root first."""
        report.follows = group_failures(
            report.tally, opened, self.edition, report.new, report.departures
        )
        ordered = flatten_groups(report.follows)
        report.new = [one for one in ordered if one in report.new]
        report.departures = [one for one in ordered if one in report.departures]
        self.state_between_trials(report, opened)
        leaked = {shown.failure.signature for shown in report.failures}
        roots = [one for one in report.follows if one not in leaked]
        found = [*roots, *(one for one in ordered if one not in {*roots, *leaked})]
        found = found if self.most is None else found[: self.most]
        reports = set(found if self.full else roots[:REPORTS])
        for failure in describe_failures(found, report.tally, opened, self.edition):
            path = save(failure, self.edition, self.subject, self.folder)
            command = replay_command(failure, path, self.subject, self.edition)
            shown = ShownFailure(failure, str(path) if path else None, command)
            report.failures.append(shown)
            if failure.signature in reports:
                self.print_failure(shown, report)

    def state_between_trials(self, report: Report, opened: Subject) -> None:
        """First the failures caused by leaked state, in one block: they are not shrunk."""
        signatures = [*report.new, *report.departures]
        if self.subject.startswith(("reference", PARENT)) or not signatures:
            return

        def again() -> Subject:
            return open_subject(self.subject, self.edition)

        found = find_leak(signatures[:SUSPECTS], report.tally, opened, again, self.edition)
        if found is None:
            return
        # An error among them makes all of them errors: leaked state breaks the protocol.
        report.departures = [one for one in report.departures if one not in found.signatures]
        others = [one for one in report.new if one not in found.signatures]
        report.new = [*found.signatures, *others]
        command = replay_sequence(found, self.subject, self.edition)
        leaked = (describe_unshrunk(one, report.tally) for one in found.signatures)
        report.failures += (ShownFailure(one, None, command) for one in leaked)
        self.print_leak(found, report, command)

    def save_others(self, report: Report) -> None:
        """Save trials as they were generated, so that a report has a place for every failure."""
        described_ones = {shown.failure.signature for shown in report.failures}
        for signature in [*report.new, *report.departures, *report.known]:
            if signature not in described_ones:
                failure = describe_unshrunk(signature, report.tally)
                if path := save(failure, self.edition, self.subject, self.folder):
                    report.unshrunk[signature] = str(path)

    def print_failure(self, shown: ShownFailure, report: Report) -> None:
        """One failure in full."""
        if not self.text:
            return
        signature = shown.failure.signature
        others = [] if self.full else report.follows.get(signature, [])
        self.printed.update((signature, *others))
        if not self.quiet:
            print_lines(["", *render_failure(shown, report, Paper(full=self.full))])
            return
        sentences = {one: report.tally.smallest[one].sentence for one in others}
        for one, sentence in {signature: shown.failure.sentence, **sentences}.items():
            word = "departure: " if one in report.departures else ""
            print_prose(f"{word}{one}: {sentence}")
            again = self.format_replay(one, report) if one in others else shown.replay
            print_line(f"  again: {again}")

    def print_leak(self, found: StateLeak, report: Report, command: str) -> None:
        """Failures caused by state between trials."""
        if not self.text:
            return
        self.printed.update(found.signatures)
        if self.quiet:
            for signature in found.signatures:
                print_prose(
                    f"{signature}: {ANSWERS_DIFFER}; {report.tally.smallest[signature].sentence}"
                )
            print_line(f"  again: {command}")
            return
        print_lines(["", *leak_lines(found, report.tally, command)])

    def print_rest(self, report: Report) -> None:
        """The failures that are not shown in full, then known, removed, and unknown ones."""
        if not self.text:
            return
        found = [*report.new, *report.departures]
        if left := [signature for signature in found if signature not in self.printed]:
            print_line()
            print_line(f"{len(left):,} more (--full shows them):")
        after = {one for root in left for one in report.follows.get(root, ())}
        for signature in (one for one in left if one not in after):
            word = "departure: " if signature in report.departures else ""
            print_line(f"  {word}{signature} · again: {self.format_replay(signature, report)}")
            if others := report.follows.get(signature, []):
                print_prose(f"    with it: {', '.join(others)}")
        for sentence in report.more_often:
            print_prose(sentence)
        for signature in report.known:
            print_prose(f"known: {signature} ({report.tally.failures[signature]:,} trials)")
        for signature in report.removed:
            print_prose(
                f"removed: {signature} is in the baseline, but no longer fails (--update-baseline)"
            )
        for text in (*differing_lines(report.tally, self.full), *report.tally.list_measured()):
            print_prose(text)
        for sentence in report.coverage_gaps:
            print_prose(sentence)

    def format_replay(self, signature: str, report: Report) -> str:
        """The command that replays a failure: shrunk, if it was shrunk without being shown."""
        shrunk = (s.replay for s in report.failures if s.failure.signature == signature)
        generated = report.tally.smallest[signature].replay_command(self.edition.name, self.subject)
        return next(shrunk, generated)


def differing_lines(tally: Tally, full: bool) -> list[str]:
    """How many right answers are not the reference's; in full by kind, the commonest first."""
    total = sum(tally.differing.values())
    if not total:
        return []
    head = f"also right: {total:,} answers that differ from the reference's"
    if not full:
        return [f"{head} (--full shows how)"]
    return [
        f"{head}:",
        *(
            f"  {question}: {kind}: {count:,} of {tally.trials[question]:,}, "
            f"the smallest {tally.least[question, kind].place}"
            for (question, kind), count in tally.differing.most_common()
        ),
    ]


def print_verdicts(tally: Tally, full: bool) -> None:
    """A row a clause with its counts; of many clauses only those that do not simply hold."""
    ids = clauses_in(tally)
    few = full or len(ids) <= ROWS
    listed = [id_ for id_ in ids if few or tally.conclude_verdict(id_) != "holds"]
    if listed:
        rows = [[id_, *(tally.verdicts[id_, s] for s in STATUSES)] for id_ in listed]
        print_table("verdicts", ["clause", *(f"#{status}" for status in STATUSES)], rows)
    if alike := len(ids) - len(listed):
        print_line(f"{alike:,} {'more ' if listed else ''}clauses hold (--full lists them)")


def print_unanswered(tally: Tally, full: bool) -> None:
    """The commonest reasons for having no answer, and how many others there are."""
    for what, counts in (("skipped", tally.skipped), ("no answer", tally.errored)):
        reasons = counts.most_common(None if full else REASONS)
        for (question, reason), count in reasons:
            print_prose(f"{what}: {question}: {count:,} × {reason}")
        if more := len(counts) - len(reasons):
            print_line(f"{what}: {more:,} more reasons (--full)")
