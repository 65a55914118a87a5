"""The trials that pages can change and run: cases, packed."""

from __future__ import annotations

import json
from collections.abc import Sequence, Set
from dataclasses import replace
from functools import cache
from pathlib import Path

from docs.site.packs import pack_files
from evenkeel_engine import spec
from evenkeel_engine.check import worked_examples
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.stored.cases import (
    DESCRIBED,
    Answer,
    CaseKind,
    StoredCase,
    read_stored_cases,
    violated_ids,
)


@cache
def shown_cases() -> list[StoredCase]:
    """The described cases; of a clause that has none, one at its boundary.

    A clause that has no call of the reference either shows the smallest trial that is stored of it.
    """
    stored = list(read_stored_cases())
    boundary = [case for case in stored if case.kind == CaseKind.BOUNDARY]
    last = {c.clause: c for c in sorted(boundary, key=lambda c: c.id.startswith(c.clause.lower()))}
    described = [case for case in stored if case.kind in DESCRIBED]
    have = {case.clause for case in described}
    shown = described + [case for clause, case in last.items() if clause not in have]
    have |= {*last, *(example.clause for example in worked_examples.read_shipped())}
    return shown + [narrow_to(id_, case) for id_, case in find_smallest(stored, have).items()]


def find_smallest(stored: Sequence[StoredCase], have: Set[str]) -> dict[str, StoredCase]:
    """The case with the smallest trial of each other clause, rather one that breaks it."""
    found: dict[str, list[StoredCase]] = {}
    for case in stored:
        for id_ in case.clauses:
            if id_ not in have:
                found.setdefault(id_, []).append(case)
    return {
        id_: min(
            cases,
            key=lambda c: (rank_of(id_, breaking(id_, c)), c.kind in DESCRIBED, len(str(c.trial))),
        )
        for id_, cases in found.items()
    }


def breaking(id_: str, case: StoredCase) -> Answer:
    """The answer that is said to break this clause first, or the first one."""
    return min(case.answers, key=lambda answer: rank_of(id_, answer))


def rank_of(id_: str, answer: Answer) -> int:
    """How many clauses the answer is said to break before this one; many if it breaks others."""
    ids = violated_ids(answer)
    return ids.index(id_) if id_ in ids else 99


def narrow_to(id_: str, case: StoredCase) -> StoredCase:
    """The case as one of this clause alone, with the answer that breaks it, if there is one."""
    answer = breaking(id_, case)
    answers = (answer,) if id_ in violated_ids(answer) else case.answers
    title = case.title or spec.find_clause(id_).title
    return replace(case, clauses=(id_,), title=title, answers=answers)


def write_cases(script: Path) -> None:
    """A script with all cases."""
    cases = {
        case.id: {
            "clause": case.clause,
            "edition": case.edition,
            "question": case.question,
            "trial": case.trial,
        }
        for case in shown_cases()
    }
    data = pack_files({"cases.json": json.dumps(cases).encode()})
    script.write_text(f"evenkeel.unpack({json.dumps(data)});\n", "utf-8")


def case_names() -> dict[str, dict[str, str]]:
    """The titles of the cases by chapter and id."""
    names: dict[str, dict[str, str]] = {}
    for case in shown_cases():
        chapter = QUESTIONS[case.question].chapter
        names.setdefault(chapter, {})[case.id] = f"{case.clause}: {case.title}"
    return names
