"""The graphs of the chapter *balancing*: which strategies oscillate."""

from __future__ import annotations

import pytest

from evenkeel.models.balancing.oscillation import graphs as oscillation_graphs
from evenkeel.models.balancing.oscillation.graphs import (
    NONE,
    SWINGING,
    Cast,
    carried,
    oscillations,
)


@pytest.mark.parametrize(("strategy", "groups"), [("overload", 54), ("threshold", 180)])
def test_which_strategies_oscillate(strategy: str, groups: int) -> None:
    found = oscillations(SWINGING[strategy])
    assert len(found) == groups
    decide = SWINGING[strategy]
    assert all(decide(cast) for cast in found[0])


def test_threshold_moves_a_bundle_back_and_forth() -> None:
    """3, 1, 2 becomes 1, 3, 2 and again 3, 1, 2: the bundle of 2 is what moves."""
    swing = frozenset(
        {
            Cast((1, 1, 2, 2), (0, 1, 0, 2), NONE),
            Cast((1, 1, 2, 2), (0, 1, 1, 2), NONE),
        }
    )
    assert swing in oscillations(SWINGING["threshold"])
    assert sorted(carried(cast) for cast in swing) == [[1, 3, 2], [3, 1, 2]]


def test_a_moving_bundle_counts_for_its_destination() -> None:
    cast = Cast((4, 4, 1, 1), (0, 0, 1, 2), NONE)
    found = oscillation_graphs.placed(cast, ((0, None), (1, None)))
    assert all(owners[0] == 0 for owners in found)
    assert {owners[1] for owners in found} == {1, 2}
