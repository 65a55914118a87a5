"""The graph of the lock protocol: brokers that are alike, and effects in smaller worlds."""

from collections.abc import Iterator
from random import Random

import pytest

from evenkeel.models.ownership.locks.graphs import (
    BROKERS,
    Left,
    Race,
    Racing,
    outside,
    queues,
    race_of,
    start,
    store_of,
    world_of,
)
from evenkeel.reference.edition import DOCUMENTED


@pytest.mark.parametrize(
    ("asks", "ends", "unloads", "states", "transitions"),
    [((0, 1), 0, 0, 49, 90), ((0, 1), 1, 1, 1762, 5024)],
)
def test_races(
    asks: tuple[int, ...], ends: int, unloads: int, states: int, transitions: int
) -> None:
    graph = race_of(Left(asks, ends, unloads))
    result = graph.with_all_images().explore()
    assert (result.states, result.transitions) == (states, transitions)
    folded = graph.explore()
    assert folded.as_expected == result.as_expected
    assert folded.stands_for == states
    assert folded.states < 2 * states / 3
    assert (result.violations, result.cycle) == ((), ())
    assert (result.broken is not None) == (ends > 0)


def test_a_move_has_the_same_effect_in_a_smaller_world() -> None:
    """Along random walks of three brokers with losses and crashes."""
    random, racing = Random(4), Racing(DOCUMENTED)
    for _ in range(20):
        race = next(iter(start(3, Left((0, 1, 2, 1), 2, 2, 1, 1))))
        while following := list(racing.moves(race)):
            assert [after for _, after in following] == list(plainly(race))
            race = random.choice(following)[1]


def plainly(race: Race) -> Iterator[Race]:
    """The races after each move, carried out in the whole world."""
    seen = world_of([BROKERS.copy_broker(number) for number in race.brokers], race.store)
    for done, left in (*outside(seen, race.left), *queues(seen, race.left)):
        world = world_of([BROKERS.copy_broker(number) for number in race.brokers], race.store)
        done.act(world, world.brokers[done.number], DOCUMENTED)
        yield Race(tuple(map(BROKERS.number, world.brokers)), store_of(world), left)
