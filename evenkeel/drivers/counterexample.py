"""Counterexample files: a trial, what was observed, and why that is impossible; replayable.

A file is one JSON object that explains itself to a person. Replaying it answers: does the
reference of the edition still expect what the file says, does the judge still say the same of
what was observed, and, if an edition reproduces the observation, does it still?
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from evenkeel import spec
from evenkeel.properties.catalogue import QUESTIONS, clauses_for
from evenkeel.properties.codec import BadData, Json, from_json
from evenkeel.properties.question import Observation, Question, judge
from evenkeel.reference.edition import EDITIONS
from evenkeel.subjects.wire import observation_to_json, read_observation

FORMAT: Final = "evenkeel counterexample 1"


class BadCounterexample(ValueError):
    """A file that is no counterexample: one sentence with file, place and reason."""


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
    form = {"format": FORMAT}
    for name in Counterexample.__slots__:
        form[name] = getattr(counterexample, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(form, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def read(path: Path) -> Counterexample:
    """Read a file. Raises `BadCounterexample`."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadCounterexample(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise BadCounterexample(f"{path}: is no UTF-8 text (byte {error.start})") from error
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise BadCounterexample(f"{path}: {place}: is no JSON ({error.msg})") from error
    except RecursionError as error:
        raise BadCounterexample(f"{path}: is nested too deeply") from error
    return _checked(path, data)


def _checked(path: Path, data: Json) -> Counterexample:
    def reject(place: str, reason: str) -> BadCounterexample:
        return BadCounterexample(f"{path}: {place}: {reason}")

    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise reject("format", f"must be {FORMAT!r}")
    for name in Counterexample.__slots__:
        if name not in data:
            raise reject(name, "is missing")
    for name in set(data) - {"format", *Counterexample.__slots__}:
        raise reject(name, "is not a field here")
    for name in _TEXTS:
        if not isinstance(data[name], str):
            raise reject(name, "must be a text")
    if data["kind"] not in list(Kind):
        raise reject("kind", f"must be one of {', '.join(Kind)}")
    if data["question"] not in QUESTIONS:
        raise reject("question", f"there is no question {data['question']!r}")
    if data["clause"] not in spec.entries():
        raise reject("clause", f"the specification has no clause {data['clause']!r}")
    if data["edition"] not in EDITIONS:
        raise reject("edition", f"must be one of {', '.join(EDITIONS)}")
    if data["reproduced_by"] not in {None, *EDITIONS}:
        raise reject("reproduced_by", f"must be null or one of {', '.join(EDITIONS)}")
    if data["verdict"] not in {"violated", "holds"}:
        raise reject("verdict", "must be violated or holds")
    values = {name: data[name] for name in Counterexample.__slots__}
    return Counterexample(**{**values, "kind": Kind(data["kind"])})


@dataclass(frozen=True, slots=True)
class Replayed:
    """What replaying a file showed: `problems` is empty if it does what it recorded."""

    path: Path
    counterexample: Counterexample
    problems: tuple[str, ...]


def trial_of(path: Path, counterexample: Counterexample) -> Any:
    """The trial of a file. Raises `BadCounterexample`."""
    question = QUESTIONS[counterexample.question]
    return _decode(path, "trial", lambda: from_json(question.trial_type, counterexample.trial))


def replay(path: Path, counterexample: Counterexample) -> Replayed:
    """Hold a file against the reference and the judge. Raises `BadCounterexample`."""
    question = QUESTIONS[counterexample.question]
    edition = EDITIONS[counterexample.edition]
    trial = trial_of(path, counterexample)
    expected, observed = (
        _decode(path, name, lambda value=value: observation_from_json(question, value))
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


def _decode(path: Path, place: str, decode: Any) -> Any:
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
