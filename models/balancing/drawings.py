"""Who can oscillate, as a table and as drawings: Graphviz text, and SVG.

A drawing shows every part of a network of rounds that need never be left (`matrix.swings`): a
circle is a distribution (what each broker serves, in tenths of a broker), an arrow a round with
the bundles that it moves. An arrow back to the same circle moves a bundle as well: the brokers have
then changed their places.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from evenkeel.models.balancing.matrix import Spread, Who, everybody, shortest, swings
from evenkeel.reference.edition import EDITIONS

if TYPE_CHECKING:
    import networkx as nx
    from matplotlib.axes import Axes

IDLE: Final = "idle"
PANEL: Final = 2.0
"""Inches for a part that swings."""
FEW: Final = 6
"""Of larger parts a picture shows a shortest cycle; the text for Graphviz has all of them."""


def told(spread: Spread) -> str:
    """A distribution in words."""
    return " / ".join("+".join(map(str, loads)) or IDLE for loads in spread)


def dot(who: Who) -> str:
    """All that swings, as text for Graphviz."""
    lines = [f'digraph "{who}" {{', "  node [shape=box, fontsize=10];"]
    for number, part in enumerate(swings(who)):
        lines.append(f"  subgraph cluster_{number} {{")
        for spread in sorted(part):
            lines.append(f'    "{told(spread)}";')
        for before, after, moved in sorted(part.edges(keys=True)):
            lines.append(f'    "{told(before)}" -> "{told(after)}" [label="{moved}"];')
        lines.append("  }")
    return "\n".join([*lines, "}", ""])


def svg(who: Who, path: Path) -> None:
    """All that swings, drawn part by part; the same bytes for the same network."""
    import matplotlib as mpl  # noqa: PLC0415 - loads longer than all the rest
    from matplotlib.figure import Figure  # noqa: PLC0415 - the same

    parts = swings(who)
    columns = math.ceil(math.sqrt(len(parts)))
    rows = math.ceil(len(parts) / columns)
    figure = Figure(figsize=(PANEL * columns, PANEL * rows + 0.5))
    cells = list(figure.subplots(rows, columns, squeeze=False).flat)
    for cell in cells:
        cell.set_axis_off()
    for part, cell in zip(parts, cells, strict=False):
        draw_part(part, cell)
    figure.subplots_adjust(0.01, 0.01, 0.99, 1 - 0.5 / (PANEL * rows + 0.5), 0.05, 0.1)
    figure.suptitle(f"{who.strategy}, placed by {who.placement}, {who.edition}", fontsize=11)
    with mpl.rc_context({"svg.hashsalt": "evenkeel"}):
        figure.savefig(path, format="svg", metadata={"Date": None})


def draw_part(part: nx.MultiDiGraph[Spread], axes: Axes) -> None:
    """One part in a circle, or of a large one a shortest cycle."""
    if len(part) > FEW:
        axes.set_title(f"a shortest cycle of {len(part)} distributions", fontsize=6)
        part = part.subgraph(shortest(part))
    nodes = sorted(part)
    places = {node: on_circle(index, len(nodes)) for index, node in enumerate(nodes)}
    labels: dict[tuple[Spread, Spread], list[str]] = {}
    for before, after, moved in sorted(part.edges(keys=True)):
        labels.setdefault((before, after), []).append(moved)
    for node, place in places.items():
        axes.plot(*place, "o", color="#4477aa", markersize=7)
        axes.annotate(told(node), place, (0, -9), **CENTRED, fontsize=6)
    for (before, after), moved in labels.items():
        draw_round(axes, places[before], places[after], ", ".join(moved))
    axes.set_xlim(-1.6, 1.6)
    axes.set_ylim(-1.6, 1.6)


Point = tuple[float, float]
CENTRED: Final[Any] = {"textcoords": "offset points", "ha": "center", "va": "center"}


def on_circle(index: int, count: int) -> Point:
    """The place of a distribution; one alone is in the middle."""
    angle = 2 * math.pi * index / count
    return (math.cos(angle), math.sin(angle)) if count > 1 else (0.0, 0.0)


def draw_round(axes: Axes, start: Point, end: Point, moved: str) -> None:
    """An arrow with the bundles that move; one that comes back goes once around."""
    from matplotlib.patches import Circle  # noqa: PLC0415 - the same

    if start == end:
        top = start[0], start[1] + 0.55
        axes.add_patch(Circle((start[0], start[1] + 0.3), 0.3, fill=False, color="#cc3311"))
        axes.annotate(moved, top, (0, 6), **CENTRED, fontsize=5)
        return
    arrow = {"arrowstyle": "->", "color": "#cc3311", "connectionstyle": "arc3,rad=0.15"}
    axes.annotate("", end, start, arrowprops=arrow)
    across = end[0] - start[0], end[1] - start[1]
    middle = (start[0] + end[0] + 0.15 * across[1]) / 2, (start[1] + end[1] - 0.15 * across[0]) / 2
    axes.annotate(moved, middle, (0, 0), **CENTRED, fontsize=5)


def draw_all(
    folder: Path, whom: Iterable[Who], advance: Callable[[str, int], None] = lambda name, done: None
) -> tuple[Path, ...]:
    """Write both drawings of everybody who can oscillate, and the table. The files' paths.

    `advance` is told whose turn it is, and when it is over.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for who in whom:
        advance(str(who), 0)
        if swings(who):
            text, picture = folder / f"{who}.dot", folder / f"{who}.svg"
            text.write_text(dot(who), encoding="utf-8")
            svg(who, picture)
            written += [text, picture]
        advance(str(who), 1)
    told_of = folder / "who-can-oscillate.md"
    told_of.write_text(table(), encoding="utf-8")
    return (*written, told_of)


def verdict(who: Who) -> str:
    """One field of the table: how many parts swing, and a shortest cycle."""
    parts = swings(who)
    if not parts:
        return "rests"
    part = min(parts, key=lambda part: len(shortest(part)))
    cycle = shortest(part)
    steps = zip(cycle, (*cycle[1:], cycle[0]), strict=True)
    shown = ", ".join(f"{told(here)} moves {min(part[here][after])}" for here, after in steps)
    return f"{len(parts)}, e.g. {shown}"


def table() -> str:
    """Who can oscillate, as Markdown."""
    rows = [
        f"| Strategy | Placement | {' | '.join(EDITIONS)} |",
        f"|{'---|' * (2 + len(EDITIONS))}",
    ]
    pairs = dict.fromkeys((who.strategy, who.placement) for who in everybody())
    for strategy, placement in pairs:
        verdicts = (verdict(Who(strategy, placement, name)) for name in EDITIONS)
        rows.append(f"| {strategy} | {placement} | {' | '.join(verdicts)} |")
    return "\n".join(rows) + "\n"
