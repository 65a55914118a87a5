"""`evenkeel check`: a subject against the clauses of an edition."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from evenkeel_engine.check.blocks import Part, blocks_of, left_of, rounds_of, run_blocks
from evenkeel_engine.check.parallel import Setup, count_processes, run_in_processes
from evenkeel_engine.check.profile import AMOUNTS, Profile
from evenkeel_engine.check.seeded import Block
from evenkeel_engine.check.tally import Tally, asked_clauses, coverage_gaps
from evenkeel_engine.cli import last_failures, options, output
from evenkeel_engine.cli.baseline import Baseline, read_baseline
from evenkeel_engine.cli.check_output import REPORTS, Display
from evenkeel_engine.cli.check_report import Location, Report, report_data
from evenkeel_engine.cli.ci_files import (
    render_junit,
    render_sarif,
    render_summary,
    workflow_commands,
)
from evenkeel_engine.cli.options import Format, Unusable, chapters_of, clauses_of
from evenkeel_engine.cli.output import finish, print_lines, warn, write_text
from evenkeel_engine.cli.questions import questions_named, require_questions, suggest_question
from evenkeel_engine.content import EDITIONS, PROMISED, Edition
from evenkeel_engine.files import append
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.draw import Generator
from evenkeel_engine.progress import Advance
from evenkeel_engine.stopping import Stopped
from evenkeel_engine.subjects.base import Subject
from evenkeel_engine.subjects.choose import open_subject
from evenkeel_engine.subjects.parent import PARENT
from evenkeel_engine.subjects.process import ProcessSubject, SubjectUnusable
from evenkeel_engine.subjects.session import Limits

SHRUNK: Final = 10
"""Failures that are shrunk if results are saved: in files, reports, annotations, JSON. Else
only those that are shown in full are.
"""
FOLDER: Final = Path("evenkeel-failures")
"""Folder of trials if a report names them and no folder is given: inside the project, so
that the report's places are relative and CI can save the files.
"""
MOST_LINES: Final = 10_000_000
UNITS: Final = {"s": 1, "m": 60, "h": 3600}
ADDRESS: Final = re.compile(r"(https?://|file:///)[^\s]+$")


def check(
    context: typer.Context,
    subject: options.SubjectOption = "reference",
    edition: options.EditionOption = PROMISED.name,
    chapter: options.ChapterOption = None,
    question: options.QuestionOption = None,
    clause: options.ClauseOption = None,
    seed: options.SeedOption = 1,
    generator: options.GeneratorOption = Generator.OWN,
    profile: options.ProfileOption = Profile.QUICK,
    for_: Annotated[
        str | None,
        typer.Option(
            "--for",
            metavar="TIME",
            help="Instead of a profile: as many trials as fit (90s, 2m, 1h).",
        ),
    ] = None,
    stop_at_first: Annotated[
        bool, typer.Option("--stop-at-first", help="End with the first failure.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="Fold nothing, cut nothing.")] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Failures in one line each; the summary.")
    ] = False,
    no_last_failures: Annotated[
        bool,
        typer.Option(
            "--no-last-failures", help="Neither begin with what failed last time nor keep it."
        ),
    ] = False,
    save_to: Annotated[
        Path | None,
        typer.Option(
            "--save",
            metavar="FOLDER",
            help="Folder for the trials of failures; else, with a report for CI, in "
            "evenkeel-failures, or in a cache.",
        ),
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option("--baseline", metavar="FILE", help="Known failures, which pass.")
    ] = None,
    update_baseline: Annotated[
        bool, typer.Option("--update-baseline", help="Make what fails now what is known.")
    ] = False,
    junit_to: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML.")
    ] = None,
    sarif_to: Annotated[
        Path | None, typer.Option("--sarif", metavar="FILE", help="Write SARIF 2.1.0.")
    ] = None,
    docs_url: Annotated[
        str | None,
        typer.Option(
            "--docs-url",
            metavar="URL",
            help="Where you published the site (`make site`): SARIF links clauses to it.",
        ),
    ] = None,
    github: Annotated[
        bool,
        typer.Option(
            "--github", help="Print annotations for a GitHub workflow, and write its job summary."
        ),
    ] = False,
    location: Annotated[
        str | None,
        typer.Option(
            "--location",
            metavar="FILE[:LINE]",
            help="Your source that SARIF and annotations point to.",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            min=1,
            max=1024,
            metavar="N",
            help="Processes, each with a subject of its own; the results are those of one. Else "
            "one for each core for a reference, and one for a command.",
        ),
    ] = None,
    hello_timeout: options.HelloTimeoutOption = 60.0,
    trial_timeout: options.TrialTimeoutOption = 30.0,
    allow_unexercised: options.AllowUnexercisedOption = False,
    strict: options.StrictOption = False,
    fail_on: options.FailOnOption = None,
    all_: Annotated[
        bool,
        typer.Option(
            "--everything",
            help="Instead of a subject: the reference of every edition, theorems, graphs, cases, "
            "mutants, a campaign, and the releases.",
        ),
    ] = False,
    format_: options.FormatOption = Format.TEXT,
) -> None:
    """Check a subject against the clauses of an edition.

    Exit status 0: every clause was exercised and holds. 1: a failure that is not in the baseline.
    2: unusable, unanswered, or a clause was not exercised (see --allow-unexercised).
    """
    if all_:
        from evenkeel_engine.cli.everything import run_everything  # noqa: PLC0415 - imports Z3 and Spark

        options.refuse_options(context, "--everything", ("all_", "seed", "profile", "format_"))
        run_everything(seed, profile, format_)
    require_consistent(update_baseline, baseline, github, format_, docs_url)
    seconds, grave = instead_of_profile(context, for_), options.effects_of(fail_on or ())
    chapters, clauses, of = chapters_of(chapter), clauses_of(clause), EDITIONS[edition]
    named, place = questions_named(question), parse_location(location)
    questions = require_questions(chapters, clauses, of, named)
    known = read_baseline(baseline, of, generator, made_now=update_baseline)
    parts = [Part(q, AMOUNTS[profile].count_trials(q)) for q in questions]
    text, reported = format_ is Format.TEXT, bool(junit_to or sarif_to or github)
    saves = save_to is not None or reported or not text
    display = Display(subject, of, text, full, quiet, save_to or (FOLDER if reported else None))
    display.most = 1 if stop_at_first else None if full else SHRUNK if saves else REPORTS
    limits = Limits(hello_timeout, trial_timeout)
    with closing(open_checked(subject, of, limits, format_, jobs)) as opened:
        parts = keep_supported(parts, opened)
        asked = asked_clauses([*named, *(p.question.name for p in parts)], of, clauses)
        report = Report(opened.name, of.name, seed, asked, Tally(), strict, generator)
        report.docs_url, report.location, report.fail_on = docs_url, place, grave

        def enough(tally: Tally) -> bool:
            new = known.list_unknown(tally) if stop_at_first else []
            return any(not report.severity.departs(tally, signature) for signature in new)

        setup = Setup(subject, of.name, limits, frozenset(clauses) or None)
        workers = 1 if stop_at_first else jobs
        run = CheckRun(parts, seed, generator, seconds, enough, quiet, setup, workers)
        if no_last_failures or update_baseline:  # whose counts are those of the profile's trials
            run.run_into(report, opened, [])
        else:
            run_and_remember(run, report, opened, complete=not (stop_at_first or clauses))
        gaps = coverage_gaps(report.tally, report.clauses, allow_unexercised)
        report.coverage_gaps = [] if stop_at_first and report.new else gaps
        settle_failures(report, known, update_baseline)
        show(report, opened, display, reported)
    write_reports(report, junit_to, sarif_to, github)
    raise typer.Exit(finish(format_, report.summary, report.status, report_data(report)))


def require_consistent(
    update_baseline: bool,
    baseline: Path | None,
    github: bool,
    format_: Format,
    docs_url: str | None,
) -> None:
    """Raise `Unusable` for options that do not go together, or mean nothing."""
    if update_baseline and baseline is None:
        raise Unusable("--update-baseline needs --baseline FILE.")
    if github and format_ is Format.JSON:
        raise Unusable("--github prints lines, --format json one object: give one of them.")
    if docs_url is not None and not ADDRESS.match(docs_url):
        raise Unusable("--docs-url must be an address that begins with http, https or file.")


def open_checked(
    subject: str, edition: Edition, limits: Limits, format_: Format, jobs: int | None
) -> Subject:
    """What stands after --subject, opened. Raises `Unusable` and `SubjectUnusable`."""
    if subject != PARENT:
        return open_subject(subject, edition, limits)
    if format_ is not Format.JSON or (jobs or 1) > 1:
        raise Unusable(f"--subject {PARENT} needs --format json, and one process.")
    return ProcessSubject([PARENT], limits=limits)


def parse_location(text: str | None) -> Location | None:
    """A file of the user's, with a line or without. Raises `Unusable`."""
    if text is None:
        return None
    name, colon, line = text.rpartition(":")
    if not (colon and line.isascii() and line.isdecimal()):
        name, line = text, "1"
    if not Path(name).is_file() or not 1 <= int(line[:10]) <= MOST_LINES:
        raise Unusable(f"--location: {text} is no line of a file that is there.")
    return Location(Path(name), int(line))


