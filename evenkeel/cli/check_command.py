"""`evenkeel check`: a subject against the clauses of an edition, in this process."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from evenkeel.cli import last_failures
from evenkeel.cli.baseline import Baseline, read_baseline, write_text
from evenkeel.cli.carried_screen import replay_sequence
from evenkeel.cli.check_output import Printer
from evenkeel.cli.check_wanted import SUSPECTS, Wanted, duration, instead_of_profile
from evenkeel.cli.ci_files import junit, sarif, workflow_commands
from evenkeel.cli.failure_files import replay_command, save
from evenkeel.cli.options import (
    AllowUnexercisedOption,
    ChapterOption,
    ClauseOption,
    EditionName,
    EditionOption,
    Format,
    FormatOption,
    Generator,
    GeneratorOption,
    HelloTimeoutOption,
    ProfileOption,
    QuestionOption,
    SeedOption,
    StrictOption,
    SubjectOption,
    TrialTimeoutOption,
    Unusable,
    chapters_of,
    clauses_of,
    edition_of,
    seed_of,
)
from evenkeel.cli.output import Advance, finish, line, progress, silent, warn
from evenkeel.cli.questions import questions_named, require_questions, suggested
from evenkeel.cli.report import Report, Shown, report_data
from evenkeel.harness.binding import Binding
from evenkeel.harness.carried import carried
from evenkeel.harness.check import Part, blocks_of, first_of_all, rounds_of, run_blocks
from evenkeel.harness.failure import Failure, as_drawn, described, in_order
from evenkeel.harness.profile import AMOUNTS, Profile
from evenkeel.harness.seeded import Block
from evenkeel.harness.subjects.base import Subject
from evenkeel.harness.subjects.choose import open_subject
from evenkeel.harness.subjects.session import Limits
from evenkeel.harness.tally import Tally, asked_clauses, shortcomings
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.reference.edition import Edition
from evenkeel.stopping import Stopped

ADDRESS: Final = re.compile(r"(https?://|file:///)[^\s]+$")


def check(
    context: typer.Context,
    subject: SubjectOption = "reference",
    edition: EditionOption = EditionName.DOCUMENTED,
    chapter: ChapterOption = None,
    question: QuestionOption = None,
    clause: ClauseOption = None,
    seed: SeedOption = 1,
    generator: GeneratorOption = Generator.OWN,
    profile: ProfileOption = Profile.QUICK,
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
        bool, typer.Option("--quiet", "-q", help="Failures without their screens; the summary.")
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
            help="Where the trials of failures are kept; else, with a report for CI, in "
            "evenkeel-failures, or in a cache.",
        ),
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option("--baseline", metavar="FILE", help="Known failures, which pass."),
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
        bool, typer.Option("--github", help="Print annotations for a GitHub workflow.")
    ] = False,
    hello_timeout: HelloTimeoutOption = 60.0,
    trial_timeout: TrialTimeoutOption = 30.0,
    allow_unexercised: AllowUnexercisedOption = False,
    strict: StrictOption = False,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Check a subject against the clauses of an edition.

    Exit status 0: every clause was exercised and holds. 1: a failure that is not in the baseline.
    2: unusable, unanswered, or a clause was not exercised (see --allow-unexercised).
    """
    for_ = instead_of_profile(context, for_)
    chapters, clauses, of = chapters_of(chapter), clauses_of(clause), edition_of(edition)
    named = questions_named(question)
    questions = require_questions(chapters, clauses, of, named)
    seconds = None if for_ is None else duration(for_)
    if update_baseline and baseline is None:
        raise Unusable("--update-baseline needs --baseline FILE.")
    if github and format_ is Format.JSON:
        raise Unusable("--github prints lines, --format json one object: give one of them.")
    if docs_url is not None and not ADDRESS.match(docs_url):
        raise Unusable("--docs-url must be an address that begins with http, https or file.")
    known = read_baseline(baseline, of, made_now=update_baseline)
    amounts = AMOUNTS[profile]
    parts = [Part(q, amounts.trials(q)) for q in questions]
    text = format_ is Format.TEXT
    seed = seed_of(generator, seed)
    last = not no_last_failures
    wanted = Wanted(
        subject,
        of,
        seed,
        clauses,
        seconds,
        stop_at_first,
        full,
        quiet,
        text,
        save_to,
        strict,
        last,
        junit_to is not None or sarif_to is not None or github,
    )
    opened = open_subject(subject, of, Limits(hello_timeout, trial_timeout))
    try:
        parts = offered(parts, opened)
        report = checked(parts, opened, known, wanted, [*named, *(p.question.name for p in parts)])
        lacking = shortcomings(report.tally, report.asked, allow_unexercised)
        report.docs_url = docs_url
        report.shortcomings = [] if stop_at_first and report.new else lacking
        settle(report, known, update_baseline)
        show(report, opened, wanted)
    finally:
        opened.close()
    for path, form in ((junit_to, junit), (sarif_to, sarif)):
        if path is not None:
            write_text(path, form(report))
    if github:
        for one in workflow_commands(report):
            line(one)
    data = report_data(report)
    raise typer.Exit(finish(format_, report.summary, report.status, data))


