"""Worked examples and counterexamples: run again while the site is built, as HTML."""

from __future__ import annotations

import html
import json
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from docs.site.cases import shown_cases
from docs.site.markdown import block, code, details
from evenkeel.reference.edition import BASE_EDITIONS
from evenkeel_engine import spec
from evenkeel_engine.check import worked_examples
from evenkeel_engine.check.nearest import find_differing, list_leaves
from evenkeel_engine.check.worked_examples import Example
from evenkeel_engine.cli.render import Paper, render
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.codec import Json
from evenkeel_engine.stored.cases import StoredCase, find_problems
from evenkeel_engine.subjects.wire import observation_to_json
from evenkeel_engine.text import count_noun

LINES = 40
"""Lines of a trial that a page shows."""
PLACES = 24
"""Places of an answer that a page shows."""


class Wrong(Exception):
    """An example no longer does what it says: one sentence."""


@cache
def cases_by_clause() -> dict[str, list[StoredCase]]:
    """The cases of each clause that are shown. Raises `Wrong`."""
    found = defaultdict(list)
    for case in shown_cases():
        if problem := next(find_problems(case), ""):
            raise Wrong(f"The case {case.id}: {problem}.")
        found[case.clause].append(case)
    return dict(found)


@cache
def examples_by_clause() -> dict[str, list[Example]]:
    """The worked examples of each clause. Raises `Wrong`."""
    found = defaultdict(list)
    for example in worked_examples.read_shipped():
        if problem := example.problem():
            raise Wrong(f"The example {problem}.")
        found[example.clause].append(example)
    return dict(found)


def count_examples() -> dict[str, str]:
    """How many of the clauses that are checked have examples that were run."""
    checked = {
        id_ for id_, entry in spec.read_entries().items() if entry.level is not spec.Level.NOTE
    }
    run = checked & {*cases_by_clause(), *examples_by_clause()}
    return {"checked": str(len(checked)), "run": str(len(run))}


def case_html(case: StoredCase) -> str:
    """A case, folded: the trial, and what both editions answer to it."""
    question, trial = QUESTIONS[case.question], case.decode_trial()
    lines = render(trial, Paper(width=84))
    shown = lines[:LINES] + ([f"… {len(lines) - LINES} more lines"] if lines[LINES:] else [])
    answers = {
        edition.name: observation_to_json(question.observe(trial, edition))
        for edition in BASE_EDITIONS.values()
    }
    sort = "counterexample" if case.is_violation else "example"
    link = f'<a class="try" href="play/clause.html?case={case.id}">Change it and run it</a>'
    parts = [
        f"<p>{code(case.question)} {link}</p>",
        block(shown),
        side_by_side(answers),
        *verdict_html(case),
    ]
    return details(f"<b>{sort}</b> {html.escape(case.title)}", "\n".join(parts), sort)


def verdict_html(case: StoredCase) -> Iterator[str]:
    """What broke the clause, and what that does to a user."""
    if case.is_violation:
        observer = html.escape(case.observed_by)
        yield f"<p>✗ <b>{observer}</b>: {html.escape(case.shown.sentence)}</p>"
    if effect := case.find_note("effect"):
        yield f"<p>Effect: {html.escape(effect)}</p>"
    if source := case.find_note("source"):
        yield f'<p class="source">Source: {html.escape(source)}</p>'


def side_by_side(answers: dict[str, Json]) -> str:
    """The editions' answers in columns; those that differ are marked."""
    one, other = answers.values()
    differ = find_differing(one, other)
    columns = [
        {place: json.dumps(value, ensure_ascii=False) for place, value in list_leaves(answer)}
        for answer in answers.values()
    ]
    every = dict.fromkeys(place for column in columns for place in column)
    cells = {place: [column.get(place, "–") for column in columns] for place in every}
    if differ:
        cells = {place: texts for place, texts in cells.items() if texts[0] != texts[1]}
    rows = [
        row(place.removeprefix("answer."), texts, place in differ or "–" in texts)
        for place, texts in list(cells.items())[:PLACES]
    ]
    if len(cells) > PLACES:
        rows.append(row(f"… {len(cells) - PLACES} more", ["", ""], False))
    heads = "".join(f"<th>{name}</th>" for name in answers)
    alike = "" if differ else "<p>Both editions answer the same.</p>"
    body = f"<tr><th></th>{heads}</tr>{''.join(rows)}"
    return f'{alike}<div class="wide"><table class="answers">{body}</table></div>'


def row(place: str, values: list[str], marked: bool) -> str:
    """One place in both editions."""
    cells = "".join(f"<td>{html.escape(value)}</td>" for value in values)
    sort = ' class="differs"' if marked else ""
    return f"<tr{sort}><th>{html.escape(place)}</th>{cells}</tr>"


def calls(found: list[Example]) -> str:
    """Worked examples, folded: calls of functions, and their answers."""
    lines, show = [], worked_examples.dump_exactly
    for example in found:
        answer = f"refused: {example.refused}" if example.refused else show(example.answer)
        lines += [example.name, f"  = {answer}"]
        lines += [f"  leaves {n} as {show(it)}" for n, it in example.leaves.items()]
    count = count_noun(len(found), "worked example")
    summary = f"<b>{count}</b> of functions, run when this page was built"
    return details(summary, block(lines), "calls")
