"""AvgShedder with equally full brokers: in any order, and where equals count as hits."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest

from evenkeel.properties.shedding.avg import blossom_parts as blossom
from evenkeel.properties.shedding.avg import judge as judging
from evenkeel.properties.shedding.avg.trials import AvgAnswer, AvgTrial, answer_avg
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0, Edition
from evenkeel.reference.shedding.avg import AvgRules
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.kit import search
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.question import judge
from tests.shedding.building import Node, cpu, messages, rounds_of

AVG = QUESTIONS["shedding.avg"]


def verdict_statuses(trial: AvgTrial, answer: AvgAnswer, edition: Edition = PULSAR_4_0) -> set[str]:
    clauses = clauses_for("shedding.avg", edition)
    return {v.status for v in judge(AVG, clauses, trial, answer, edition)}


def of_equals(count: int, rounds: int = 1) -> AvgTrial:
    """Equally full brokers with very different traffic."""
    nodes = {
        f"b{i:02}": Node(
            cpu(50.0),
            {4 * i + n: messages(100.0 * (n + 1) + i) for n in range(4)},
            messages(1000.0 * i),
        )
        for i in range(count)
    }
    config = AvgRules(low_threshold=0, high_threshold=0, high_hits=1, min_msg_rate=0, share=0.5)
    return AvgTrial(config=config, rounds=tuple(rounds_of(nodes, rounds)))


@pytest.mark.parametrize("count", [4, 11, 30])
def test_equals_have_a_verdict(count: int) -> None:
    trial = of_equals(count)
    right = answer_avg(trial, PULSAR_4_0)
    assert right.rounds[0]
    assert verdict_statuses(trial, right) == {"holds", "unexercised"}
    shed = right.rounds[0][0]
    for wrong in (
        (replace(shed, bundles=shed.bundles[:1]),),
        (replace(shed, bundles=tuple(replace(b, destination=shed.broker) for b in shed.bundles)),),
    ):
        assert "violated" in verdict_statuses(trial, AvgAnswer(((*wrong, *right.rounds[0][1:]),)))


@pytest.mark.parametrize(("pairs", "status"), [(0, "violated"), (1, "undecided"), (2, "violated")])
def test_of_many_equals_one_pair_may_be_the_only_one(pairs: int, status: str) -> None:
    """Which of the equals a balancer with one pair (SHD-103) takes is open."""
    load = {n: messages(1000.0) for n in range(4)}
    full = {f"h{i}": Node(cpu(90.0), {4 * i + n: load[n] for n in load}) for i in range(8)}
    nodes = {**full, **{f"c{i}": Node(cpu(10.0), {}) for i in range(8)}}
    trial = AvgTrial(config=AvgRules(high_hits=1, share=0.5), rounds=rounds_of(nodes, 1))
    answer = AvgAnswer((answer_avg(trial, DOCUMENTED).rounds[0][:pairs],))
    assert status in verdict_statuses(trial, answer, DOCUMENTED)


def test_several_rounds_have_a_verdict() -> None:
    trial = of_equals(13, 3)
    assert verdict_statuses(trial, answer_avg(trial, PULSAR_4_0)) == {"holds", "unexercised"}


def test_five_equals_are_judged_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five equals in nine rounds, which all differ by the threshold of 0. Trying all orders of all
    rounds, with the hits of every pair, took minutes and gigabytes.
    """
    monkeypatch.setattr(search, "MOST_IN_ALL", 2_000)
    trial = of_equals(5, 9)
    trial = replace(trial, config=replace(trial.config, low_hits=8, high_hits=8))
    assert verdict_statuses(trial, answer_avg(trial, DOCUMENTED), DOCUMENTED) <= {
        "holds",
        "unexercised",
    }


def of_equal_bundles(count: int) -> AvgTrial:
    """As many full brokers as empty ones; all full ones have a bundle with the same averages, each
    third one has another one.
    """
    nodes: dict[str, Node] = {}
    for i in range(count):
        bundles = {3 * i: messages(100.0)}
        if i % 3 < 2:
            bundles[3 * i + 1] = messages(60.0 - 20 * (i % 3))
        nodes[f"f{i:02}"] = Node(cpu(90.0), bundles, messages(1000.0))
        nodes[f"e{i:02}"] = Node(cpu(10.0), {}, messages(0.0))
    config = AvgRules(low_threshold=20, high_threshold=20, high_hits=1, min_msg_rate=0, share=1.0)
    return AvgTrial(config=config, rounds=tuple(rounds_of(nodes, 1)))


