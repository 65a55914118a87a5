"""Usage of many brokers as a map: a row for each broker, a column for each moment.

Thirty lines in one panel lie on each other; thirty rows do not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import BoundaryNorm, ListedColormap

from evenkeel.reference.shedding.cluster import BrokerId

LEVELS: Final = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Where colours change; above the last one a broker is overfull."""
OVERFULL: Final = "#7a0177"
DOWN: Final = "#bbbbbb"
MOST_NAMES: Final = 40
"""More brokers than this are named in part."""
Series = Mapping[BrokerId, tuple[list[float], list[float]]]


def colours() -> tuple[ListedColormap, BoundaryNorm]:
    """Pale to red up to what fills a broker, one colour above that, grey for none."""
    scale = colormaps["YlOrRd"]
    steps = len(LEVELS) - 1
    found = ListedColormap([scale(0.02 + 0.85 * step / (steps - 1)) for step in range(steps)])
    found.set_over(OVERFULL)
    found.set_bad(DOWN)
    return found, BoundaryNorm(LEVELS, steps)


def draw_map(series: Series, axes: Axes) -> None:
    """A row for each broker, the first one at the top."""
    [times, *_] = [own for own, _ in series.values()]
    longest = max((own for own, _ in series.values()), key=len, default=times)
    rows = [placed(dict(zip(own, usages, strict=True)), longest) for own, usages in series.values()]
    shades, norm = colours()
    edges = [*longest, longest[-1] + (longest[-1] - longest[-2] if len(longest) > 1 else 1.0)]
    axes.pcolormesh(
        edges, range(len(rows) + 1), numpy.array(rows), cmap=shades, norm=norm, rasterized=True
    )
    axes.invert_yaxis()
    every = math.ceil(len(rows) / MOST_NAMES)
    axes.set_yticks([row + 0.5 for row in range(0, len(rows), every)], list(series)[::every])
    axes.tick_params(axis="y", labelsize=5.5, length=0)


def placed(usages: Mapping[float, float], times: list[float]) -> list[float]:
    """The usage at each moment, nothing where the broker was not there."""
    return [usages.get(time, math.nan) for time in times]


def scale_of(figure: Any, panels: list[Axes]) -> None:
    """What the colours mean, beside the maps."""
    shades, norm = colours()
    bar = figure.colorbar(
        ScalarMappable(norm, shades), ax=panels, extend="max", shrink=0.6, pad=0.01, aspect=30
    )
    bar.set_ticks([0.0, 0.25, 0.5, 0.75, 1.0], labels=["0%", "25%", "50%", "75%", "full"])
    bar.ax.tick_params(labelsize=7)
    bar.set_label("usage of each broker (grey: down; violet: over 100%)", fontsize=8)
