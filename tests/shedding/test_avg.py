"""AvgShedder: numbers of Pulsar's own tests, of document 002, and some computed by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from evenkeel.properties.clause import HOLDS, UNEXERCISED, Case
from evenkeel.properties.shedding.answers import answer_avg
from evenkeel.properties.shedding.avg_hits import told_apart, walk_exactly
from evenkeel.properties.shedding.avg_walk import MOST_PAIRINGS, avg_rounds, pairings_of
from evenkeel.properties.shedding.rounds import ModularRound
from evenkeel.properties.shedding.trials_avg import AvgConfig, AvgTrial
from evenkeel.reference.edition import DOCUMENTED, EDITIONS, PULSAR_4_0, Edition
from evenkeel.reference.load.usage import Resource, Resources
from evenkeel.reference.shedding import avg
from evenkeel.reference.shedding.avg import AvgRules, Gap
from evenkeel.reference.shedding.cluster import BrokerId, BrokerReport
from tests.shedding.building import Node, cpu, indices, messages, round_of, rounds_of

each_edition = pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
Found = dict[str, tuple[list[int], set[str | None]]]


def shed(rounds: tuple[ModularRound, ...], edition: Edition, **config: Any) -> list[Found]:
    """In each round the bundles that brokers shed, and where these are to go."""
    trial = AvgTrial(config=AvgConfig(**config), rounds=rounds)
    return [
        {
            entry.broker: (
                indices([planned.bundle for planned in entry.bundles]),
                {planned.destination for planned in entry.bundles},
            )
            for entry in decided
        }
        for decided in answer_avg(trial, edition).rounds
    ]


def even(first: int, count: int, rate: float) -> dict[int, Any]:
    """So many bundles of this rate, numbered from `first`."""
    return {first + i: messages(rate) for i in range(count)}


def three(fullest: float, middle: float, emptiest: float) -> Mapping[str, Node]:
    """Three brokers with 20,000, 10,000 and 2,000 msg/s."""
    return {
        "1": Node(cpu(fullest), even(0, 11, 900.0), messages(20_000.0)),
        "2": Node(cpu(middle), even(20, 11, 900.0), messages(10_000.0)),
        "3": Node(cpu(emptiest), even(40, 2, 900.0), messages(2_000.0)),
    }


@each_edition
def test_vector_av1_the_second_round(edition: Edition) -> None:
    found = shed(rounds_of(three(80.0, 50.0, 30.0), 2), edition, share=0.5)
    assert found == [{}, {"1": ([*range(10)], {"3"})}]


@each_edition
def test_vector_av2_the_sixth_round(edition: Edition) -> None:
    rounds = rounds_of(three(60.0, 50.0, 40.0), 6)
    found = shed(rounds, edition, share=0.5, low_threshold=20, low_hits=6)
    assert found == [{}] * 5 + [{"1": ([*range(10)], {"3"})}]


@each_edition
def test_vector_av3_two_pairs(edition: Edition) -> None:
    usages = {"1": 80.0, "2": 75.0, "3": 35.0, "4": 30.0}
    nodes = {
        broker: Node(
            cpu(usage),
            {50 * i + j: messages(900.0 + i) for j in range(11)},
            messages(20_000.0 if usage > 50 else 2_000.0),
        )
        for i, (broker, usage) in enumerate(usages.items())
    }
    first, second = shed(rounds_of(nodes, 2), edition, share=0.5)
    assert first == {}
    assert {broker: to for broker, (_, to) in second.items()} == {"1": {"4"}, "2": {"3"}}


def of_the_document(**rates: float) -> Mapping[str, Node]:
    """Brokers with the document's scores: 20, 30, 52, 70, 80."""
    scores = {"e": 20.0, "d": 30.0, "c": 52.0, "b": 70.0, "a": 80.0}
    bundles = {"a": even(0, 10, 100.0)}
    return {
        broker: Node(cpu(score), bundles.get(broker, {}), messages(rates.get(broker, 0.0)))
        for broker, score in scores.items()
    }


@each_edition
def test_the_document_with_its_own_settings_moves_nothing(edition: Edition) -> None:
    rounds = rounds_of(of_the_document(a=1000.0, e=500.0), 2)
    assert shed(rounds, edition, share=0.5) == [{}, {}]


@each_edition
def test_vector_av4_the_document_without_a_minimum(edition: Edition) -> None:
    rounds = rounds_of(of_the_document(a=1000.0, e=500.0), 2)
    found = shed(rounds, edition, share=0.5, min_msg_rate=0)
    assert found == [{}, {"a": ([0, 1], {"e"})}]


@pytest.mark.parametrize(
    ("fuller", "emptier", "high"),
    [
        (80.0, 20.0, True),
        (70.0, 30.0, False),
        (55.0, 15.0, False),
        (95.0, 55.0, False),
        (60.0, 20.0, True),
    ],
)
def test_single_precision_decides_at_forty(fuller: float, emptier: float, high: bool) -> None:
    scores = [avg.score(BrokerReport(cpu(usage)), AvgRules()) for usage in (fuller, emptier)]
    gap = avg.gap_of(scores[0] - scores[1], AvgRules())
    assert (gap is Gap.VERY_LARGE) is high


