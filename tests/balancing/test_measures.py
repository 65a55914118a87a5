"""Measures of runs, computed by hand."""

from __future__ import annotations

import pytest

from evenkeel.reference.balancing import measures
from evenkeel.reference.balancing.history import Gauge, History, Moment, Move
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId, BundleName, Millis

A, B = BrokerId("a"), BrokerId("b")
ONE = BundleName("t/n/1")


def moment(at: Millis, first: float, second: float, owner: str, moved: bool = False) -> Moment:
    """Two brokers, one bundle of one of them, and whether it moves away."""
    gauges = tuple(
        Gauge(broker, usage, 0.0, 0.0, (ONE,) if owner == broker else ())
        for broker, usage in ((A, first), (B, second))
    )
    moves = (Move(ONE, BrokerId(owner), None, False, ""),) if moved else ()
    return Moment(at * MINUTE, (), gauges, (), moves)


BACK = History(
    (
        moment(0, 0.9, 0.1, "a", moved=True),
        moment(1, 0.3, 0.7, "b", moved=True),
        moment(2, 0.6, 0.4, "a"),
        moment(3, 0.6, 0.4, "a"),
    )
)


def test_one_moment() -> None:
    found = measures.measurement(BACK.moments[0], {ONE: 5.0})
    assert (found.mean, found.highest, found.lowest) == (0.5, 0.9, 0.1)
    assert found.deviation == pytest.approx(0.4)
    assert found.ratio == pytest.approx(1.8)
    assert (found.moves, found.moved) == (1, 5.0)


def test_thrashing_is_what_was_moved_back() -> None:
    """A: 0.4 above the mean, 0.2 below, 0.1 above: 0.9 of way for 0.3; B the same."""
    assert measures.thrashing(BACK) == pytest.approx(0.3)
    straight = History((BACK.moments[0], BACK.moments[2]))
    assert measures.thrashing(straight) == pytest.approx(0.0)


def test_the_thrash_score_is_a_share_of_the_range() -> None:
    """Of each broker 0.6 one way and 0.3 the other, in a range of 0.8."""
    part = 0.5**0.8
    assert measures.thrash(BACK) == pytest.approx((part * 0.9 + (1 - part) * 0.3) / 0.8)
    assert measures.thrash(History((BACK.moments[0], BACK.moments[2]))) == 0.0
    there, back = moment(0, 0.9, 0.1, "a"), moment(1, 0.1, 0.9, "a")
    to_and_fro = History((there, back, there))
    assert measures.thrash(to_and_fro) == pytest.approx(2.0)
    assert measures.thrash(History((BACK.moments[3],) * 3)) == 0.0


def test_returns_count_bundles_that_come_back() -> None:
    assert measures.returns(BACK) == 1
    assert measures.returns(History(BACK.moments[:2])) == 0


def test_most_unloads_within_a_window() -> None:
    assert measures.most_unloads(BACK, 60 * MINUTE) == 2
    assert measures.most_unloads(BACK, MINUTE) == 1


def test_steady_needs_a_grace_period_of_calm() -> None:
    assert measures.steady_after(BACK, MINUTE) == 2 * MINUTE
    assert measures.steady_after(BACK, 2 * MINUTE) is None
