"""Runs of one scenario as a picture: every broker's usage over time, then how they compare.

A few brokers are lines, which are named where they end; many are the rows of a map. Lines that lie
on each other are distinguished by their dashes. Of several seeds the first one's usage is shown,
and the comparison has the median as a line and the range as a band.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby
from pathlib import Path
from typing import Any, Final

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, PercentFormatter

from evenkeel.operate.simulate.heat import HEAD, MOST_NAMES, draw_map, scale_of
from evenkeel.operate.simulate.running import Run
from evenkeel.operate.simulate.series import Series, series_of
from evenkeel.reference.balancing.history import History
from evenkeel.reference.balancing.scenario import Event, LeaderChange, Split
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId, Millis
from evenkeel_engine.files import replace_file

COLUMNS = 4
FEW = 4
"""At most this many panels are in one row or two by two; more in rows of four."""
COMPARISONS = 3
HEADROOM = 1.35
"""So that legends and names of events do not lie on the curves."""
OTHERS = 3
"""Lines that are no broker: the mean, the moments of moves, and what fills a broker."""
COLOURS = ("#4477aa", "#cc3311", "#228833", "#ee7733", "#aa3377", "#44bbdd", "#888888", "#222255")
Usages = dict[BrokerId, tuple[list[float], list[float]]]
MANY = 8
"""More brokers than this are rendered as a map."""
ROW: Final = 0.11
"""Inches of a map's row."""
DASHES: Final = ("solid", (0, (5, 1.2)), (0, (3, 1, 1, 1)), (0, (1.2, 1.2)), (0, (7, 2)))
BAND: Final = 0.15
"""How dark the range over the seeds is."""
HOURS = 6 * 60 * MINUTE
"""Runs longer than this are rendered by the hour."""
NAMED = 2
"""At most this many brokers are named where their lines end; more are counted."""
CLOSE = 0.045
"""Lines that end closer than this part of the height get one label."""
SHORT = 12
"""Names of runs up to this length stand in two columns."""
MOST_EVENTS = 12
"""More events than this are lines without words."""


def draw(runs: Sequence[Run], path: Path) -> None:
    """Write the picture of runs of one scenario; the suffix says as what (.png, .svg)."""
    write_picture(lambda: figure_of(runs), path)


def write_picture(make: Callable[[], Figure], path: Path) -> None:
    """Make a picture and write it; the suffix says as what."""
    with rc_context({"text.parse_math": False}), replace_file(path) as file:  # a $ in a name is a $
        make().savefig(file, dpi=110, format=path.suffix[1:])


def figure_of(runs: Sequence[Run]) -> Figure:
    """The picture of runs of one scenario."""
    series = series_of(runs)
    shown = [one.runs[0] for one in series]
    panels = len(shown) + COMPARISONS
    # Two by two, or so that the fewest places stay empty.
    columns = 2 if panels <= FEW else min(COLUMNS, COLUMNS - 1, key=lambda many: -panels % many)
    brokers = max(len(usage_by_broker(run.history, MINUTE)) for run in shown)
    many = brokers > MANY
    height = max(3.5, 1.1 + ROW * min(brokers, 2 * MOST_NAMES)) if many else 3.5
    figure, cells = make_grid(panels, columns, height)
    if many:
        for run, cell in zip(shown, cells, strict=False):
            draw_heat(run, cell)
        scale_of(figure)
    else:
        top = max(1.0, *(run.measures.highest for run in shown)) * HEADROOM
        lines = [draw_usage(run, cell, top) for run, cell in zip(shown, cells, strict=False)]
        explain(figure, lines[0])
    compare(series, cells[len(shown) : panels])
    job = shown[0].job
    seeds = f"seed {job.seed}"
    if job.of_many:
        seeds = f"usage of {seeds}, comparison of {len(series[0].runs)} seeds: median and range"
    edition = f"edition {job.edition.name}, {seeds}"
    figure.suptitle(f"{job.file.name}: {job.file.title} ({edition})", fontsize=12)
    return figure


def make_grid(panels: int, columns: int, height: float = 3.5) -> tuple[Figure, list[Axes]]:
    """A figure with `panels` panels, and its panels, each `height` inches high."""
    rows = math.ceil(panels / columns) or 1
    figure = Figure(figsize=(4.9 * columns, height * rows + 0.6), layout="constrained")
    cells = list(figure.subplots(rows, columns, squeeze=False).flat)
    for cell in cells[panels:]:
        cell.set_visible(False)
    return figure, cells


