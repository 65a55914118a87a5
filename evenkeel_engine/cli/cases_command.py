"""`evenkeel cases`: add, show, lint, refresh, record, export and verify the stored cases."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn

import typer

from evenkeel_engine import content, version
from evenkeel_engine.cli import options, output
from evenkeel_engine.cli.options import Format, Unusable
from evenkeel_engine.cli.output import err, finish, print_lines, print_prose, show_progress
from evenkeel_engine.cli.places import NAMED, PLACE, case_at, cases_at, stored_at, trial_at
from evenkeel_engine.cli.questions import questions_named
from evenkeel_engine.cli.replay_command import format_title, print_case
from evenkeel_engine.content import EDITIONS, PROGRAM, PROMISED, RELEASED, SEVERITIES, Edition
from evenkeel_engine.files import Unreadable, lock_folder, read_bytes, read_text, write_file
from evenkeel_engine.kit.catalogue import QUESTIONS, find_objections
from evenkeel_engine.kit.codec import Json
from evenkeel_engine.kit.question import AnyQuestion, Observation
from evenkeel_engine.mutation.catalogue import DEFECTS
from evenkeel_engine.stored import case_export, case_other_answers, case_upkeep, cases
from evenkeel_engine.stored.case_recording import (
    against_another,
    make_recorded,
    merge_recorded,
    mutants_for,
    was_recorded,
)
from evenkeel_engine.stored.case_upkeep import Words, make_slug
from evenkeel_engine.stored.cases import DESCRIBED, HOLDS, CaseFile, CaseKind, StoredCase
from evenkeel_engine.subjects.base import Observed, Request, Skipped, Subject, offers, reply_to
from evenkeel_engine.subjects.choose import open_subject
from evenkeel_engine.subjects.essence import take_core, take_essence
from evenkeel_engine.subjects.session import Limits
from evenkeel_engine.text import count_noun, make_printable

app = typer.Typer(name="cases", no_args_is_help=True, add_completion=False, rich_markup_mode=None)
AGAINST: Final = ("as that one", "otherwise", "in several ways, or not at all")
"""How a subject answers where another one had answered."""
SHOWN: Final = 20
"""Problems that are printed as text; JSON has all."""
Paths = Annotated[
    list[Path] | None,
    typer.Argument(help="Files with cases, or folders; none: the cases that come with evenkeel."),
]
KindOption = Annotated[
    list[CaseKind] | None, typer.Option("--kind", help="Only cases of this kind. Repeatable.")
]


@app.callback()
def cases_() -> None:
    """Add, show, lint, refresh, record, export and verify stored cases."""


@app.command()
def add(
    place: Annotated[
        str, typer.Argument(metavar="TRIAL", help=f"A file with one, the id of a case, or {NAMED}.")
    ],
    clause: Annotated[str, typer.Option("--clause", help="The clause that it shows.")],
    title: Annotated[str, typer.Option("--title", help="One line.")],
    effect: Annotated[str, typer.Option("--effect", help="What it does to a user.")] = "",
    source: Annotated[str, typer.Option("--source", help="Where it is written down.")] = "",
    severity: Annotated[
        str, typer.Option("--severity", help=f"How much it matters: {', '.join(SEVERITIES)}.")
    ] = "",
    bug: Annotated[str, typer.Option("--bug", help="What kind of bug it is.")] = "",
    kind: Annotated[
        CaseKind | None,
        typer.Option("--kind", help="None: example if the clause holds, else divergence."),
    ] = None,
    by: Annotated[
        str, typer.Option("--by", help="What observed it; default: the subject's own name.")
    ] = "",
    id_: Annotated[str, typer.Option("--id", help="None: from the title.")] = "",
    to: Annotated[Path | None, typer.Option("--to", help="Folder of the chapters.")] = None,
    subject: options.SubjectOption = "reference",
    edition: options.EditionOption = PROMISED.name,
    format_: options.FormatOption = Format.TEXT,
) -> None:
    """Store a trial with what the subject observes on it and the clause's verdict.

    A boundary is a file with a trial and the answers that a person wrote for it, each with its
    verdict: it needs no subject, effect or source.
    """
    require_text(title=title, effect=effect, source=source, bug=bug, by=by, id=id_)
    [shown] = options.clauses_of([clause])
    id_ = id_ or make_slug(title)
    if not id_:
        raise Unusable("The title has no letter; give an --id.")
    if not cases.is_id(id_):
        raise Unusable(f"--id {make_printable(id_)}: {cases.ID}.")
    if kind is CaseKind.BOUNDARY:
        written = replace(case_at(place), id=id_, title=title, clauses=(shown,))
        store(case_upkeep.boundary_case(written), to, format_)
    question, trial, of, found = trial_of(place, EDITIONS[edition])
    with closing(open_subject(subject, of)) as opened:
        observed = observe(opened, question, trial)
        shown_by, sort = by or opened.name, kind.value if kind else ""
    words = Words(title, sort, bug, effect, severity, source, shown_by, found)
    store(case_upkeep.described_case(id_, question, shown, trial, observed, of, words), to, format_)


def require_text(**given: str) -> None:
    """Raise `Unusable` for an option that was not given as UTF-8: no file can hold it."""
    for name, text in given.items():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise Unusable(f"--{name}: is no UTF-8 text (character {error.start + 1}).") from error


def store(case: StoredCase, to: Path | None, format_: Format) -> NoReturn:
    """Add a case to the file of its question, and end the command. Raises `UserError`."""
    path = cases.path_of(case.question, to)

    def add_case(file: CaseFile) -> CaseFile:
        if cases.find_case(case.id, to):
            raise Unusable(f"There is a case {case.id} already; give another --id.")
        return replace(file, cases=(*file.cases, case))

    cases.change_file(path, case.question, add_case)
    sentence = f": {case.shown.sentence}" if case.is_violation else ""
    summary = f"{case.id} in {path}: {case.shown.verdict}{sentence}"
    raise typer.Exit(finish(format_, summary, 0, {"id": case.id, "path": str(path)}))


def trial_of(place: str, edition: Edition) -> tuple[AnyQuestion, Any, Edition, str]:
    """What a place names, and the command that makes it again. Raises `Unusable`, `BadCase`."""
    if (match := PLACE.fullmatch(place)) is not None:
        return *trial_at(match), edition, f"{PROGRAM} replay {place}"
    case = case_at(place)
    if Path(place).exists() and not all(answer.by for answer in case.answers):
        raise Unusable(f"{place}: only --kind boundary stores answers that a person wrote.")
    trial, _ = cases.decode_case(case)
    return QUESTIONS[case.question], trial, EDITIONS[case.edition] if case.edition else edition, ""


def observe(subject: Subject, question: AnyQuestion, trial: Any) -> Observation:
    """What a subject observes on a trial. Raises `Unusable` if it does not answer."""
    reply = reply_to(subject, question, trial)
    if not isinstance(reply, Observed):
        raise Unusable(f"{subject.name} did not answer: {reply.reason}.")
    return reply.observation


@app.command()
def show(
    place: Annotated[str, typer.Argument(metavar="CASE", help="A stored case's id, or a file.")],
    full: Annotated[bool, typer.Option("--full", help="Fold nothing, cut nothing.")] = False,
    format_: options.FormatOption = Format.TEXT,
) -> None:
    """Print cases for people: the trial, the observations, the verdicts and the notes."""
    found = cases_at(place)
    if format_ is Format.TEXT:
        for case in found:
            print_prose(f"{case.id}: {format_title(case)}")
            if case.answers:
                print_case(case, full)
    data: dict[str, Json] = {"cases": [cases.form_of(replace(one, flags=())) for one in found]}
    raise typer.Exit(finish(format_, count_noun(len(found), "case"), 0, data))


@app.command()
def lint(paths: Paths = None, format_: options.FormatOption = Format.TEXT) -> None:
    """Check that cases are formatted and complete, and that reference and judge agree with them."""
    found, problems, many = stored_at(paths), list[str](), 0
    with show_progress("lint", len(found), "files") as advance:
        for path in found:
            problems += [f"{path}: {problem}" for problem in case_upkeep.lint(path)]
            with suppress(Unreadable):  # it is among the problems
                many += read_bytes(path).count(b"\n") - 1 if path.suffix == ".jsonl" else 1
            advance(path.name, 1)
    print_some(problems, format_)
    summary = f"{many:,} cases, {len(problems)} problems"
    raise typer.Exit(finish(format_, summary, 1 if problems else 0, {"problems": [*problems]}))


def print_some(problems: list[str], format_: Format) -> None:
    """The first problems, as text."""
    print_lines(problems[:SHOWN] if format_ is Format.TEXT else ())


@app.command()
def refresh(
    paths: Paths = None,
    subject: Annotated[
        str, typer.Option("--subject", help="Observes the trials again; none: facts stay.")
    ] = "",
    format_: options.FormatOption = Format.TEXT,
) -> None:
    """Compute cases again: what references observe, sentences, new fields, formatting.

    What anything else observed stays, unless a subject is given, which then observes every trial
    again of which a person described what was observed.
    """
    rewritten: list[str] = []
    problems: list[str] = []
    found = stored_at(paths)
    for path in found:
        with lock_folder(path.parent):
            wrong, changed = refresh_file(path, subject)
        problems += [f"{path}: {problem}" for problem in wrong]
        rewritten += [str(path)] if changed else []
    if format_ is Format.TEXT:
        print_lines(f"rewritten: {name}" for name in rewritten)
    print_some(problems, format_)
    summary = f"{len(rewritten)} of {len(found)} files rewritten" + (
        f", {len(problems)} problems" if problems else ""
    )
    data: dict[str, Json] = {"rewritten": [*rewritten], "problems": [*problems]}
    raise typer.Exit(finish(format_, summary, 1 if problems else 0, data))


def refresh_file(path: Path, subject: str) -> tuple[list[str], bool]:
    """Compute the cases of a file again: the problems, and whether it was rewritten."""
    fresh, problems = list[StoredCase](), list[str]()
    for case in cases.read_any(path):
        again, wrong = case_upkeep.refresh_case(case, observed_again(case, subject))
        fresh.append(case if wrong else again)
        problems += [f"{case.id}: {problem}" for problem in wrong]
    if path.suffix == ".jsonl":
        text = cases.text_of(replace(cases.read_file(path), cases=tuple(fresh)))
    else:
        text = cases.text_of_one(fresh[0])
    if changed := text != read_text(path):
        cases.store_text(path, text)
    return problems, changed


def observed_again(case: StoredCase, subject: str) -> Observation | None:
    """What the subject observes on a case's trial now; None if none is given, or needed."""
    if not subject or case.kind not in DESCRIBED or not case.answers:
        return None
    trial, _ = cases.decode_case(case)
    with closing(open_subject(subject, EDITIONS[case.edition])) as opened:
        return observe(opened, QUESTIONS[case.question], trial)


