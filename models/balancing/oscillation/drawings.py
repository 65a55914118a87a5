"""Which strategies can oscillate, as a table and as drawings: Graphviz text, and SVG.

A drawing shows the smallest parts of a network of rounds that need never be left
(`matrix.swings`), a shortest cycle of each: distributions (what each broker serves, in tenths of a
broker) with the bundles that a round moves between them. A round may end where it began and move a
bundle as well: the brokers have then changed their places. The text for Graphviz has all parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import networkx as nx

from evenkeel.models.balancing.oscillation.matrix import Setup, Spread, setups, shortest, swings
from evenkeel.reference.edition import BASE_EDITIONS
from evenkeel_engine.files import replace_file, write_file

if TYPE_CHECKING:  # it comes with another extra than `prove`, which imports every model
    from matplotlib.axes import Axes

IDLE: Final = "idle"

PANEL: Final = 2.0
"""Inches for a distribution."""

FEW: Final = 6
"""Parts in a picture; the text for Graphviz has all of them."""

MOST_STEPS: Final = 6
"""Distributions of one cycle in a picture."""

RED: Final = "#c2452d"

SHADES: Final = (
    "#9ec5e0",
    "#bcd7ea",
    "#9fd0b0",
    "#c9b6e0",
    "#e8c98a",
    "#e0a899",
    "#a8d4d6",
    "#e0a899",
)


def caption(spread: Spread) -> str:
    """A distribution in words."""
    return " / ".join("+".join(map(str, loads)) or IDLE for loads in spread)


def dot(setup: Setup) -> str:
    """All that swings, as text for Graphviz."""
    lines = [f'digraph "{setup}" {{', "  node [shape=box, fontsize=10];"]
    for number, part in enumerate(swings(setup)):
        lines.append(f"  subgraph cluster_{number} {{")
        for spread in sorted(part):
            lines.append(f'    "{caption(spread)}";')
        for before, after, moved in sorted(part.edges(keys=True)):
            lines.append(f'    "{caption(before)}" -> "{caption(after)}" [label="{moved}"];')
        lines.append("  }")
    return "\n".join([*lines, "}", ""])


def svg(setup: Setup, path: Path) -> None:
    """A shortest cycle of the smallest parts, a row each; the same bytes for the same network."""
    import matplotlib as mpl  # noqa: PLC0415 - loads longer than all the rest
    from matplotlib.figure import Figure  # noqa: PLC0415 - the same

    parts = swings(setup)
    shown = parts[:FEW]
    cycles = [shortest(part) for part in shown]
    columns = min(MOST_STEPS, max(map(len, cycles)) + 1)
    size = (max(7.0, columns * PANEL), len(shown) * PANEL * 0.8 + 1.2)
    figure = Figure(figsize=size, layout="constrained")
    figure.suptitle(title(setup, len(parts), len(shown)), x=0.01, ha="left", fontsize=10)
    cells = figure.subplots(len(shown), columns, squeeze=False)
    for part, cycle, row in zip(shown, cycles, cells, strict=True):
        for cell in row:
            cell.set_axis_off()
        draw_cycle(part, cycle, row)
    with mpl.rc_context({"svg.hashsalt": "evenkeel"}), replace_file(path) as file:
        figure.savefig(file, format="svg", metadata={"Date": None})


def title(setup: Setup, parts: int, shown: int) -> str:
    """What is to be seen, and how to read it."""
    rest = (
        f"\n{shown} of {parts} such cycles are shown; the .dot file has all"
        if shown < parts
        else ""
    )
    return (
        f"{setup.strategy}, placed by {setup.placement}, {setup.edition}: under constant load "
        f"bundles never come to rest\nA column is a broker, a block a bundle with its load in "
        f"tenths of a broker, an arrow a round.{rest}"
    )


def draw_cycle(
    part: nx.MultiDiGraph[Spread], cycle: tuple[Spread, ...], row: Iterable[Axes]
) -> None:
    """From the first distribution round after round until it comes back, or as far as there is
    room; a round that only exchanges brokers ends where it began.
    """
    around = (*cycle, cycle[0])
    cells = list(row)
    for place, (spread, cell) in enumerate(zip(around, cells, strict=False)):
        last = place == len(cells) - 1 < len(around) - 1
        draw_spread(
            cell, spread, "again as at first" if place == len(around) - 1 else caption(spread)
        )
        if place + 1 < len(around) and not last:
            moved = min(part[spread][around[place + 1]])
            cell.annotate("→", (1.13, 0.5), xycoords="axes fraction", **CENTRED, fontsize=16)
            below = {**CENTRED, "fontsize": 8, "color": RED}
            cell.annotate(f"{moved} moves", (1.13, 0.36), xycoords="axes fraction", **below)


def draw_spread(cell: Axes, spread: Spread, caption: str) -> None:
    """Three brokers with their bundles."""
    for broker, loads in enumerate(spread):
        foot = 0
        for load in loads:
            cell.bar(broker, load, 0.8, foot, color=SHADES[load % len(SHADES)], edgecolor="white")
            cell.annotate(str(load), (broker, foot + load / 2), **CENTRED, fontsize=8)
            foot += load
    cell.axhline(0, color="#66707a", linewidth=1)
    cell.set_xlim(-0.6, 2.6)
    cell.set_ylim(0, 1.02 * max(sum(loads) for loads in spread))
    cell.set_title(caption, fontsize=8)


CENTRED: Final[Any] = {
    "textcoords": "offset points",
    "xytext": (0, 0),
    "ha": "center",
    "va": "center",
}


def draw_all(
    folder: Path,
    chosen: Iterable[Setup],
    advance: Callable[[str, int], None] = lambda name, done: None,
) -> tuple[Path, ...]:
    """Write both drawings of every setup that can oscillate, and the table. Returns their paths.

    `advance` is called with each setup when it begins and when it is done.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for setup in chosen:
        advance(str(setup), 0)
        if swings(setup):
            text, picture = folder / f"{setup}.dot", folder / f"{setup}.svg"
            write_file(text, dot(setup))
            svg(setup, picture)
            written += [text, picture]
        advance(str(setup), 1)
    table_file = folder / "who-can-oscillate.md"
    write_file(table_file, table())
    return (*written, table_file)


def verdict(setup: Setup) -> str:
    """One field of the table: how many parts swing, and a shortest cycle."""
    if not (parts := swings(setup)):
        return "rests"
    part = min(parts, key=lambda part: len(shortest(part)))
    cycle = shortest(part)
    steps = zip(cycle, (*cycle[1:], cycle[0]), strict=True)
    shown = ", ".join(f"{caption(here)} moves {min(part[here][after])}" for here, after in steps)
    return f"{len(parts)}, e.g. {shown}"


def table() -> str:
    """Which strategies can oscillate, as Markdown."""
    rows = [
        f"| Strategy | Placement | {' | '.join(BASE_EDITIONS)} |",
        f"|{'---|' * (2 + len(BASE_EDITIONS))}",
    ]
    pairs = dict.fromkeys((setup.strategy, setup.placement) for setup in setups())
    for strategy, placement in pairs:
        verdicts = (verdict(Setup(strategy, placement, name)) for name in BASE_EDITIONS)
        rows.append(f"| {strategy} | {placement} | {' | '.join(verdicts)} |")
    return "\n".join(rows) + "\n"
