"""`evenkeel check`: a subject against the clauses of an edition, in this process."""

from __future__ import annotations

import json

import typer

from evenkeel.cli.options import (
    ChapterOption,
    ClauseOption,
    EditionName,
    EditionOption,
    Format,
    FormatOption,
    ProfileOption,
    QuestionOption,
    SeedOption,
    SubjectOption,
    chapters_of,
    clauses_of,
    edition_of,
)
from evenkeel.cli.output import finish, line, progress, table
from evenkeel.cli.questions import questions_named, require_questions
from evenkeel.drivers.check import Part, run_check, shrink_found
from evenkeel.drivers.profile import AMOUNTS, Profile
from evenkeel.drivers.shrink import Shrunk
from evenkeel.drivers.tally import Found, Tally
from evenkeel.properties.codec import Json, to_json
from evenkeel.reference.edition import Edition
from evenkeel.subjects.base import Subject
from evenkeel.subjects.choose import open_subject


def check(
    subject: SubjectOption = "reference",
    edition: EditionOption = EditionName.DOCUMENTED,
    chapter: ChapterOption = None,
    question: QuestionOption = None,
    clause: ClauseOption = None,
    seed: SeedOption = 1,
    profile: ProfileOption = Profile.QUICK,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Check a subject against the clauses of an edition."""
    chapters, clauses, of = chapters_of(chapter), clauses_of(clause), edition_of(edition)
    questions = require_questions(chapters, clauses, of, questions_named(question))
    amounts = AMOUNTS[profile]
    parts = [Part(q, amounts.trials(q)) for q in questions]
    opened = open_subject(subject, of)
    try:
        with progress("check", sum(part.trials for part in parts), "trials") as advance:
            tally = run_check(parts, seed, opened, of, clauses or None, advance)
        failures = [
            describe_failure(signature, found, opened, subject, of)
            for signature, found in sorted(tally.smallest.items())
        ]
    finally:
        opened.close()
    status = 1 if tally.violated else 2 if tally.unusable else 0
    if format_ is Format.TEXT:
        print_tally(tally)
        print_failures(tally, failures)
    data = {"failures": failures, **tally_data(tally), "edition": of.name, "seed": seed}
    raise typer.Exit(finish(format_, summary(tally, opened, of), status, data))


def describe_failure(
    signature: str, found: Found, opened: Subject, subject: str, edition: Edition
) -> dict[str, Json]:
    """The smallest trial of a failure, shrunk if that can be done, and how to replay it."""
    shrunk: Shrunk | None = shrink_found(found, signature, opened, edition)
    return {
        "signature": signature,
        "clause": found.clause,
        "sentence": shrunk.verdict.sentence if shrunk else found.sentence,
        "trial": to_json(shrunk.trial) if shrunk else None,
        "replay": found.replay_command(edition.name, subject),
    }


def print_tally(tally: Tally) -> None:
    """A row per clause: how often it held, was not exercised, was violated."""
    columns = ["clause", "#holds", "#unexercised", "#violated", "#errored"]
    statuses = ("holds", "unexercised", "violated", "errored")
    table(
        "verdicts",
        columns,
        [[id_, *(tally.verdicts[id_, s] for s in statuses)] for id_ in clauses_in(tally)],
    )
    for what, counts in (("skipped", tally.skipped), ("no answer", tally.errored)):
        for (question, reason), count in counts.most_common(10):
            line(f"{what}: {question}: {count:,} × {reason}")


def clauses_in(tally: Tally) -> list[str]:
    """The clauses that a tally has verdicts of, in the order of the specification."""
    return sorted({id_ for id_, _ in tally.verdicts}, key=lambda i: (i[:3], int(i[4:])))


def print_failures(tally: Tally, failures: list[dict[str, Json]]) -> None:
    """Each failure: how often, why it is impossible, the smallest trial, how to replay it."""
    for failure in failures:
        signature = failure["signature"]
        line()
        line(f"{signature}: {tally.failures[signature]:,} trials")
        line(f"  {failure['sentence']}")
        if failure["trial"] is not None:
            line(f"  smallest trial: {json.dumps(failure['trial'], ensure_ascii=False)}")
        line(f"  replay: {failure['replay']}")


def tally_data(tally: Tally) -> dict[str, Json]:
    """A tally for programs."""
    return {
        "trials": dict(tally.trials),
        "commands": dict(tally.commands),
        "clauses": {
            id_: {status: count for (c, status), count in tally.verdicts.items() if c == id_}
            for id_ in clauses_in(tally)
        },
        "signatures": dict(tally.failures),
        "skipped": [[q, reason, n] for (q, reason), n in tally.skipped.items()],
        "no_answer": [[q, reason, n] for (q, reason), n in tally.errored.items()],
    }


def summary(tally: Tally, subject: Subject, edition: Edition) -> str:
    """The one line."""
    return f"{subject.name} against {edition.name}: {tally.outcome(clauses_in(tally))}"
