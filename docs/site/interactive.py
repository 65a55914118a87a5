"""The pages on which the specification runs in the reader's browser.

Each shows at once what was computed while the site was built; the browser loads Python when the
reader changes something.
"""

from __future__ import annotations

import html
import json
import shlex
import sys
from functools import cache
from typing import Any, Final

from docs.site.browser.calls import call
from docs.site.cases import case_names
from docs.site.curves import curves
from docs.site.markdown import page_text
from evenkeel.operate.operating.advice import CLASSES
from evenkeel.operate.simulate import scenario_file
from evenkeel.operate.simulate.balancers import Played, list_usages, run_balancers, story_of
from evenkeel_engine.stored.cases import find_case

SCENARIOS: Final = (
    "flash-crowd",
    "three-brokers",
    "broker-joins",
    "slow-broker",
    "ten-thirty-eighty",
)
PLAYED: Final = {
    "bundles": ("ranges", "Put topics and bundles on the hash circle"),
    "splitting": ("ranges", "Cut a bundle on the hash circle"),
    "shedding": ("shedding", "Watch the five strategies shed, round by round"),
    "balancing": ("loop", "Run a scenario under the strategies that you choose"),
    "throttling": ("limits", "See the worst case that a limit allows"),
    "scaling": ("segments", "See how many segments a topic has over days"),
}
SHEDDERS: Final = {"none": "no shedding", **{one.value: name for name, one in CLASSES.items()}}
JOINS: Final = "broker-joins"
BALANCERS: Final = {
    **{
        f"reference:PULSAR_4_0:{name}": SHEDDERS[name]
        for name in ("overload", "threshold", "uniform", "transfer", "avg")
    },
    f"{shlex.quote(sys.executable)} -m examples.contract.serve Hysteresis": "Hysteresis",
}
"""What the picture of balancers shows, by subject."""
FIRST_CASE: Final = "overload-stays-above-its-threshold"


def played_by(chapter: str) -> str:
    """The link from a chapter to its page."""
    if chapter not in PLAYED:
        return ""
    name, title = PLAYED[chapter]
    link = f"[{title}](../play/{name}.md): the specification runs in your browser."
    return f":::{{tip}}\n{link}\n:::\n\n"


def first_questions() -> dict[str, Any]:
    """The first request of each page."""
    case = find_case(FIRST_CASE)
    assert case is not None
    return {
        "shedding": {
            "brokers": [[4], [6], [20, 10, 18, 20, 20], [6, 25, 4]],
            "rounds": 14,
            "settings": {},
        },
        "loop": {
            "scenario": scenario_text(SCENARIOS[0]),
            "strategies": ["none", "threshold", "transfer", "avg"],
            "edition": "PULSAR_4_0",
            "seed": 0,
        },
        "ranges": {
            "topics": [[f"persistent://shop/orders/city-{n}", load] for n, load in TOPICS],
            "bundles": 4,
            "cuts": [],
            "limits": {"messages": 300, "megabytes": 100, "difference": 10},
        },
        "limits": {"quota": 1000, "period": 1, "batch": 10, "entries": 100, "reads": 2},
        "segments": {
            "stretches": [[480, 100, 1], [240, 12000, 1], [480, 30000, 3], [240, 1500, 2]],
            "days": 2,
            "segments": 1,
            "message_bytes": 1000,
            "fan_out": 1,
            "settings": {},
        },
        "clause": {"question": case.question, "trial": case.trial},
    }


TOPICS: Final = (
    (1, 120), (2, 40), (3, 260), (4, 80), (5, 30), (6, 200), (7, 90), (8, 10), (9, 150), (10, 60),
    (11, 20), (12, 110), (13, 70), (14, 45), (15, 300), (16, 15),
)  # fmt: skip


def scenario_text(name: str) -> str:
    """The text of a scenario that comes with evenkeel."""
    return (scenario_file.SHIPPED / f"{name}.toml").read_text("utf-8")


def pages() -> dict[str, str]:
    """All of them."""
    more: dict[str, dict[str, Any]] = {
        "loop": {"scenarios": {name: scenario_text(name) for name in SCENARIOS}},
        "clause": {"cases": case_names(), "case": FIRST_CASE},
    }
    found = {}
    for name, request in first_questions().items():
        given = {"request": request, "answered": ask_first(name), **more.get(name, {})}
        text = page_text(name)
        found[f"play/{name}"] = f"{text}\n{render_element(name, given)}"
    return found


@cache
def ask_first(name: str) -> Any:
    """The answer to a page's first request."""
    return json.loads(call(name, json.dumps(first_questions()[name])))


def play_balancers() -> dict[str, dict[str, list[float | None]]]:
    """The usage of each broker under balancers of any kind, by balancer, all equally long."""
    played: list[Played] = []
    run_balancers([scenario_file.load(JOINS)], list(BALANCERS), played)
    panels = {}
    for name, one in zip(BALANCERS.values(), played, strict=True):
        story = story_of(one)
        assert story is not None
        uses = list_usages(story)
        panels[name] = {node.name: [use.get(node.name) for use in uses] for node in one.trial.nodes}
    longest = max(len(own) for panel in panels.values() for own in panel.values())
    for panel in panels.values():
        for own in panel.values():
            own.extend(own[-1:] * (longest - len(own)))
    return panels


@cache
def pictures() -> dict[str, str]:
    """What two of the pages show first, in small, and balancers of any kind, as SVG elements."""
    rounds = {
        SHEDDERS[name]: [one["brokers"] for one in runs["PULSAR_4_0"]["rounds"]]
        for name, runs in ask_first("shedding").items()
    }
    shed = {
        name: {broker: [at[broker]["usage"] for at in moments] for broker in moments[0]}
        for name, moments in rounds.items()
    }
    loop = {SHEDDERS[name]: run["usage"] for name, run in ask_first("loop")["runs"].items()}
    return {
        "shedding": curves(shed, "The usage of four brokers over 14 rounds, under five strategies"),
        "loop": curves(loop, f"The usage of four brokers over time: {ask_first('loop')['title']}"),
        "balancers": curves(play_balancers(), "A broker joins four others, under six balancers", 2),
    }


def render_element(name: str, given: Any) -> str:
    """Where the page's script draws; the data cannot end the element that holds it."""
    data = json.dumps(given).replace("</", "<\\/").replace("<!--", "<\\u0021--")
    return (
        f'```{{raw}} html\n<div class="play" id="play-{html.escape(name)}">'
        "<noscript>This page needs scripts.</noscript></div>\n"
        f'<script type="application/json" id="play-data">{data}</script>\n'
        f'<script defer src="../_static/play-{name}.js"></script>\n```\n'
    )
