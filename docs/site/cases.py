"""The trials that pages can change and run: cases, packed."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from docs.site.packs import pack_files
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.stored.cases import DESCRIBED, CaseKind, StoredCase, read_stored_cases


@cache
def shown_cases() -> list[StoredCase]:
    """The described cases; of a clause that has none, one at its boundary."""
    boundary = read_stored_cases((CaseKind.BOUNDARY,))
    last = {c.clause: c for c in sorted(boundary, key=lambda c: c.id.startswith(c.clause.lower()))}
    described = list(read_stored_cases(DESCRIBED))
    have = {case.clause for case in described}
    return described + [case for clause, case in last.items() if clause not in have]


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
