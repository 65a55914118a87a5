"""What a person sees of a check."""

from __future__ import annotations

from typing import Final

from evenkeel.cli.carried_screen import LIVES_ON, carried_lines, replay_sequence
from evenkeel.cli.drawn import Paper
from evenkeel.cli.failure_screen import screen
from evenkeel.cli.output import line, prose, table
from evenkeel.cli.report import STATUSES, Report, Shown, clauses_in
from evenkeel.harness.carried import Carried
from evenkeel.harness.tally import Tally
from evenkeel.reference.edition import Edition

ROWS: Final = 20
REASONS: Final = 10


class Printer:
    """Prints a check part by part, while it is being worked out."""

    def __init__(self, edition: Edition, full: bool, quiet: bool) -> None:
        self._edition, self._full, self._quiet = edition, full, quiet
        self._printed = set[str]()

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
        self._printed.add(failure.signature)
        if self._quiet:
            word = "departure: " if departs else ""
            prose(f"{word}{failure.signature}: {failure.sentence}")
            line(f"  again: {shown.replay}")
            return
        line()
        paper = Paper(full=self._full)
        for text in screen(failure, self._edition, shown.replay, paper, departs):
            line(text)

    def carried(self, found: Carried, report: Report, subject: str) -> None:
        """What several failures come of: state between trials."""
        self._printed.update(found.signatures)
        if self._quiet:
            for signature in found.signatures:
                prose(f"{signature}: {LIVES_ON}; {report.tally.smallest[signature].sentence}")
            line(f"  again: {replay_sequence(found, subject, self._edition)}")
            return
        for text in ("", *carried_lines(found, report.tally, subject, self._edition)):
            line(text)

    def rest(self, report: Report, subject: str) -> None:
        """The failures that were not drawn, then what is known, gone, and unknown."""
        found = [*report.new, *report.departures]
        left = [signature for signature in found if signature not in self._printed]
        if left:
            line()
            line(f"{len(left):,} more (--full shows them):")
        for signature in left:
            word = "departure: " if signature in report.departures else ""
            line(f"  {word}{signature} · again: {self._again(signature, report, subject)}")
        for signature in report.known:
            trials = report.tally.failures[signature]
            prose(f"known: {signature} ({trials:,} trials)")
        for signature in report.gone:
            prose(f"gone: {signature} is in the baseline, but failed no more (--update-baseline)")
        for text in differing_lines(report.tally, self._full):
            prose(text)
        for sentence in report.shortcomings:
            prose(sentence)

    def _again(self, signature: str, report: Report, subject: str) -> str:
        """The command that replays a failure: shrunk, if it was shrunk without being drawn."""
        shrunk = (s.replay for s in report.failures if s.failure.signature == signature)
        as_drawn = report.tally.smallest[signature].replay_command(self._edition.name, subject)
        return next(shrunk, as_drawn)


def differing_lines(tally: Tally, full: bool) -> list[str]:
    """How many answers are not the reference's though no clause objects; in full by kind, the
    commonest first.
    """
    total = sum(tally.differing.values())
    if not total:
        return []
    head = f"also right: {total:,} answers that differ from the reference's"
    if not full:
        return [f"{head} (--full tells in what)"]
    return [
        f"{head}:",
        *(
            f"  {question}: {kind}: {count:,} of {tally.trials[question]:,}, "
            f"the smallest {tally.least[question, kind].place}"
            for (question, kind), count in tally.differing.most_common()
        ),
    ]


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
            prose(f"{what}: {question}: {count:,} × {reason}")
        if more := len(counts) - len(reasons):
            line(f"{what}: {more:,} more reasons (--full)")
