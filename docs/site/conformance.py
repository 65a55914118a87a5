"""The conformance page, from the output of `evenkeel check --format json`."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from docs.site import recorded_report
from docs.site.markdown import anchor, page_text, table
from evenkeel import spec
from evenkeel.harness.severity import Severity

FORMAT: Final = "evenkeel check 1"
RECORDED: Final = (
    "\nWhat Apache Pulsar's own classes answered when they were recorded: a chosen part of many"
    " more trials, judged when this site was built. `make site CONFORMANCE="
    '"documented.json pulsar.json"` makes this page of files that `evenkeel check --format json`'
    " printed, of any subject.\n"
)
ORDER: Final = ("errored", "violated", "departed", "undecided", "holds", "unexercised")
"""Words for a clause; the first that applies is taken."""


class BadReport(Exception):
    """A file is no report of `check`: one sentence."""


def pages(reports: list[Path]) -> dict[str, str]:
    """The page."""
    given = [report_of(path) for path in reports]
    parts = [part(report) for report in given or recorded_report.reports()]
    return {"conformance": "\n".join([page_text("conformance"), "" if given else RECORDED, *parts])}


def report_of(path: Path) -> Any:
    """The file's data. Raises `BadReport`."""
    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BadReport(f"{path}: cannot be read as JSON ({error}).") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadReport(f"{path}: is no output of `evenkeel check --format json`.")
    if unknown := sorted(set(data["clauses"]) - set(spec.entries())):
        raise BadReport(f"{path}: names {unknown[0]}, which is no clause any more: check again.")
    return data


def part(report: Any) -> str:
    """One report: the numbers, what is violated and by which failure, and all clauses."""
    severity = Severity(report["edition"])
    clauses = report["clauses"]
    verdicts = {
        id_: verdict(id_, clauses[id_], severity) for id_ in spec.entries() if id_ in clauses
    }
    sums = {name: sum(v == name for v in verdicts.values()) for name in set(verdicts.values())}
    counts_text = ", ".join(f"{sums[name]} {name}" for name in ORDER if name in sums)
    trials = sum(report["trials"].values())
    seed = "" if report["seed"] is None else f" with seed {report['seed']}"
    rows = [
        (f"[{id_}](#{anchor(id_)})", spec.clause(id_).title, v, *numbers(clauses[id_]))
        for id_, v in verdicts.items()
        if v in ("violated", "departed", "errored")
    ]
    head = ("clause", "title", "verdict", "breached in", "of")
    return "\n".join(
        [
            f"## {report['subject']} compared with {report['edition']}\n",
            f"{trials:,} trials{seed}: {counts_text}.\n",
            table(head, rows) if rows else "Nothing is violated.\n",
            *failures(report["failures"]),
            chart(verdicts),
        ]
    )


def verdict(id_: str, counts: dict[str, int], severity: Severity) -> str:
    """The one word for a clause: a violation of mere practice of Pulsar is a departure."""
    status = next(name for name in ORDER if counts.get(name))
    return "departed" if status == "violated" and severity.may(id_) else status


def numbers(counts: dict[str, int]) -> tuple[str, str]:
    """In how many trials it was violated, and of how many that exercised it."""
    exercised = sum(count for name, count in counts.items() if name != "unexercised")
    breached = counts.get("violated", 0) + counts.get("errored", 0)
    return f"{breached:,}", f"{exercised:,}"


def failures(found: list[Any]) -> list[str]:
    """What broke each, in a sentence."""
    if not found:
        return []
    lines = ["### How it shows\n"]
    for one in found:
        sentence = one["sentence"] if len(one["sentence"]) < 400 else f"{one['sentence'][:397]}…"
        id_, question = one["clause"], one["question"]
        lines.append(f"- [{id_}](#{anchor(id_)}) `{question}`: `{one_line(sentence)}`")
        lines += screen_of(one.get("screen", ()))
    return [*lines, ""]


def screen_of(lines: Sequence[str]) -> list[str]:
    """A failure as `check` prints it, folded."""
    if not lines:
        return []
    text = html.escape("\n".join(lines))
    return [
        "",
        "<details><summary>all of it</summary>",
        "",
        f"<pre>{text}</pre>",
        "",
        "</details>",
        "",
    ]


def one_line(text: str) -> str:
    """A subject's words, which might hold anything, as a piece of code."""
    return " ".join(text.replace("`", "'").split())


def chart(verdicts: dict[str, str]) -> str:
    """A square for each clause, chapter by chapter."""
    lines = ["### All clauses\n", '<div class="squares">']
    for chapter in spec.CHAPTERS:
        own = [id_ for id_ in verdicts if spec.clause(id_).chapter == chapter]
        if own:
            squares = "".join(square(id_, verdicts[id_]) for id_ in own)
            lines.append(f"<div><b>{chapter}</b><p>{squares}</p></div>")
    names = ("holds", "violated", "departed", "unexercised", "undecided")
    legend = "".join(f'<span><i class="{name}"></i> {name}</span>' for name in names)
    return "\n".join([*lines, f'<p class="legend">{legend}</p>', "</div>", ""])


def square(id_: str, status: str) -> str:
    """One clause's square."""
    entry = spec.clause(id_)
    title = f"{id_} {status}: {entry.title}".replace('"', "&quot;").replace("<", "&lt;")
    place = f"spec/{entry.chapter}.html#{anchor(id_)}"
    return f'<a href="{place}" class="{status}" title="{title}" aria-label="{title}"></a>'