def checked(
    parts: list[Part], opened: Subject, known: Baseline, wanted: Wanted, questions: list[str]
) -> Report:
    """Run the trials, as far as nobody stops them."""
    asked = asked_clauses(questions, wanted.edition, wanted.only)
    name, seed = wanted.edition.name, wanted.seed
    report = Report(opened.name, name, seed, asked, Tally(), wanted.strict)
    began = time.monotonic()
    place, names = last_failures.place(opened.name, name), [part.question.name for part in parts]
    kept_ones = last_failures.read(place) if wanted.last_failures else {}
    again = last_failures.blocks(kept_ones, names)
    try:
        run(parts, again, opened, known, wanted, report.tally)
    except Stopped:
        planned = sum(part.trials for part in parts)
        report.stopped = f", stopped before {planned:,}" if wanted.seconds is None else ", stopped"
    report.seconds = time.monotonic() - began
    if wanted.last_failures:
        complete = not (report.stopped or wanted.stop_at_first or wanted.only)
        after = last_failures.updated(kept_ones, report.tally, names, complete)
        if after != kept_ones:
            last_failures.write(place, after)
    return report


def run(
    parts: list[Part],
    again: list[Block],
    opened: Subject,
    known: Baseline,
    wanted: Wanted,
    tally: Tally,
) -> None:
    """What failed last time, then so many trials as the profile has, or as fit into the time."""

    def first(total: Tally) -> bool:
        if not wanted.stop_at_first:
            return False
        binding = Binding(wanted.edition.name, wanted.strict)
        return any(not binding.departs(total, signature) for signature in known.new(total))

    only, shown = wanted.only or None, silent if wanted.quiet else progress
    if wanted.seconds is None:
        blocks = list(first_of_all(again, blocks_of(parts, wanted.seed)))
        with shown("check", sum(block.count for block in blocks), "trials") as advance:
            run_blocks(blocks, opened, wanted.edition, only, advance, tally, first)
        return
    end = time.monotonic() + wanted.seconds
    with shown("check", round(wanted.seconds), "s") as advance:
        rounds, ticks = first_of_all(again, rounds_of(parts, wanted.seed)), in_seconds(advance)
        of = wanted.edition
        run_blocks(
            rounds, opened, of, only, ticks, tally, lambda t: first(t) or time.monotonic() >= end
        )


def in_seconds(advance: Advance) -> Callable[[str, int], None]:
    """Progress of a run that has no end but its time."""
    said = began = time.monotonic()

    def tick(question: str, _: int) -> None:
        nonlocal said
        whole = int(time.monotonic() - began) - int(said - began)
        said += whole
        advance(question, whole)

    return tick


def settle(report: Report, known: Baseline, update: bool) -> None:
    """Tell new failures from known ones. A run that was cut short says nothing is gone."""
    tally = report.tally
    if update and report.stopped:
        warn(f"{known.path} is as it was, because the run was stopped.")
    elif update:
        known = known.updated(tally, report.asked)
        known.write()
    unknown, report.known = known.new(tally), known.seen(tally)
    report.departures = [s for s in unknown if report.binding.departs(tally, s)]
    report.new = [s for s in unknown if s not in report.departures]
    report.gone = [] if report.stopped or report.new else known.gone(tally)


