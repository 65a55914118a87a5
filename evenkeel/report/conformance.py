"""`python -m evenkeel.report.conformance` writes docs/conformance.md of docs/conformance.json: a short
page, chapter by release. The site has the whole one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, Final

from evenkeel_engine import spec
from evenkeel_engine.check.comparison import (
    MARKS,
    render_chapters,
    render_details,
    render_head,
    render_sums,
    shorten_names,
)
from evenkeel_engine.files import write_file

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"


def stored() -> dict[str, Any]:
    """What was compared last."""
    data: dict[str, Any] = json.loads((DOCS / "conformance.json").read_text("utf-8"))
    return data


def newest_first(data: dict[str, Any]) -> dict[str, Any]:
    """The same data, the releases in the other order."""
    return {
        **data,
        "subjects": data["subjects"][::-1],
        "clauses": {clause: verdicts[::-1] for clause, verdicts in data["clauses"].items()},
    }


def whole_page(data: dict[str, Any], to_spec: str) -> str:
    """Clause by clause, for the site; `to_spec` leads from the page to the chapters."""
    parts = (render_chapters(data, to_spec), render_details(data, to_spec))
    return "\n".join([*render_head(data), LOST, *render_sums(data), *chain(*parts)])


def short_page(data: dict[str, Any]) -> str:
    """How many clauses of each chapter have which verdict, for the forge."""
    return "\n".join([*render_head(data), LOST, *render_sums(data), *by_chapter(data), WHOLE])


LOST: Final = """\
These are the newest releases that package repositories serve. 4.0.9 to 4.0.14, 4.2.5, 5.0.0-M2 and
5.0.0 exist by their release notes, and cannot be had: what is said of 4.0 is six patch releases old
(4.0.14, 4.2.5 and 5.0.0 are of 2026-10-05; looked up on 2026-11-28).

What a user loses by a violation: the [track record](track-record.md) has the severity of each that
a case shows. The gravest of which no issue is known are [written up](upstream/README.md).
"""
WHOLE: Final = """\
Clause by clause, and with a small trial for each failure: the page of the same name on the site
(`make site`), which is made of [conformance.json](conformance.json). Of other subjects, or of these
again: `evenkeel compare --subject CMD --subject CMD --page FILE`.
"""


def by_chapter(data: dict[str, Any]) -> Iterator[str]:
    """A row for each chapter: its clauses that were asked, and the verdicts in each subject."""
    yield "## By chapter\n"
    yield f"| chapter | clauses | {' | '.join(shorten_names(data)[1])} |"
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
    write_file(DOCS / "conformance.md", short_page(newest_first(stored())))


if __name__ == "__main__":
    main()
