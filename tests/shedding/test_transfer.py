"""What the judge of TransferShedder computes, and that it needs few runs to decide."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.properties.shedding.transfer import judge as judging
from evenkeel.properties.shedding.transfer.rounds import exact_spread, listed_spread, sums
from evenkeel.properties.tolerance import tolerance_of
from evenkeel.reference.edition import EDITIONS, PULSAR_4_0
from evenkeel.reference.summation import ordered_sum
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.question import judge
from evenkeel_engine.stored import cases

LOADS = st.lists(st.floats(0.0, 1000.0), min_size=1, max_size=5)


@given(LOADS)
def test_average_and_deviation_are_rounded_once(loads: list[float]) -> None:
    exact = [Fraction(load) for load in loads]
    average = sum(exact, Fraction(0)) / len(exact)
    variance = sum(((load - average) ** 2 for load in exact), Fraction(0)) / len(exact)
    assert exact_spread(tuple(loads)) == (float(average), math.sqrt(variance))


@given(LOADS, st.randoms())
def test_sums_are_those_of_every_order(loads: list[float], random: Random) -> None:
    shuffled = random.sample(loads, len(loads))
    found = ordered_sum(shuffled), ordered_sum(load * load for load in shuffled)
    assert found in sums(tuple(sorted(loads)))


def test_the_average_stays_where_no_load_can_be_computed() -> None:
    """A source without traffic: 4.0 divides by 0, and compares the next pair with the average."""
    spread = listed_spread((0.1, 0.5), tolerance_of(PULSAR_4_0))
    after = spread.after(0.5, 0.1, math.nan, math.nan)
    assert (after.average, math.isnan(after.deviation.value)) == (spread.average, True)


@pytest.mark.parametrize(
    "name",
    [
        "in-3-0-equally-idle-brokers-unload-with-transfers-off",
        "most-brokers-are-not-registered-so-that-with-transfers-off",
    ],
)
def test_twenty_runs_decide(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "MOST_RUNS", 20)
    case = cases.find_case(name)
    assert case is not None
    question, edition = QUESTIONS[case.question], EDITIONS[case.edition]
    trial, answers = cases.decode_case(case)
    for answer in answers:
        found = judge(question, clauses_for(question.name, edition), trial, answer, edition)
        assert {verdict.status for verdict in found} <= {"holds", "unexercised"}
