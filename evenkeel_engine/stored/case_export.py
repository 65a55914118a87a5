"""The cases for tests in any language: a folder with a file per edition and question.

A case a line, `manifest.json` and `schema.json`. Of the stored cases those are exported that say
something of observations that they do not name (`StoredCase.others`). What counts of an
observation is its essence: a refusal's wording does not. Standard library only.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from evenkeel_engine import spec
from evenkeel_engine.content import EDITIONS
from evenkeel_engine.files import write_file
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.codec import Json
from evenkeel_engine.mutation.catalogue import MUTANTS
from evenkeel_engine.stored.cases import DEPARTS, HOLDS, StoredCase, is_should, violated_ids
from evenkeel_engine.subjects.essence import is_same_json, take_essence

FORMAT: Final = "evenkeel vectors 2"
EXACT, PRACTICE, EXAMPLES = "exact", "practice", "examples"
KIND: Final = {"wrong": EXACT, "departs": PRACTICE, "open": EXAMPLES}
"""The kind of a vector, by what holds of the observations that its case does not name."""
Status: TypeAlias = Literal["right", "wrong", "departs", "unsaid"]
UNNAMED: Final[dict[str, Status]] = {"wrong": "wrong", "departs": "departs", "open": "unsaid"}


def right_of(case: StoredCase) -> list[Json]:
    """The essences of the observations to which no clause objects, each once."""
    found: list[Json] = []
    for answer in case.answers:
        form = take_essence(answer.observed)
        if answer.verdict == HOLDS and not any(is_same_json(form, one) for one in found):
            found.append(form)
    return found


def wrong_of(case: StoredCase) -> list[dict[str, Json]]:
    """Observations to which a clause objects, and the clause; not those that `others` covers."""
    edition, found = EDITIONS[case.edition], list[dict[str, Json]]()
    for answer in case.answers:
        for id_ in violated_ids(answer)[:1]:
            level = spec.find_clause(id_).level_in(case.edition)
            form = take_essence(answer.observed)
            if case.others == "wrong" or (case.others == "departs" and is_should(id_, edition)):
                continue
            if not any(is_same_json(form, one["observation"]) for one in found):
                why = answer.sentence[:300]
                found.append({"observation": form, "clause": id_, "level": level.value, "why": why})
    return found


def says(case: StoredCase, observed: Json) -> Status:
    """The status of an observation's essence by an exported case."""
    if any(is_same_json(observed, right) for right in right_of(case)):
        return "right"
    for answer in case.answers:
        if answer.verdict != HOLDS and is_same_json(observed, take_essence(answer.observed)):
            ids, edition = violated_ids(answer), EDITIONS[case.edition]
            only = answer.verdict == DEPARTS or all(is_should(id_, edition) for id_ in ids)
            return "departs" if only else "wrong"
    return UNNAMED[case.others]


def vector_of(case: StoredCase) -> dict[str, Json]:
    """A case as a line of the export. What a runner needs to ask comes first."""
    named = [spec.find_clause(id_).title for id_ in case.clauses[:3]]
    more = f"; {len(case.clauses) - 3} more clauses" if len(case.clauses) > 3 else ""
    descriptions = (mutant.description for mutant in MUTANTS if mutant.name in case.mutants)
    return {
        "id": case.id,
        "edition": case.edition,
        "question": case.question,
        "kind": KIND[case.others],
        "note": case.title or "; ".join(named) + more,
        "effect": case.find_note("effect") or next(descriptions, ""),
        "clauses": list(case.clauses),
        "mutants": list(case.mutants),
        "trial": case.trial,
        "right": right_of(case),
        "wrong": wrong_of(case),
    }


def export(folder: Path, exported: Iterable[StoredCase], about: dict[str, Json]) -> int:
    """Write these cases into a folder that is empty; their size in bytes. Raises `Unwritable`."""
    files: dict[str, list[str]] = {}
    for case in sorted(exported, key=lambda case: case.id):
        text = json.dumps(vector_of(case), separators=(",", ":"), allow_nan=False)
        files.setdefault(f"{case.edition}/{case.question}.jsonl", []).append(text)
    size = 0
    for name, rows in files.items():
        text = "".join(f"{row}\n" for row in rows)
        write_file(folder / name, text, folders=True)
        size += len(text)
    many = sum(map(len, files.values()))
    manifest = {"format": FORMAT, **about, "vectors": many, "files": sorted(files)}
    write_file(folder / "manifest.json", json.dumps(manifest, indent=2) + "\n", folders=True)
    write_file(folder / "schema.json", json.dumps(read_schema(), indent=2) + "\n")
    return size


def read_schema() -> dict[str, Json]:
    """The schema of a line, with the editions and questions that there are."""
    text = Path(__file__).with_name("vectors.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    schema["properties"] |= {"edition": {"enum": [*EDITIONS]}, "question": {"enum": [*QUESTIONS]}}
    return schema
