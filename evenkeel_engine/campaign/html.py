"""One page about a finished campaign, self-contained: no script, no other file."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from evenkeel_engine import spec
from evenkeel_engine.campaign.discovery import sorts_of, tell_estimate
from evenkeel_engine.campaign.folder import made_by
from evenkeel_engine.campaign.followup import finished_state, tables_of
from evenkeel_engine.campaign.tables import FORMAT, read_rows, sum_seconds
from evenkeel_engine.check.tally import STATUSES, Tally
from evenkeel_engine.text import make_printable

MOST: Final = 200
"""Rows of a table that are on the page; the tables of the campaign have all."""
COLOURS: Final = ("#3a7d44", "#b3261e", "#c98a00")
"""Of the verdict, by exit status."""


def render_campaign_page(folder: Path) -> str:
    """The page. Raises `CampaignUnusable`."""
    from jinja2 import Environment  # noqa: PLC0415 - only this page needs it

    state, tally = finished_state(folder), tables_of(folder)
    result = state["result"]
    environment = Environment(autoescape=True)
    environment.filters["cell"] = render_html_cell
    environment.filters["json"] = lambda data: json.dumps(data, ensure_ascii=False)
    values = {**data_of(folder, state, tally), "most": MOST}
    values["colour"] = COLOURS[result["status"]]
    page = files("evenkeel_engine.campaign").joinpath("page.html").read_text("utf-8")
    return environment.from_string(page).render(values)


def render_html_cell(value: object) -> str:
    """A value in a table."""
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.1f}" if isinstance(value, float) else make_printable(str(value))


def data_of(folder: Path, state: dict[str, Any], tally: Tally) -> dict[str, Any]:
    """All that is on the page."""
    requested, result = state["campaign"], state["result"]
    trials = sum(tally.trials.values())
    seconds = sum_seconds(folder)
    missing = tally.unanswered
    titles = {id_: entry.title for id_, entry in spec.read_entries().items()}
    return {
        "requested": requested,
        "result": result,
        "estimate": tell_estimate(sorts_of(tally).values(), trials, 1_000_000),
        "facts": [
            ("campaign", state["id"]),
            ("tables", FORMAT),
            ("seed", requested["seed"]),
            ("generator", requested["generator"]),
            ("trials", f"{trials:,}"),
            ("evenkeel", f"{made_by(state)}, code {requested.get('code', '')[:12]}"),
            *sorted((n, make_printable(str(text))) for n, text in state.get("ran", {}).items()),
        ],
        "clause_rows": [
            (id_, titles.get(id_, ""), verdict, *(tally.verdicts[id_, s] for s in STATUSES))
            for id_, verdict in result["clauses"].items()
        ],
        "failures": [
            one | {name: make_printable(one[name]) for name in ("sentence", "replay")}
            for one in result["failures"][:MOST]
        ],
        "differing": [
            tuple(one[name] for name in ("question", "kind", "count", "smallest"))
            for one in result["differing"]
        ],
        "question_rows": [
            (name, count, tally.commands[name], missing[name], seconds.get(name, 0.0))
            for name, count in sorted(tally.trials.items())
        ],
        "unanswered": [
            tuple(one[name] for name in ("question", "status", "reason", "count"))
            for one in read_rows(folder, "unanswered")
        ],
        "labels": [
            (question, label, count, f"{count / (tally.trials[question] or count):.1%}")
            for (question, label), count in sorted(tally.labels.items())
        ],
    }
