"""`evenkeel replay`: counterexample files, folders of them, or single trials of a run."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated, Final

import typer

from evenkeel.cli.options import (
    EditionName,
    EditionOption,
    Format,
    FormatOption,
    SubjectOption,
    Unusable,
    edition_of,
)
from evenkeel.cli.output import finish, line, progress
from evenkeel.drivers import counterexample
from evenkeel.drivers.counterexample import Replayed, essence
from evenkeel.drivers.seeded import make_trial
from evenkeel.properties.catalogue import QUESTIONS, clauses_for
from evenkeel.properties.codec import to_json
from evenkeel.properties.question import Verdict, judge
from evenkeel.reference.edition import DOCUMENTED, Edition
from evenkeel.subjects.base import Ask, Errored, Observed, Skipped, Subject
from evenkeel.subjects.choose import open_subject
from evenkeel.subjects.wire import observation_to_json

_PLACE: Final = re.compile(r"([a-z_]+\.[a-z_]+)@(\d+):(\d+)")


def replay(
    paths: Annotated[
        list[str],
        typer.Argument(help="Counterexample files or folders, or QUESTION@SEED:INDEX."),
    ],
    subject: SubjectOption = "reference",
    edition: EditionOption = EditionName.DOCUMENTED,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Replay counterexamples: does each still do what it recorded?

    A file is held against the reference and the judge, and is also put to the subject if one is
    given. QUESTION@SEED:INDEX makes that trial of a run again and judges the subject's answer.
    """
    places = [match for path in paths if (match := _PLACE.fullmatch(path))]
    if places and len(places) != len(paths):
        raise Unusable("Give either files or QUESTION@SEED:INDEX, not both.")
    if places:
        statuses = [replay_place(m, subject, edition_of(edition), format_) for m in places]
        raise typer.Exit(max(statuses))
    raise typer.Exit(replay_files([Path(path) for path in paths], subject, format_))


def replay_files(paths: list[Path], subject: str, format_: Format) -> int:
    """Replay every file under the paths."""
    files = list(counterexample.files_under(paths))
    if not files:
        raise Unusable(f"There is no counterexample under {', '.join(map(str, paths))}.")
    replayed, asked = [], []
    opened = None if subject == "reference" else open_subject(subject, DOCUMENTED)
    try:
        with progress("replay", len(files), "files") as advance:
            for path in files:
                result = counterexample.replay(path, counterexample.read(path))
                replayed.append(result)
                if opened is not None:
                    asked.append(ask_subject(result, opened))
                advance(path.name, 1)
    finally:
        if opened is not None:
            opened.close()
    bad = [result for result in replayed if result.problems]
    if format_ is Format.TEXT:
        for result in replayed:
            print_replayed(result, brief=len(replayed) > 3)
        for text in asked:
            line(text)
    summary = f"{len(replayed) - len(bad)} of {len(replayed)} files do what they recorded"
    data = {
        "files": [{"path": str(r.path), "problems": list(r.problems)} for r in replayed],
        "subject": asked,
    }
    return finish(format_, summary, 1 if bad else 0, data)


def print_replayed(result: Replayed, brief: bool) -> None:
    """One file; in full if there are few."""
    found = result.counterexample
    mark = "differs" if result.problems else "as recorded"
    line(f"{mark}: {result.path}: {found.clause}: {found.title}")
    for problem in result.problems:
        line(f"  {problem}")
    if not brief:
        line(f"  trial: {json.dumps(found.trial, ensure_ascii=False)}")
        line(f"  expected: {json.dumps(found.expected, ensure_ascii=False)}")
        line(f"  observed ({found.observed_by}): {json.dumps(found.observed, ensure_ascii=False)}")
        line(f"  {found.sentence}")
        line(f"  effect: {found.effect}")
        line(f"  source: {found.source}")


def ask_subject(result: Replayed, opened: Subject) -> str:
    """Whether the subject observes on a file's trial what the file observed or expected."""
    found = result.counterexample
    question = QUESTIONS[found.question]
    trial = counterexample.trial_of(result.path, found)
    [(_, reply)] = list(opened.replies([Ask(0, question, trial)]))
    if not isinstance(reply, Observed):
        return f"{result.path}: {opened.name} did not answer: {reply.reason}"
    got = observation_to_json(reply.observation)
    if essence(got) == essence(found.observed):
        return f"{result.path}: {opened.name} observes what the file observed"
    if essence(got) == essence(found.expected):
        return f"{result.path}: {opened.name} observes what the file expected"
    return f"{result.path}: {opened.name} observes {json.dumps(got, ensure_ascii=False)}"


def replay_place(match: re.Match[str], subject: str, edition: Edition, format_: Format) -> int:
    """Make one trial of a run again and judge the subject's answer."""
    name, seed, index = match[1], int(match[2]), int(match[3])
    if name not in QUESTIONS:
        raise Unusable(f"There is no question {name}; there are {', '.join(QUESTIONS)}.")
    question = QUESTIONS[name]
    trial = make_trial(question, seed, index)
    opened = open_subject(subject, edition)
    try:
        [(_, reply)] = list(opened.replies([Ask(index, question, trial)]))
    finally:
        opened.close()
    if isinstance(reply, Skipped | Errored):
        data = {"trial": to_json(trial), "reason": reply.reason}
        return finish(format_, f"{opened.name} did not answer: {reply.reason}", 2, data)
    checks = clauses_for(name, edition)
    verdicts = judge(question, checks, trial, reply.observation, edition)
    failed = [v for v in verdicts if v.status in ("violated", "errored")]
    if format_ is Format.TEXT:
        line(f"trial: {json.dumps(to_json(trial), ensure_ascii=False)}")
        line(f"observed: {json.dumps(observation_to_json(reply.observation), ensure_ascii=False)}")
        for verdict in verdicts:
            print_verdict(verdict)
    summary = f"{match[0]}: {len(failed)} of {len(verdicts)} checks violated by {opened.name}"
    data = {
        "trial": to_json(trial),
        "observed": observation_to_json(reply.observation),
        "verdicts": [[v.clause, v.status, v.sentence] for v in verdicts],
    }
    return finish(format_, summary, 1 if failed else 0, data)


def print_verdict(verdict: Verdict) -> None:
    """One clause's word on the answer."""
    line(f"{verdict.clause}: {verdict.status}{': ' if verdict.sentence else ''}{verdict.sentence}")