def instead_of_profile(context: typer.Context, time: str | None) -> float | None:
    """The seconds of a text such as 90s, 2m, 1h, unless only the configuration names a time and a
    profile is typed. Raises `Unusable` for both from one place: they are two ways to set the
    amount.
    """
    if time is None:
        return None
    profile = str(context.get_parameter_source("profile"))
    of_time = str(context.get_parameter_source("for_"))
    if profile == of_time and not profile.endswith(".DEFAULT"):
        raise Unusable("--for and --profile both set the number of trials: give one of them.")
    if not (profile.endswith(".DEFAULT") or of_time.endswith(".COMMANDLINE")):
        return None
    if (match := re.fullmatch(r"(\d{1,6}(?:\.\d{1,3})?)([smh]?)", str(time).strip())) is None:
        raise Unusable(f"--for: {time} is no duration such as 90s, 2m or 1h.")
    return float(match[1]) * UNITS[match[2] or "s"]


@dataclass(frozen=True, slots=True)
class CheckRun:
    """The trials for a subject, and when to stop.

    `seconds` are instead of the parts' trials. It ends as soon as `enough` holds. It may run in
    `jobs` processes, each of which begins with `setup`.
    """

    parts: list[Part]
    seed: int
    generator: Generator
    seconds: float | None
    enough: Callable[[Tally], bool]
    quiet: bool
    setup: Setup
    jobs: int | None

    def run_into(self, report: Report, opened: Subject, first: list[Block]) -> None:
        """Run these trials, then the profile's or the time's; the report has what was done."""
        began, trials = time.monotonic(), sum(part.trials for part in self.parts)
        try:
            self.blocks_into(report.tally, opened, first, trials)
        except Stopped:
            report.stopped = f", stopped before {trials:,}" if self.seconds is None else ", stopped"
        report.seconds = time.monotonic() - began

    def blocks_into(self, tally: Tally, opened: Subject, first: list[Block], trials: int) -> None:
        """Run the blocks, and show how far they are; how often the first ones fail is not compared
        with a baseline.
        """
        seconds, end = self.seconds, time.monotonic() + (self.seconds or 0.0)
        make = blocks_of if seconds is None else rounds_of
        rest: Iterable[Block] = left_of(make(self.parts, self.seed, self.generator), first)
        if seconds is None:
            rest = [*rest]
            amount, unit = sum(block.count for block in (*first, *rest)), "trials"
        else:
            amount, unit = round(seconds), "s"

        def enough(so_far: Tally) -> bool:
            return self.enough(so_far) or (seconds is not None and time.monotonic() >= end)

        shown = output.show_progress("check", amount, unit)
        with nullcontext(lambda *_: None) if self.quiet else shown as advance:
            tick = advance if seconds is None else in_seconds(advance)
            of, only = EDITIONS[self.setup.edition], self.setup.only
            run_blocks(first, opened, of, only, tick, tally, enough)
            tally.failing.clear()
            processes = 1 if seconds else count_processes(self.jobs, self.setup.subject, trials)
            if processes > 1:
                run_in_processes([*rest], self.setup, processes, tick, tally)
            elif not enough(tally):
                run_blocks(rest, opened, of, only, tick, tally, enough)


