"""The order of a scenario's strategies: one that comes to rest before one that does not, then the
one that leaves less imbalance, then the one that moves less. Of several seeds the medians count.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from evenkeel.operate.simulate.series import FIGURES, Series, Spread, find_rest_minute

DIGITS: Final = 3
"""Imbalance is compared as it is shown, to a tenth of a percent: less is chance."""
Standing = tuple[int, float, int]


@dataclass(frozen=True, slots=True)
class Place:
    """A strategy's place, which equals share, why it has it, and why it is before the next."""

    place: int
    series: Series
    reason: tuple[str, str]
    ahead: str


def compute_standing(series: Series) -> Standing:
    """What strategies are ranked by; the smaller, the better."""
    restless = sum(run.rests_after is None for run in series.runs)
    left = series.spread_over(FIGURES["last_deviation"]).median
    return restless, round(left, DIGITS), round(series.spread_over(FIGURES["moved"]).median)


def describe_rest(series: Series) -> str:
    """Whether it rests, and after what time; of several seeds in how many."""
    seeds = len(series.runs)
    if compute_standing(series)[0] == seeds:
        return " or ".join(dict.fromkeys(run.rest.unrest for run in series.runs))
    calm = [find_rest_minute(run) for run in series.runs if not math.isinf(find_rest_minute(run))]
    after = f"after {series.spread_over(find_rest_minute).median:g} min"
    if len(calm) == seeds:
        return f"rests {after}"
    return f"rests in {len(calm)} of {seeds} seeds, after {min(calm):g} to {max(calm):g} min"


def explain_place(series: Series) -> tuple[str, str]:
    """What a strategy is ranked by, in words: two lines."""

    def of(name: str) -> Spread:
        return series.spread_over(FIGURES[name])

    imbalance = (
        f"std {of('last_deviation').median:.1%} at the end, "
        f"{of('mean_deviation').median:.1%} on average, {of('worst_deviation').median:.1%} at worst"
    )
    cost = f"{of('moved').median:,.0f} MB/s moved, thrash {of('thrash').median:.0%}"
    return f"{describe_rest(series)}; {cost}", imbalance


def explain_ahead(first: Series, second: Series) -> str:
    """Why the first stands before the second; empty where they are equal."""
    one, other = compute_standing(first), compute_standing(second)
    if one[0] < other[0]:
        return "rests more often" if len(first.runs) > 1 else "rests"
    if one[1] < other[1]:
        return f"less imbalance at the end ({one[1]:.1%} < {other[1]:.1%})"
    if one[2] < other[2]:
        return f"as even at the end, and moves less ({one[2]:,} < {other[2]:,} MB/s)"
    return ""


def rank_series(series: Sequence[Series]) -> list[Place]:
    """The strategies of one scenario, the best first; equals keep their order, share a place."""
    ordered = sorted(series, key=compute_standing)
    places: list[Place] = []
    for index, one in enumerate(ordered):
        equal = bool(places) and compute_standing(places[-1].series) == compute_standing(one)
        place = places[-1].place if equal else index + 1
        following = ordered[index + 1] if index + 1 < len(ordered) else None
        better = explain_ahead(one, following) if following else ""
        reported = f"ahead of {following.title}: {better}" if following and better else ""
        places.append(Place(place, one, explain_place(one), reported))
    return places
