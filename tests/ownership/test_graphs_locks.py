"""The graph of the lock protocol: exact sizes, no violation, the broken rule noticed."""

import pytest

from evenkeel.models.ownership.locks_racing import Left, race_of


@pytest.mark.parametrize(
    ("asks", "ends", "unloads", "states", "transitions"),
    [((0, 1), 0, 0, 49, 90), ((0, 1), 1, 0, 413, 1002), ((0, 1), 1, 1, 1762, 5024)],
)
def test_races(
    asks: tuple[int, ...], ends: int, unloads: int, states: int, transitions: int
) -> None:
    result = race_of(Left(asks, ends, unloads)).explore()
    assert (result.states, result.transitions) == (states, transitions)
    assert (result.violations, result.cycle) == ((), ())
    assert (result.broken is not None) == (ends > 0)


def test_the_shortest_way_to_serve_without_a_node() -> None:
    broken = race_of(Left((0, 1), 1, 0)).explore().broken
    assert broken is not None
    assert broken.schedule == (
        "0 is asked",
        "0 is answered",
        "0 is answered",
        "the session of 0 ends",
    )
