"""AvgShedder: numbers of Pulsar's own tests, of document 002, and some computed by hand."""

from __future__ import annotations

import pytest

from evenkeel.properties.shedding.avg.rounds import Pairing, Places
from evenkeel.reference.shedding import avg
from evenkeel.reference.shedding.avg import AvgRules, Gap
from evenkeel.reference.shedding.cluster import BrokerReport
from evenkeel_engine.kit.run import TooMany
from tests.shedding.building import cpu


@pytest.mark.parametrize(
    ("fuller", "emptier", "high"),
    [
        (80.0, 20.0, True),
        (70.0, 30.0, False),
        (55.0, 15.0, False),
        (95.0, 55.0, False),
        (60.0, 20.0, True),
    ],
)
def test_single_precision_decides_at_40_points(fuller: float, emptier: float, high: bool) -> None:
    scores = [avg.score(BrokerReport(cpu(usage)), AvgRules()) for usage in (fuller, emptier)]
    assert (avg.gap_of(scores[0] - scores[1], AvgRules()) is Gap.VERY_LARGE) is high


def pairings(*points: float) -> list[Pairing]:
    """The pairings of brokers with these scores that differ enough."""
    scores = {f"{number:02}": score for number, score in enumerate(points)}
    return Places(scores, 0.0).pairings(AvgRules().low_threshold)


@pytest.mark.parametrize(
    ("fuller", "middle", "emptier", "count"),
    [(0, 30, 0, 1), (1, 30, 0, 30), (1, 30, 1, 1), (2, 0, 30, 30 * 29 * 2), (4, 0, 5, 24 * 120)],
)
def test_equals_in_small_gaps_are_not_distinguished(
    fuller: int, middle: int, emptier: int, count: int
) -> None:
    found = pairings(*[80.0] * fuller, *[50.0] * middle, *[20.0] * emptier)
    assert len(found) == len(set(found)) == count
    for pairing in found:
        assert len({end for pair in pairing for end in (pair.fuller, pair.emptier)}) == 2 * len(
            pairing
        )


def test_too_many_pairings_are_not_tried() -> None:
    with pytest.raises(TooMany):
        pairings(*[80.0] * 5, 50.0, *[20.0] * 5)
