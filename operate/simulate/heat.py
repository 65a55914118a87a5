"""Usage of many brokers as a map: a row for each broker, a column for each moment.

Thirty lines in one panel lie on each other; thirty rows do not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final

import numpy
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm, Colormap, ListedColormap
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from evenkeel.reference.shedding.cluster import BrokerId

LEVELS: Final = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Where colours change; above the last one a broker is overfull."""
OVERFULL: Final = "#7a0177"
DOWN: Final = "#bbbbbb"
HEAD: Final = 1.2
"""Rows above the first broker's, for the ticks of moves."""
MOST_NAMES: Final = 40
"""More brokers than this are named in part."""
UsageSeries = Mapping[BrokerId, tuple[list[float], list[float]]]


def choose_colours() -> tuple[Colormap, BoundaryNorm]:
    """Pale to red up to what fills a broker, one colour above that, grey for none."""
    scale = colormaps["YlOrRd"]
    steps = len(LEVELS) - 1
    pale = ListedColormap([scale(0.02 + 0.85 * step / (steps - 1)) for step in range(steps)])
    return pale.with_extremes(over=OVERFULL, bad=DOWN), BoundaryNorm(LEVELS, steps)


def draw_map(series: UsageSeries, axes: Axes) -> None:
    """A row for each broker, the first one at the top."""
    [times, *_] = [own for own, _ in series.values()]
    longest = max((own for own, _ in series.values()), key=len, default=times)
    rows = [
        [dict(zip(own, usages, strict=True)).get(time, math.nan) for time in longest]
        for own, usages in series.values()
    ]
    shades, norm = choose_colours()
    edges = [*longest, longest[-1] + (longest[-1] - longest[-2] if len(longest) > 1 else 1.0)]
    axes.pcolormesh(
        edges, range(len(rows) + 1), numpy.array(rows), cmap=shades, norm=norm, rasterized=True
    )
    axes.set_ylim(len(rows), -HEAD)  # the first one at the top, below the ticks of moves
    every = math.ceil(len(rows) / MOST_NAMES)
    axes.set_yticks([row + 0.5 for row in range(0, len(rows), every)], list(series)[::every])
    axes.tick_params(axis="y", labelsize=5.5, length=0)


def scale_of(figure: Any) -> None:
    """What the colours mean, below all panels."""
    shades, _ = choose_colours()
    found = [
        Patch(color=shades(step), label=f"{low:.0%} to {high:.0%}")
        for step, (low, high) in zip(range(len(LEVELS) - 1), pairwise(LEVELS), strict=True)
    ]
    found += [Patch(color=OVERFULL, label="more"), Patch(color=DOWN, label="down")]
    moves = Line2D([], [], color="black", marker="|", linestyle="", label="bundles move")
    handles: list[Any] = [*found, moves]
    title = "usage of each broker"
    figure.legend(handles=handles, loc="outside lower center", ncols=7, fontsize=8, title=title)
