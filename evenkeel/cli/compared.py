"""What a subject answered beside what the reference answers, the differing places marked."""

from __future__ import annotations

from evenkeel.cli.drawn import Paper, short
from evenkeel.harness.nearest import differing, leaves
from evenkeel.harness.subjects.wire import observation_to_json
from evenkeel.properties.kit.codec import Json
from evenkeel.properties.kit.question import Observation

ABSENT = "-"
PLACES = 12
"""Places that are shown before the rest is folded."""


def comparison(observed: Observation, expected: Observation, paper: Paper) -> list[str]:
    """Place by place: what the subject answered, and what the reference does."""
    subject, reference = observation_to_json(observed), observation_to_json(expected)
    if "answer" in subject and "answer" in reference:
        subject, reference = subject["answer"], reference["answer"]
    first = paper.first
    ours, right = dict(leaves(subject, first)), dict(leaves(reference, first))
    marked = set(differing(subject, reference, first))
    places = list({**ours, **right})
    if len(places) > PLACES and not paper.full:
        wanted = [place for place in places if place in marked] or places
    else:
        wanted = places
    shown = wanted if paper.full else wanted[:PLACES]
    wide = max((paper.width - 6) // 3, 12)
    rows = [
        ["", "place", "the subject", "one right answer"],
        *(
            [
                "≠" if place in marked else " ",
                clip(place, wide, paper, left=True),
                clip(at(ours, place), wide, paper),
                clip(at(right, place), wide, paper),
            ]
            for place in shown
        ),
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [" ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    if left := len(wanted) - len(shown):
        lines.append(f"… {left:,} more places differ, --full shows all")
    if alike := len(places) - len(wanted):
        lines.append(f"  {alike:,} places are alike")
    return lines


def at(values: dict[str, Json], place: str) -> str:
    """What stands at a place."""
    return short(values[place], Paper(full=True)) if place in values else ABSENT


def clip(text: str, wide: int, paper: Paper, left: bool = False) -> str:
    """A text that fits into its column, cut at the right or the left."""
    if paper.full or len(text) <= wide:
        return text
    return f"…{text[1 - wide :]}" if left else f"{text[: wide - 1]}…"