def run_and_remember(run: CheckRun, report: Report, opened: Subject, complete: bool) -> None:
    """Begin with what failed last time, and remember what fails now."""
    place = last_failures.locate_file(opened.name, report.edition)
    names = [part.question.name for part in run.parts]
    before = last_failures.read(place)
    run.run_into(report, opened, last_failures.make_blocks(before, names))
    complete = complete and not report.stopped
    after = last_failures.update_stored(before, report.tally, names, complete)
    if after != before:
        last_failures.write(place, after)


def in_seconds(advance: Advance) -> Callable[[str, int], None]:
    """Progress of a run that has no end but its time."""
    shown = began = time.monotonic()

    def tick(question: str, _: int) -> None:
        nonlocal shown
        whole = int(time.monotonic() - began) - int(shown - began)
        shown += whole
        advance(question, whole)

    return tick


def settle_failures(report: Report, known: Baseline, update: bool) -> None:
    """Separate new failures from known ones. A stopped run reports none as removed."""
    tally = report.tally
    if update and report.stopped:
        warn(f"{known.path} is as it was, because the run was stopped.")
    elif update:
        known = known.update(tally, report.clauses)
    unknown, report.known = known.list_new(tally), known.list_seen(tally)
    report.more_often = [one.sentence for one in known.more_often(tally)]
    report.departures = [s for s in unknown if report.severity.departs(tally, s)]
    report.new = [s for s in unknown if s not in report.departures]
    report.removed = [] if report.stopped or report.new else known.list_removed(tally)


