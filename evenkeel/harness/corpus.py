"""A corpus: few small trials with what may be answered, by which any language tests itself.

A folder with a file per edition and question, a vector a line, and `manifest.json`. What a vector
says of an answer that it does not name depends on its kind (`Vector`, `corpus_doubts`).
What counts of an observation is its essence: a refusal's wording does not. Standard library only.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from evenkeel import spec
from evenkeel.errors import UserError
from evenkeel.files import Unreadable, read_json
from evenkeel.harness.counterexample import essence
from evenkeel.harness.recorded import compact
from evenkeel.harness.subjects.wire import observation_to_json
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.properties.kit.codec import Json
from evenkeel.properties.kit.question import Observation
from evenkeel.reference.edition import EDITIONS

FORMAT: Final = "evenkeel vectors 2"
TOLERANCE: Final = 1e-6
"""Two doubles that differ by no more than this share of the larger, or of 1, are the same: the
documents leave open in which precision usages are worked out, and no answer is wrong for that."""
EXACT, PRACTICE, EXAMPLES = "exact", "practice", "examples"
Said: TypeAlias = Literal["right", "wrong", "departs", "unsaid"]


class BadCorpus(UserError):
    """A folder that is no corpus: one sentence with file, line and reason."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A wrong observation, the clause that objects to it, and why.

    Where the clause's level is SHOULD it departs from practice, and is not wrong.
    """

    observation: Json
    clause: str
    level: str
    why: str


@dataclass(frozen=True, slots=True)
class Vector:
    """A trial with what may be observed.

    `kind`: where it is `exact`, what is not in `right` is wrong; where it is `practice`, that
    departs from Pulsar's practice, at least; where it is `examples`, nothing is said of it.
    `clauses` were exercised, `mutants` are noticed by it. `note` says what it shows, `effect` what
    a user has of a wrong answer.
    """

    id: str
    edition: str
    question: str
    kind: str
    trial: Json
    right: tuple[Json, ...]
    wrong: tuple[Wrong, ...]
    clauses: tuple[str, ...]
    mutants: tuple[str, ...]
    note: str
    effect: str

    def says(self, observed: Json) -> Said:
        """What the vector says of an observation's essence."""
        if any(same(observed, right) for right in self.right):
            return "right"
        for wrong in self.wrong:
            if same(observed, wrong.observation):
                return "departs" if wrong.level == spec.Level.SHOULD else "wrong"
        return UNNAMED[self.kind]


UNNAMED: Final[dict[str, Said]] = {EXACT: "wrong", PRACTICE: "departs", EXAMPLES: "unsaid"}
"""What a vector says of an observation that is not in it, by its kind."""


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
        return numbers and math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return type(one) is type(other) and bool(one == other)


# ------------------------------------------------------------------------------ files


def line_of(vector: Vector) -> str:
    """A vector as it stands in its file. What a runner asks comes first."""
    data = asdict(vector)
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
    if data["kind"] not in UNNAMED:
        raise ValueError(f"there is no kind {data['kind']}")
    wrong = tuple(Wrong(**one) for one in data.pop("wrong"))
    for name in ("right", "clauses", "mutants"):
        data[name] = tuple(data[name])
    vector = Vector(wrong=wrong, **data)
    if vector.id != id_of(vector.edition, vector.question, vector.trial):
        raise ValueError(f"{vector.id} is not the id of this trial")
    return vector


# ------------------------------------------------------------------------------ schema

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
            "enum": list(UNNAMED),
            "description": "What is to be said of an observation that is neither in right nor in"
            " wrong. exact: it is wrong. practice: it departs from Pulsar's practice where the"
            " documents are silent, which is no error. examples: nothing, others may be right."
            " Two observations are compared without reasons and details of refusals and failures;"
            " objects by their members in any order, arrays in order, integers exactly, and two"
            " numbers of which one has a fraction or an exponent are the same if they differ by at"
            f" most {TOLERANCE} of the larger, or of 1.",
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
                "required": ["observation", "clause", "level", "why"],
                "properties": {
                    "observation": {"type": "object"},
                    "clause": {**_TEXT, "description": "It objects to the observation."},
                    "level": {
                        "enum": ["MUST", "SHOULD", "DOES"],
                        "description": "SHOULD: the observation departs from practice only.",
                    },
                    "why": _TEXT,
                },
            },
        },
    },
}
"""The form of a line; it is written beside the corpus."""
