"""The judge of ThresholdShedder: answers that no interpretation of the documents allows."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from evenkeel.properties.shedding.threshold import THRESHOLD, ThresholdTrial, answer_threshold
from evenkeel.properties.shedding.trial_parts import Shed, SheddingAnswer
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0, Edition
from evenkeel.reference.shedding.threshold import ThresholdRules
from evenkeel_engine.kit.catalogue import clauses_for
from evenkeel_engine.kit.question import judge
from tests.shedding.building import MIB, Node, bytes_per_second, cpu, name, round_of


def node(percent: float, first: int, *megabytes: float) -> Node:
    """A broker with bundles of these MB/s, numbered from `first`."""
    loads = {first + i: bytes_per_second(size * MIB) for i, size in enumerate(megabytes)}
    return Node(cpu(percent), loads)


def trial_of(config: ThresholdRules, *rounds: Mapping[str, Node]) -> ThresholdTrial:
    """These rounds, a minute apart."""
    parts = tuple(round_of(nodes, minute=minute) for minute, nodes in enumerate(rounds))
    return ThresholdTrial(config=config, rounds=parts)


def sheds(**bundles: tuple[int, ...]) -> tuple[Shed, ...]:
    """One round in which these brokers shed these bundles."""
    return tuple(Shed(broker, tuple(map(name, numbers))) for broker, numbers in bundles.items())


def violated(
    trial: ThresholdTrial, *rounds: tuple[Shed, ...], edition: Edition = DOCUMENTED
) -> set[str]:
    """The clauses that the answer violates."""
    clauses = clauses_for("shedding.threshold", edition)
    verdicts = judge(THRESHOLD, clauses, trial, SheddingAnswer(rounds), edition)
    assert not [verdict for verdict in verdicts if verdict.status in ("errored", "undecided")]
    return {verdict.clause for verdict in verdicts if verdict.status == "violated"}


LOWER = ThresholdRules(threshold_percentage=5, lower_boundary=True, min_throughput=0.0)
AT_THE_THRESHOLD = trial_of(
    LOWER, {"a": node(40, 0, 50.0, 50.0), "b": node(30, 4, 50.0, 50.0), "c": node(35, 8, 1.0, 1.0)}
)
"""a is at the threshold up to rounding, b at the lower boundary."""


@pytest.mark.parametrize("answer", [sheds(), sheds(a=(0,))])
def test_one_undecided_broker_may_shed_or_not(answer: tuple[Shed, ...]) -> None:
    assert violated(AT_THE_THRESHOLD, answer) == set()


@pytest.mark.parametrize("answer", [sheds(b=(4,)), sheds(a=(0,), b=(4,)), sheds(c=(8,), b=(4,))])
def test_an_undecided_broker_does_not_exempt_others(answer: tuple[Shed, ...]) -> None:
    assert violated(AT_THE_THRESHOLD, answer)


TIED = trial_of(
    ThresholdRules(lower_boundary=True),
    {str(i): node(80, 2 * i, 240.0, 80.0) for i in range(10)} | {"10": node(5, 30, 1.0)},
)


def test_one_of_several_most_loaded_sheds() -> None:
    for first in range(10):
        assert violated(TIED, sheds(**{str(first): (2 * first,)})) == set()
    assert violated(TIED, sheds()) == {"SHD-88"}
    assert violated(TIED, sheds(**{"0": (0,), "1": (2,)})) == {"SHD-87"}


def test_an_answer_wrong_on_both_sides_of_the_threshold_is_violated() -> None:
    """60 % is the threshold up to rounding: too much if it is above, anything if it is below."""
    config = ThresholdRules(threshold_percentage=40)
    trial = trial_of(config, {"a": node(60, 0, 80.0, 20.0), "b": node(0, 4), "c": node(0, 8)})
    assert violated(trial, sheds()) == violated(trial, sheds(a=(0,))) == set()
    assert violated(trial, sheds(a=(0, 1))) == {"SHD-80", "SHD-86"}


def test_the_last_bits_of_an_average_decide_in_4_0() -> None:
    config = ThresholdRules(threshold_percentage=10, min_throughput=0.0)
    trial = trial_of(config, {"a": node(20, 0, 5.0, 1.0), "b": node(0, 4, 1.0)})
    assert violated(trial, sheds(), edition=PULSAR_4_0) == {"SHD-81", "SHD-90"}
    assert violated(trial, sheds(a=(0,)), edition=PULSAR_4_0) == set()
    assert violated(trial, sheds()) == set()


MANY = 1500
"""More rounds than Python's limit of nested calls."""


def test_many_rounds_are_judged() -> None:
    nodes = {"1": node(90, 1, 1.0), "2": node(10, 2)}
    trial = ThresholdTrial(config=ThresholdRules(), rounds=(round_of(nodes, minute=0),) * MANY)
    answer = answer_threshold(trial, PULSAR_4_0)
    assert violated(trial, *answer.rounds, edition=PULSAR_4_0) == set()
