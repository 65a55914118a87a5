"""AvgShedder: numbers of Pulsar's own tests, of document 002, and some computed by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from evenkeel.properties.catalogue import QUESTIONS, clauses_for
from evenkeel.properties.kit.question import judge
from evenkeel.properties.kit.run import TooMany
from evenkeel.properties.shedding.avg.rounds import Pairing, Places
from evenkeel.properties.shedding.avg.trials import AvgAnswer, AvgTrial, Planned, answer_avg
from evenkeel.properties.shedding.trial_parts import ModularRound
from evenkeel.reference.edition import DOCUMENTED, EDITIONS, PULSAR_4_0, Edition
from evenkeel.reference.load.usage import Resource, Resources
from evenkeel.reference.shedding import avg
from evenkeel.reference.shedding.avg import AvgRules, Gap
from evenkeel.reference.shedding.cluster import BrokerId, BrokerReport
from tests.shedding.building import Node, cpu, indices, messages, name, round_of, rounds_of

each_edition = pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
Found = dict[str, tuple[list[int], set[str | None]]]


def shed(rounds: tuple[ModularRound, ...], edition: Edition, **config: Any) -> list[Found]:
    """In each round the bundles that brokers shed, and where these are to go."""
    trial = AvgTrial(config=AvgRules(**config), rounds=rounds)
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


def verdicts(trial: AvgTrial, answer: AvgAnswer, edition: Edition) -> dict[str, str]:
    """What the judge says of every clause."""
    clauses = clauses_for("shedding.avg", edition)
    question = QUESTIONS["shedding.avg"]
    return {v.clause: v.status for v in judge(question, clauses, trial, answer, edition)}


def of_equals(count: int) -> AvgTrial:
    """So many full brokers that are equally full, and so many empty ones, in one round."""
    loads = [{4 * i + n: messages(100.0 * (n + 1) + i) for n in range(4)} for i in range(count)]
    total = messages(4000.0)
    nodes = {f"h{i}": Node(cpu(90.0), loads[i], total) for i in range(count)}
    nodes |= {f"c{i}": Node(cpu(10.0), {}) for i in range(count)}
    config = AvgRules(high_hits=1, min_msg_rate=0, share=0.2)
    return AvgTrial(config=config, rounds=tuple(rounds_of(nodes, 1)))


def wrong_of(right: AvgAnswer, trial: AvgTrial) -> dict[str, AvgAnswer]:
    """Wrong answers, by what is wrong."""
    [sheds] = right.rounds
    own = {reported.broker: reported.bundles for reported in trial.rounds[0].brokers}
    return {
        "nothing": AvgAnswer(((),)),
        "one does not": AvgAnswer((sheds[1:],)),
        "one bundle each": AvgAnswer((tuple(replace(s, bundles=s.bundles[-1:]) for s in sheds),)),
        "everything": AvgAnswer(
            (
                tuple(
                    replace(
                        s,
                        bundles=tuple(Planned(b, s.bundles[0].destination) for b in own[s.broker]),
                    )
                    for s in sheds
                ),
            )
        ),
        "to one": AvgAnswer(
            (
                tuple(
                    replace(s, bundles=tuple(replace(b, destination="c0") for b in s.bundles))
                    for s in sheds
                ),
            )
        ),
    }


@each_edition
@pytest.mark.parametrize("count", [4, 7, 20])
def test_of_many_equals_wrong_answers_are_noticed(edition: Edition, count: int) -> None:
    """Four equals are tried in every order; of more one matching is looked for."""
    trial = of_equals(count)
    right = answer_avg(trial, edition)
    assert len(right.rounds[0]) == count
    assert set(verdicts(trial, right, edition).values()) == {"holds", "unexercised"}
    turned = [*trial.rounds[0].brokers][::-1]
    other = replace(trial, rounds=(replace(trial.rounds[0], brokers=tuple(turned)),))
    said = verdicts(trial, answer_avg(other, edition), edition)
    assert set(said.values()) == {"holds", "unexercised"}
    for what, answer in wrong_of(right, trial).items():
        assert "violated" in verdicts(trial, answer, edition).values(), what


@each_edition
def test_among_equals_only_what_must_be_is_demanded(edition: Edition) -> None:
    """After several rounds equals may have been paired with others each time: nobody need act."""
    trial = of_equals(6)
    rounds = tuple(replace(trial.rounds[0], at=n * 60_000) for n in range(3))
    trial = replace(trial, config=replace(trial.config, high_hits=2), rounds=rounds)
    right = answer_avg(trial, edition)
    assert [len(sheds) for sheds in right.rounds] == [0, 6, 0]
    assert set(verdicts(trial, right, edition).values()) == {"holds", "unexercised"}
    early = AvgAnswer((right.rounds[1], (), ()))
    assert "violated" in verdicts(trial, early, edition).values()


def pairings(*points: float) -> list[Pairing]:
    """The pairings of brokers with these scores that differ enough."""
    scores = {f"{number:02}": score for number, score in enumerate(points)}
    return Places(scores, 0.0).pairings(AvgRules().low_threshold)


@pytest.mark.parametrize(
    ("fuller", "middle", "emptier", "count"),
    [(0, 30, 0, 1), (1, 30, 0, 30), (1, 30, 1, 1), (2, 0, 30, 30 * 29 * 2), (4, 0, 5, 24 * 120)],
)
def test_equals_in_small_gaps_are_not_told_apart(
    fuller: int, middle: int, emptier: int, count: int
) -> None:
    found = pairings(*[80.0] * fuller, *[50.0] * middle, *[20.0] * emptier)
    assert len(found) == len(set(found)) == count
    for pairing in found:
        assert len({end for pair in pairing for end in (pair.fuller, pair.emptier)}) == 2 * len(
            pairing
        )


def test_too_many_pairings_are_not_tried() -> None:
    with pytest.raises(TooMany):
        pairings(*[80.0] * 5, 50.0, *[20.0] * 5)


def test_an_answer_is_right_in_one_dimension_altogether() -> None:
    """An idle bundle goes: of the message rate nothing is left to move; of the throughput more
    than it is. Each clause alone could be obeyed, with the other dimension.
    """
    loads = {0: messages(10.0), 1: messages(10.0), 2: messages(0.0)}
    nodes = {"a": Node(cpu(90.0), loads, messages(1000.0)), "b": Node(cpu(10.0))}
    config = AvgRules(share=0.5, min_msg_rate=0, high_hits=1)
    trial = AvgTrial(config=config, rounds=tuple(rounds_of(nodes, 1)))
    right = answer_avg(trial, DOCUMENTED)
    assert "violated" not in verdicts(trial, right, DOCUMENTED).values()
    [[shed]] = right.rounds
    idle = replace(shed, bundles=(*shed.bundles, Planned(name(2), "b")))
    assert verdicts(trial, AvgAnswer(((idle,),)), DOCUMENTED)["SHD-35"] == "violated"
    one = replace(shed, bundles=shed.bundles[:1])
    assert verdicts(trial, AvgAnswer(((one,),)), DOCUMENTED)["SHD-41"] == "violated"
    away = replace(shed, bundles=tuple(replace(b, destination="c") for b in shed.bundles))
    assert verdicts(trial, AvgAnswer(((away,),)), DOCUMENTED)["SHD-34"] == "violated"