@app.command()
def record(
    subject: Annotated[
        str,
        typer.Option("--subject", help="The subject of which answers are recorded, as in `check`."),
    ],
    question: options.QuestionOption = None,
    seed: options.SeedOption = 1,
    pool: Annotated[
        int,
        typer.Option("--pool", min=1, max=10**6, help="Trials of a question that are put to it."),
    ] = 1200,
    edition: Annotated[
        str, options.edition_option("The edition that these answers follow.")
    ] = RELEASED.name,
    against: Annotated[
        str,
        typer.Option(
            "--against",
            metavar="NAME",
            help="Choose no trials: put those on which this subject was recorded, and store where "
            "the answers differ.",
        ),
    ] = "",
    to: Annotated[Path | None, typer.Option("--to", help="Folder of the chapters.")] = None,
    trial_timeout: options.TrialTimeoutOption = 30.0,
    format_: options.FormatOption = Format.TEXT,
) -> None:
    """Record what a subject answers: of each question few, small trials that show much.

    Stored are trials that together exercise every clause, take every branch of the reference and
    detect every mutant that shows, twice if possible; and a sample of the seed. They take the place
    of the same subject's earlier answers.
    """
    of = EDITIONS[edition]
    rows: list[list[object]] = []
    limits = Limits(trial_seconds=trial_timeout)
    opened = open_subject(subject, of)
    opened.close()
    named = questions_named(question) or [name for name in QUESTIONS if offers(opened, name)]
    if missing := [name for name in named if not offers(opened, name)]:
        raise Unusable(f"{opened.name} does not answer {missing[0]}.")
    if against:
        raise typer.Exit(record_against(named, opened.name, subject, against, limits, to, format_))
    for name in named:

        def progress(step: str, name: str = name) -> None:
            err.print(f"{name}: {step}", markup=False)

        question_, mutants = QUESTIONS[name], mutants_for(QUESTIONS[name], seed)
        recorded = make_recorded(
            question_, lambda: open_subject(subject, of, limits), of, seed, pool, mutants, progress
        )
        add_recorded = partial(merge_recorded, recorded=recorded, edition=of)
        cases.change_file(cases.path_of(name, to), name, add_recorded)
        missed = sorted(name for name, count in recorded.mutants.items() if not count)
        open_ = sum(not case.answers[0].only for case in recorded.cases)
        every = len(recorded.mutants)
        detected = every - len(missed)
        rows.append([name, len(recorded.cases), open_, detected, every, ", ".join(missed)])
    columns = ["question", "#cases", "#with a choice", "#mutants", "#of", "not detected"]
    if format_ is Format.TEXT:
        output.print_table("recorded cases", columns, rows)
    many = sum(int(str(row[1])) for row in rows)
    text = f"{opened.name}: {many:,} cases of {len(rows)} questions recorded"
    raise typer.Exit(finish(format_, text, 0, {"questions": [list(map(str, r)) for r in rows]}))


