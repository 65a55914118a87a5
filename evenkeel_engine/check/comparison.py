"""What `evenkeel compare` found, as data and as a page: clause by subject."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from evenkeel_engine import spec, version
from evenkeel_engine.check.compare import Column, ComparedFailure, span_of
from evenkeel_engine.check.severity import Severity
from evenkeel_engine.check.tally import asked_clauses
from evenkeel_engine.content import EDITIONS, PROGRAM
from evenkeel_engine.kit.codec import to_json
from evenkeel_engine.kit.draw import Generator
from evenkeel_engine.subjects.defaults import trim_data
from evenkeel_engine.text import escape_markdown, format_code

FORMAT: Final = "evenkeel compare 1"
NOT_OFFERED: Final = "not offered"
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


@dataclass(slots=True)
class Comparison:
    """Subjects on the same trials of an edition, and what any of them violates."""

    edition: str
    seed: int
    strict: bool
    columns: list[Column]
    findings: list[ComparedFailure]
    generator: Generator = Generator.OWN

    @property
    def names(self) -> list[str]:
        """The subjects, in their order."""
        return [column.name for column in self.columns]

    @property
    def severity(self) -> Severity:
        """How breaches count."""
        return Severity(self.edition, self.strict)

    @property
    def clauses(self) -> dict[str, list[str]]:
        """The verdicts of every clause that was asked, by subject."""
        edition = EDITIONS[self.edition]
        asked = asked_clauses({q for c in self.columns for q in c.tally.trials}, edition)
        offered = [set(asked_clauses(column.offers, edition)) for column in self.columns]
        return {
            id_: [
                self.severity.conclude_verdict(column.tally, id_) if id_ in own else NOT_OFFERED
                for column, own in zip(self.columns, offered, strict=True)
            ]
            for id_ in asked
        }

    @property
    def errors(self) -> list[ComparedFailure]:
        """The failures that are more than departures."""
        return [one for one in self.findings if not self.severity.may(one.clause)]

    @property
    def status(self) -> int:
        """The exit status."""
        unanswered = any(column.tally.errored for column in self.columns)
        return 1 if self.errors else 2 if unanswered else 0

    @property
    def summary(self) -> str:
        """The one line."""
        errors, clauses = len(self.errors), self.clauses
        who = f"{len(self.columns)} subjects against {self.edition}"
        found = f"{errors} failures, {len(self.findings) - errors} departures"
        if not clauses:
            return f"{who}, one trial: {found}"
        held = sum(map(holds_throughout, clauses.values()))
        trials = max(sum(column.tally.trials.values()) for column in self.columns)
        return (
            f"{who}: {held} of {len(clauses)} clauses hold wherever offered, {found} in {trials:,}"
            " trials of each"
        )


def holds_throughout(verdicts: Iterable[str]) -> bool:
    """Whether a clause holds in every subject that offers what it is about."""
    return {*verdicts} - {NOT_OFFERED} == {"holds"}


def comparison_data(found: Comparison) -> dict[str, Any]:
    """All of it for programs (compare.schema.json)."""
    return {
        "format": FORMAT,
        "evenkeel": version.find_version(),
        "edition": found.edition,
        "seed": found.seed,
        "generator": found.generator,
        "strict": found.strict,
        "subjects": [
            {
                "name": column.name,
                "trials": sum(column.tally.trials.values()),
                "no_answer": sum(column.tally.errored.values()),
                "questions": sorted(column.offers),
            }
            for column in found.columns
        ],
        "clauses": found.clauses,
        "findings": [finding_data(one, found) for one in found.findings],
    }


def finding_data(one: ComparedFailure, found: Comparison) -> dict[str, Any]:
    """One failure for programs; its trial without what has its default."""
    return {
        "signature": one.signature,
        "clause": one.clause,
        "departure": found.severity.may(one.clause),
        "sentence": one.sentence,
        "span": span_of(one.shown, found.names),
        "shown_by": [found.names[place] for place in one.on],
        "random": one.is_random,
        "failures": list(one.failures),
        "question": one.question.name,
        "trial": trim_data(one.question.trial_type, to_json(one.trial)),
    }


# ------------------------------------------------------------------------------ the page


def render_comparison(data: dict[str, Any], to_spec: str = "spec") -> str:
    """The comparison in Markdown; `to_spec` leads from the page to the chapters."""
    return "\n".join(
        [
            *render_head(data),
            *render_sums(data),
            *render_chapters(data, to_spec),
            *render_details(data, to_spec),
        ]
    )


def render_head(data: dict[str, Any]) -> Iterator[str]:
    """What was compared, and how to read it."""
    subjects = data["subjects"]
    trials = max((one["trials"] for one in subjects), default=0)
    yield "# Conformance\n"
    yield (
        f"Which clauses of {data['edition']} hold in which subject, as `{PROGRAM} compare` found in"
        f" {trials:,} trials of each with seed {data['seed']}. *Violated* is what the documents"
        " forbid; *departed* is another practice than what was released, where the documents are"
        " silent.\n"
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
