"""`evenkeel adapter`: start one in your language; check whether it speaks the protocol."""

from __future__ import annotations

import shlex
import time
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer

from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.cli import options
from evenkeel_engine.cli.options import Format
from evenkeel_engine.cli.output import finish, print_line
from evenkeel_engine.cli.questions import suggest_question
from evenkeel_engine.content import PROGRAM
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.codec import Json
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.question import AnyQuestion
from evenkeel_engine.sdk.new import LANGUAGES, format_command, write_adapter
from evenkeel_engine.subjects.base import Errored, Observed, Reply, Request
from evenkeel_engine.subjects.process import ProcessSubject
from evenkeel_engine.subjects.session import Limits

app = typer.Typer(name="adapter", no_args_is_help=True, rich_markup_mode=None, add_completion=False)
TRIALS: Final = 3


class LanguageName(StrEnum):
    """In which an adapter can be begun."""

    GO = "go"
    RUST = "rust"
    JAVA = "java"
    TYPESCRIPT = "typescript"
    PYTHON = "python"


@app.callback()
def adapter() -> None:
    """Begin an adapter in your language, and smoke-test it."""


@dataclass(frozen=True, slots=True)
class Smoked:
    """What came back for a question's trials; `breaks` says why and how the subject broke."""

    question: str
    answered: int
    refused: int
    breaks: tuple[str, ...]
    skips: tuple[str, ...]
    errors: tuple[str, ...]

    @property
    def state(self) -> str:
        """In one word."""
        if self.errors:
            return "wrong"
        if self.breaks:
            return "broke"
        return "answers" if self.answered else "refuses" if self.refused else "skips"

    @property
    def counts(self) -> str:
        """How many trials came to what."""
        return (
            f"answered {self.answered}, refused {self.refused}, broke {len(self.breaks)}, "
            f"skipped {len(self.skips)}"
        )

    @property
    def data(self) -> dict[str, Json]:
        """The same for programs."""
        return {
            "question": self.question,
            "answered": self.answered,
            "refused": self.refused,
            "broke": len(self.breaks),
            "breaks": [*dict.fromkeys(self.breaks)],
            "skipped": [*dict.fromkeys(self.skips)],
            "errors": [*dict.fromkeys(self.errors)],
        }


@app.command()
def new(
    folder: Annotated[Path, typer.Argument(help="A folder that is not there yet, or empty.")],
    language: Annotated[LanguageName, typer.Option("--language", help="What it is written in.")],
    format_: options.FormatOption = Format.TEXT,
) -> None:
    """Write an adapter: the protocol done, one function per question to fill in."""
    paths = write_adapter(language.value, folder)
    of, run = LANGUAGES[language.value], format_command(language.value, folder)
    if format_ is Format.TEXT:
        pages = [path for path in paths if folder / "spec" in path.parents]
        schemas = [path for path in paths if folder / "schemas" in path.parents]
        for path in paths:
            if path not in pages and path not in schemas:
                print_line(f"wrote {path}")
        print_line(
            f"wrote {folder / 'spec'}: {len(pages)} pages of the questions and the specification"
        )
        print_line(
            f"wrote {folder / 'schemas'}: {len(schemas)} JSON schemas of messages and questions"
        )
        for step in of.build:
            print_line(f"build it:  (cd {shlex.quote(str(folder))} && {step})")
        print_line(f"try it:    {PROGRAM} adapter smoke {shlex.quote(run)}")
        print_line(f"check it:  {PROGRAM} check --subject {shlex.quote(run)}")
    words = f"{len(paths)} files; fill in {folder / of.fill}"
    data: dict[str, Json] = {"files": [str(path) for path in paths], "subject": run}
    raise typer.Exit(finish(format_, words, 0, data))


@app.command()
def smoke(
    command: Annotated[str, typer.Argument(help="The adapter's command, as after --subject.")],
    seed: options.SeedOption = 1,
    hello_timeout: options.HelloTimeoutOption = 20.0,
    trial_timeout: options.TrialTimeoutOption = 10.0,
    format_: options.FormatOption = Format.TEXT,
) -> None:
    """Send hello and three trials of each supported question; check all by the schemas.

    Whether the answers are right, and whether to break is, is `check`'s work.

    Exit status 0: all that came speaks the protocol. 1: something does not, or a question is
    unknown. 2: the adapter is unusable, or skips everything.
    """
    began = time.monotonic()
    limits = Limits(hello_timeout, trial_timeout, restarts=3, failures=TRIALS)
    with closing(ProcessSubject(command, limits=limits, validate=True)) as subject:
        supported = subject.questions
        unknown = sorted(supported - QUESTIONS.keys())
        smoked = [
            smoke_of(QUESTIONS[name], subject, seed) for name in QUESTIONS if name in supported
        ]
        name, restarts = subject.name, subject.restarts
    wrong = [one for one in smoked if one.errors]
    if format_ is Format.TEXT:
        show(smoked, unknown)
    spoke = any(one.answered or one.refused or one.breaks for one in smoked)
    status = 1 if wrong or unknown else 0 if spoke else 2
    right = len(smoked) - len(wrong)
    broken = sum(bool(one.breaks) for one in smoked)
    breaking = f"{broken} broke, " if broken else ""
    words = (
        f"{name}: {right} of {len(smoked)} supported questions speak the protocol, {breaking}"
        f"{len(unknown)} unknown, {restarts} restarts, {time.monotonic() - began:.1f} s"
    )
    data: dict[str, Json] = {"questions": [one.data for one in smoked], "unknown": unknown}
    raise typer.Exit(finish(format_, words, status, data))


def smoke_of(question: AnyQuestion, subject: ProcessSubject, seed: int) -> Smoked:
    """A few trials of one question."""
    requests = [
        Request(index, question, make_trial(question, seed, index)) for index in range(TRIALS)
    ]
    replies: list[Reply] = [reply for _, reply in subject.replies(requests)]
    seen = [reply.observation for reply in replies if isinstance(reply, Observed)]
    broke = [one for one in seen if isinstance(one, Broke)]
    refused = sum(isinstance(one, Refused) for one in seen)
    breaks = tuple(f"{one.reason}: {one.detail}" if one.detail else one.reason for one in broke)
    skips = tuple(one.reason for one in replies if not isinstance(one, Observed | Errored))
    errors = tuple(one.reason for one in replies if isinstance(one, Errored))
    answered = len(seen) - refused - len(broke)
    return Smoked(question.name, answered, refused, breaks, skips, errors)


def show(smoked: list[Smoked], unknown: list[str]) -> None:
    """A line a question, and one for each thing that is wrong; of breaks the first."""
    for one in smoked:
        print_line(f"{one.state:<8} {one.question}: {one.counts}")
        for reason in dict.fromkeys(one.errors):
            print_line(f"           {reason}")
        for reason in one.breaks[:1]:
            print_line(f"           broke: {reason}")
        for reason in dict.fromkeys(one.skips):
            print_line(f"           skipped: {reason}")
    for name in unknown:
        print_line(f"unknown  {suggest_question(name)}")