def record_against(
    named: list[str],
    name: str,
    subject: str,
    other: str,
    limits: Limits,
    to: Path | None,
    format_: Format,
) -> int:
    """Put the trials on which another subject was recorded to this one; the exit status."""
    counts = dict.fromkeys(AGAINST, 0)
    if (edition := cases.find_followed(name)) is None:
        raise Unusable(f"No edition says what {name} does.")
    subjects = open_subject(subject, edition, limits), open_subject(subject, edition, limits)
    try:
        for path in (cases.path_of(one, to) for one in named):
            if path.exists() and any(was_recorded(c, other) for c in cases.read_file(path).cases):
                put = partial(against_another, other=other, subjects=subjects, edition=edition)
                file = cases.change_file(path, path.stem, put)
                for case in (case for case in file.cases if was_recorded(case, other)):
                    by = next((answer.by for answer in case.answers if name in answer.by), ())
                    counts[AGAINST[0 if other in by else 1 if by else 2]] += 1
    finally:
        for one in subjects:
            one.close()
    text = ", ".join(f"{many:,} {how}" for how, many in counts.items())
    return finish(format_, f"{name}, of what {other} answered: {text}", 0, {**counts})


@app.command()
def export(
    folder: Annotated[Path, typer.Argument(help="Where to write: a new or an empty folder.")],
    question: options.QuestionOption = None,
    format_: options.FormatOption = Format.TEXT,
) -> None:
    """Write the cases that any language can test itself by, without Python.

    Some questions also have one file of their own, QUESTION.json, whose form needs no reader of
    cases.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Unusable(f"{folder} exists, and is no empty folder.")
    names = questions_named(question) or list(QUESTIONS)
    found = [case for name in names for case in cases.read_cases(name) if case.others]
    size = case_export.export(folder, found, {"evenkeel": version.find_version()})
    for name in (one for one in names if one in content.facts.PORTABLE):
        text = pkgutil.resolve_name(content.facts.PORTABLE[name])()
        write_file(folder / f"{name}.json", text, folders=True)
    kinds = {kind: sum(c.others == at for c in found) for at, kind in case_export.KIND.items()}
    listed = ", ".join(f"{many:,} {kind}" for kind, many in kinds.items())
    words = f"{len(found):,} vectors ({listed}), {size:,} bytes, in {folder}"
    data: dict[str, Json] = {"vectors": len(found), **kinds, "bytes": size}
    raise typer.Exit(finish(format_, words, 0, data))


@app.command()
def verify(
    paths: Paths = None,
    kind: KindOption = None,
    mutants: Annotated[
        bool, typer.Option("--mutants", help="Also count the mutants that exported cases detect.")
    ] = False,
    subject: Annotated[
        str, typer.Option("--subject", help="Compare a subject with the cases instead.")
    ] = "",
    edition: Annotated[
        str | None, options.edition_option("Only the cases of this edition.")
    ] = None,
    question: options.QuestionOption = None,
    strict: options.StrictOption = False,
    format_: options.FormatOption = Format.TEXT,
) -> None:
    """Check what cases claim of other observations; or that a subject answers rightly.

    A subject is right where it answers as stored, or, where the case leaves a choice, if no clause
    objects. An answer to which only SHOULDs object departs.
    """
    found = list(select_cases(paths, kind or [], edition, questions_named(question)))
    if not found:
        raise Unusable("There are no such cases.")
    if subject:
        raise typer.Exit(compare(found, subject, format_, strict))
    of_claims = case_other_answers.find_unsupported
    wrong = [
        f"{one.id}: {why}" for one in found for why in (*cases.find_problems(one), *of_claims(one))
    ]
    data: dict[str, Json] = {"cases": len(found), "problems": list(wrong)}
    words = f"{len(found):,} cases, {len(wrong)} problems"
    if mutants:
        missed, expected = find_undetected(found), len(DEFECTS)
        data["undetected"] = list(missed)
        words += f", {expected - len(missed)} of {expected} mutants detected"
        wrong += [f"undetected: {name}" for name in missed]
    print_some(wrong, format_)
    raise typer.Exit(finish(format_, words, 1 if wrong else 0, data))


def select_cases(
    paths: list[Path] | None, kinds: list[CaseKind], edition: str | None, names: list[str]
) -> Iterator[StoredCase]:
    """The cases that the options name."""
    if paths or not names:
        files = stored_at(paths)
    else:
        files = [path for path in map(cases.path_of, names) if path.exists()]
    for path in files:
        for case in cases.read_any(path):
            of_kind = not kinds or case.kind in kinds
            of_edition = edition is None or case.edition == edition
            if of_kind and of_edition and (not names or case.question in names):
                yield case


def find_undetected(found: list[StoredCase]) -> list[str]:
    """The mutants that no exported case of their edition detects; each is run."""
    named: dict[tuple[str, str], list[StoredCase]] = {}
    for case in found:
        for name in case.mutants if case.others else ():
            named.setdefault((case.edition, name), []).append(case)
    missed = []
    for mutant in DEFECTS:
        those = named.get((mutant.edition.name, mutant.name), [])
        if not any(case_other_answers.detects(case, mutant) for case in those):
            missed.append(mutant.name)
    return missed


def compare(found: list[StoredCase], subject: str, format_: Format, strict: bool) -> int:
    """Put the cases to a subject; the exit status. To depart is wrong only if `strict`."""
    failed: list[str] = []
    counts = dict.fromkeys(("right", "wrong", "departs", "not asked", "no answer"), 0)
    name = subject
    for edition in EDITIONS.values():
        those = [case for case in found if case.edition == edition.name]
        if not those:
            continue
        with closing(open_subject(subject, edition)) as opened:
            name = opened.name
            for case, how, why in compare_cases(those, opened):
                counts[how] += 1
                if how == "wrong" or (strict and how == "departs"):
                    failed.append(f"{how}: {case.id} ({edition.name}): {why}")
    print_some(failed, format_)
    words = f"{name}: " + ", ".join(f"{many:,} {what}" for what, many in counts.items())
    data: dict[str, Json] = {**counts, "failed": list(failed)}
    status = 1 if failed else 2 if counts["no answer"] or not counts["right"] else 0
    return finish(format_, words, status, data)


def compare_cases(
    those: list[StoredCase], opened: Subject
) -> Iterator[tuple[StoredCase, str, str]]:
    """Each case with how the subject's answer to it is, and why."""
    requests = []
    for at, case in enumerate(those):
        if offers(opened, case.question):
            requests.append(Request(at, QUESTIONS[case.question], cases.decode_case(case)[0]))
        else:
            yield case, "not asked", ""
    for request, reply in opened.replies(requests):
        case = those[request.key]
        if isinstance(reply, Observed):
            yield case, *judge_answer(case, request.trial, reply.observation, opened.name)
        else:
            # Answers of releases were recorded, and none of this one's.
            released = case.kind == "recorded" and cases.find_followed(opened.name) is not None
            unknown = released and not was_recorded(case, opened.name)
            unasked = isinstance(reply, Skipped) or unknown
            yield case, "not asked" if unasked else "no answer", ""


def judge_answer(
    case: StoredCase, trial: Any, observation: Observation, name: str
) -> tuple[str, str]:
    """How an answer is by a case and the judge, and why: by those of its own release, if answers of
    several were recorded.
    """
    form, edition = take_core(observation), EDITIONS[case.edition]
    right = [answer for answer in case.answers if answer.verdict == HOLDS]
    if case.kind == "recorded" and (own := cases.find_followed(name)):
        edition, right = own, [answer for answer in case.answers if name in answer.by]
    if any(form == take_essence(answer.observed) for answer in right):
        return "right", ""
    found = find_objections(case.question, edition, trial, observation)
    if not found and any(answer.only for answer in right):
        return "wrong", "answers otherwise than stored, though no clause objects"
    if not found:
        return "right", ""
    ids = [text.partition(":")[0] for text in found]
    departs = all(cases.is_should(id_, edition) for id_ in ids)
    return "departs" if departs else "wrong", "; ".join(found)
