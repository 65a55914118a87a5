"""Where the precision of usages decides, both answers are right.

On each of these trials a judge once flagged a balancer that calculated in doubles.
"""

from __future__ import annotations

from typing import Any

import pytest

from evenkeel.properties.shedding.avg.trials import AvgAnswer, AvgTrial, Planned, PlannedShed
from evenkeel.properties.shedding.overload import OverloadTrial
from evenkeel.properties.shedding.threshold import ThresholdTrial
from evenkeel.properties.shedding.trial_parts import Shed, SheddingAnswer
from evenkeel.properties.tolerance import largest
from evenkeel.properties.usage import is_exact
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.load.usage import Resource, Resources, Weights
from evenkeel.reference.shedding.avg import AvgRules
from evenkeel.reference.shedding.overload import OverloadRules
from evenkeel.reference.shedding.threshold import ThresholdRules
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.question import judge
from tests.shedding.building import MIB, Node, bytes_per_second, cpu, name, round_of


def node(resources: Resources, first: int, *megabytes: float) -> Node:
    """A broker with bundles of these MB/s."""
    loads = {first + i: bytes_per_second(size * MIB) for i, size in enumerate(megabytes)}
    return Node(resources, loads)


def overload_trial(percent: int, *nodes: Node) -> OverloadTrial:
    """One round of OverloadShedder."""
    named = {f"broker-{number}": node for number, node in enumerate(nodes)}
    return OverloadTrial(
        config=OverloadRules(overloaded_percent=percent), rounds=(round_of(named),)
    )


def threshold_trial(percent: int, *nodes: Node) -> ThresholdTrial:
    """One round of ThresholdShedder."""
    named = {f"broker-{number}": node for number, node in enumerate(nodes)}
    return ThresholdTrial(
        config=ThresholdRules(threshold_percentage=percent), rounds=(round_of(named),)
    )


def avg_trial(*nodes: Node) -> AvgTrial:
    """One round of AvgShedder, in which one hit is enough."""
    named = {f"broker-{number}": node for number, node in enumerate(nodes)}
    config = AvgRules(low_hits=1, share=0.5, min_msg_rate=0, min_throughput=0)
    return AvgTrial(config=config, rounds=(round_of(named),))


SAME = Resources(cpu=Resource(1.59, 3.0))
OVERLOAD_53 = overload_trial(53, node(cpu(53.0), 0, 50.0, 50.0))
OVERLOAD_60 = overload_trial(12, node(cpu(60.0), 0, 80.0, 20.0))
THRESHOLD_60 = threshold_trial(
    40, node(cpu(0.0), 9), node(cpu(60.0), 0, 50.0, 50.0), node(cpu(0.0), 9)
)
THRESHOLD_40 = threshold_trial(5, node(cpu(40.0), 0, 50.0, 50.0), node(cpu(30.0), 9, 50.0))
AVG_53 = avg_trial(node(cpu(90.0), 0, 5.0, 2.0), node(cpu(53.0), 9, 1.0), node(SAME, 10, 1.0))


def sheds(broker: int, *bundles: int) -> SheddingAnswer:
    """One round in which one broker sheds these."""
    return SheddingAnswer(((Shed(f"broker-{broker}", tuple(map(name, bundles))),),))


def plans(bundle: int, destination: int) -> AvgAnswer:
    """One round in which the first broker sheds a bundle for another."""
    planned = Planned(name(bundle), f"broker-{destination}")
    return AvgAnswer(((PlannedShed("broker-0", (planned,)),),))


NOTHING = SheddingAnswer(((),))


@pytest.mark.parametrize(
    ("question", "trial", "answer"),
    [
        ("shedding.overload", OVERLOAD_53, NOTHING),
        ("shedding.overload", OVERLOAD_53, sheds(0, 0)),
        ("shedding.overload", OVERLOAD_60, sheds(0, 0)),
        ("shedding.overload", OVERLOAD_60, sheds(0, 0, 1)),
        ("shedding.threshold", THRESHOLD_60, NOTHING),
        ("shedding.threshold", THRESHOLD_60, sheds(1, 0)),
        ("shedding.threshold", THRESHOLD_40, NOTHING),
        ("shedding.threshold", THRESHOLD_40, sheds(0, 0)),
        ("shedding.avg", AVG_53, plans(1, 1)),
        ("shedding.avg", AVG_53, plans(1, 2)),
    ],
)
def test_either_answer_is_right(question: str, trial: Any, answer: Any) -> None:
    clauses = clauses_for(question, DOCUMENTED)
    verdicts = judge(QUESTIONS[question], clauses, trial, answer, DOCUMENTED)
    assert [verdict for verdict in verdicts if verdict.status == "violated"] == []


def test_some_usages_are_the_same_in_every_precision() -> None:
    assert is_exact(cpu(50.0), Weights())
    assert is_exact(Resources(cpu=Resource(40.0, 0.0)), Weights())
    assert not is_exact(cpu(85.0), Weights())
    assert is_exact(Resources(direct_memory=Resource(85.0, 100.0)), Weights(direct_memory=0.0))


def test_the_tolerance_grows_above_the_whole() -> None:
    assert largest([0.3, 0.9]) == largest([]) == 1.0
    assert largest([0.3, -2.0]) == 2.0
