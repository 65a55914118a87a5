"""What a person sees of a check."""

from __future__ import annotations

from typing import Final

from evenkeel import spec
from evenkeel.cli.drawn import Paper, folded
from evenkeel.cli.failure_screen import screen
from evenkeel.cli.output import line, table
from evenkeel.cli.report import STATUSES, Report, Shown, clauses_in
from evenkeel.drivers.tally import Tally
from evenkeel.reference.edition import Edition

ROWS: Final = 20
REASONS: Final = 10


class Printer:
    """Prints a check part by part, while it is being worked out."""

    def __init__(self, edition: Edition, full: bool, quiet: bool) -> None:
        self._edition, self._full, self._quiet = edition, full, quiet

    def counts(self, report: Report) -> None:
        """A row per clause, and why trials have no answer."""
        if self._quiet:
            return
        print_verdicts(report.tally, self._full)
        print_unanswered(report.tally, self._full)

    def failure(self, shown: Shown, report: Report) -> None:
        """One failure on its screen."""
        failure = shown.failure
        departs = failure.signature in report.departures
        if self._quiet:
            word = "departure: " if departs else ""
            line(f"{word}{failure.signature}: {failure.sentence}")
            line(f"  again: {shown.replay}")
            return
        line()
        paper = Paper(full=self._full)
        for text in screen(failure, self._edition, shown.replay, paper, departs):
            line(text)

    def block(self, lines: list[str]) -> None:
        """What is no single failure."""
        for text in ("", *lines):
            line(text)

    def rest(self, report: Report, subject: str) -> None:
        """The failures that were not shrunk, then what is known, gone, and unknown."""
        left = [*report.new, *report.departures][len(report.failures) :]
        if left:
            line()
            line(f"{len(left):,} more, not shrunk:")
        listed = left if self._full else left[:REASONS]
        for signature in listed:
            found = report.tally.smallest[signature]
            title = spec.clause(found.clause).title
            word = " · departure" if signature in report.departures else ""
            line(f"  {signature} · {title}{word}")
            line(f"    again: {found.replay_command(self._edition.name, subject)}")
        for text in folded(left, listed):
            line(f"  {text}")
        for signature in report.known:
            trials = report.tally.failures[signature]
            line(f"known: {signature} ({trials:,} trials)")
        for signature in report.gone:
            line(f"gone: {signature} is in the baseline, but failed no more (--update-baseline)")
        for text in differing_lines(report.tally, self._full):
            line(text)
        for sentence in report.shortcomings:
            line(sentence)


def differing_lines(tally: Tally, full: bool) -> list[str]:
    """The answers that are not the reference's though no clause objects, the commonest first."""
    kinds = tally.differing.most_common(None if full else REASONS)
    found = [
        f"not the reference's answer, and no clause objects: {question}: {kind}: {count:,} of "
        f"{tally.trials[question]:,}, the smallest {tally.least[question, kind].place}"
        for (question, kind), count in kinds
    ]
    more = len(tally.differing) - len(kinds)
    return [*found, f"{more:,} more kinds of such answers (--full)"] if more else found


def print_verdicts(tally: Tally, full: bool) -> None:
    """A row per clause: how often it held, was not exercised, was violated. Of many clauses only
    those that do not simply hold.
    """
    ids = clauses_in(tally)
    wanted = ids if full or len(ids) <= ROWS else [i for i in ids if tally.verdict(i) != "holds"]
    if wanted:
        rows = [[id_, *(tally.verdicts[id_, s] for s in STATUSES)] for id_ in wanted]
        table("verdicts", ["clause", *(f"#{status}" for status in STATUSES)], rows)
    if alike := len(ids) - len(wanted):
        line(f"{alike:,} {'more ' if wanted else ''}clauses hold (--full lists them)")


def print_unanswered(tally: Tally, full: bool) -> None:
    """The commonest reasons for having no answer, and how many others there are."""
    for what, counts in (("skipped", tally.skipped), ("no answer", tally.errored)):
        reasons = counts.most_common(None if full else REASONS)
        for (question, reason), count in reasons:
            line(f"{what}: {question}: {count:,} × {reason}")
        if more := len(counts) - len(reasons):
            line(f"{what}: {more:,} more reasons (--full)")
