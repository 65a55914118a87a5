"""Where the order of a map decides, every order's answer is allowed, and no other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenkeel.properties.clause import HOLDS, UNEXERCISED, Violation
from evenkeel.properties.shedding.answers_transfer import answer_transfer
from evenkeel.properties.shedding.transfer_orders import MOST_ORDERS, as_some_order, orders
from evenkeel.properties.shedding.trials_transfer import (
    TransferAnswer,
    TransferConfig,
    TransferTrial,
)
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.shedding.cluster import BrokerId, BundleName
from evenkeel.reference.shedding.transfer_view import TopBundle, TransferReport, TransferView

NAMES = tuple(BrokerId(name) for name in "abcdef")


def report(number: int, load: float) -> TransferReport:
    """A broker with bundles of 1 and 9 bytes a second."""
    top = tuple(
        TopBundle(BundleName(f"t/ns/0x{number}{place}000000_0x{number}{place}ffffff"), size, 0.0)
        for place, size in enumerate((1.0, 9.0))
    )
    return TransferReport(NAMES[number], load, 10.0, 0.0, 10.0, 0, top)


def trial(
    *loads: float, rounds: int = 1, hit_threshold: int = 0, target: float = 0.25
) -> TransferTrial:
    """Brokers with these loads."""
    view = TransferView(
        0, NAMES[: len(loads)], tuple(report(number, load) for number, load in enumerate(loads))
    )
    config = TransferConfig(
        hit_threshold=hit_threshold, max_pairs=1, target_std=target, overloaded_percentage=100
    )
    return TransferTrial(config=config, rounds=(view,) * rounds)


def told_in_order(asked: TransferTrial, *order: int) -> TransferAnswer:
    """The reference's answer if the store lists the reports in this order."""
    views = tuple(
        replace(view, reports=tuple(view.reports[place] for place in order))
        for view in asked.rounds
    )
    return answer_transfer(replace(asked, rounds=views), PULSAR_4_0)


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (1, 0, 2, 3), (0, 1, 3, 2), (3, 2, 1, 0)])
def test_of_equally_loaded_brokers_any_gives_and_any_takes(order: tuple[int, ...]) -> None:
    asked = trial(0.1, 0.1, 0.9, 0.9)
    answer = told_in_order(asked, *order)
    assert len(answer.rounds[0].moves) == 1
    finding = as_some_order(asked, answer.rounds, asked.config.rules, PULSAR_4_0)
    assert finding is HOLDS


def test_of_differently_loaded_brokers_only_one_gives() -> None:
    asked = trial(0.1, 0.2, 0.8, 0.9)
    answer = told_in_order(trial(0.1, 0.2, 0.9, 0.8), 0, 1, 2, 3)
    finding = as_some_order(asked, answer.rounds, asked.config.rules, PULSAR_4_0)
    assert isinstance(finding, Violation)


def test_the_count_goes_on_from_what_was_answered() -> None:
    asked = trial(0.1, 0.9, rounds=3, hit_threshold=1)
    answer = told_in_order(asked, 0, 1)
    assert [len(decision.moves) for decision in answer.rounds] == [0, 1, 0]
    finding = as_some_order(asked, answer.rounds, asked.config.rules, PULSAR_4_0)
    assert finding is HOLDS
    early = (answer.rounds[1], answer.rounds[0], answer.rounds[1])
    assert isinstance(as_some_order(asked, early, asked.config.rules, PULSAR_4_0), Violation)


def test_of_many_reports_the_last_bits_of_a_sum_accuse_nobody() -> None:
    """In one order the deviation is at the target, in another it is a bit above."""
    asked = trial(0.64, 0.96, 0.32, 0.82, 0.84, 0.38, target=0.23888630489558543)
    answer = told_in_order(asked, 1, 4, 2, 3, 0, 5)
    assert not told_in_order(asked, *range(6)).rounds[0].moves
    assert answer.rounds[0].moves
    finding = as_some_order(asked, answer.rounds, asked.config.rules, PULSAR_4_0)
    assert finding is UNEXERCISED


def test_of_many_reports_a_clear_deviation_is_judged() -> None:
    asked = trial(0.64, 0.96, 0.32, 0.82, 0.84, 0.38, target=0.2)
    still = trial(0.64, 0.96, 0.32, 0.82, 0.84, 0.38, target=0.3)
    answer = told_in_order(still, *range(6))
    assert not answer.rounds[0].moves
    finding = as_some_order(asked, answer.rounds, asked.config.rules, PULSAR_4_0)
    assert isinstance(finding, Violation)


MANY = 1500
"""More rounds than Python calls functions within functions."""


def test_many_rounds_of_transfer_shedder_are_judged() -> None:
    asked = trial(0.1, 0.9, rounds=MANY, hit_threshold=1)
    answer = answer_transfer(asked, PULSAR_4_0)
    assert as_some_order(asked, answer.rounds, asked.config.rules, PULSAR_4_0) is HOLDS


def test_orders_of_many_equal_reports_are_made_one_by_one() -> None:
    equal = tuple(replace(report(0, 0.1), broker=BrokerId(f"b{place}")) for place in range(99))
    found = list(orders(equal))
    assert len(found) == 1 + MOST_ORDERS
    assert all(set(order) == set(equal) for order in found[:3])
