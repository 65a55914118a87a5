"""`evenkeel campaign`: many trials on Spark."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

import typer

from evenkeel_engine.campaign.folder import Folder, hash_json
from evenkeel_engine.campaign.followup import (
    compare_campaigns,
    extend_campaign,
    finished_state,
    plan_of,
    rejudge_campaign,
)
from evenkeel_engine.campaign.forever import ROUND_TRIALS, go_on_for_ever
from evenkeel_engine.campaign.html import render_campaign_page
from evenkeel_engine.campaign.plan import CampaignPlan
from evenkeel_engine.campaign.run import CampaignResult, run_campaign
from evenkeel_engine.campaign.session import SUBMITTED, is_submitted
from evenkeel_engine.check.profile import AMOUNTS, Profile
from evenkeel_engine.cli import options
from evenkeel_engine.cli.options import Format, Unusable, chapters_of, clauses_of
from evenkeel_engine.cli.output import err, finish, print_line, print_lines
from evenkeel_engine.cli.questions import questions_named, require_questions
from evenkeel_engine.content import EDITIONS, PROMISED
from evenkeel_engine.files import write_file
from evenkeel_engine.kit.draw import Generator
from evenkeel_engine.text import make_printable

app = typer.Typer(
    name="campaign", invoke_without_command=True, add_completion=False, rich_markup_mode=None
)
MOST: Final = 10**10
"""Trials of a campaign, whose blocks are listed before it begins."""
FolderArgument: TypeAlias = Annotated[Path, typer.Argument(metavar="DIR", show_default=False)]
SameSubjectOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--subject", metavar="CMD", help="The command of its subject, where it is one."),
]
MasterOption: TypeAlias = Annotated[
    str | None, typer.Option("--master", help="Spark's master; else local[*].")
]


@app.callback()
def campaign(
    context: typer.Context,
    trials: Annotated[
        int | None,
        typer.Option("--trials", min=1, max=MOST, help="Over all questions; else the profile's."),
    ] = None,
    out_: Annotated[Path, typer.Option("--out", help="Folder for tables and findings.")] = Path(
        "campaigns/latest"
    ),
    master: MasterOption = None,
    subject: options.SubjectOption = "reference",
    edition: options.EditionOption = PROMISED.name,
    chapter: options.ChapterOption = None,
    question: options.QuestionOption = None,
    clause: options.ClauseOption = None,
    seed: options.SeedOption = 1,
    hello_timeout: options.HelloTimeoutOption = 60.0,
    trial_timeout: options.TrialTimeoutOption = 30.0,
    allow_unexercised: options.AllowUnexercisedOption = False,
    strict: options.StrictOption = False,
    keep_answers: Annotated[
        bool, typer.Option("--keep-answers", help="Keep every answer, so that all are rejudged.")
    ] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Start again: replace the campaign in the folder.")
    ] = False,
    generator: options.GeneratorOption = Generator.OWN,
    forever: Annotated[
        bool, typer.Option("--forever", help="Round after round, with a canary now and then.")
    ] = False,
    profile: options.ProfileOption = Profile.QUICK,
    format_: options.FormatOption = Format.TEXT,
) -> None:
    """Run many trials on Spark; keep tables, counterexamples, a report."""
    if context.invoked_subcommand is not None:
        return
    chapters, clauses = chapters_of(chapter), clauses_of(clause)
    questions = questions_named(question)
    require_questions(chapters, clauses, EDITIONS[edition], questions)
    if forever and again:
        raise Unusable(
            "--forever continues after its last round: instead of --again remove its folder."
        )
    plan = CampaignPlan(
        trials=trials or (ROUND_TRIALS if forever else AMOUNTS[profile].campaign),
        seed=seed,
        generator=generator,
        edition=edition,
        out=out_,
        subject=subject,
        master=master_of(master),
        chapters=tuple(chapters),
        questions=tuple(questions),
        clauses=tuple(clauses),
        hello_timeout=hello_timeout,
        trial_timeout=trial_timeout,
        allow_unexercised=allow_unexercised,
        strict=strict,
        keep_answers=keep_answers,
        again=again,
    )
    finish_campaign(go_on_for_ever(plan, err) if forever else run_campaign(plan, err), format_)


def master_of(master: str | None) -> str:
    """The master; under `spark-submit` it was named there."""
    if is_submitted():
        if master is not None:
            raise Unusable("Under spark-submit the master is spark-submit's: leave out --master.")
        return SUBMITTED
    return master or "local[*]"


def finish_campaign(result: CampaignResult, format_: Format) -> None:
    """Print what a campaign came to, and end."""
    if result.unusable:
        raise Unusable(result.summary)
    if format_ is Format.TEXT:
        print_lines(result.report.split("\n"))
    raise typer.Exit(finish(format_, result.summary, result.status, result.data))


@app.command("extend")
def extend(
    folder: FolderArgument,
    trials: Annotated[int, typer.Option("--trials", min=1, max=MOST, help="How many more.")],
    question: options.QuestionOption = None,
    subject: SameSubjectOption = None,
    master: MasterOption = None,
    allow_unexercised: options.AllowUnexercisedOption = False,
    format_: options.FormatOption = Format.TEXT,
) -> None:
    """Add trials, or questions, to a finished campaign."""
    with explain_unusable():
        plan = require_known(folder, finished_state(folder), subject)
        plan = extend_campaign(folder, trials, questions_named(question), plan.subject)
    plan = replace(plan, master=master_of(master), allow_unexercised=allow_unexercised)
    finish_campaign(run_campaign(plan, err), format_)


@app.command("resume")
def resume(
    folder: FolderArgument,
    subject: SameSubjectOption = None,
    master: MasterOption = None,
    allow_unexercised: options.AllowUnexercisedOption = False,
    format_: options.FormatOption = Format.TEXT,
) -> None:
    """Continue a campaign that was stopped, with its parameters."""
    with explain_unusable():
        plan = require_known(folder, Folder(folder).read_state(), subject)
    plan = replace(plan, master=master_of(master), allow_unexercised=allow_unexercised)
    finish_campaign(run_campaign(plan, err), format_)


def require_known(folder: Path, state: dict[str, Any], subject: str | None) -> CampaignPlan:
    """The plan of a campaign. Raises `Unusable` unless the user gave its subject's command: who
    wrote the folder could have named any, and it holds none whole that has more than one word.
    """
    plan = plan_of(folder, state, subject)
    if hash_json(plan.subject) == state["campaign"].get("command") and (subject or plan.in_process):
        return plan
    known = make_printable(state["campaign"]["subject"])
    raise Unusable(f"The campaign in {folder} is of {known}: add --subject with the same command.")


@app.command("diff")
def diff(
    before: Annotated[Path, typer.Argument(metavar="A", show_default=False)],
    after: Annotated[Path, typer.Argument(metavar="B", show_default=False)],
    format_: options.FormatOption = Format.TEXT,
) -> None:
    """Print how campaign B differs from A. Exit status 1 for new failures."""
    with explain_unusable():
        found = compare_campaigns(before, after)
    if format_ is Format.TEXT:
        if found.note:
            print_line(f"note: {found.note}")
        for id_, (was, is_) in found.clauses.items():
            print_line(f"{id_}: {was} in A, {is_} in B")
        for what, those in (("new", found.new), ("removed", found.removed)):
            for signature in those:
                word = ", a departure" if signature in found.departures else ""
                print_line(f"{what}: {signature}{word}")
        for name, (was_so, is_so) in found.differing.items():
            print_line(f"not the reference's answer: {name}: {was_so:,} in A, {is_so:,} in B")
    trials = " and ".join(f"{count:,}" for count in found.trials)
    summary = (
        f"{len(found.new)} new failures, {len(found.removed)} removed, "
        f"{len(found.clauses)} clauses with another verdict, in {trials} trials"
    )
    raise typer.Exit(finish(format_, summary, found.status, asdict(found)))


@app.command("rejudge")
def rejudge(folder: FolderArgument, format_: options.FormatOption = Format.TEXT) -> None:
    """Judge the answers that a campaign stored by today's clauses."""
    with explain_unusable():
        done = rejudge_campaign(folder)
    if format_ is Format.TEXT:
        for signature, found in sorted(done.tally.smallest.items()):
            word = "new: " if signature in done.new else ""
            print_line(f"{word}{signature}: {done.tally.failures[signature]:,} answers")
            print_line(f"  {found.sentence}")
        if done.all_stored:
            for signature in done.removed:
                print_line(f"removed: {signature}")
        for reason, count in done.unreadable.most_common(10):
            print_line(f"not judged: {count:,} × {reason}")
    amount = sum(done.tally.trials.values())
    only = "" if done.all_stored else ", of which only those that differ were stored"
    summary = (
        f"{amount:,} answers{only}: {len(done.tally.failures)} failures, {len(done.new)} of them "
        f"new, {sum(done.unreadable.values()):,} not judged"
    )
    data = {
        "failures": dict(sorted(done.tally.failures.items())),
        "new": done.new,
        "removed": done.removed if done.all_stored else None,
        "unreadable": dict(done.unreadable),
    }
    raise typer.Exit(finish(format_, summary, done.status, data))


@app.command("report")
def report(
    folder: FolderArgument,
    to: Annotated[Path | None, typer.Option("--to", help="The page; else DIR/report.html.")] = None,
) -> None:
    """Write one self-contained page of a finished campaign."""
    with explain_unusable():
        path = to or folder / "report.html"
        write_file(path, render_campaign_page(folder))
    print_line(f"The page is {path}.")


@contextmanager
def explain_unusable() -> Iterator[None]:
    """What cannot be done is one sentence."""
    try:
        yield
    except OSError as error:
        raise Unusable(f"{error.filename}: {error.strerror}.") from error