def explain(figure: Figure, lines: Sequence[Line2D]) -> None:
    """One legend below for the lines of all runs."""
    labels = [str(line.get_label()) for line in lines]
    figure.legend(lines, labels, loc="outside lower center", ncols=MANY + OTHERS, fontsize=9)


# ----------------------------------------------------------------------------------- time


def choose_unit(run: Run) -> tuple[Millis, str]:
    """The unit of time: minutes, or hours for long runs."""
    long = run.job.file.scenario.timing.end > HOURS
    return (60 * MINUTE, "hours") if long else (MINUTE, "minutes")


def time_axis(run: Run, axes: Axes) -> None:
    """The axis of time."""
    size, name = choose_unit(run)
    axes.set_xlim(0, run.job.file.scenario.timing.end / size)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=8, steps=[1, 1.5, 2, 3, 6, 10]))
    axes.set_xlabel(name, fontsize=8)
    axes.tick_params(labelsize=8)
    axes.grid(alpha=0.3)


def draw_events(run: Run, axes: Axes, words: bool) -> None:
    """A dotted line for every moment of events, with their names where there is room."""
    size, _ = choose_unit(run)
    events = run.job.file.scenario.events
    moments = [(at, list(own)) for at, own in groupby(events, key=lambda event: event.at)]
    low, high = axes.get_ylim()
    for index, (at, own) in enumerate(moments):
        axes.axvline(at / size, color="#999999", linestyle=":", linewidth=0.8, zorder=0)
        if words and len(moments) <= MOST_EVENTS:
            side = "left" if index % 2 else "right"
            paper = {"facecolor": "white", "alpha": 0.75, "edgecolor": "none", "pad": 0.6}
            look: dict[str, Any] = {"rotation": 90, "fontsize": 6.5, "va": "top", "bbox": paper}
            height = high - 0.015 * (high - low)
            text = axes.text(at / size, height, names_of(own), ha=side, color="#444444", **look)
            text.set_in_layout(False)  # or the panel shrinks until the text hangs out of it


def names_of(events: Sequence[Event]) -> str:
    """Events of one moment in a few words; of many of a kind how many."""
    kinds: dict[str, list[str]] = {}
    for event in events:
        if isinstance(event, Split):
            name: str = event.bundle
        else:
            name = "" if isinstance(event, LeaderChange) else str(event.broker)
        kinds.setdefault(event.DO, []).append(name)
    return "; ".join(
        f"{kind} {', '.join(own) if len(own) <= NAMED else f'{len(own)} brokers'}".strip()
        for kind, own in kinds.items()
    )


# ----------------------------------------------------------------------------------- usage


def usage_by_broker(history: History, size: Millis) -> Usages:
    """Times and usages of every broker."""
    return collect_usages(
        (moment.at / size, {gauge.broker: gauge.usage for gauge in moment.gauges})
        for moment in history.moments
    )


def collect_usages(moments: Iterable[tuple[float, Mapping[BrokerId, float]]]) -> Usages:
    """By broker its times and usages, from the usages at each time; a gap where it is down."""
    series: Usages = {}
    for at, up in moments:
        for broker in {**series, **up}:
            times, usages = series.setdefault(broker, ([], []))
            times.append(at)
            usages.append(up.get(broker, math.nan))
    return dict(sorted(series.items(), key=lambda one: (len(one[0]), one[0])))


def draw_usage(run: Run, axes: Axes, top: float) -> list[Line2D]:
    """Every broker's usage, their mean, and a tick for every moment in which something moves.

    The lines, with their names.
    """
    size, _ = choose_unit(run)
    series = usage_by_broker(run.history, size)
    for index, (broker, (times, usages)) in enumerate(series.items()):
        axes.plot(times, usages, label=broker, **look_of(index))
    times = [one.at / size for one in run.readings]
    axes.plot(times, [one.mean for one in run.readings], "--", color="black", lw=0.8, label="mean")
    moving = [one.at / size for one in run.readings if one.moves]
    axes.plot(moving, [0.015 * top] * len(moving), "|", color="black", ms=6, label="bundles move")
    axes.axhline(1.0, color="#cc3311", linewidth=0.8, linestyle="-.", label="full")
    lines = list(axes.get_lines())
    axes.set_title(title_of(run), fontsize=9)
    axes.set_ylim(0, top)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.set_ylabel("usage of each broker", fontsize=8)
    time_axis(run, axes)
    draw_events(run, axes, words=True)
    name_ends(series, axes, top)
    return lines


def look_of(index: int) -> dict[str, Any]:
    """Colour and dashes of a line: through the gaps of a later one an earlier one is seen."""
    return {
        "color": COLOURS[index % len(COLOURS)],
        "linestyle": DASHES[index % len(DASHES)],
        "linewidth": 1.9,
    }


