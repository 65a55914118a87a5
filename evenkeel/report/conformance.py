"""`python -m evenkeel.report.conformance` writes docs/conformance.md of docs/conformance.json: a short
page, chapter by release. The site has the whole one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from evenkeel_engine import spec
from evenkeel_engine.check.comparison import MARKS, render_head, render_sums
from evenkeel_engine.files import write_file
from evenkeel_engine.text import escape_markdown

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"


def stored() -> dict[str, Any]:
    """What was compared last."""
    data: dict[str, Any] = json.loads((DOCS / "conformance.json").read_text("utf-8"))
    return data


def short_page(data: dict[str, Any]) -> str:
    """How many clauses of each chapter have which verdict, for the forge."""
    return "\n".join([*render_head(data), *render_sums(data), *by_chapter(data), WHOLE])


WHOLE: Final = """\
Clause by clause, and with a small trial for each failure: the page of the same name on the site
(`make site`), which is made of [conformance.json](conformance.json). Of other subjects, or of these
again: `evenkeel compare --subject CMD --subject CMD --page FILE`. What is known of the defects:
[track record](track-record.md).
"""


def by_chapter(data: dict[str, Any]) -> Iterator[str]:
    """A row for each chapter: its clauses that were asked, and the verdicts in each subject."""
    yield "## By chapter\n"
    yield f"| chapter | clauses | {' | '.join(escape_markdown(one['name']) for one in data['subjects'])} |"
    yield f"|---|---|{'---|' * len(data['subjects'])}"
    for chapter in spec.CHAPTERS:
        own = [v for i, v in data["clauses"].items() if spec.find_clause(i).chapter == chapter]
        cells = [
            " ".join(f"{n}{mark}" for verdict, mark in MARKS.items() if (n := one.count(verdict)))
            for one in zip(*own, strict=True)
        ]
        if own:
            yield f"| [{chapter}](../spec/{chapter}.md) | {len(own)} | {' | '.join(cells)} |"
    yield ""


def main() -> None:
    """Write the page of this repository."""
    write_file(DOCS / "conformance.md", short_page(stored()))


if __name__ == "__main__":
    main()
