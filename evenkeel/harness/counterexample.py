"""Counterexample files: a trial, what was observed, and why that is impossible; replayable.

A counterexample file is one JSON object that explains itself to a person. Replaying it answers:
does the reference of the edition still expect what the file says, does the judge still say the
same of what was observed, and, if an edition reproduces the observation, does it still? Beside it
there is the trial file: a question and a trial, to be put to a subject.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from evenkeel import spec
from evenkeel.errors import UserError
from evenkeel.files import Unreadable, read_json
from evenkeel.harness.subjects.wire import observation_to_json, read_observation
from evenkeel.properties.catalogue import QUESTIONS, clauses_for
from evenkeel.properties.kit.codec import BadData, Json, from_json
from evenkeel.properties.kit.question import Observation, Question, judge
from evenkeel.reference.edition import EDITIONS

FORMAT: Final = "evenkeel counterexample 1"


class BadCounterexample(UserError, ValueError):
    """A file that cannot be replayed: one sentence with file, place and reason."""


class Kind(StrEnum):
    """Where a counterexample comes from."""

    EXAMPLE = "example"
    ERRATUM = "erratum"
    DIVERGENCE = "divergence"
    FOUND = "found"


@dataclass(frozen=True, slots=True)
class Counterexample:
    """One file.

    `expected` and `observed` are observations in their wire form (`answer`, `refused` or
    `broke`). `verdict` is the judge's word on `observed`: `violated`, or `holds` in an example.
    `reproduced_by` names the edition whose reference observes `observed`, or is null. `bug` says
    what kind of bug it is, `effect` what it does to a user, `source` where it is written down.
    `found` says how it was found: a command, or nothing.
    """

    title: str
    kind: Kind
    clause: str
    edition: str
    question: str
    trial: Json
    expected: Json
    observed: Json
    observed_by: str
    verdict: str
    sentence: str
    bug: str
    effect: str
    source: str
    reproduced_by: str | None
    found: str


_WORDED: Final = {"do", "reason", "detail"}
"""The fields of a refusal or failure: that of a trial, or that of one command."""
_TEXTS: Final = ("title", "observed_by", "sentence", "bug", "effect", "source", "found")


def observation_from_json(question: Question[Any, Any], data: Json) -> Observation:
    """The observation in its wire form. Raises `BadData`."""
    if not isinstance(data, dict) or len(data) != 1:
        raise BadData("", "must be an object with one of answer, refused, broke")
    return read_observation(question, data)


def essence(data: Json) -> Json:
    """An observation in its wire form without the wording of refusals and failures.

    Subjects word those in their own way; that there was one is what counts.
    """
    if isinstance(data, list):
        return [essence(item) for item in data]
    if not isinstance(data, dict):
        return data
    if set(data) <= _WORDED:
        return {name: value for name, value in data.items() if name == "do"}
    return {
        name: value is not None
        if name == "broke" and not isinstance(value, dict)
        else essence(value)
        for name, value in data.items()
    }


def same_observation(one: Observation, other: Observation) -> bool:
    """Whether two observations differ at most in the wording of refusals and failures."""
    return bool(essence(observation_to_json(one)) == essence(observation_to_json(other)))


def write(path: Path, counterexample: Counterexample) -> None:
    """Write a file, readable and with the same bytes for the same counterexample."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text_of(counterexample), encoding="utf-8")


def text_of(counterexample: Counterexample) -> str:
    """The text of a file: the same for the same counterexample."""
    form = {"format": FORMAT}
    for name in Counterexample.__slots__:
        form[name] = getattr(counterexample, name)
    return json.dumps(form, indent=2, ensure_ascii=False) + "\n"


@dataclass(frozen=True, slots=True)
class TrialFile:
    """A file with a trial of one's own, and the edition to judge it by, if it names one."""

    question: str
    trial: Json
    edition: str | None


def read(path: Path) -> Counterexample:
    """Read a counterexample file. Raises `BadCounterexample`."""
    return _checked(path, _load(path))


def read_either(path: Path) -> Counterexample | TrialFile:
    """Read a file of either sort. Raises `BadCounterexample`."""
    data = _load(path)
    if isinstance(data, dict) and "format" not in data and {"question", "trial"} & set(data):
        return _checked_trial(path, data)
    return _checked(path, data)


def _load(path: Path) -> Json:
    try:
        return read_json(path)
    except Unreadable as why:
        raise BadCounterexample(f"{path}: {why}") from why


def _require(condition: bool, path: Path, place: str, reason: str) -> None:
    if not condition:
        raise BadCounterexample(f"{path}: {place}: {reason}")


def _require_fields(path: Path, data: Json, names: Sequence[str], more: Sequence[str]) -> None:
    """These fields are there, and no others but `more`."""
    for name in names:
        _require(name in data, path, name, "is missing")
    for name in sorted(set(data) - {*names, *more}):
        _require(False, path, name, "is not a field here")


