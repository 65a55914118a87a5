"""Means of a bundle that several brokers report: bounds over all orders of the reports."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations

import pytest

from evenkeel.properties.splitting import due_modular as judge_means
from evenkeel.properties.splitting.due_modular import add_to_mean, farthest, roughly
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.question import judge

DUE = QUESTIONS["splitting.due_modular"]


def in_every_order(count: int, mean: float, samples: list[float]) -> list[float]:
    found = []
    for order in permutations(samples):
        now = mean
        for more, sample in enumerate(order):
            now = add_to_mean(count + more, now, sample)
        found.append(now)
    return found


def test_the_bounds_are_those_of_all_orders() -> None:
    dice = random.Random(1)
    differ = 0
    for _ in range(600):
        count = dice.choice((0, 1, 3, 9, 998, 1000))
        mean = dice.random() * 1000 if count else 0.0
        samples = [dice.choice((dice.random(), 5.0, 0.1, 1e9)) for _ in range(dice.randint(1, 5))]
        ways = in_every_order(count, mean, samples)
        least, most = min(ways), max(ways)
        assert farthest(min, count, mean, samples) == least
        assert farthest(max, count, mean, samples) == most
        assert least * (1 - 1e-13) <= roughly(min, count, mean, samples) <= least
        assert most <= roughly(max, count, mean, samples) <= most * (1 + 1e-13)
        differ += least < most
    assert differ > 100


@pytest.mark.parametrize("brokers", [8, 40])
def test_many_reports_of_one_bundle_have_a_verdict(brokers: int) -> None:
    """Trying every order of eight reports would take minutes."""
    trial = make_trial(DUE, 1, 0)
    load = next(
        load
        for index in range(50)
        for now in make_trial(DUE, 1, index).rounds
        for load in now.loads
        if load.topics >= 2
    )
    loads = tuple(
        replace(load, broker=f"broker-{n}:8080", msg_rate_in=100.0 + n) for n in range(brokers)
    )
    namespace = load.bundle.rpartition("/")[0]
    first = trial.rounds[0]
    counts = (replace(first.counts[0], namespace=namespace, bundles=1),)
    rounds = (replace(first, loads=loads, counts=counts),) * 3
    trial = replace(trial, rounds=rounds, leader=True, known_brokers=brokers)
    answer = DUE.observe(trial, PULSAR_4_0)
    clauses = clauses_for("splitting.due_modular", PULSAR_4_0)
    said = {v.status for v in judge(DUE, clauses, trial, answer, PULSAR_4_0)}
    assert said == {"holds", "unexercised"}
    assert 2**brokers > judge_means.MOST_SETS or brokers == 8
