"""Runs of one scenario as a picture: every broker's usage over time, then how they compare."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from evenkeel.reference.balancing.history import History
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId
from evenkeel.simulate.running import Run

COLUMNS = 4
FEW = 4
"""So many panels stand in one row or two by two; more in rows of four."""
HEADROOM = 1.3
"""So that the legend does not lie on the curves."""
COLOURS = ("#4477aa", "#cc3311", "#228833", "#ee7733", "#aa3377", "#66ccee", "#bbbbbb", "#222255")
MANY = 8
"""More brokers than this get no legend."""


def draw(runs: Sequence[Run], path: Path) -> None:
    """Write the picture of runs of one scenario; the suffix says as what (.png, .svg)."""
    panels = len(runs) + 2
    columns = 2 if panels == FEW else min(COLUMNS, panels)
    rows = math.ceil(panels / columns)
    figure = Figure(figsize=(4.6 * columns, 3.1 * rows + 0.6), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False).flat
    cells = list(axes)
    top = max(1.0, *(run.measures.highest for run in runs)) * 1.15
    for run, cell in zip(runs, cells, strict=False):
        draw_usage(run, cell, top)
    compare(runs, cells[len(runs)], cells[len(runs) + 1])
    for cell in cells[panels:]:
        cell.set_visible(False)
    job = runs[0].job
    figure.suptitle(f"{job.file.name}: {job.file.title} ({job.edition.name})", fontsize=11)
    figure.savefig(path, dpi=110)


def usage_by_broker(history: History) -> dict[BrokerId, tuple[list[float], list[float]]]:
    """Minutes and usages of every broker, with a gap where it is down."""
    series: dict[BrokerId, tuple[list[float], list[float]]] = {}
    for moment in history.moments:
        minute = moment.at / MINUTE
        up = {gauge.broker: gauge.usage for gauge in moment.gauges}
        for broker in {**series, **up}:
            minutes, usages = series.setdefault(broker, ([], []))
            minutes.append(minute)
            usages.append(up.get(broker, math.nan))
    return series


def draw_usage(run: Run, axes: Axes, top: float) -> None:
    """Every broker's usage, and a tick for every moment in which something moves."""
    series = usage_by_broker(run.history)
    for index, (broker, (minutes, usages)) in enumerate(sorted(series.items())):
        colour = COLOURS[index % len(COLOURS)]
        axes.plot(minutes, usages, color=colour, linewidth=1.2, label=broker, alpha=0.85)
    moving = [one.at / MINUTE for one in run.readings if one.moves]
    axes.plot(moving, [0.02 * top] * len(moving), "|", color="black", markersize=7)
    measures = run.measures
    axes.set_title(
        f"{run.title}: {measures.unloads} moves, {measures.returned} back, "
        f"deviation {measures.last_deviation:.1%}",
        fontsize=9,
    )
    axes.set_ylim(0, top)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.set_ylabel("usage", fontsize=8)
    axes.set_xlabel("minutes (ticks: something moves)", fontsize=8)
    axes.grid(alpha=0.3)
    if len(series) <= MANY:
        axes.legend(fontsize=7, loc="upper right", ncols=2)


def compare(runs: Sequence[Run], left: Axes, right: Axes) -> None:
    """All runs side by side: standard deviation of usage, and moves added up."""
    for index, run in enumerate(runs):
        colour = COLOURS[index % len(COLOURS)]
        style = "-" if index < len(COLOURS) else "--"
        minutes = [one.at / MINUTE for one in run.readings]
        spread = [one.deviation for one in run.readings]
        moves = list(accumulate(one.moves for one in run.readings))
        left.plot(minutes, spread, style, color=colour, linewidth=1.2, label=run.title)
        right.step(minutes, moves, style, where="post", color=colour, label=run.title)
    left.set_title("standard deviation of usage", fontsize=9)
    left.yaxis.set_major_formatter(PercentFormatter(1.0))
    right.set_title("moves in all", fontsize=9)
    for axes in (left, right):
        axes.set_ylim(0, max(axes.get_ylim()[1] * HEADROOM, 0.01))
        axes.set_xlabel("minutes", fontsize=8)
        axes.grid(alpha=0.3)
        axes.legend(fontsize=7, loc="upper left", ncols=2)
