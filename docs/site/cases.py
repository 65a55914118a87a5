"""The trials that pages can change and run: every counterexample file, packed."""

from __future__ import annotations

import json
from pathlib import Path

from docs.site.packs import packed
from evenkeel.harness import counterexample


def write_cases(script: Path) -> None:
    """A script with all cases."""
    cases = {
        name: {
            "clause": file.clause,
            "edition": file.edition,
            "question": file.question,
            "trial": file.trial,
        }
        for name, file in counterexample.shipped()
    }
    data = packed({"cases.json": json.dumps(cases).encode()})
    script.write_text(f"evenkeel.unpack({json.dumps(data)});\n", "utf-8")


def case_names() -> dict[str, str]:
    """Every case with its title."""
    return {name: f"{file.clause}: {file.title}" for name, file in sorted(counterexample.shipped())}
