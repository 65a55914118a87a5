"""`evenkeel vector`: add, refresh and lint the counterexample files, which nobody edits by hand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import typer

from evenkeel.cli.options import (
    EditionName,
    EditionOption,
    Format,
    FormatOption,
    SubjectOption,
    Unusable,
    clauses_of,
    edition_of,
)
from evenkeel.cli.output import finish, line
from evenkeel.cli.places import PLACE, trial_at
from evenkeel.harness import counterexample, vectors
from evenkeel.harness.counterexample import BadCounterexample, Kind
from evenkeel.harness.subjects.base import Ask, Observed, Subject
from evenkeel.harness.subjects.choose import open_subject
from evenkeel.harness.vectors import NoVector, Words
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.properties.kit.question import Observation, Question
from evenkeel.reference.edition import EDITIONS, Edition

app = typer.Typer(
    name="vector",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
Paths = Annotated[
    list[Path] | None, typer.Argument(help="Files or folders; none: those of evenkeel itself.")
]


@dataclass(frozen=True, slots=True)
class Asked:
    """A trial of a question, and how it was come by."""

    question: Question[Any, Any]
    trial: Any
    edition: Edition
    found: str


@app.callback()
def vector() -> None:
    """Add, refresh and lint counterexample files."""


@app.command()
def add(
    place: Annotated[
        str, typer.Argument(help="QUESTION@SEED:INDEX, or a file with a trial or a counterexample.")
    ],
    clause: Annotated[str, typer.Option("--clause", help="The clause that it shows.")],
    title: Annotated[str, typer.Option("--title", help="One line.")],
    effect: Annotated[str, typer.Option("--effect", help="What it does to a user.")],
    source: Annotated[str, typer.Option("--source", help="Where it is written down.")],
    bug: Annotated[str, typer.Option("--bug", help="What kind of bug it is.")] = "",
    kind: Annotated[
        Kind | None, typer.Option("--kind", help="None: example if the clause holds, else a bug.")
    ] = None,
    observed_by: Annotated[
        str, typer.Option("--observed-by", help="None: the name that the subject gives itself.")
    ] = "",
    name: Annotated[str, typer.Option("--name", help="The file's; none: from the title.")] = "",
    to: Annotated[Path | None, typer.Option("--to", help="Folder of the chapters.")] = None,
    subject: SubjectOption = "reference",
    edition: EditionOption = EditionName.DOCUMENTED,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Make a file of a trial, with what the subject observes and what the clause says of it."""
    [id_] = clauses_of([clause])
    asked = asked_at(place, edition_of(edition))
    opened = open_subject(subject, asked.edition)
    try:
        observed = observe(opened, asked.question, asked.trial)
        words = Words(title, kind, bug, effect, source, observed_by or opened.name, asked.found)
    finally:
        opened.close()
    try:
        vector = vectors.made(asked.question, id_, asked.trial, observed, asked.edition, words)
    except NoVector as nothing:
        raise Unusable(f"{nothing}.") from nothing
    path = (to or shipped()) / asked.question.chapter / f"{name or slug(title)}.json"
    if path.exists():
        raise Unusable(f"{path} is there already; give another --name.")
    write(path, vector)
    problems = list(vectors.lint(path))
    for problem in problems:
        line(f"{path}: {problem}")
    told = f": {vector.sentence}" if vector.sentence else ""
    summary = f"{path}: {vector.verdict} of {id_}{told}"
    data = {"path": str(path), "problems": [*problems]}
    raise typer.Exit(finish(format_, summary, 1 if problems else 0, data))


@app.command()
def refresh(
    paths: Paths = None,
    subject: Annotated[
        str, typer.Option("--subject", help="What observes the trials again; none: nobody.")
    ] = "",
    format_: FormatOption = Format.TEXT,
) -> None:
    """Work files out again: expected answers, sentences, new fields with defaults, formatting.

    What was observed stays, unless a subject is given, which then observes every trial again.
    """
    rewritten: list[str] = []
    problems: list[str] = []
    found = files_of(paths)
    for path in found:
        vector = counterexample.read(path)
        fresh, wrong = vectors.refreshed(path, vector, again(path, vector, subject))
        problems += [f"{path}: {problem}" for problem in wrong]
        if not wrong and path.read_text("utf-8") != counterexample.text_of(fresh):
            write(path, fresh)
            rewritten.append(str(path))
    for told in [*(f"rewritten: {path}" for path in rewritten), *problems]:
        line(told)
    summary = f"{len(rewritten)} of {len(found)} files rewritten" + (
        f", {len(problems)} problems" if problems else ""
    )
    data = {"rewritten": [*rewritten], "problems": [*problems]}
    raise typer.Exit(finish(format_, summary, 1 if problems else 0, data))


@app.command()
def lint(paths: Paths = None, format_: FormatOption = Format.TEXT) -> None:
    """Tell whether files are formatted, complete, and still say what the judge says."""
    found = files_of(paths)
    problems = [f"{path}: {problem}" for path in found for problem in vectors.lint(path)]
    for problem in problems if format_ is Format.TEXT else ():
        line(problem)
    summary = f"{len(found)} files, {len(problems)} problems"
    raise typer.Exit(finish(format_, summary, 1 if problems else 0, {"problems": [*problems]}))


# ------------------------------------------------------------------------------------ parts


def asked_at(place: str, edition: Edition) -> Asked:
    """The trial at a place. Raises `Unusable`, `BadCounterexample`."""
    match = PLACE.fullmatch(place)
    if match is not None:
        question, trial = trial_at(match)
        return Asked(question, trial, edition, f"evenkeel replay {place}")
    path = Path(place)
    found = counterexample.read_either(path)
    of = EDITIONS[found.edition] if found.edition else edition
    return Asked(QUESTIONS[found.question], counterexample.trial_of(path, found), of, "")


def observe(subject: Subject, question: Question[Any, Any], trial: Any) -> Observation:
    """What a subject observes on a trial. Raises `Unusable` if it does not answer."""
    [(_, reply)] = list(subject.replies([Ask(0, question, trial)]))
    if not isinstance(reply, Observed):
        raise Unusable(f"{subject.name} did not answer: {reply.reason}.")
    return reply.observation


def again(path: Path, vector: counterexample.Counterexample, subject: str) -> Observation | None:
    """What the subject observes on a file's trial now; None if no subject is given."""
    if not subject:
        return None
    question = QUESTIONS[vector.question]
    opened = open_subject(subject, EDITIONS[vector.edition])
    try:
        return observe(opened, question, vectors.trial_now(path, vector))
    finally:
        opened.close()


def files_of(paths: list[Path] | None) -> list[Path]:
    """The files under the paths. Raises `BadCounterexample`, and `Unusable` if there are none."""
    found = list(counterexample.files_under(list(paths or [shipped()])))
    if not found:
        raise Unusable(f"There is no counterexample under {', '.join(map(str, paths or []))}.")
    return found


def shipped() -> Path:
    """The folder of the counterexamples that come with evenkeel."""
    return Path(str(files("evenkeel.counterexamples")))


def slug(title: str) -> str:
    """A file's name for a title. Raises `Unusable` where nothing is left of it."""
    made = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    if not made:
        raise Unusable("The title has no letter; give a --name.")
    return made


def write(path: Path, vector: counterexample.Counterexample) -> None:
    """Write a file. Raises `BadCounterexample` where that cannot be done."""
    try:
        counterexample.write(path, vector)
    except OSError as error:
        raise BadCounterexample(f"{path}: cannot be written ({error.strerror})") from error