def test_vector_av5_hits_of_brokers() -> None:
    def nodes(a: float, b: float) -> Mapping[str, Node]:
        return {
            "a": Node(cpu(a), even(0, 4, 250.0), messages(1000.0)),
            "b": Node(cpu(b), even(10, 4, 250.0), messages(1000.0)),
            "c": Node(cpu(10.0), {}, messages(100.0)),
            "d": Node(cpu(45.0), {}, messages(100.0)),
        }

    rounds = (round_of(nodes(70.0, 50.0)), round_of(nodes(50.0, 70.0), 1))
    config = {"share": 0.5, "min_msg_rate": 0}
    first, second = shed(rounds, PULSAR_4_0, **config)
    assert first == {}
    assert [*second] == ["b"]
    assert len(second["b"][0]) == 1
    assert shed(rounds, DOCUMENTED, **config) == [{}, {}]


def test_equal_averages_share_a_destination() -> None:
    nodes = {
        "a": Node(cpu(90.0), even(0, 2, 100.0), messages(1000.0)),
        "b": Node(cpu(80.0), even(10, 2, 100.0), messages(1000.0)),
        "c": Node(cpu(20.0)),
        "d": Node(cpu(10.0)),
    }
    config = {"share": 0.5, "min_msg_rate": 0, "high_hits": 1}
    [found] = shed(rounds_of(nodes, 1), PULSAR_4_0, **config)
    assert {broker: to for broker, (_, to) in found.items()} == {"a": {"c"}, "b": {"c"}}
    [found] = shed(rounds_of(nodes, 1), DOCUMENTED, **config)
    assert {broker: to for broker, (_, to) in found.items()} == {"a": {"d"}, "b": {"c"}}


def test_a_sole_bundle() -> None:
    nodes = {"a": Node(cpu(90.0), even(0, 1, 400.0), messages(1000.0)), "b": Node(cpu(10.0))}
    config = {"share": 0.5, "min_msg_rate": 0, "high_hits": 1}
    assert shed(rounds_of(nodes, 1), PULSAR_4_0, **config) == [{"a": ([0], {"b"})}]
    assert shed(rounds_of(nodes, 1), DOCUMENTED, **config) == [{}]


@each_edition
def test_hotter_without_more_traffic_moves_nothing_for_ever(edition: Edition) -> None:
    nodes = {
        "a": Node(cpu(90.0), even(0, 4, 100.0), messages(400.0)),
        "b": Node(cpu(10.0), {}, messages(900.0)),
    }
    assert not any(shed(rounds_of(nodes, 8), edition, min_msg_rate=0, min_throughput=0))


def test_a_ranking_by_whole_points_is_no_ranking() -> None:
    scores = {BrokerId(f"{i:02}"): 60.0 - 0.9 * i for i in range(12)}
    assert avg.ranking(scores) == [*reversed(scores)]


def test_resources_count_by_weight() -> None:
    report = BrokerReport(Resources(cpu=Resource(50.0, 100.0), memory=Resource(99.0, 100.0)))
    assert avg.score(report, AvgRules()) == 50.0


def test_of_a_trial_that_is_not_followed_nothing_is_said_to_hold() -> None:
    two = {"h": Node(cpu(90.0), {1: messages(100.0)}), "c": Node(cpu(10.0), {})}
    many = {f"h{i}": Node(cpu(90.0), {}) for i in range(5)}
    many |= {f"c{i}": Node(cpu(10.0), {}) for i in range(5)}
    rounds = (round_of(two), round_of(many, minute=1))
    for followed, trial in (
        (True, AvgTrial(config=AvgConfig(), rounds=rounds[:1])),
        (False, AvgTrial(config=AvgConfig(), rounds=rounds)),
    ):
        case = Case(trial, answer_avg(trial, PULSAR_4_0), PULSAR_4_0, answer_avg)
        assert walk_exactly(case).finding("SHD-38") is (HOLDS if followed else UNEXERCISED)


def test_pairings_are_told_apart_by_who_is_paired_with_whom() -> None:
    hot = {f"h{i}": Node(cpu(90.0), {i: messages(100.0)}) for i in range(4)}
    cold = {f"c{i}": Node(cpu(10.0), {}) for i in range(5)}
    trial = AvgTrial(config=AvgConfig(), rounds=tuple(rounds_of({**hot, **cold}, 1)))
    case = Case(trial, answer_avg(trial, PULSAR_4_0), PULSAR_4_0, answer_avg)
    [seen] = avg_rounds(case)
    found = list(told_apart(seen, trial.config.rules))
    assert (len(seen.pairings), len(found)) == (24 * 120, 120)


@pytest.mark.parametrize(
    ("fuller", "middle", "emptier", "pairings"),
    [(0, 30, 0, 1), (1, 30, 0, 30), (1, 30, 1, 1), (2, 0, 30, 30 * 29 * 2), (5, 1, 5, 14_400)],
)
def test_equals_in_small_gaps_are_not_told_apart(
    fuller: int, middle: int, emptier: int, pairings: int
) -> None:
    points = [80.0] * fuller + [50.0] * middle + [20.0] * emptier
    scores = {BrokerId(f"{number:02}"): score for number, score in enumerate(points)}
    found = pairings_of(scores, AvgRules(), PULSAR_4_0)
    assert len(found) == len(set(found)) == (pairings if pairings <= MOST_PAIRINGS else 0)
    for pairing in found:
        named = {broker for pair in pairing for broker in (pair.fuller, pair.emptier)}
        assert named == scores.keys()
