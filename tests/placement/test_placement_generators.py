"""Generators that several questions of the chapter share."""

from __future__ import annotations

from evenkeel.properties.placement.trial_parts import (
    BROKERS,
    STRANGER,
    draw_candidates,
    draw_many_brokers,
)
from evenkeel_engine.kit.draw import SeededDraw


def test_an_unreported_broker_is_not_among_many() -> None:
    strangers = 0
    for seed in range(2_000):
        draw = SeededDraw(seed)
        brokers = draw_many_brokers(draw)
        candidates = draw_candidates(draw, brokers)
        assert len(set(candidates)) == len(candidates)
        strangers += any(candidate not in brokers for candidate in candidates)
    assert strangers > 20


def test_an_unreported_broker_among_few_has_a_fixed_name() -> None:
    found = {
        candidate
        for seed in range(500)
        for candidate in draw_candidates(SeededDraw(seed), BROKERS[:3])
    }
    assert found - set(BROKERS[:3]) == {STRANGER}
