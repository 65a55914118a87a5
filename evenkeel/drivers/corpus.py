"""A corpus: few small trials with what may be answered, by which any language tests itself.

A folder with a file per edition and question, a vector a line, and `manifest.json`. A vector is
`exact` where the trial has one right answer, or else has `examples` of right and of wrong ones.
What counts of an observation is its essence: a refusal's wording does not. Standard library only.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from evenkeel import spec
from evenkeel.drivers.counterexample import essence
from evenkeel.drivers.limits import TooLong, limited
from evenkeel.drivers.recorded import compact, objections
from evenkeel.errors import UserError
from evenkeel.files import Unreadable, read_json
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.properties.codec import BadData, Json, from_json
from evenkeel.properties.mutant import Mutant
from evenkeel.properties.mutation.live import everywhere
from evenkeel.properties.question import Observation
from evenkeel.reference.edition import EDITIONS, Edition
from evenkeel.subjects.wire import observation_to_json, read_observation

FORMAT: Final = "evenkeel vectors 1"
TOLERANCE: Final = 1e-9
"""Two doubles that differ by no more than this share are the same."""


class BadCorpus(UserError):
    """A folder that is no corpus: one sentence with file, line and reason."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A wrong observation, the clause that objects to it, and why."""

    observation: Json
    clause: str
    why: str


@dataclass(frozen=True, slots=True)
class Vector:
    """A trial with what may be observed.

    `exact`: the only right observation is the first of `right`; else `right` and `wrong` are
    examples. `clauses` were exercised, `mutants` are noticed by it. `note` says what it shows,
    `effect` what a user has of a wrong answer.
    """

    id: str
    edition: str
    question: str
    exact: bool
    trial: Json
    right: tuple[Json, ...]
    wrong: tuple[Wrong, ...]
    clauses: tuple[str, ...]
    mutants: tuple[str, ...]
    note: str
    effect: str

    def says(self, observed: Json) -> bool | None:
        """Whether an observation's essence is right; None where the vector does not say."""
        if any(same(observed, right) for right in self.right):
            return True
        if self.exact or any(same(observed, wrong.observation) for wrong in self.wrong):
            return False
        return None


def id_of(edition: str, question: str, trial: Json) -> str:
    """The id of a vector: the same for the same trial, whatever else there is."""
    text = f"{edition} {question} {compact(trial)}"
    return f"{question}-{hashlib.sha256(text.encode()).hexdigest()[:10]}"


def core(observation: Observation) -> Json:
    """What counts of an observation, in its wire form."""
    return essence(observation_to_json(observation))


def same(one: Json, other: Json) -> bool:
    """Whether two JSON values are the same, doubles to within the tolerance."""
    if isinstance(one, dict):
        return (
            isinstance(other, dict)
            and one.keys() == other.keys()
            and all(same(value, other[key]) for key, value in one.items())
        )
    if isinstance(one, list):
        if not isinstance(other, list) or len(one) != len(other):
            return False
        return all(same(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, float) or isinstance(other, float):
        numbers = all(type(value) in (int, float) for value in (one, other))
        return numbers and math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=1e-12)
    return type(one) is type(other) and bool(one == other)


# ------------------------------------------------------------------------------ files


def line_of(vector: Vector) -> str:
    """A vector as it stands in its file. What a runner asks comes first."""
    data = asdict(vector)
    data["kind"] = "exact" if data.pop("exact") else "examples"
    order = ("id", "edition", "question", "kind", "note", "effect", "clauses", "mutants")
    first = {name: data.pop(name) for name in order}
    return json.dumps({**first, **data}, separators=(",", ":"), allow_nan=False)


def write(folder: Path, vectors: list[Vector], about: dict[str, Json]) -> int:
    """Write a corpus, in place of one that is there; its size in bytes."""
    for path in listed(folder):
        path.unlink(missing_ok=True)
    files: dict[Path, list[Vector]] = {}
    for vector in vectors:
        path = folder / vector.edition / f"{vector.question}.jsonl"
        files.setdefault(path, []).append(vector)
    size = 0
    for path, those in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(f"{line_of(vector)}\n" for vector in sorted(those, key=lambda v: v.id))
        path.write_text(text, encoding="ascii")
        size += len(text)
    names = sorted(path.relative_to(folder).as_posix() for path in files)
    manifest = {"format": FORMAT, **about, "vectors": len(vectors), "files": names}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="ascii")
    (folder / "schema.json").write_text(json.dumps(SCHEMA, indent=2) + "\n", encoding="ascii")
    return size


def listed(folder: Path) -> list[Path]:
    """The files of the corpus in a folder, none where there is no corpus."""
    if not (folder / "manifest.json").exists():
        return []
    return [folder / str(name) for name in manifest_of(folder)["files"]]


def manifest_of(folder: Path) -> dict[str, Any]:
    """A corpus's manifest. Raises `BadCorpus`."""
    manifest = loaded(folder / "manifest.json")
    if manifest.get("format") != FORMAT or not isinstance(manifest.get("files"), list):
        raise BadCorpus(f"{folder}/manifest.json: must have the format {FORMAT!r} and files")
    return manifest


def read(folder: Path) -> list[Vector]:
    """The vectors of a corpus. Raises `BadCorpus`."""
    manifest = manifest_of(folder)
    found = [vector for path in listed(folder) for vector in read_file(path)]
    if len(found) != manifest.get("vectors"):
        raise BadCorpus(f"{folder}: has {len(found)} vectors, its manifest says otherwise")
    return found