@pytest.mark.parametrize("count", [9, 20])
def test_equal_bundles_of_equals_are_planned(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many equals those are found that plan last, for all destinations together."""
    monkeypatch.setattr(search, "MOST_IN_ALL", 50)
    trial = of_equal_bundles(count)
    right = answer_avg(trial, PULSAR_4_0)
    assert len({b.destination for shed in right.rounds[0] for b in shed.bundles}) == 2
    assert verdict_statuses(trial, right) == {"holds", "unexercised"}
    first, *others = right.rounds[0]
    wrong = replace(first, bundles=(replace(first.bundles[0], destination="e00"),))
    assert "violated" in verdict_statuses(trial, AvgAnswer(((wrong, *others),)))


def coarse(dice: random.Random) -> Iterator[AvgTrial]:
    """Small trials in which brokers are equally full."""
    for index in range(120):
        trial = make_trial(AVG, 77, index)
        if len(trial.rounds[0].brokers) > 5:
            continue
        rounds = []
        for now in trial.rounds[: dice.choice((1, 1, 2))]:
            pool = [broker.resources for broker in now.brokers][: dice.choice((1, 2))]
            brokers = tuple(replace(b, resources=dice.choice(pool)) for b in now.brokers)
            rounds.append(replace(now, brokers=brokers))
        config = replace(
            trial.config,
            low_threshold=dice.choice((0, -1)),
            high_hits=dice.choice((1, 2)),
            low_hits=dice.choice((1, 2)),
        )
        yield replace(trial, config=config, rounds=tuple(rounds))


def answer_reordered(trial: AvgTrial, dice: random.Random) -> AvgAnswer:
    """The reference's answer by some order of brokers; sometimes one entry is out or astray."""
    turned = tuple(
        replace(now, brokers=tuple(dice.sample(now.brokers, len(now.brokers))))
        for now in trial.rounds
    )
    right = answer_avg(replace(trial, rounds=turned), PULSAR_4_0)
    rounds = [list(entries) for entries in right.rounds]
    for entries in rounds:
        if entries and dice.random() < 0.4:
            first = entries.pop(0)
            if dice.random() < 0.7:
                to = dice.choice(trial.rounds[0].brokers).broker
                elsewhere = tuple(replace(b, destination=to) for b in first.bundles)
                entries.insert(0, replace(first, bundles=elsewhere))
    return AvgAnswer(tuple(tuple(entries) for entries in rounds))


def test_one_matching_gives_the_verdicts_of_all_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(1)
    verdicts = []
    for trial in coarse(dice):
        answer = answer_reordered(trial, dice)
        found = []
        for many in (False, True):
            monkeypatch.setattr(judging, "with_many_equals", lambda seen, many=many: many)
            statuses = verdict_statuses(trial, answer)
            assert "undecided" not in statuses
            found.append("violated" in statuses)
        orders, matching = found
        assert orders or not matching
        if len(trial.rounds) == 1:
            assert orders == matching
            verdicts.append(orders)
    assert verdicts.count(True) >= 3
    assert verdicts.count(False) >= 30


def largest(left: frozenset[int], edges: set[tuple[int, int]]) -> int:
    """The size of the largest matching, by exhaustive search."""
    if not left:
        return 0
    one, rest = min(left), left - {min(left)}
    ways = [1 + largest(rest - {other}, edges) for other in rest if (one, other) in edges]
    return max(largest(rest, edges), *ways, 0)


def test_a_matching_in_any_graph_is_maximal() -> None:
    dice = random.Random(1)
    for _ in range(400):
        size, density = dice.randint(1, 7), dice.random()
        edges = {pair for pair in combinations(range(size), 2) if dice.random() < density}
        ways = [
            [other for other in range(size) if {(one, other), (other, one)} & edges]
            for one in range(size)
        ]
        mates = [blossom.UNMATCHED] * size
        blossom.grow(ways, mates)
        matched = [one for one, other in enumerate(mates) if other != blossom.UNMATCHED]
        assert all(mates[mates[one]] == one and mates[one] in ways[one] for one in matched)
        assert len(matched) == 2 * largest(frozenset(range(size)), edges)
