"""`evenkeel compare`: several subjects on the same trials, clause by clause."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import Annotated, Any, Final

import typer

from evenkeel_engine.check.answers import compare_answers, compare_on, part_offers
from evenkeel_engine.check.blocks import Part
from evenkeel_engine.check.compare import Column, columns_of, findings_of, findings_on
from evenkeel_engine.check.comparison import Comparison, comparison_data, holds_throughout
from evenkeel_engine.check.profile import AMOUNTS, Profile
from evenkeel_engine.check.tally import Tally
from evenkeel_engine.cli import options
from evenkeel_engine.cli.compare_answers import answers_data, print_answers, summarize
from evenkeel_engine.cli.options import Format, Unusable, chapters_of, clauses_of
from evenkeel_engine.cli.output import finish, print_line, print_listing, print_prose, show_progress
from evenkeel_engine.cli.places import NAMED, PLACE, case_at, trial_at
from evenkeel_engine.cli.questions import questions_named, require_questions
from evenkeel_engine.content import EDITIONS, PROMISED
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.draw import Generator
from evenkeel_engine.kit.question import AnyQuestion
from evenkeel_engine.stored.cases import decode_case
from evenkeel_engine.subjects.base import Subject
from evenkeel_engine.subjects.choose import open_subject
from evenkeel_engine.subjects.session import Limits
from evenkeel_engine.text import number_equal

WITH_ANSWERS: Final = (
    *("subject", "answers", "case", "chapter", "question", "clause", "seed", "generator"),
    *("profile", "hello_timeout", "trial_timeout", "format_"),
)
"""The options that go with --answers."""


def compare(
    context: typer.Context,
    subject: Annotated[
        list[str],
        typer.Option(
            "--subject",
            metavar="CMD",
            help="A subject, as for `check`; may be repeated. Of releases, the oldest first.",
        ),
    ],
    edition: options.EditionOption = PROMISED.name,
    case: Annotated[
        str | None,
        typer.Option(
            "--case",
            metavar="CASE",
            help=f"Only this trial: the id of a stored case, a file, or {NAMED}.",
        ),
    ] = None,
    answers: Annotated[
        bool,
        typer.Option(
            "--answers",
            help="Of two subjects, as two builds: show what they answer otherwise, whatever the "
            "clauses say, and which clauses change side.",
        ),
    ] = False,
    chapter: options.ChapterOption = None,
    question: options.QuestionOption = None,
    clause: options.ClauseOption = None,
    seed: options.SeedOption = 1,
    generator: options.GeneratorOption = Generator.OWN,
    profile: options.ProfileOption = Profile.QUICK,
    hello_timeout: options.HelloTimeoutOption = 60.0,
    trial_timeout: options.TrialTimeoutOption = 30.0,
    strict: options.StrictOption = False,
    format_: options.FormatOption = Format.TEXT,
) -> None:
    """Put the same trials to several subjects, and compare them.

    A table shows which clauses each of them holds. Of each failure the smallest trial found is put
    to all subjects: of releases in their order this shows since when and until when. With --case
    this is done for one trial alone. Exit status 0: nothing is violated. 1: a subject violates a
    clause. 2: unusable, or unanswered trials. With --answers 0: they answer alike. 1: they differ.
    """
    of, chapters, clauses = EDITIONS[edition], chapters_of(chapter), clauses_of(clause)
    questions = require_questions(chapters, clauses, of, questions_named(question))
    amounts = AMOUNTS[profile]
    parts = [Part(q, amounts.count_trials(q)) for q in questions]
    with ExitStack() as stack:
        limits = Limits(hello_timeout, trial_timeout)
        opened: list[Subject] = [
            stack.enter_context(closing(open_subject(text, of, limits))) for text in subject
        ]
        if answers:
            options.refuse_options(context, "--answers", WITH_ANSWERS)
            raise typer.Exit(compare_pair(opened, subject, case, parts, seed, generator, format_))
        found = Comparison(of.name, seed, strict, [], [], generator)
        if case is not None:
            asked = (QUESTIONS if one.questions is None else one.questions for one in opened)
            found.columns = [
                Column(one.name, frozenset(names), Tally())
                for one, names in zip(opened, asked, strict=True)
            ]
            found.findings = findings_on(opened, *trial_of(case), of)
        else:
            trials = sum(part.trials for part in parts) * len(opened)
            with show_progress("compare", trials, "trials") as advance:
                found.columns = columns_of(
                    opened, parts, seed, of, clauses or None, advance, generator
                )
            signatures = {one for column in found.columns for one in column.tally.smallest}
            with show_progress("compare", len(signatures), "failures") as advance:
                found.findings = findings_of(found.columns, opened, of, advance)
    names = number_equal([one.name for one in found.columns])
    named = zip(found.columns, names, strict=True)
    found.columns = [replace(column, name=name) for column, name in named]
    data = comparison_data(found)
    if format_ is Format.TEXT:
        print_comparison(data, case is None)
    raise typer.Exit(finish(format_, found.summary, found.status, data))


def compare_pair(
    opened: Sequence[Subject],
    commands: Sequence[str],
    case: str | None,
    parts: Sequence[Part],
    seed: int,
    generator: Generator,
    format_: Format,
) -> int:
    """Say what two subjects answer otherwise; the exit status. Raises `Unusable`."""
    if len(opened) != 2:
        raise Unusable(f"--answers compares two subjects, not {len(opened)}.")
    pair, alone = (opened[0], opened[1]), list[str]()
    if case is not None:
        found = compare_on(pair, *trial_of(case))
    else:
        shared, alone = part_offers(pair, parts)
        with show_progress("compare", sum(one.trials for one in shared), "trials") as advance:
            found = compare_answers(pair, shared, seed, generator, advance)
    names = number_equal([one.name for one in opened])
    if format_ is Format.TEXT:
        if alone:
            print_prose(f"Not compared, since only one offers them: {', '.join(alone)}.")
        print_answers(found, commands, names)
    return finish(format_, *summarize(found), answers_data(found, names, seed, alone))


def trial_of(case: str) -> tuple[AnyQuestion, Any]:
    """The question and the trial of a place. Raises `Unusable`, `BadCase`."""
    if match := PLACE.fullmatch(case):
        return trial_at(match)
    found = case_at(case)
    return QUESTIONS[found.question], decode_case(found)[0]


def print_comparison(data: dict[str, Any], with_clauses: bool) -> None:
    """The clauses that do not hold wherever offered; since when until when each failure is."""
    names = [one["name"] for one in data["subjects"]]
    rows = [(id_, *verdicts) for id_, verdicts in data["clauses"].items()]
    differing = [row for row in rows if not holds_throughout(row[1:])]
    if with_clauses and differing:
        print_listing(["clause", *names], differing)
        print_line()
    for one in data["findings"]:
        departs = "departure: " if one["departure"] else ""
        print_prose(f"{departs}{one['signature']}: {one['span']}: {one['sentence']}")
