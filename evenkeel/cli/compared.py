"""What a subject answered beside what the reference answers, the differing places marked."""

from __future__ import annotations

from collections.abc import Iterator

from evenkeel.cli.drawn import Paper, short
from evenkeel.drivers.counterexample import essence
from evenkeel.properties.codec import Json
from evenkeel.properties.question import Observation
from evenkeel.subjects.wire import observation_to_json

ABSENT = "-"
PLACES = 12
"""Places that are shown before the rest is folded."""


def leaves(value: Json, first: int = 0, place: str = "") -> Iterator[tuple[str, Json]]:
    """Every place in an answer, with what stands there; lists are counted from `first`."""
    if isinstance(value, dict) and value:
        for name, item in value.items():
            yield from leaves(item, first, f"{place}.{name}" if place else name)
    elif isinstance(value, list) and value:
        for number, item in enumerate(value, first):
            yield from leaves(item, first, f"{place}[{number}]")
    else:
        yield place, value


def differing(subject: Json, reference: Json, first: int = 0) -> list[str]:
    """The places where two answers differ; how a refusal is worded does not count."""
    one, other = dict(leaves(essence(subject), first)), dict(leaves(essence(reference), first))
    return [p for p in {**one, **other} if p not in one or p not in other or one[p] != other[p]]


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
