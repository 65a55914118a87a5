"""The graphs of the chapter *splitting*: which of their states are alike.

That nothing is violated and the broken rule is detected is the sweep `graphs`.
"""

import pytest

from evenkeel.models.splitting.life.graphs import Race, race_of
from evenkeel_engine.proofs.graph import Graph


@pytest.mark.parametrize(
    ("graph", "states", "transitions"),
    [(race_of(2, 1, 0), 4 * 13 + 5 * 12, 4 * 14 + 5 * 12), (race_of(2, 3, 2), 2266, 3687)],
    ids=lambda value: value.name if isinstance(value, Graph) else None,
)
def test_races(graph: Graph[Race], states: int, transitions: int) -> None:
    """The first one is small enough to be counted by hand.

    In 4 of the 9 choices of cuts the brokers split different bundles: 13 states and 14 moves, of
    which two ways lead to the state in which both are done. In the other 5 the later reader finds
    its bundle split: 12 states and 12 moves.
    """
    result = graph.with_all_images().explore()
    assert result.as_expected
    assert (result.states, result.transitions) == (states, transitions)
    folded = graph.explore()
    assert folded.as_expected
    assert folded.stands_for == states
    assert folded.states < states
    for broken in (result.broken, folded.broken):
        assert broken is not None
        first, second = sorted(word[0] for word in broken.schedule[:2])
        assert first != second
        assert [word[2:] for word in broken.schedule] == ["reads", "reads", "writes", "writes"]
        assert sorted(word[0] for word in broken.schedule[2:]) == [first, second]
