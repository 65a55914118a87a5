"""The order of a scenario's runs: a strategy that comes to rest before one that does not, then the
one that leaves less imbalance, then the one that moves less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from evenkeel.reference.shedding.cluster import MINUTE
from evenkeel.simulate.running import Run

DIGITS: Final = 3
"""Imbalance is compared as it is shown, to a tenth of a percent: less is chance."""
MEGABYTE: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Place:
    """A run's place, which equals share, and why it has it."""

    place: int
    run: Run
    reason: str


def rest(run: Run) -> int:
    """0 for a run that came to rest, 1 for one too short to say, 2 for one that never did."""
    if run.measures.steady_after is not None:
        return 0
    return 1 if run.too_short else 2


def standing(run: Run) -> tuple[int, float, int]:
    """What runs are ranked by; the smaller, the better."""
    measures = run.measures
    return rest(run), round(measures.last_deviation, DIGITS), round(measures.moved / MEGABYTE)


def reason(run: Run) -> str:
    """What runs are ranked by, in words."""
    resting, imbalance, moved = standing(run)
    if run.measures.steady_after is not None:
        first = f"rests after {run.measures.steady_after / MINUTE:g} min"
    else:
        first = "too short to say" if resting == 1 else "never rests"
    return f"{first}, std {imbalance:.1%} at the end, {moved:,} MB/s moved"


def ranked(runs: Sequence[Run]) -> list[Place]:
    """The runs of one scenario, the best first; equals stay in their order and share a place."""
    places: list[Place] = []
    for count, run in enumerate(sorted(runs, key=standing), 1):
        equal = bool(places) and standing(places[-1].run) == standing(run)
        places.append(Place(places[-1].place if equal else count, run, reason(run)))
    return places
