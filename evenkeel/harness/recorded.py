"""Recorded answers: what a subject once answered, kept in files and held against the reference.

A file holds one question: a header, then a line for each trial. Where the trial has one answer
only, the reference must give it. Where it leaves a choice (a line that is `open`), no clause may
object to the recorded answer, nor to the reference's. Standard library only.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from evenkeel.errors import UserError
from evenkeel.harness.counterexample import essence
from evenkeel.harness.subjects.base import Ask, Observed, Subject
from evenkeel.harness.subjects.local import ReferenceSubject
from evenkeel.harness.subjects.wire import observation_to_json, read_observation
from evenkeel.properties.catalogue import QUESTIONS, clauses_for
from evenkeel.properties.kit.codec import BadData, Json, from_json, to_json
from evenkeel.properties.kit.question import Observation, judge
from evenkeel.reference.edition import EDITIONS, PULSAR_4_0, Edition

FORMAT: Final = "evenkeel recorded answers 1"
SAME, OTHER = "same", "other"
"""What an open line says of the reference: it gave this answer, or another that is allowed."""


class BadRecording(UserError):
    """A file that is no recording: one sentence with file, line and reason."""


@dataclass(frozen=True, slots=True)
class Header:
    """The first line: who answered, and how the trials were found.

    `pool` trials of `seed` were asked, and chosen from for `mutants` mutants; `lines` of them are
    kept, of which `open` leave a choice.
    `digest` is the SHA-256 of the lines below.
    """

    question: str
    edition: str
    subject: str
    version: str
    seed: int
    pool: int
    mutants: int
    lines: int
    open: int
    digest: str


@dataclass(frozen=True, slots=True)
class Line:
    """A trial and what was observed. `open` is empty where there is one answer only."""

    trial: Any
    observation: Observation
    open: str = ""
    essence: Json = field(compare=False, repr=False, default=None)


@dataclass(frozen=True, slots=True)
class Recording:
    """A file."""

    header: Header
    lines: tuple[Line, ...]


# ----------------------------------------------------------------------------- reading, writing


def folder() -> Path:
    """Where the recordings are that come with evenkeel."""
    return Path(str(files("evenkeel.recorded")))


def path_of(question: str, under: Path | None = None) -> Path:
    """The file of a question."""
    chapter, _, name = question.partition(".")
    return (under or folder()) / chapter / f"{name}.jsonl"


def questions(under: Path | None = None) -> list[str]:
    """The questions of which there are recorded answers."""
    return [name for name in QUESTIONS if path_of(name, under).exists()]


@cache
def recording(question: str, under: Path | None = None) -> Recording:
    """The recording of a question, by default that of evenkeel. Raises `BadRecording`."""
    path = path_of(question, under)
    found = read(path)
    _require(found.header.question == question, path, f"question: must be {question}")
    return found


def lines(question: str) -> tuple[Line, ...]:
    """The recorded lines of a question; none where nothing was recorded."""
    return recording(question).lines if path_of(question).exists() else ()


def line_of(trial: Any, observation: Observation, open_: str = "") -> Line:
    """A line, with what counts of its observation."""
    return Line(trial, observation, open_, essence(observation_to_json(observation)))


def text_of(line: Line) -> str:
    """A line as it stands in the file."""
    form = {"trial": to_json(line.trial), **observation_to_json(line.observation)}
    return compact({**form, "open": line.open} if line.open else form)


def compact(data: Json) -> str:
    """JSON without blanks, the same for the same data."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)


def write(path: Path, header: Header, texts: Iterable[str]) -> None:
    """Write a file. The header's counts and digest are those of the lines."""
    body = "".join(f"{text}\n" for text in texts)
    first = compact({"format": FORMAT, **asdict(header), "digest": digest(body)})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{first}\n{body}", encoding="ascii")


def digest(body: str) -> str:
    """The SHA-256 of the lines, in hexadecimal."""
    return hashlib.sha256(body.encode("ascii", "replace")).hexdigest()


