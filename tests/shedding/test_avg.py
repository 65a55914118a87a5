"""AvgShedder: numbers of Pulsar's own tests, of document 002, and some computed by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenkeel.properties.shedding.avg.rounds import Pairing, Places
from evenkeel.properties.shedding.avg.trials import AvgAnswer, AvgTrial, Planned, answer_avg
from evenkeel.reference.edition import BASE_EDITIONS, DOCUMENTED, Edition
from evenkeel.reference.load.usage import Resource, Resources
from evenkeel.reference.shedding import avg
from evenkeel.reference.shedding.avg import AvgRules, Gap
from evenkeel.reference.shedding.cluster import BrokerId, BrokerReport
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.question import judge
from evenkeel_engine.kit.run import TooMany
from tests.shedding.building import Node, cpu, messages, name, rounds_of

each_edition = pytest.mark.parametrize("edition", BASE_EDITIONS.values(), ids=BASE_EDITIONS)


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
def test_single_precision_decides_at_40_points(fuller: float, emptier: float, high: bool) -> None:
    scores = [avg.score(BrokerReport(cpu(usage)), AvgRules()) for usage in (fuller, emptier)]
    gap = avg.gap_of(scores[0] - scores[1], AvgRules())
    assert (gap is Gap.VERY_LARGE) is high


def test_whole_points_do_not_rank_brokers() -> None:
    scores = {BrokerId(f"{i:02}"): 60.0 - 0.9 * i for i in range(12)}
    assert avg.ranking(scores, DOCUMENTED) == [*reversed(scores)]


def test_resources_count_by_weight() -> None:
    report = BrokerReport(Resources(cpu=Resource(50.0, 100.0), memory=Resource(99.0, 100.0)))
    assert avg.score(report, AvgRules()) == 50.0


def verdicts(trial: AvgTrial, answer: AvgAnswer, edition: Edition) -> dict[str, str]:
    """The status of every clause."""
    clauses = clauses_for("shedding.avg", edition)
    question = QUESTIONS["shedding.avg"]
    return {v.clause: v.status for v in judge(question, clauses, trial, answer, edition)}


def of_equals(count: int) -> AvgTrial:
    """One round with `count` equally full brokers, and as many empty ones."""
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
@pytest.mark.parametrize("count", [3, 7, 20])
def test_wrong_answers_with_many_equals_are_detected(edition: Edition, count: int) -> None:
    """Three equals are tried in every order; for more, one matching is searched."""
    trial = of_equals(count)
    right = answer_avg(trial, edition)
    assert len(right.rounds[0]) == count
    assert set(verdicts(trial, right, edition).values()) == {"holds", "unexercised"}
    turned = [*trial.rounds[0].brokers][::-1]
    other = replace(trial, rounds=(replace(trial.rounds[0], brokers=tuple(turned)),))
    statuses = verdicts(trial, answer_avg(other, edition), edition)
    assert set(statuses.values()) == {"holds", "unexercised"}
    for what, answer in wrong_of(right, trial).items():
        assert "violated" in verdicts(trial, answer, edition).values(), what


@each_edition
def test_equals_need_not_act_after_several_rounds(edition: Edition) -> None:
    """After several rounds equals may have been paired with others each time: none has to act."""
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
def test_equals_in_small_gaps_are_not_distinguished(
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


def test_an_answer_must_be_right_in_a_single_dimension() -> None:
    """An idle bundle is shed: no message rate is left to move, but more throughput than that. Each
    clause alone could be satisfied with the other dimension.
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
