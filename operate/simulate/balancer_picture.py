"""Balancers of any kind on one scenario as a picture: each has a panel, the usage of its nodes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from evenkeel.operate.simulate import drawing
from evenkeel.operate.simulate.balancers import Played, list_usages, story_of
from evenkeel.operate.simulate.heat import draw_map, scale_of
from evenkeel.properties.contract.rebalance.scene import Story
from evenkeel.reference.shedding.cluster import BrokerId
from evenkeel_engine.text import number_equal

LONGEST: Final = 48
"""Characters of a name above its panel."""
POINTS: Final = 100.0
"""A load of this many points fills the smallest broker."""


def draw(played: Sequence[Played], path: Path) -> None:
    """Write the picture of one scenario; the suffix says as what (.png, .svg)."""
    drawing.write_picture(lambda: figure_of(played), path)


def figure_of(played: Sequence[Played]) -> Figure:
    """A panel for each balancer that did not break in the first round."""
    shown = [(one, story) for one in played if (story := story_of(one)) is not None]
    columns = min(len(shown), 2 if len(shown) <= drawing.FEW else drawing.COLUMNS) or 1
    figure, cells = drawing.make_grid(len(shown), columns)
    usages = [find_usages(story) for _, story in shown]
    known = (use for each in usages for _, own in each.values() for use in own)
    top = drawing.HEADROOM * max([1.0, *(use for use in known if not math.isnan(use))])
    names = number_equal([one.name for one, _ in shown])
    for name, (_, story), usage, cell in zip(names, shown, usages, cells, strict=False):
        draw_panel(name, story, usage, cell, top)
    if max(map(len, usages), default=0) > drawing.MANY:
        scale_of(figure)
    elif shown:
        drawing.explain(figure, list(cells[0].get_lines()))
    figure.suptitle(f"{played[0].file.name}: {played[0].file.title}", fontsize=12)
    return figure


def find_usages(story: Story) -> drawing.Usages:
    """The rounds and usages of each node."""
    return drawing.collect_usages(
        (now, {BrokerId(name): points / POINTS for name, points in use.items()})
        for now, use in enumerate(list_usages(story))
    )


def draw_panel(title: str, story: Story, usages: drawing.Usages, axes: Axes, top: float) -> None:
    """The usage of each node, and a tick for each round in which something moves."""
    moving = [one.now for one in story.rounds if one.orders]
    if len(usages) > drawing.MANY:
        draw_map(usages, axes)
    else:
        for index, (name, (times, own)) in enumerate(usages.items()):
            axes.plot(times, own, label=name, **drawing.look_of(index))
        axes.plot(moving, [0.015 * top] * len(moving), "|", color="black", ms=6, label="units move")
        axes.set_ylim(0, top)
        drawing.name_ends(usages, axes, top)
    rests = "rests" if story.is_resting() else "does not rest"
    moves = sum(len(one.orders) for one in story.rounds)
    label = title if len(title) <= LONGEST else f"…{title[1 - LONGEST :]}"
    axes.set_title(f"{label}\n{moves} moves, {rests}", fontsize=9)
    axes.set_xlabel("rounds", fontsize=8)
    axes.set_ylabel("usage of each broker", fontsize=8)
    axes.tick_params(labelsize=8)
