"""One page about a finished campaign, self-contained: no script, no other file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from evenkeel_engine import spec
from evenkeel_engine.campaign.discovery import estimate, sorts_of
from evenkeel_engine.campaign.folder import made_by
from evenkeel_engine.campaign.followup import finished_state, tables_of
from evenkeel_engine.campaign.tables import FORMAT, read_rows, sum_seconds
from evenkeel_engine.check.tally import STATUSES, Tally
from evenkeel_engine.files import write_file
from evenkeel_engine.text import make_printable

MOST: Final = 200
"""Rows of a table that are on the page; the tables of the campaign have all."""
COLOURS: Final = ("#3a7d44", "#b3261e", "#c98a00")
"""Of the verdict, by exit status."""

PAGE: Final = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>evenkeel campaign: {{ subject }} against {{ edition }}</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem;
       padding: 0 1rem; color: #1b1b1f; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
.verdict { border-left: .5rem solid {{ colour }}; padding: .6rem 1rem; background: #f4f4f6; }
table { border-collapse: collapse; margin: .8rem 0; font-size: .92rem; }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid #e3e3e8;
         vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
pre { background: #f4f4f6; padding: .6rem; overflow-x: auto; white-space: pre-wrap;
      overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
</style></head><body>
<h1>{{ subject }} against {{ edition }}</h1>
<p class="verdict">{{ summary }}</p>
<p>{{ estimate }}.</p>
<table>{% for name, value in facts %}<tr><th>{{ name }}</th><td>{{ value }}</td></tr>
{% endfor %}</table>
<h2>Clauses</h2>
{{ table(clause_rows, ["clause", "title", "verdict", "#holds", "#unexercised", "#declined",
   "#undecided", "#violated", "#errored"]) }}
<h2>Failures</h2>
{% if not failures %}<p>None.</p>{% endif %}
{% for one in failures %}
<h3>{{ "departure: " if one.departure }}{{ one.signature }} ·
  {{ "{:,}".format(one.count) }} trials</h3>
<p>{{ one.sentence }}</p>
{% if one.trial is not none %}<pre>{{ one.trial | json }}</pre>{% endif %}
<pre>{{ one.replay }}</pre>
{% endfor %}
<h2>Answers that are not the reference's, though no clause objects</h2>
{% if not differing %}<p>None.</p>{% else %}
{{ table(differing, ["question", "in what", "#answers", "smallest"]) }}{% endif %}
<h2>Questions</h2>
{{ table(question_rows, ["question", "#trials", "#commands", "#unanswered", "#seconds"]) }}
{% if unanswered %}<h2>Trials without an answer</h2>
{{ table(unanswered, ["question", "how", "why", "#trials"]) }}{% endif %}
<h2>Sorts of trials</h2>
{{ table(labels, ["question", "sort", "#trials", "#share"]) }}
</body></html>
"""

TABLE: Final = """\
{% macro table(rows, columns) %}<div class="wide"><table><tr>
{% for c in columns %}<th{% if c[0] == "#" %} class="n"{% endif %}>{{ c.lstrip("#") }}</th>
{% endfor %}</tr>
{% for row in rows[:most] %}<tr>{% for cell in row %}
<td{% if columns[loop.index0][0] == "#" %} class="n"{% endif %}>{{ cell | cell }}</td>{% endfor %}
</tr>{% endfor %}</table></div>
{% if rows | length > most %}<p>and {{ rows | length - most }} more.</p>{% endif %}{% endmacro %}
"""


def write_page(folder: Path, to: Path) -> Path:
    """Write the page of a finished campaign. Raises `CampaignUnusable`, `OSError`."""
    write_file(to, render_campaign_page(folder))
    return to


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
    return environment.from_string(TABLE + PAGE).render(values)


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
    unanswered = [
        (row["question"], row["status"], row["reason"], row["count"])
        for row in read_rows(folder, "unanswered")
    ]
    missing = tally.unanswered
    titles = {id_: entry.title for id_, entry in spec.read_entries().items()}
    return {
        "subject": make_printable(requested["answered by"]),
        "edition": requested["edition"],
        "summary": make_printable(result["summary"]),
        "estimate": estimate(sorts_of(tally).values(), trials, 1_000_000).sentence,
        "facts": [
            ("campaign", state["id"]),
            ("tables", FORMAT),
            ("seed", requested["seed"]),
            ("generator", requested["generator"]),
            ("trials", f"{trials:,}"),
            ("evenkeel", f"{made_by(state)}, code {requested['code'][:12]}"),
            *sorted((name, make_printable(str(text))) for name, text in state["ran"].items()),
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
            (one["question"], one["kind"], one["count"], one["smallest"])
            for one in result["differing"]
        ],
        "question_rows": [
            (name, count, tally.commands[name], missing[name], seconds.get(name, 0.0))
            for name, count in sorted(tally.trials.items())
        ],
        "unanswered": unanswered,
        "labels": [
            (question, label, count, f"{count / max(tally.trials[question], 1):.1%}")
            for (question, label), count in sorted(tally.labels.items())
        ],
    }
