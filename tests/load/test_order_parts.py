"""Which orders of brokers explain what a leader knows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenkeel.properties.load.averages import AveragesNow
from evenkeel.properties.load.leader import (
    LEADER,
    KnownBundle,
    LeaderAnswer,
    LeaderTrial,
    Publish,
    answer_leader,
)
from evenkeel.properties.load.order_parts import (
    Averages,
    Budget,
    Reports,
    TooManyOrders,
    in_some_order,
    with_rounded_sample,
)
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.load.leader import BundleSample
from evenkeel.reference.load.traffic import Traffic
from evenkeel_engine.kit.catalogue import clauses_for
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.question import Judgement, judge_case

SHARED, OTHER = "tenant/ns/0x00000000_0x40000000", "tenant/ns/0x40000000_0x80000000"


def sample(rate: float, bundle: str = SHARED) -> BundleSample:
    return BundleSample(bundle, Traffic(rate, rate, 1.0, 1.0), 1)


def after(*rates: float) -> AveragesNow:
    """What is known of a bundle after ten samples and these, in this order."""
    known = None
    for rate in (*[1.0] * 10, *rates):
        known = with_rounded_sample(known, sample(rate))
    assert known is not None
    return known


KNOWN = {SHARED: after(), OTHER: after()}


def is_explained(known: Averages, of: Reports, seen: Averages) -> bool:
    return in_some_order(known, of, seen, Budget())


def reports(*rates: float) -> Reports:
    return {f"b{number}": (sample(rate),) for number, rate in enumerate(rates)}


@pytest.mark.parametrize("count", [2, 6])
def test_the_last_order_is_found(count: int) -> None:
    rates = [1.1 * number for number in range(1, count + 1)]
    assert is_explained(KNOWN, reports(*rates), {SHARED: after(*reversed(rates))})


def test_no_order_makes_another_average() -> None:
    rates = [1.1, 2.3, 3.7, 4.1]
    wrong = replace(after(*rates), short_term=Traffic(2.0, 2.0, 1.0, 1.0))
    assert not is_explained(KNOWN, reports(*rates), {SHARED: wrong})
    assert not is_explained(KNOWN, reports(*rates), {OTHER: after(*rates)})


def test_a_bundle_of_one_broker_has_one_sample_in_any_order() -> None:
    both = {**reports(1.1, 2.3), "b2": (sample(5.0, OTHER),)}
    right = {SHARED: after(2.3, 1.1), OTHER: after(5.0)}
    assert is_explained(KNOWN, both, right)
    assert not is_explained(KNOWN, both, {**right, OTHER: after(5.0, 5.0)})


def test_two_bundles_have_one_order() -> None:
    both = {"b0": (sample(1.1), sample(1.1, OTHER)), "b1": (sample(2.3), sample(2.3, OTHER))}
    assert is_explained(KNOWN, both, {SHARED: after(1.1, 2.3), OTHER: after(1.1, 2.3)})
    assert not is_explained(KNOWN, both, {SHARED: after(1.1, 2.3), OTHER: after(2.3, 1.1)})


def test_a_search_ends() -> None:
    rates = [1.1 * number for number in range(1, 11)]
    wrong = replace(after(*rates), short_term=Traffic(2.0, 2.0, 1.0, 1.0))
    with pytest.raises(TooManyOrders):
        is_explained(KNOWN, reports(*rates), {SHARED: wrong})


def judge_answer(trial: LeaderTrial, answer: LeaderAnswer) -> Judgement:
    case = Case(trial, answer, PULSAR_4_0, LEADER.observe)
    return judge_case(clauses_for(LEADER.name, PULSAR_4_0), case)


def test_sums_show_the_order_of_many_brokers() -> None:
    known = [Publish(f"b{n}", (sample(1.1 * n + k),)) for k in range(3) for n in range(1, 13)]
    trial = LeaderTrial(tuple(known))
    right = answer_leader(trial, PULSAR_4_0)
    assert {one.status for one in judge_answer(trial, right).verdicts} == {"holds"}
    last = right.results[-1]
    [bundle] = last.bundles
    near = bundle.averages.short_term.combine(bundle.averages.short_term, lambda a, _: a + 1e-9)
    wrong = KnownBundle(bundle.bundle, replace(bundle.averages, short_term=near))
    answer = LeaderAnswer((*right.results[:-1], replace(last, bundles=(wrong,))))
    assert "LOA-64" in {one.clause for one in judge_answer(trial, answer).failed}
