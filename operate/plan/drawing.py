"""The worst case as a picture: the window that holds most, and the debt that follows it."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from evenkeel.operate.plan.planning import RequestedLimit, compute_timeline, setting_of
from evenkeel.reference.throttling.overdelivery import excess, most_in_window
from evenkeel_engine.files import replace_file
from evenkeel_engine.text import count_noun

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LONGEST: Final = 40
"""Periods of a time line at most."""
HEADROOM: Final = 1.25
"""So that nothing that is written lies on the bars."""
BLUE, RED, AMBER, GREY = "#1f6fa8", "#c2452d", "#b07d12", "#66707a"
WIDTH: Final = 0.2
"""Of a delivery, in periods."""
BEGINS: Final = 0.72
"""Where the window begins within the first period: it holds what both of its periods deliver."""


def unit_of(requested: RequestedLimit) -> str:
    """What is counted."""
    return "entries" if requested.by_entry else "messages"


def write_headline(requested: RequestedLimit) -> str:
    """The number that counts, in words."""
    setting = setting_of(requested)
    most = most_in_window(setting, 1)
    reported = f"{most:,} {unit_of(requested)} within {requested.period} s"
    return f"{reported}: {most / setting.quota:.1f} times the limit"


def draw(requested: RequestedLimit, path: Path) -> None:
    """Write the picture; the suffix says as what (.png, .svg, .pdf)."""
    figure = Figure(figsize=(9, 6.2), layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    figure.suptitle(write_headline(requested), x=0.02, ha="left", fontsize=15, fontweight="bold")
    setting = setting_of(requested)
    upper.set_title(
        f"worst case of one partition: {setting.quota:,} {unit_of(requested)} "
        f"per {requested.period} s, "
        f"{count_noun(setting.reads, 'read')} at once "
        f"of up to {count_noun(setting.entries, 'entry')}, "
        f"{setting.batch:,} to an entry",
        loc="left",
        fontsize=9,
        color=GREY,
    )
    # A quota, as late as can be; the burst, at once; then the debt, until the burst can be tried
    # again.
    idle = excess(setting) // setting.quota
    delivered = [setting.quota, *compute_timeline(requested, min(LONGEST, idle + 4) - 1)]
    draw_deliveries(upper, requested, delivered)
    draw_beyond(lower, requested, delivered)
    for axes in (upper, lower):
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_xlim(0, len(delivered))
        axes.ticklabel_format(axis="y", style="plain")
        axes.yaxis.set_major_formatter("{x:,.0f}")
    lower.set_xlabel(f"periods of {requested.period} s")
    lower.xaxis.set_major_locator(MaxNLocator(integer=True))
    with replace_file(path) as file:
        figure.savefig(file, dpi=120, format=path.suffix[1:])


def draw_deliveries(axes: Axes, requested: RequestedLimit, delivered: list[int]) -> None:
    """Period by period what is delivered, the limit, and the window that holds most."""
    quota, top = setting_of(requested).quota, max(delivered) * HEADROOM
    places = [0.78, *(place + 0.02 for place in range(1, len(delivered)))]
    colours = [BLUE if units <= quota else RED for units in delivered]
    axes.axvspan(BEGINS, BEGINS + 1, color=AMBER, alpha=0.18, linewidth=0)
    axes.bar(places, delivered, WIDTH, align="edge", color=colours, zorder=2)
    for place, units in zip(places, delivered, strict=True):
        if units and len(delivered) <= 12:
            axes.annotate(f"{units:,}", (place + WIDTH / 2, units), (0, 3), **ABOVE)
    axes.annotate(
        f"this window of {requested.period} s holds {delivered[0] + delivered[1]:,}",
        (BEGINS + 0.5, top),
        (0, -12),
        **ABOVE,
        color=AMBER,
        fontweight="bold",
    )
    axes.axhline(quota, color=RED, linestyle="--", linewidth=1, zorder=3)
    axes.annotate("limit", (len(delivered), quota), (0, 3), **{**ABOVE, "ha": "right"}, color=RED)
    idle = excess(setting_of(requested)) // quota
    if idle:
        axes.annotate(
            f"nothing for\n{count_noun(idle, 'period')}",
            (2 + idle / 2, 0),
            (0, 8),
            **ABOVE,
            color=GREY,
        )
    axes.set_ylim(0, top)
    axes.set_ylabel(f"{unit_of(requested)} delivered")


ABOVE: Final[Any] = {"textcoords": "offset points", "ha": "center", "va": "bottom", "fontsize": 9}


def draw_beyond(axes: Axes, requested: RequestedLimit, delivered: list[int]) -> None:
    """How far all that was delivered is beyond the limit, and how far it can be (THR-49)."""
    setting = setting_of(requested)
    sums = accumulate(delivered)
    beyond = [0, *(total - place * setting.quota for place, total in enumerate(sums, 1))]
    axes.step(range(len(beyond)), beyond, where="pre", color=BLUE, linewidth=1.6)
    axes.axhline(excess(setting), color=RED, linestyle="--", linewidth=1)
    axes.annotate(
        f"never more than {excess(setting):,}",
        (len(delivered), excess(setting)),
        (0, 3),
        **{**ABOVE, "ha": "right"},
        color=RED,
    )
    axes.set_ylim(min(0, *beyond), excess(setting) * HEADROOM + 1)
    axes.set_ylabel("beyond the limit so far")