def show(report: Report, opened: Subject, wanted: Wanted) -> None:
    """Print what was found; each failure as soon as its trial is shrunk."""
    printer = Printer(wanted.edition, wanted.full, wanted.quiet) if wanted.text else None
    if printer:
        printer.counts(report)
    try:
        show_failures(report, opened, wanted, printer)
    except Stopped:
        report.stopped = report.stopped or ", stopped while shrinking"
    if wanted.reported:
        keep_drawn(report, wanted)
    if printer:
        printer.rest(report, wanted.subject)


def keep_drawn(report: Report, wanted: Wanted) -> None:
    """The trials of failures that are reported without being shrunk, each in a file: a report
    names a place for every failure.
    """
    described_ones = {shown.failure.signature for shown in report.failures}
    for signature in [*report.new, *report.departures, *report.known]:
        if signature not in described_ones:
            failure = as_drawn(signature, report.tally)
            if path := save(failure, wanted.edition, wanted.folder):
                report.drawn[signature] = str(path)


def show_failures(report: Report, opened: Subject, wanted: Wanted, printer: Printer | None) -> None:
    """Shrink, keep and print one failure after the other, the root first."""
    report.new = in_order(report.tally, opened, wanted.edition, report.new)
    report.departures = in_order(report.tally, opened, wanted.edition, report.departures)
    show_carried(report, opened, wanted, printer)
    found = [*report.new, *report.departures][len(report.failures) :]
    some = found[: wanted.shrunk]
    drawn = set(some[: wanted.screens])
    for failure in described(some, report.tally, opened, wanted.edition):
        shown = kept(failure, wanted)
        report.failures.append(shown)
        if printer and failure.signature in drawn:
            printer.failure(shown, report)


def show_carried(report: Report, opened: Subject, wanted: Wanted, printer: Printer | None) -> None:
    """First what comes of state between trials, in one block: it need not be shrunk."""
    signatures = [*report.new, *report.departures]
    if wanted.subject.startswith("reference") or not signatures:
        return

    def again() -> Subject:
        return open_subject(wanted.subject, wanted.edition)

    found = carried(signatures[:SUSPECTS], report.tally, opened, again, wanted.edition)
    if found is None:
        return
    command = replay_sequence(found, wanted.subject, wanted.edition)
    # An error among them makes all of them errors: what lives on is wrong by the protocol.
    report.departures = [one for one in report.departures if one not in found.signatures]
    report.new = [*found.signatures, *(one for one in report.new if one not in found.signatures)]
    for signature in found.signatures:
        failure = as_drawn(signature, report.tally)
        report.failures.append(Shown(failure, None, command))
    if printer:
        printer.carried(found, report, wanted.subject)


def print_failures(tally: Tally, opened: Subject, subject: str, edition: Edition) -> None:
    """The failures of a check that is part of something larger."""
    report = Report(opened.name, edition.name, 0, [], tally, True, list(tally.smallest))
    wanted = Wanted(subject, edition, 0, [], None, False, False, False, True, None, True)
    printer = Printer(edition, full=False, quiet=False)
    show_failures(report, opened, wanted, printer)
    printer.rest(report, subject)


def kept(failure: Failure, wanted: Wanted) -> Shown:
    """A failure with its file."""
    path = save(failure, wanted.edition, wanted.folder)
    command = replay_command(failure, path, wanted.subject, wanted.edition)
    return Shown(failure, str(path) if path else None, command)


def offered(parts: Sequence[Part], subject: Subject) -> list[Part]:
    """The parts whose questions the subject answers; the others are named, and cost no trials."""
    names = subject.questions
    if names is None:
        return list(parts)
    if unknown := sorted(names - QUESTIONS.keys()):
        warn(f"the subject offers what is no question: {', '.join(map(suggested, unknown))}")
    if missing := [part.question.name for part in parts if part.question.name not in names]:
        of = f"{len(missing)} of {len(parts)} questions"
        warn(f"the subject does not offer {of}: {listed(missing)}")
    return [part for part in parts if part.question.name in names]


def listed(names: list[str]) -> str:
    """The first few of many names."""
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return ", ".join(names[:5]) + more
