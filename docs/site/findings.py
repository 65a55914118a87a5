"""What was found in Apache Pulsar, for the first page: numbers and the gravest defects."""

from __future__ import annotations

import json
import re
from collections import Counter
from statistics import median
from typing import Final

from docs.site.markdown import ROOT
from evenkeel.report import conformance, track_record
from evenkeel_engine.content import SEVERITIES

UPSTREAM: Final = ROOT / "docs" / "upstream"
ROW: Final = re.compile(r"^\| \d+ \| \[(.+?)\]\(([\w-]+)/README\.md\)", re.MULTILINE)
EFFECT: Final = re.compile(r"^\*\*Effect\.\*\* (.+)$", re.MULTILINE)
GRAVEST: Final = 3


def numbers() -> str:
    """Three numbers, each with what it is a part of."""
    return "\n".join(f"- {line}" for line in (places(), newest(), describe_reported()))


def places() -> str:
    """In how many places a release breaks its documents, and what that costs."""
    found = [case for _, case in track_record.of_releases()]
    counts = Counter(case.find_note("severity") for case in found)
    costs = ", ".join(f"{counts[name]} {name}" for name in SEVERITIES if counts[name])
    return (
        f"In **{len(found)} places** a release of Apache Pulsar does not do what its documents"
        f" promise: {costs} ([track record](docs/track-record.md))."
    )


def newest() -> str:
    """How many clauses the newest release violates, of those that it was asked."""
    data = conformance.newest_first(conformance.stored())
    verdicts = Counter(verdicts[0] for verdicts in data["clauses"].values())
    name = data["subjects"][0]["name"]
    asked = verdicts.total() - verdicts["not offered"]
    violated, departed = verdicts["violated"], verdicts["departed"]
    return (
        f"**{violated} of {asked} clauses** that {name} was asked are violated. In {departed} it"
        " departs from what Pulsar does or is meant to do, where the documents are silent"
        " ([conformance](docs/conformance.md))."
    )


def describe_reported() -> str:
    """How many of the defects that others reported are detected, and how soon."""
    written = track_record.data()
    rows = [*written["known"], *written["later"]]
    sayable = sum("why_not" not in row for row in rows)
    times = json.loads(track_record.TIMES.read_text("utf-8")).values()
    found = [one for one in times if one["found"]]
    trials = median(one["trials"] for one in found)
    return (
        f"**{sayable} of {len(rows)} defects** that others reported, or that were seen in the code,"
        f" are detected. {len(found)} of {len(times)} checks find theirs within ten minutes, half"
        f" of them within {trials:,.0f} trials."
    )


def gravest() -> str:
    """The gravest defects that are written up, and what a user loses by them."""
    rows = ROW.findall((UPSTREAM / "README.md").read_text("utf-8"))
    lines = []
    for title, folder in rows[:GRAVEST]:
        [effect] = EFFECT.findall((UPSTREAM / folder / "README.md").read_text("utf-8"))
        lines.append(f"1. **[{title}](docs/upstream/{folder}/README.md).** {effect}")
    return "\n".join(lines)


def how_many() -> int:
    """The defects that are written up, of all but one of which no issue is known."""
    return len(ROW.findall((UPSTREAM / "README.md").read_text("utf-8")))
