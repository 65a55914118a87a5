"""`evenkeel check`: a subject against the clauses of an edition, in this process."""

from __future__ import annotations

import json
from difflib import get_close_matches

import typer

from evenkeel.cli.options import (
    AllowUnexercisedOption,
    ChapterOption,
    ClauseOption,
    EditionName,
    EditionOption,
    Format,
    FormatOption,
    HelloTimeoutOption,
    ProfileOption,
    QuestionOption,
    SeedOption,
    SubjectOption,
    TrialTimeoutOption,
    chapters_of,
    clauses_of,
    edition_of,
)
from evenkeel.cli.output import finish, line, progress, table, warn
from evenkeel.cli.questions import questions_named, require_questions
from evenkeel.drivers.check import Part, run_check, shrink_found
from evenkeel.drivers.profile import AMOUNTS, Profile
from evenkeel.drivers.shrink import Shrunk
from evenkeel.drivers.tally import Found, Tally, asked_clauses, shortcomings
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.properties.codec import Json, to_json
from evenkeel.reference.edition import Edition
from evenkeel.stopping import Stopped
from evenkeel.subjects.base import Subject
from evenkeel.subjects.choose import open_subject
from evenkeel.subjects.session import Limits


def check(
    subject: SubjectOption = "reference",
    edition: EditionOption = EditionName.DOCUMENTED,
    chapter: ChapterOption = None,
    question: QuestionOption = None,
    clause: ClauseOption = None,
    seed: SeedOption = 1,
    profile: ProfileOption = Profile.QUICK,
    hello_timeout: HelloTimeoutOption = 60.0,
    trial_timeout: TrialTimeoutOption = 30.0,
    allow_unexercised: AllowUnexercisedOption = False,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Check a subject against the clauses of an edition."""
    chapters, clauses, of = chapters_of(chapter), clauses_of(clause), edition_of(edition)
    questions = require_questions(chapters, clauses, of, questions_named(question))
    amounts = AMOUNTS[profile]
    parts = [Part(q, amounts.trials(q)) for q in questions]
    opened = open_subject(subject, of, Limits(hello_timeout, trial_timeout))
    tally, failures, stopped = Tally(), list[dict[str, Json]](), ""
    try:
        parts = offered(parts, opened)
        with progress("check", sum(part.trials for part in parts), "trials") as advance:
            run_check(parts, seed, opened, of, clauses or None, advance, tally)
        for signature, found in sorted(tally.smallest.items()):
            failures.append(describe_failure(signature, found, opened, subject, of))
    except Stopped:
        stopped = f", stopped before {sum(part.trials for part in parts):,}"
    finally:
        opened.close()
    asked = asked_clauses([*(part.question.name for part in parts), *(question or ())], of, clauses)
    reproach = shortcomings(tally, asked, allow_unexercised)
    status = 1 if tally.violated else 2 if reproach or stopped else 0
    if format_ is Format.TEXT:
        print_tally(tally)
        print_failures(tally, failures)
        for sentence in reproach:
            line(sentence)
    data = {
        "failures": failures,
        **tally_data(tally),
        "edition": of.name,
        "seed": seed,
        "unexercised": [id_ for id_ in asked if tally.verdict(id_) == "unexercised"],
        "shortcomings": reproach,
    }
    words = f"{opened.name} against {of.name}: {tally.outcome(asked)}{stopped}"
    raise typer.Exit(finish(format_, words, status, data))


def offered(parts: list[Part], subject: Subject) -> list[Part]:
    """The parts whose questions the subject answers; the others are named, and cost no trials."""
    names = subject.questions
    if names is None:
        return parts
    if unknown := sorted(names - QUESTIONS.keys()):
        warn(f"the subject offers what is no question: {', '.join(map(suggested, unknown))}")
    if missing := [part.question.name for part in parts if part.question.name not in names]:
        of = f"{len(missing)} of {len(parts)} questions"
        warn(f"the subject does not offer {of}: {listed(missing)}")
    return [part for part in parts if part.question.name in names]


def suggested(name: str) -> str:
    """An unknown question's name, with the one that may be meant."""
    close = get_close_matches(name, QUESTIONS, 1)
    return f"{name} (did you mean {close[0]}?)" if close else name


def listed(names: list[str]) -> str:
    """The first few of many names."""
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return ", ".join(names[:5]) + more


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
