"""Counting deliveries in windows, and holding them against bounds, without a cluster."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenkeel.operate.live.throttle import (
    ABOVE,
    BROKEN,
    Delivery,
    lines_of,
    longest_wait,
    most_within,
    share_evenly,
)
from evenkeel.operate.live.throttle_cases import CASES, LEVELS, LimitCase

LIMITED = LimitCase("x", "subscription", messages=10)


def at(*times: float, size: int = 1) -> list[Delivery]:
    return [Delivery(time, size) for time in times]


def test_the_most_in_any_window() -> None:
    found = at(0.0, 0.5, 0.9, 1.0, 1.1, 5.0)
    assert most_within(found, 1.0, lambda _: 1) == 4  # 0.5 to 1.1; what comes 1 s later is out
    assert most_within(at(0.0, 1.0), 1.0, lambda _: 1) == 1
    assert most_within(at(0.0, 0.9, size=300), 1.0, lambda one: one.size) == 600
    assert most_within([], 1.0, lambda _: 1) == 0


def test_it_is_said_how_evenly_subscriptions_share() -> None:
    assert [share_evenly(one) for one in ([7, 7], [8, 0, 0, 0], [3, 1], [0])] == [1, 0.25, 0.8, 0]


def test_the_longest_wait_counts_both_ends() -> None:
    assert longest_wait(at(2.0, 3.0), 0.0, 8.0) == 5.0
    assert longest_wait([], 1.0, 8.0) == 7.0


def first_line(deliveries: list[Delivery], seconds: float = 20) -> str:
    lines = lines_of(LIMITED, deliveries, 0.0, seconds, LIMITED.request_plan(False, False, 2))
    assert [line.periods for line in lines] == [1, 2, 3]
    assert lines[0].claim == 10
    return lines[0].verdict


def test_a_limit_holds_or_is_exceeded_or_starves_a_subscription() -> None:
    assert first_line(at(*(number / 10 for number in range(200)))) == "holds"
    bound = lines_of(LIMITED, [], 0, 20, LIMITED.request_plan(False, False, 2))[0].bound
    burst = [1 + number / 10_000 for number in range(bound)]
    steady = list(range(20))
    assert first_line(at(*sorted(burst))) == "holds"
    assert first_line(at(*sorted([*burst, 1.5, *map(float, steady)]))) == "above the bound"
    met = at(*(number * 0.95 / bound for number in range(bound + 5)))
    assert first_line(met) == "holds"  # they met on the way
    assert first_line(at(0.0, 1.0), 200) == "starved"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_cases_can_be_planned_and_have_a_backlog(case: LimitCase) -> None:
    assert case.level in LEVELS
    lines = lines_of(case, [], 0, 1, case.request_plan(False, False, 2))
    assert all(line.bound >= line.one_read >= line.claim for line in lines)
    limit = case.messages or (case.bytes or 0) // case.size
    assert case.size_backlog(15) >= limit / case.period * 15


def test_a_limit_of_brokers_is_one_for_each() -> None:
    (case,) = (case for case in CASES if case.name == "broker, messages")
    two = lines_of(case, [], 0, 1, case.request_plan(False, False, 2))[0]
    one = lines_of(case, [], 0, 1, case.request_plan(False, False, 1))[0]
    assert two.claim == 2 * one.claim == 80


def test_a_bound_is_that_of_full_batches_in_two_reads() -> None:
    for case in CASES:
        if case.worst and case.messages is not None:
            line = lines_of(case, [], 0, 20, case.request_plan(False, False, 2))[0]
            assert line.bound - case.messages == 2 * case.of_one_read() * case.batch
    assert LimitCase("x", "subscription", bytes=4000, batch=10).of_one_read() == 4


def test_what_precise_mode_promises_is_held_against_it_apart() -> None:
    case = LimitCase("x", "subscription", messages=20, batch=10)
    requested = case.request_plan(False, False, 2)
    promised = replace(requested, precise=True)
    burst = at(*(1 + number / 10_000 for number in range(200)))
    first = lines_of(case, burst, 0, 1.1, requested, promised)[0]
    assert (first.bound, first.promised) == (420, 69)
    assert first.verdict == BROKEN
    assert lines_of(case, burst, 0, 1.1, requested)[0].verdict == "holds"
    assert lines_of(case, burst * 3, 0, 1.1, requested, promised)[0].verdict == ABOVE