def show(report: Report, opened: Subject, display: Display, reported: bool) -> None:
    """Print what was found, each failure as soon as its trial is shrunk; close the subject."""
    display.print_counts(report)
    try:
        display.print_failures(report, opened)
    except Stopped:
        report.stopped = report.stopped or ", stopped while shrinking"
    if reported:
        display.save_others(report)
    display.print_rest(report)
    try:
        opened.close()
    except SubjectUnusable as why:  # it takes its last answer back: all reports say so
        warn(str(why))
        report.coverage_gaps, report.unusable = [*report.coverage_gaps, str(why)], True


def write_reports(
    report: Report, junit_to: Path | None, sarif_to: Path | None, github: bool
) -> None:
    """Write the requested reports for CI. Raises `Unusable`."""
    for path, form in ((junit_to, render_junit), (sarif_to, render_sarif)):
        if path is not None:
            write_text(path, form(report))
    if github:
        print_lines(workflow_commands(report))
        if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
            append(Path(summary), render_summary(report))


def keep_supported(parts: Sequence[Part], subject: Subject) -> list[Part]:
    """The parts that the subject offers, with a warning. Raises `Unusable` if none is left."""
    if (names := subject.questions) is None:
        return list(parts)
    if unknown := sorted(names - QUESTIONS.keys()):
        suggested = list_names(list(map(suggest_question, unknown)))
        warn(f"the subject names unknown questions: {suggested}")
    if missing := [part.question.name for part in parts if part.question.name not in names]:
        if len(missing) == len(parts):
            offered = list_names(sorted(names)) or "nothing"
            raise Unusable(f"the subject does not offer {list_names(missing)}; it has {offered}.")
        of = f"{len(missing)} of {len(parts)} questions"
        warn(f"the subject does not offer {of}: {list_names(missing)}")
    return [part for part in parts if part.question.name in names]


def list_names(names: list[str]) -> str:
    """The first few of many names."""
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return ", ".join(names[:5]) + more
