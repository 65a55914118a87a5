"""`python -m evenkeel.report.conformance` writes docs/conformance.md of docs/conformance.json: a short
page, chapter by release. The site has the whole one; of what `evenkeel compare --format json` wrote
into a FILE, `python -m evenkeel.report.conformance FILE` prints it.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final

from evenkeel_engine import spec
from evenkeel_engine.check.comparison import NOT_OFFERED, holds_throughout
from evenkeel_engine.content import PROGRAM
from evenkeel_engine.files import Unreadable, read_json, write_file
from evenkeel_engine.text import escape_markdown, format_code

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"
MARKS: Final = {
    "holds": "✓",
    "violated": "✗",
    "departed": "~",
    "errored": "!",
    "undecided": "?",
    "unexercised": "·",
    "declined": "○",
    NOT_OFFERED: "–",
}
"""A verdict in a cell."""


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


def whole_page(data: dict[str, Any], to_spec: str = "spec", about: str = "") -> str:
    """Clause by clause; `to_spec` leads from the page to the chapters."""
    parts = (render_chapters(data, to_spec), render_details(data, to_spec))
    return "\n".join([*render_head(data), about, *render_sums(data), *chain(*parts)])


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
again: `evenkeel compare --subject CMD --subject CMD --format json >FILE`, and
`python -m evenkeel.report.conformance FILE`.
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


def render_head(data: dict[str, Any]) -> Iterator[str]:
    """What was compared, and how to read it."""
    subjects = data["subjects"]
    trials = max((one["trials"] for one in subjects), default=0)
    yield "# Conformance\n"
    yield (
        f"Which clauses of {data['edition']} hold in which subject, as `{PROGRAM} compare` found in"
        f" {trials:,} trials of each with seed {data['seed']}. *Violated* is what the documents"
        " forbid; *departed* is otherwise than Pulsar does or is meant to do, where the documents"
        " are silent.\n"
    )
    yield ", ".join(f"{mark} {verdict}" for verdict, mark in MARKS.items()) + ".\n"


def render_sums(data: dict[str, Any]) -> Iterator[str]:
    """How many of the clauses that a subject was asked have which verdict, a row a subject."""
    seen = {verdict for verdicts in data["clauses"].values() for verdict in verdicts}
    shown = [verdict for verdict in MARKS if verdict in seen - {NOT_OFFERED}]
    shared, names = shorten_names(data)
    yield f"| {shared or 'subject'} | asked | {' | '.join(shown)} |"
    yield f"|---|---|{'---|' * len(shown)}"
    for place, name in enumerate(names):
        counts = Counter(verdicts[place] for verdicts in data["clauses"].values())
        asked = counts.total() - counts[NOT_OFFERED]
        cells = " | ".join(f"{counts[one]} of {asked}" for one in shown)
        yield f"| {name} | {asked} of {counts.total()} | {cells} |"
    yield ""


def shorten_names(data: dict[str, Any]) -> tuple[str, list[str]]:
    """The first word of all subjects' names, if they share it, and their names without it."""
    names = [escape_markdown(one["name"]) for one in data["subjects"]]
    first = {name.partition(" ")[0] for name in names}
    rests = [name.partition(" ")[2] for name in names]
    if len(first) == 1 and len(names) > 1 and all(rests):
        return first.pop(), rests
    return "", names


def render_chapters(data: dict[str, Any], to_spec: str) -> Iterator[str]:
    """A table for each chapter: the clauses that do not hold in every subject that offers them."""
    failing = {one["clause"] for one in data["findings"]}
    for chapter in spec.CHAPTERS:
        own = {i: v for i, v in data["clauses"].items() if spec.find_clause(i).chapter == chapter}
        held = [id_ for id_, verdicts in own.items() if holds_throughout(verdicts)]
        if not own:
            continue
        yield f"## {chapter.capitalize()}\n"
        if rest := [id_ for id_ in own if id_ not in held]:
            yield f"| clause | title | {' | '.join(shorten_names(data)[1])} |"
            yield f"|---|---|{'---|' * len(data['subjects'])}"
        for id_ in rest:
            name = f"[{id_}](#{id_.lower()})" if id_ in failing else in_chapter(id_, to_spec)
            marks = " | ".join(MARKS[verdict] for verdict in own[id_])
            yield f"| {name} | {spec.find_clause(id_).title} | {marks} |"
        if held:
            links = ", ".join(in_chapter(id_, to_spec) for id_ in held)
            yield f"\n{len(held)} of {len(own)} hold wherever offered: {links}.\n"
        else:
            yield ""


def in_chapter(id_: str, to_spec: str) -> str:
    """A clause with its chapter."""
    return f"[{id_}]({to_spec}/{spec.find_clause(id_).chapter}.md)"


def render_details(data: dict[str, Any], to_spec: str) -> Iterator[str]:
    """Each failure: since when until when, how it shows, and its trial, for `evenkeel replay`."""
    if data["findings"]:
        yield "## How it shows\n"
        yield (
            "Every failure has one small trial, which was put to all subjects. Save a trial as a "
            f"file, and `{PROGRAM} replay FILE --subject CMD` puts it to a subject; "
            f"`{PROGRAM} compare --case FILE --subject CMD --subject CMD` to several.\n"
        )
    clause = ""
    for one in data["findings"]:
        if one["clause"] != clause:
            clause = one["clause"]
            yield f"### {clause}\n"
            yield f"{spec.find_clause(clause).title} ({in_chapter(clause, to_spec)}).\n"
        trial = {"question": one["question"], "edition": data["edition"], "trial": one["trial"]}
        chance = " (by chance)" if one["random"] else ""
        shown = f"{format_code(one['signature'])}, {escape_markdown(one['span'])}{chance}"
        yield f"- {shown}: {format_code(one['sentence'])}\n"
        yield f"  ```json\n  {json.dumps(trial, ensure_ascii=False)}\n  ```\n"


def main(files: Sequence[str]) -> None:
    """Write the page of this repository, or print that of a file."""
    if files:
        try:
            sys.stdout.write(whole_page(read_json(Path(files[0]))))
        except Unreadable as why:
            sys.stderr.write(f"{files[0]}: {why}.\n")
            sys.exit(2)
    else:
        write_file(DOCS / "conformance.md", short_page(newest_first(stored())))


if __name__ == "__main__":
    main(sys.argv[1:])
