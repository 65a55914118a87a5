"""The worst case as a picture: what each period delivers, and how it adds up."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from evenkeel.plan.planning import Wanted, setting_of, timeline
from evenkeel.reference.throttling.overdelivery import excess

LONGEST = 40
"""Periods of a timeline at most."""
HEADROOM = 1.2
"""So that the legend does not lie on the bars."""


def periods_of(wanted: Wanted) -> int:
    """Enough periods to see two bursts, or as many as can be drawn."""
    setting = setting_of(wanted)
    paid_off = excess(setting) // setting.quota + 2
    return min(LONGEST, max(6, 2 * paid_off + 2))


def draw(wanted: Wanted, path: Path) -> None:
    """Write the picture; the suffix says as what (.png, .svg, .pdf)."""
    setting, periods = setting_of(wanted), periods_of(wanted)
    delivered = timeline(wanted, periods)
    numbers = list(range(1, periods + 1))
    unit = "entries" if wanted.by_entry else "messages"
    figure = Figure(figsize=(9, 6), layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True)
    upper.bar(numbers, delivered, color="#4477aa", label="delivered")
    upper.axhline(setting.quota, color="#cc3311", label=f"limit {setting.quota:,}")
    upper.set_ylabel(f"{unit} in the period")
    upper.set_title(
        f"Worst case of one partition: limit {setting.quota:,} {unit} per {wanted.period} s, "
        f"{setting.reads} read(s) at once,\nentries of up to {setting.batch:,}, "
        f"reads of up to {setting.entries:,} entries",
        fontsize=10,
    )
    upper.legend(loc="upper right")
    together = list(accumulate(delivered))
    limits = [number * setting.quota for number in numbers]
    bounds = [limit + excess(setting) for limit in limits]
    lower.step(numbers, together, where="mid", color="#4477aa", label="delivered")
    lower.step(numbers, limits, where="mid", color="#cc3311", label="limit")
    lower.step(
        numbers, bounds, where="mid", color="#228833", linestyle="--", label="most, by THR-49"
    )
    lower.set_ylabel(f"{unit} in all")
    lower.set_xlabel(f"period of {wanted.period} s")
    lower.xaxis.set_major_locator(MaxNLocator(integer=True))
    lower.legend(loc="upper left")
    for axes in (upper, lower):
        axes.set_ylim(0, axes.get_ylim()[1] * HEADROOM)
        axes.grid(alpha=0.3)
        axes.ticklabel_format(axis="y", style="plain")
    figure.savefig(path, dpi=120)
