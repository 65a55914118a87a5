"""Pictures of runs: the usage of every broker over time, a panel for each strategy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

Usages = Sequence[float | None]
"""A broker's usage at each step, 0 to 1; none while it is away."""
WIDE, HIGH, GAP, HEAD = 150, 80, 14, 18
"""Of a panel, between panels, and of its heading, in units of the picture."""


def curves(panels: Mapping[str, Mapping[str, Usages]], label: str, rows: int = 1) -> str:
    """An SVG element in the colours of the page; all panels have one scale."""
    columns = -(-len(panels) // rows)
    highest = max(
        usage for panel in panels.values() for one in panel.values() for usage in one if usage
    )
    parts = [
        f'<g transform="translate({place % columns * (WIDE + GAP)} '
        f'{place // columns * (HEAD + HIGH + GAP)})">{panel(name, usages, highest)}</g>'
        for place, (name, usages) in enumerate(panels.items())
    ]
    wide, high = columns * (WIDE + GAP) - GAP, rows * (HEAD + HIGH + GAP) - GAP
    return (
        f'<svg class="curves" viewBox="-1 0 {wide + 2} {high + 2}" role="img" '
        f'aria-label="{escape(label)}">{"".join(parts)}</svg>'
    )


def panel(name: str, brokers: Mapping[str, Usages], highest: float) -> str:
    """One strategy."""
    lines = [
        f'<path style="stroke:var(--s{place % 8 + 1})" d="{line(usages, highest)}"/>'
        for place, usages in enumerate(brokers.values())
    ]
    frame = f'<rect x="0" y="{HEAD}" width="{WIDE}" height="{HIGH}"/>'
    return f'<text x="0" y="12">{escape(name)}</text>{frame}{"".join(lines)}'


def line(usages: Usages, highest: float) -> str:
    """The steps of one broker as a path, with gaps where it is away."""
    words, pen = [], "M"
    for step, usage in enumerate(usages):
        if usage is None:
            pen = "M"
            continue
        x = WIDE * step / max(1, len(usages) - 1)
        y = HEAD + HIGH * (1 - usage / (1.05 * highest))
        words.append(f"{pen}{x:.1f} {y:.1f}")
        pen = "L"
    return " ".join(words)
