"""Unreached comparisons are found, and exactly the exempt ones are not reached."""

import pytest

from evenkeel.harness.seeded import Block
from evenkeel.harness.unreached_comparisons import (
    SIDES,
    exemptions,
    look,
    unreached_comparisons,
    watched,
    watching,
)
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.properties.kit.draw import INDEPENDENT
from evenkeel.reference.throttling import counter

OWN, OTHERS = 400, 150
"""Trials of each question, of both generators."""


def test_a_comparison_is_seen_on_its_three_sides_and_means_the_same() -> None:
    limit = counter.Counter(5, 10)
    seen: set[tuple[int, str]] = set()
    with watching(seen):
        for taken in (3, 5, 7):
            held = counter.take_if_left(counter.Counter(5, 10, False, taken), 0)
            assert held[1] is (taken < 5)
    [number] = [
        number
        for number, one in enumerate(watched().comparisons)
        if one.name == "reference/throttling/counter.py:take_if_left: counter.taken >= counter.rate"
    ]
    assert {side for at, side in seen if at == number} <= set(SIDES)
    assert (number, "below") in seen
    assert (number, "equal") in seen
    before = set(seen)
    counter.take_if_left(limit, 9)  # no longer watched
    assert seen == before


@pytest.mark.slow
def test_every_crossed_limit_is_reached_or_exempt() -> None:
    """The equality report: a defect that shows only where two numbers are equal is in no trial in
    which they never are.
    """
    seeds = ((1, OWN), (INDEPENDENT + 1, OTHERS))
    seen = [look(Block(name, seed, 0, count)) for seed, count in seeds for name in QUESTIONS]
    found = {one.comparison.name: one for one in unreached_comparisons(seen)}
    blind = [name for name, one in found.items() if one.crossed and not one.exemption]
    assert blind == []
    known = {one.name for one in watched().comparisons}
    assert [name for name in exemptions() if name not in known] == []
