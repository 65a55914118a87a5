"""The trials that pages can change and run: every described case, packed."""

from __future__ import annotations

import json
from pathlib import Path

from docs.site.packs import packed
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.stored.cases import DESCRIBED, read_stored_cases


def write_cases(script: Path) -> None:
    """A script with all cases."""
    cases = {
        case.id: {
            "clause": case.clause,
            "edition": case.edition,
            "question": case.question,
            "trial": case.trial,
        }
        for case in read_stored_cases(DESCRIBED)
    }
    data = packed({"cases.json": json.dumps(cases).encode()})
    script.write_text(f"evenkeel.unpack({json.dumps(data)});\n", "utf-8")


def case_names() -> dict[str, dict[str, str]]:
    """The titles of the described cases by chapter and id."""
    names: dict[str, dict[str, str]] = {}
    for case in read_stored_cases(DESCRIBED):
        chapter = QUESTIONS[case.question].chapter
        names.setdefault(chapter, {})[case.id] = f"{case.clause}: {case.title}"
    return names