def loaded(path: Path) -> dict[str, Any]:
    """A JSON object of a file. Raises `BadCorpus`."""
    try:
        data = read_json(path, "ascii")
    except Unreadable as why:
        raise BadCorpus(f"{path}: {why}") from why
    if not isinstance(data, dict):
        raise BadCorpus(f"{path}: is no JSON object")
    return data


def read_file(path: Path) -> Iterator[Vector]:
    """The vectors of one file. Raises `BadCorpus`."""
    try:
        text = path.read_text("ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise BadCorpus(f"{path}: cannot be read ({error})") from error
    for number, row in enumerate(text.splitlines(), 1):
        try:
            yield vector_of(json.loads(row))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadCorpus(f"{path}: line {number}: is no vector ({error!r})") from error


def vector_of(data: dict[str, Any]) -> Vector:
    """A line's vector. Raises `ValueError`, `KeyError`, `TypeError` for another form."""
    exact = {"exact": True, "examples": False}[data.pop("kind")]
    wrong = tuple(Wrong(**one) for one in data.pop("wrong"))
    for name in ("right", "clauses", "mutants"):
        data[name] = tuple(data[name])
    vector = Vector(exact=exact, wrong=wrong, **data)
    if vector.id != id_of(vector.edition, vector.question, vector.trial):
        raise ValueError(f"{vector.id} is not the id of this trial")
    return vector


# ----------------------------------------------------------------------------- verifying


def problems(vector: Vector) -> Iterator[str]:
    """What does not go together in a vector with the reference and the clauses."""
    edition, question = EDITIONS[vector.edition], QUESTIONS[vector.question]
    try:
        trial = from_json(question.trial_type, vector.trial)
    except BadData as bad:
        yield f"its trial is none: {bad}"
        return
    if vector.says(core(question.observe(trial, edition))) is not True:
        yield "the reference answers otherwise"
    for right in vector.right:
        for why in judged(vector, right, trial, edition):
            yield f"a right answer is wrong: {why}"
    for wrong in vector.wrong:
        if not any(
            why.startswith(wrong.clause)
            for why in judged(vector, wrong.observation, trial, edition)
        ):
            yield f"{wrong.clause} does not object to what is called wrong"
    for id_ in vector.clauses:
        spec.clause(id_)


def judged(vector: Vector, observed: Json, trial: Any, edition: Edition) -> list[str]:
    """What the clauses say against an observation of which only the essence is known."""
    worded = with_words(observed)
    observation = read_observation(QUESTIONS[vector.question], worded)
    # Judges may remember what they worked out for the last trial object: this one is new.
    return objections(vector.question, edition, replace(trial), observation)


def with_words(data: Json, key: str = "") -> Json:
    """An essence in wire form again: with empty words where some have to stand."""
    if isinstance(data, list):
        return [with_words(item) for item in data]
    if key == "broke" and isinstance(data, bool):
        return "something" if data else None
    if not isinstance(data, dict):
        return data
    if not data and key in ("refused", "broke"):
        return {"reason": "", "detail": ""}
    if data in ({"do": "refused"}, {"do": "broke"}):  # of one command: these have a reason only
        return {**data, "reason": ""}
    return {name: with_words(value, name) for name, value in data.items()}


def notices(vector: Vector, mutant: Mutant) -> bool:
    """Whether a vector says that a mutant in the reference answers wrongly."""
    question, edition = QUESTIONS[vector.question], EDITIONS[vector.edition]
    trial = from_json(question.trial_type, vector.trial)
    with everywhere(mutant):
        try:
            with limited():
                observed = core(question.observe(trial, edition))
        except (Exception, TooLong):  # a mutant may fail in any way; that is noticed
            return True
    return vector.says(observed) is False


_TEXT: Final = {"type": "string"}
_TEXTS: Final = {"type": "array", "items": _TEXT}
SCHEMA: Final[dict[str, Json]] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A vector: one line of a file of an evenkeel corpus",
    "type": "object",
    "required": [
        "id",
        "edition",
        "question",
        "kind",
        "note",
        "effect",
        "clauses",
        "mutants",
        "trial",
        "right",
        "wrong",
    ],
    "additionalProperties": False,
    "properties": {
        "id": {**_TEXT, "description": "Stable: made of edition, question and trial."},
        "edition": {"enum": list(EDITIONS)},
        "question": {"enum": list(QUESTIONS)},
        "kind": {
            "enum": ["exact", "examples"],
            "description": "exact: right holds the one right answer; else others may be right.",
        },
        "note": {**_TEXT, "description": "What it shows."},
        "effect": {**_TEXT, "description": "What a user has of a wrong answer."},
        "clauses": {**_TEXTS, "description": "Clauses of the specification that it exercises."},
        "mutants": {**_TEXTS, "description": "Changes of the reference that it notices."},
        "trial": {"type": "object", "description": "As in the wire protocol."},
        "right": {
            "type": "array",
            "minItems": 1,
            "items": {"type": "object"},
            "description": "As in the wire protocol, without reasons and details.",
        },
        "wrong": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["observation", "clause", "why"],
                "properties": {"observation": {"type": "object"}, "clause": _TEXT, "why": _TEXT},
            },
        },
    },
}
"""The form of a line; it is written beside the corpus."""
