"""The short text at a campaign's end."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from evenkeel_engine import spec
from evenkeel_engine.campaign.discovery import sorts_of, tell_estimate
from evenkeel_engine.campaign.plan import CampaignPlan
from evenkeel_engine.campaign.worker import Finding
from evenkeel_engine.check.severity import Severity
from evenkeel_engine.check.tally import STATUSES, Tally, asked_clauses, coverage_gaps
from evenkeel_engine.content import EDITIONS
from evenkeel_engine.text import make_printable

WIDTH: Final = 100
NEXT: Final = 1_000_000
"""Further trials for which the estimate is made."""
KINDS: Final = 20
"""Kinds of answers that differ that are listed at most."""
REASONS: Final = 10
"""Reasons for trials without an answer that are listed at most."""


@dataclass(frozen=True, slots=True)
class ReportData:
    """All data of a report.

    `seconds` is the whole run's time, `working` the part of it in which trials ran, `fresh` the
    trials that ran in it (an earlier run did the others), `busy` the seconds that blocks of
    each question took, summed over workers and runs.
    """

    plan: CampaignPlan
    subject: str
    java: str
    cores: int
    tally: Tally
    findings: Sequence[Finding]
    files: Mapping[str, Path]
    seconds: float
    working: float
    fresh: int
    busy: Mapping[str, float]

    @property
    def status(self) -> int:
        """0: no errors; 1: violated; 2: unusable or unknown."""
        return 1 if self.severity.list_errors(self.tally) else 2 if self.coverage_gaps else 0

    @property
    def severity(self) -> Severity:
        """How breaches count."""
        return Severity(self.plan.edition, self.plan.strict)

    @property
    def clauses(self) -> list[str]:
        """The clauses of the campaign."""
        plan = self.plan
        questions = [*self.tally.trials, *plan.questions]
        return asked_clauses(questions, EDITIONS[plan.edition], plan.clauses)

    @property
    def coverage_gaps(self) -> list[str]:
        """Why a campaign without a violation does not show that all holds."""
        return coverage_gaps(self.tally, self.clauses, self.plan.allow_unexercised)

    @property
    def trials(self) -> int:
        """All trials of the campaign."""
        return sum(self.tally.trials.values())

    @property
    def rate(self) -> float:
        """Trials per second while this run's trials ran."""
        return self.fresh / self.working if self.working > 0 else 0.0


def clause_verdicts(outcome: ReportData) -> dict[str, str]:
    """Each clause of the campaign with its verdict over all trials."""
    return {id_: outcome.severity.conclude_verdict(outcome.tally, id_) for id_ in outcome.clauses}


def summary_line(outcome: ReportData) -> str:
    """The one line."""
    departures = outcome.severity.list_departures(outcome.tally)
    came_to = outcome.tally.conclude_outcome(clause_verdicts(outcome), departures)
    return (
        f"campaign of {outcome.subject} against {outcome.plan.edition}: {came_to}, "
        f"{outcome.seconds:.1f} s, {outcome.rate:,.0f} trials/s"
    )


def report_text(outcome: ReportData) -> str:
    """The report, without its last line, which is the summary."""
    plan = outcome.plan
    severity, tally = outcome.severity, outcome.tally
    ordered = sorted(outcome.findings, key=lambda one: severity.departs(tally, one.signature))
    sections = [
        f"{outcome.trials:,} trials of {len(outcome.tally.trials)} questions, seed {plan.seed}, "
        f"on Spark {plan.master} ({outcome.cores} at a time)\n{outcome.java}",
        _format_questions(outcome),
        _format_clauses(outcome),
        _format_labels(outcome),
        *_format_unanswered(outcome.tally),
        *_format_differing(outcome.tally),
        *[_format_failure(outcome, finding) for finding in ordered],
        *outcome.coverage_gaps,
        tell_estimate(sorts_of(outcome.tally).values(), outcome.trials, NEXT),
    ]
    return "\n".join(f"{section.rstrip()}\n" for section in sections)


def _format_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as text; columns that start with `#` are set to the right."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in columns:
        right = column.startswith("#")
        justify: Literal["right", "left"] = "right" if right else "left"
        table.add_column(column.removeprefix("#"), justify=justify, no_wrap=right)
    for row in rows:
        table.add_row(*(f"{v:,}" if isinstance(v, int) else str(v) for v in row))
    text = io.StringIO()
    Console(file=text, width=WIDTH, markup=False, emoji=False, highlight=False).print(table)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines())


def _format_questions(outcome: ReportData) -> str:
    tally, unanswered = outcome.tally, outcome.tally.unanswered
    rows = []
    for name, trials in sorted(tally.trials.items()):
        busy = outcome.busy.get(name)
        rate = f"{trials / busy:,.0f}" if busy else ""
        rows.append((name, trials, tally.commands[name], unanswered[name], rate))
    columns = ("question", "#trials", "#commands", "#unanswered", "#trials/s of one worker")
    return _format_table(columns, rows)


def _format_clauses(outcome: ReportData) -> str:
    rows = []
    for id_, verdict in clause_verdicts(outcome).items():
        level = spec.find_clause(id_).level_in(outcome.plan.edition).value
        rows.append((id_, level, verdict, *(outcome.tally.verdicts[id_, s] for s in STATUSES)))
    return _format_table(("clause", "level", "verdict", *(f"#{s}" for s in STATUSES)), rows)


def _format_labels(outcome: ReportData) -> str:
    tally = outcome.tally
    rows = [
        (question, label, count, f"{count / tally.trials[question]:.1%}")
        for (question, label), count in sorted(tally.labels.items())
    ]
    return _format_table(("question", "label", "#reached", "#of its trials"), rows)


def _format_unanswered(tally: Tally) -> list[str]:
    counts = [
        (count, f"{what}: {question}: {count:,} × {reason}")
        for what, counts in (("skipped", tally.skipped), ("no answer", tally.errored))
        for (question, reason), count in counts.items()
    ]
    lines = [line for _, line in sorted(counts, key=lambda pair: (-pair[0], pair[1]))]
    if len(lines) > REASONS:
        lines[REASONS:] = [f"and {len(lines) - REASONS} more reasons"]
    return ["\n".join(lines)] if lines else []


def _format_differing(tally: Tally) -> list[str]:
    if not tally.differing:
        return []
    rows = [
        (question, kind, count, tally.least[question, kind].place)
        for (question, kind), count in tally.differing.most_common(KINDS)
    ]
    columns = ("not the reference's answer, and no clause objects", "in what", "#answers")
    text = _format_table((*columns, "smallest"), rows)
    more = len(tally.differing) - len(rows)
    return [f"{text}\nand {more:,} more kinds" if more else text]


def _format_failure(outcome: ReportData, finding: Finding) -> str:
    signature, found = finding.signature, finding.found
    word = "departure: " if outcome.severity.departs(outcome.tally, signature) else ""
    lines = [
        f"{word}{signature}: {outcome.tally.failures[signature]:,} trials",
        f"  {make_printable(finding.sentence or found.sentence)}",
    ]
    if finding.attempts:
        lines.append(f"  smallest trial: {json.dumps(finding.trial, ensure_ascii=False)}")
    else:
        lines.append("  put again, the trial got another answer: the subject is not deterministic")
    if finding.reproduced_by:
        lines.append(f"  the edition {finding.reproduced_by} does the same")
    if signature in outcome.files:
        lines.append(f"  file: {outcome.files[signature]}")
    lines.append(f"  replay: {outcome.plan.replay(found)}")
    return "\n".join(lines)
