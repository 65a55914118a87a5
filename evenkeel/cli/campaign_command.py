"""`evenkeel campaign`: many trials on Spark."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evenkeel.campaign.plan import CampaignPlan
from evenkeel.campaign.run import run_campaign
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
    StrictOption,
    SubjectOption,
    TrialTimeoutOption,
    chapters_of,
    clauses_of,
    edition_of,
)
from evenkeel.cli.output import err, finish, lines
from evenkeel.cli.questions import questions_named, require_questions
from evenkeel.drivers.profile import AMOUNTS, Profile


def campaign(
    trials: Annotated[
        int | None, typer.Option("--trials", min=1, help="Over all questions; else the profile's.")
    ] = None,
    out_: Annotated[Path, typer.Option("--out", help="Folder for tables and findings.")] = Path(
        "campaigns/latest"
    ),
    master: Annotated[str, typer.Option("--master", help="Spark's master.")] = "local[*]",
    subject: SubjectOption = "reference",
    edition: EditionOption = EditionName.DOCUMENTED,
    chapter: ChapterOption = None,
    question: QuestionOption = None,
    clause: ClauseOption = None,
    seed: SeedOption = 1,
    hello_timeout: HelloTimeoutOption = 60.0,
    trial_timeout: TrialTimeoutOption = 30.0,
    allow_unexercised: AllowUnexercisedOption = False,
    strict: StrictOption = False,
    profile: ProfileOption = Profile.QUICK,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Fan seeded trials out over Spark; keep tables, shrunk counterexamples and a report."""
    chapters, clauses, of = chapters_of(chapter), clauses_of(clause), edition_of(edition)
    questions = questions_named(question)
    require_questions(chapters, clauses, of, questions)
    plan = CampaignPlan(
        trials=trials or AMOUNTS[profile].campaign,
        seed=seed,
        edition=of.name,
        out=out_,
        subject=subject,
        master=master,
        chapters=tuple(chapters),
        questions=tuple(questions),
        clauses=tuple(clauses),
        hello_timeout=hello_timeout,
        trial_timeout=trial_timeout,
        allow_unexercised=allow_unexercised,
        strict=strict,
    )
    result = run_campaign(plan, err)
    if format_ is Format.TEXT:
        lines(result.report)
    raise typer.Exit(finish(format_, result.summary, result.status, result.data))