def _require_question(path: Path, data: Json) -> None:
    name = data["question"]
    _require(_among(name, QUESTIONS), path, "question", f"there is no question {name!r}")


def _require_edition(path: Path, data: Json) -> None:
    known = _among(data["edition"], EDITIONS)
    _require(known, path, "edition", f"must be one of {', '.join(EDITIONS)}")


def _among(value: Json, names: Collection[str]) -> bool:
    return isinstance(value, str) and value in names


def _checked_trial(path: Path, data: Json) -> TrialFile:
    _require_fields(path, data, ("question", "trial"), ("edition",))
    _require_question(path, data)
    if "edition" in data:
        _require_edition(path, data)
    return TrialFile(data["question"], data["trial"], data.get("edition"))


def _checked(path: Path, data: Json) -> Counterexample:
    known = isinstance(data, dict) and data.get("format") == FORMAT
    _require(known, path, "format", f"must be {FORMAT!r}")
    _require_fields(path, data, Counterexample.__slots__, ("format",))
    for name in _TEXTS:
        _require(isinstance(data[name], str), path, name, "must be a text")
    kinds, clause = ", ".join(Kind), data["clause"]
    _require(_among(data["kind"], list(Kind)), path, "kind", f"must be one of {kinds}")
    _require_question(path, data)
    told = f"the specification has no clause {clause!r}"
    _require(_among(clause, spec.entries()), path, "clause", told)
    _require_edition(path, data)
    by = data["reproduced_by"]
    told = f"must be null or one of {', '.join(EDITIONS)}"
    _require(by is None or _among(by, EDITIONS), path, "reproduced_by", told)
    said = _among(data["verdict"], ("violated", "holds"))
    _require(said, path, "verdict", "must be violated or holds")
    values = {name: data[name] for name in Counterexample.__slots__}
    return Counterexample(**{**values, "kind": Kind(data["kind"])})


@dataclass(frozen=True, slots=True)
class Replayed:
    """What replaying a file showed: `problems` is empty if it does what it recorded."""

    path: Path
    counterexample: Counterexample
    problems: tuple[str, ...]


def trial_of(path: Path, file: Counterexample | TrialFile) -> Any:
    """The trial of a file. Raises `BadCounterexample`."""
    question = QUESTIONS[file.question]
    return decoded(path, "trial", lambda: from_json(question.trial_type, file.trial))


def replay(path: Path, counterexample: Counterexample) -> Replayed:
    """Hold a file against the reference and the judge. Raises `BadCounterexample`."""
    question = QUESTIONS[counterexample.question]
    edition = EDITIONS[counterexample.edition]
    trial = trial_of(path, counterexample)
    expected, observed = (
        decoded(path, name, lambda value=value: observation_from_json(question, value))
        for name, value in (
            ("expected", counterexample.expected),
            ("observed", counterexample.observed),
        )
    )
    problems = []
    if question.observe(trial, edition) != expected:
        problems.append(f"the reference of {edition.name} no longer expects this")
    checks = clauses_for(question.name, edition, frozenset({counterexample.clause}))
    statuses = [v.status for v in judge(question, checks, trial, observed, edition)]
    if counterexample.verdict not in statuses or (
        counterexample.verdict == "holds" and "violated" in statuses
    ):
        said = ", ".join(statuses) or "nothing"
        problems.append(
            f"{counterexample.clause} says {said} of what was observed, "
            f"not {counterexample.verdict}"
        )
    if counterexample.reproduced_by is not None:
        reproduced = question.observe(trial, EDITIONS[counterexample.reproduced_by])
        if not same_observation(reproduced, observed):
            problems.append(
                f"the reference of {counterexample.reproduced_by} does not observe this"
            )
    return Replayed(path, counterexample, tuple(problems))


def decoded(path: Path, place: str, decode: Any) -> Any:
    """What `decode` makes of a part of a file. Raises `BadCounterexample` with the place."""
    try:
        return decode()
    except BadData as bad:
        inner = f"{place}.{bad.place}" if bad.place else place
        raise BadCounterexample(f"{path}: {inner}: {bad.reason}") from bad


def files_under(paths: list[Path]) -> Iterator[Path]:
    """The counterexample files at or under these paths, in order. Raises `BadCounterexample`."""
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob("*.json"))
        elif path.exists():
            yield path
        else:
            raise BadCounterexample(f"{path}: there is no such file or folder")


def shipped() -> Iterator[tuple[str, Counterexample]]:
    """The counterexamples that come with evenkeel, each with its name `chapter/file`."""
    for path in shipped_files():
        yield f"{path.parent.name}/{path.stem}", read(path)


def shipped_files() -> Iterator[Path]:
    """The files of the counterexamples that come with evenkeel."""
    return files_under([Path(str(files("evenkeel.counterexamples")))])