def draw_heat(run: Run, axes: Axes) -> None:
    """Every broker's usage as a row, and a tick above for every moment in which something moves."""
    size, _ = choose_unit(run)
    draw_map(usage_by_broker(run.history, size), axes)
    moving = [one.at / size for one in run.readings if one.moves]
    axes.plot(moving, [-HEAD / 2] * len(moving), "|", color="black", ms=5)
    axes.set_title(title_of(run), fontsize=9)
    time_axis(run, axes)
    axes.tick_params(axis="y", labelsize=5.5, length=0)
    axes.grid(visible=False)
    draw_events(run, axes, words=True)


def title_of(run: Run) -> str:
    """What stands above a run's panel."""
    measures = run.measures
    return (
        f"{run.title}\n{measures.unloads} moves, {measures.returned} of them back; "
        f"at the end std {measures.last_deviation:.1%}"
    )


def name_ends(series: Usages, axes: Axes, top: float) -> None:
    """At the right edge: which brokers end there, or how many."""
    for height, brokers in groups_at_end(series, top):
        few = len(brokers) <= NAMED
        label = ", ".join(brokers) if few else f"{len(brokers)} brokers"
        axes.annotate(
            label,
            (1.0, height),
            xycoords=("axes fraction", "data"),
            xytext=(3, 0),
            textcoords="offset points",
            fontsize=6.5,
            va="center",
        )


def groups_at_end(series: Usages, top: float) -> Iterator[tuple[float, list[BrokerId]]]:
    """Brokers by where their lines end, from below; close ones together."""
    ends = sorted((usages[-1], broker) for broker, (_, usages) in series.items() if usages)
    group: list[tuple[float, BrokerId]] = []
    for usage, broker in ends:
        if math.isnan(usage):
            continue
        if group and usage - group[0][0] > CLOSE * top:
            yield find_middle(group), [name for _, name in group]
            group = []
        group.append((usage, broker))
    if group:
        yield find_middle(group), [name for _, name in group]


def find_middle(group: Sequence[tuple[float, BrokerId]]) -> float:
    """Half-way between the lowest and the highest."""
    return (group[0][0] + group[-1][0]) / 2


# ------------------------------------------------------------------------------ comparison


def compare(series: Sequence[Series], panels: Sequence[Axes]) -> None:
    """All runs side by side: spread of usage, the largest over the mean, and moves added up."""
    spread, ratio, moved = panels
    runs = [one.runs[0] for one in series]
    for index, one in enumerate(series):
        look = {**look_of(index), "label": one.title}
        over_seeds(spread, one, [[r.deviation for r in run.readings] for run in one.runs], look)
        over_seeds(ratio, one, [[r.ratio for r in run.readings] for run in one.runs], look)
        sums = [list(accumulate(r.moves for r in run.readings)) for run in one.runs]
        over_seeds(moved, one, sums, {**look, "drawstyle": "steps-post"})
    spread.set_title("standard deviation of the brokers' usage (0 = all alike)", fontsize=9)
    spread.yaxis.set_major_formatter(PercentFormatter(1.0))
    ratio.set_title("largest usage / mean usage (1 = all alike)", fontsize=9)
    moved.set_title("moves of bundles so far", fontsize=9)
    moved.yaxis.set_major_locator(MaxNLocator(integer=True))
    for axes, floor, least in ((spread, 0.0, 0.05), (ratio, 0.95, 1.1), (moved, 0.0, 4.0)):
        axes.set_ylim(floor, max(floor + (axes.get_ylim()[1] - floor) * HEADROOM, least))
        time_axis(runs[0], axes)
        draw_events(runs[0], axes, words=False)
        columns, points = (2, 7.0) if all(len(run.title) <= SHORT for run in runs) else (1, 6.0)
        legend = axes.legend(fontsize=points, loc="upper right", ncols=columns, framealpha=0.85)
        legend.set_in_layout(False)


def over_seeds(
    axes: Axes, series: Series, values: Sequence[Sequence[float]], look: dict[str, Any]
) -> None:
    """A line of the median over the seeds, and a band of the range if there are several."""
    size, _ = choose_unit(series.runs[0])
    times = [one.at / size for one in series.runs[0].readings]
    columns = list(zip(*values, strict=True))
    axes.plot(times, [statistics.median(column) for column in columns], **look)
    if len(values) > 1:
        low, high = [min(column) for column in columns], [max(column) for column in columns]
        axes.fill_between(times, low, high, color=look["color"], alpha=BAND, linewidth=0)
