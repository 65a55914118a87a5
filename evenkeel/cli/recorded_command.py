"""`evenkeel recorded`: what a subject once answered, kept in files, held against the reference."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evenkeel.cli.options import (
    EditionName,
    Format,
    FormatOption,
    QuestionOption,
    SeedOption,
    SubjectOption,
    TrialTimeoutOption,
    Unusable,
    edition_of,
)
from evenkeel.cli.output import err, finish, line, progress, table
from evenkeel.cli.questions import questions_named
from evenkeel.harness import recorded
from evenkeel.harness.recorded import Checked, Recording
from evenkeel.harness.recording import Made, make, mutants_for
from evenkeel.harness.subjects.base import Subject
from evenkeel.harness.subjects.choose import open_subject
from evenkeel.harness.subjects.local import ReferenceSubject
from evenkeel.harness.subjects.process import ProcessSubject
from evenkeel.harness.subjects.session import Limits
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.properties.kit.codec import Json

SHOWN = 20
"""So many contradictions are told of as text; JSON has all."""

app = typer.Typer(
    name="recorded",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


@app.callback()
def recorded_() -> None:
    """Compare a subject with recorded answers; record a subject's."""


@app.command("check")
def check(
    subject: SubjectOption = "reference",
    question: QuestionOption = None,
    from_: Annotated[
        Path | None, typer.Option("--from", help="A folder of recordings; else evenkeel's own.")
    ] = None,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Hold a subject, or the reference, against recorded answers.

    Where a trial has one answer, it must be the recorded one. Where it leaves a choice, no clause
    may object. Of the reference, the clauses must object to no recorded answer either.
    """
    found = recordings(question, from_)
    done = Checked()
    editions = {one.header.edition: edition_of(EditionName(one.header.edition)) for one in found}
    opened = {name: open_subject(subject, edition) for name, edition in editions.items()}
    try:
        with progress("recorded", sum(one.header.lines for one in found), "lines") as advance:
            for one in found:
                recorded.check(one, opened[one.header.edition], done)
                advance(one.header.question, one.header.lines)
    finally:
        for answering in opened.values():
            answering.close()
    if format_ is Format.TEXT:
        for what, those in (("differs", done.contradictions), ("no answer", done.unanswered)):
            for it in those[:SHOWN]:
                line(f"{what}: {it.question}, line {it.number}: {it.sentence}")
    status = 1 if done.contradictions else 2 if done.unanswered else 0
    name = next(iter(opened.values())).name
    raise typer.Exit(finish(format_, summary(name, done), status, data_of(done)))


def data_of(done: Checked) -> dict[str, Json]:
    """For programs."""
    return {
        "lines": done.lines,
        "open": done.open,
        "differs": [[c.question, c.number, c.sentence] for c in done.contradictions],
        "no_answer": [[c.question, c.number, c.sentence] for c in done.unanswered],
    }


def recordings(question: list[str] | None, under: Path | None) -> list[Recording]:
    """The recordings of the questions named; none named: all that there are."""
    named, there = questions_named(question), recorded.questions(under)
    place = f" in {under}" if under else ""
    for name in named:
        if name not in there:
            raise Unusable(f"There are no recorded answers of {name}{place}.")
    if not there:
        raise Unusable(f"There are no recorded answers{place}.")
    return [recorded.recording(name, under) for name in named or there]


def summary(name: str, done: Checked) -> str:
    """The one line."""
    good = done.lines - len(done.contradictions) - len(done.unanswered)
    text = f"{name} answers {good:,} of {done.lines:,} trials as recorded, {done.open:,} of them"
    text += " with a choice"
    return f"{text}; {len(done.unanswered):,} not answered" if done.unanswered else text


@app.command("make")
def make_(
    subject: Annotated[
        str, typer.Option("--subject", help="Whose answers are recorded: as in `check`.")
    ],
    question: QuestionOption = None,
    seed: SeedOption = 1,
    pool: Annotated[
        int, typer.Option("--pool", min=1, max=10**6, help="Trials of a question that are asked.")
    ] = 1200,
    edition: Annotated[
        EditionName, typer.Option("--edition", help="Whose promises these answers keep.")
    ] = EditionName.PULSAR_4_0,
    into: Annotated[
        Path | None, typer.Option("--into", help="Where to write; else over those of evenkeel.")
    ] = None,
    trial_timeout: TrialTimeoutOption = 30.0,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Record what a subject answers: per question few, small trials that tell much.

    Kept are trials that together take every branch of the reference that is reached and tell
    apart every mutant that shows, both twice if possible; and a sample of the seed.
    """
    of = edition_of(edition)
    rows: list[list[object]] = []
    limits = Limits(trial_seconds=trial_timeout)
    opened = open_subject(subject, of)
    opened.close()
    for name in offered(opened, questions_named(question)):
        asked = QUESTIONS[name]
        mutants = mutants_for(asked, seed)

        def told(step: str, name: str = name) -> None:
            err.print(f"{name}: {step}", markup=False)

        made = make(asked, lambda: open_subject(subject, of, limits), of, seed, pool, mutants, told)
        path = recorded.path_of(name, into)
        recorded.write(path, made.header, made.texts)
        rows.append(row_of(made, path.stat().st_size))
    columns = [
        "question",
        "#lines",
        "#with a choice",
        "#bytes",
        "#mutants",
        "#of",
        "not told apart",
    ]
    if format_ is Format.TEXT:
        table("recorded answers", columns, rows)
    lines_, size = sum(int(str(r[1])) for r in rows), sum(int(str(r[3])) for r in rows)
    text = f"{opened.name}: {lines_:,} lines of {len(rows)} questions recorded, {size:,} bytes"
    raise typer.Exit(finish(format_, text, 0, {"questions": [list(map(str, r)) for r in rows]}))


def offered(subject: Subject, named: list[str]) -> list[str]:
    """The questions that a subject answers; of those named, each must be."""
    if isinstance(subject, ReferenceSubject):
        return named or list(QUESTIONS)
    known = subject.hello.questions if isinstance(subject, ProcessSubject) else frozenset()
    for name in named:
        if name not in known:
            raise Unusable(f"{subject.name} does not answer {name}.")
    return named or [name for name in QUESTIONS if name in known]


def row_of(made: Made, size: int) -> list[object]:
    """What is told of a recording that was made."""
    missed = sorted(name for name, count in made.mutants.items() if not count)
    told = len(made.mutants) - len(missed)
    header = made.header
    return [
        header.question,
        header.lines,
        header.open,
        size,
        told,
        len(made.mutants),
        ", ".join(missed),
    ]
