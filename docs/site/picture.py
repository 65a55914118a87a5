"""The picture on the first page: a trial's way from its generator to a verdict on each clause."""

from __future__ import annotations

from html import escape
from typing import Final

from evenkeel_engine import spec
from evenkeel_engine.kit.catalogue import QUESTIONS

WIDE, HIGH, GAP = 160, 78, 40
"""Of a box, and between two of them, in units of the picture."""
LINE: Final = 18
ARROW: Final = (
    '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
    'orient="auto"><path d="M0 0 8 4 0 8z" fill="currentColor"/></marker>'
)


def picture() -> str:
    """An SVG element in the colours of the page."""
    levels = [entry.level_in("DOCUMENTED") for entry in spec.read_entries().values()]
    must = levels.count(spec.Level.MUST)
    rest = len(levels) - must
    boxes = (
        ("a trial", f"{len(QUESTIONS)} questions, each", "with its generator"),
        ("your balancer", "or Apache Pulsar,", "over the wire"),
        ("its answer", "what is placed, shed,", "split or delivered"),
        ("the judge", "is there any right run", "that answers so?"),
        (f"{len(levels)} clauses", f"{must} by the documents,", f"{rest} by practice"),
    )
    wide = len(boxes) * (WIDE + GAP) - GAP
    arrows = (place * (WIDE + GAP) - GAP for place in range(1, len(boxes)))
    parts = [
        *(box(place * (WIDE + GAP), *lines) for place, lines in enumerate(boxes)),
        *(f'<path d="M{x + 4} {HIGH // 2}h{GAP - 10}" marker-end="url(#tip)"/>' for x in arrows),
    ]
    label = "; ".join(", ".join(lines) for lines in boxes)
    return (
        f'<svg class="way" viewBox="-2 -2 {wide + 4} {HIGH + 4}" role="img" '
        f'aria-label="{escape(label)}"><defs>{ARROW}</defs>{"".join(parts)}</svg>'
    )


def box(x: int, head: str, *lines: str) -> str:
    """A box with a heading and two lines."""
    middle, classes = x + WIDE // 2, ("head", "", "")
    texts = [
        f'<text x="{middle}" y="{24 + LINE * row}" class="{name}">{escape(text)}</text>'
        for row, (text, name) in enumerate(zip((head, *lines), classes, strict=True))
    ]
    return f'<rect x="{x}" y="0" width="{WIDE}" height="{HIGH}" rx="8"/>{"".join(texts)}'