def read(path: Path) -> Recording:
    """Read a file. Raises `BadRecording`."""
    try:
        first, _, body = path.read_text(encoding="ascii").partition("\n")
    except OSError as error:
        raise BadRecording(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise BadRecording(f"{path}: is no ASCII text (byte {error.start})") from error
    header = _header(path, _object(path, 1, first))
    found = tuple(
        _line(path, number, header.question, _object(path, number, text))
        for number, text in enumerate(body.splitlines(), 2)
    )
    opened = sum(bool(line.open) for line in found)
    _require((header.lines, header.open) == (len(found), opened), path, "has other line counts")
    _require(header.digest == digest(body), path, "has another digest: its lines were changed")
    return Recording(header, found)


def _require(condition: bool, path: Path, reason: str) -> None:
    if not condition:
        raise BadRecording(f"{path}: {reason}")


def _object(path: Path, number: int, text: str) -> dict[str, Json]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadRecording(f"{path}: line {number}: is no JSON ({error})") from error
    _require(isinstance(data, dict), path, f"line {number}: is no JSON object")
    return dict(data)


def _header(path: Path, data: dict[str, Json]) -> Header:
    _require(data.pop("format", None) == FORMAT, path, f"format: must be {FORMAT!r}")
    wanted = {f.name: int if f.type == "int" else str for f in fields(Header)}
    for name in sorted(set(wanted) ^ set(data)):
        _require(False, path, f"{name}: is {'missing' if name in wanted else 'not a field here'}")
    for name, kind in wanted.items():
        _require(type(data[name]) is kind, path, f"{name}: must be of type {kind.__name__}")
    for name, known in (("question", QUESTIONS), ("edition", EDITIONS)):
        _require(data[name] in known, path, f"{name}: there is no {name} {data[name]!r}")
    return Header(**data)


def _line(path: Path, number: int, question: str, data: dict[str, Json]) -> Line:
    open_ = data.pop("open", "")
    _require(open_ in ("", SAME, OTHER), path, f"line {number}: open: must be same or other")
    try:
        trial = from_json(QUESTIONS[question].trial_type, data.pop("trial", None))
        _require(len(data) == 1, path, f"line {number}: must have one observation, and no more")
        return line_of(trial, read_observation(QUESTIONS[question], data), open_)
    except BadData as bad:
        place = f"{bad.place}: " if bad.place else ""
        raise BadRecording(f"{path}: line {number}: {place}{bad.reason}") from bad


# ------------------------------------------------------------------------------------ comparing


def agrees(line: Line, observation: Observation) -> bool:
    """Whether an observation is the recorded one, but for the wording of refusals and failures."""
    return observation == line.observation or bool(
        essence(observation_to_json(observation)) == line.essence
    )


def objections(question: str, edition: Edition, trial: Any, observation: Observation) -> list[str]:
    """What the clauses of an edition say against an observation."""
    clauses = clauses_for(question, edition)
    verdicts = judge(QUESTIONS[question], clauses, trial, observation, edition)
    return [f"{v.clause}: {v.sentence}" for v in verdicts if v.failed]


def problem(question: str, edition: Edition, line: Line, observation: Observation) -> str:
    """What is wrong with another's observation on a recorded trial; empty: nothing."""
    if agrees(line, observation):
        return ""
    if not line.open:
        return "answers otherwise than recorded"
    return "; ".join(objections(question, edition, line.trial, observation))


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A recorded line that does not go together with an answer, or with a clause.

    `number` is the line's in the file.
    """

    question: str
    number: int
    sentence: str


@dataclass(slots=True)
class Checked:
    """How many lines were held against a subject, and what became of them."""

    lines: int = 0
    open: int = 0
    contradictions: list[Contradiction] = field(default_factory=list)
    unanswered: list[Contradiction] = field(default_factory=list)


def check(found: Recording, subject: Subject, done: Checked) -> None:
    """Put all lines to a subject. Of the reference, the clauses judge what was recorded, too."""
    question, edition = found.header.question, EDITIONS[found.header.edition]
    asked = QUESTIONS[question]
    is_ours = isinstance(subject, ReferenceSubject)
    asks = [Ask(index, asked, line.trial) for index, line in enumerate(found.lines)]
    for ask, reply in subject.replies(asks):
        line, number = found.lines[ask.key], ask.key + 2
        done.lines += 1
        done.open += bool(line.open)
        if not isinstance(reply, Observed):
            done.unanswered.append(Contradiction(question, number, reply.reason))
            continue
        sentence = problem(question, edition, line, reply.observation)
        if is_ours and not sentence:
            sentence = "; ".join(objections(question, edition, line.trial, line.observation))
        if sentence:
            done.contradictions.append(Contradiction(question, number, sentence))


def differs(question: str, edition: Edition = PULSAR_4_0) -> int | None:
    """The index of a line that the reference, perhaps with a mutant in it, contradicts; or None.

    The lines with one answer come first. An open line is contradicted where a clause objects to
    what was recorded, or to what the reference answers. Nothing is recorded of other editions.
    """
    found = lines(question)
    if not found or recording(question).header.edition != edition.name:
        return None
    return next(contradicted(question, edition, found), None)


def contradicted(question: str, edition: Edition, found: tuple[Line, ...]) -> Iterator[int]:
    """The indices of all lines that the reference contradicts; lines with one answer first."""
    observe = QUESTIONS[question].observe
    for index, line in enumerate(found):
        if not line.open:
            try:
                if agrees(line, observe(line.trial, edition)):
                    continue
            except Exception:  # a mutated reference may fail in any way: no answer contradicts
                pass
            yield index
    for index, line in enumerate(found):
        if line.open and is_contradicted(question, edition, line):
            yield index


def is_contradicted(question: str, edition: Edition, line: Line) -> bool:
    """Whether reference or clauses do not go together with an open line."""
    # Judges may remember what they worked out for the last trial object: this one is new.
    trial = replace(line.trial)
    try:
        answered = QUESTIONS[question].observe(trial, edition)
    except Exception:  # as above
        return True
    return bool(
        objections(question, edition, trial, line.observation)
        or (not agrees(line, answered) and objections(question, edition, trial, answered))
    )
