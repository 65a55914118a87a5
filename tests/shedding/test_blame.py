"""Shedders that choose by a rule of their own: only the clauses that they break are named."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evenkeel.properties.shedding.judge_parts import is_monitors
from evenkeel.properties.shedding.threshold import (
    THRESHOLD,
    ThresholdTrial,
    judge_threshold_shedder,
)
from evenkeel.properties.shedding.trial_parts import (
    ModularRound,
    ReportedBroker,
    Shed,
    SheddingAnswer,
)
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0, Edition
from evenkeel.reference.shedding.cluster import MINUTE
from evenkeel.reference.shedding.threshold import ThresholdRules
from evenkeel_engine.check.failure import find_violations
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.kit.clause import Case
from tests.shedding.building import MIB, Node, bytes_per_second, cpu, name, round_of

WHAT_MAY_BE_SHED = {"SHD-1", "SHD-3", "SHD-4", "SHD-5", "SHD-7"}
TRIALS = 30

Choose = Callable[[int, list[str]], list[str]]
"""What a broker sheds in the round of this number, of the bundles that it may."""


def answer_of(trial: ThresholdTrial, choose: Choose, edition: Edition) -> SheddingAnswer:
    """What a shedder answers that sheds only what every shedder may."""
    unloaded = {one.bundle: one.at for one in trial.recently_unloaded}
    grace = trial.config.grace_minutes * MINUTE
    rounds: list[tuple[Shed, ...]] = []
    for number, given in enumerate(trial.rounds):
        unloaded = {bundle: at for bundle, at in unloaded.items() if given.at - at <= grace}
        may = {one.broker: may_go(one, given, edition) - {*unloaded} for one in given.brokers}
        shed = {broker: choose(number, sorted(bundles)) for broker, bundles in may.items()}
        rounds.append(tuple(Shed(broker, tuple(going)) for broker, going in shed.items() if going))
        done = {bundle for going in shed.values() for bundle in going}
        unloaded |= dict.fromkeys(done - {*given.failing}, given.at)
    return SheddingAnswer(tuple(rounds))


def may_go(report: ReportedBroker, given: ModularRound, edition: Edition) -> set[str]:
    """The bundles of a broker that are known and not for monitoring, if it has several."""
    own = {one for one in report.bundles if not is_monitors(one, edition.clustered_monitors)}
    return own & {one.bundle for one in given.bundles} if len(own) > 1 else set()


@pytest.mark.parametrize("edition", [DOCUMENTED, PULSAR_4_0], ids=lambda one: one.name)
@pytest.mark.parametrize(
    "choose",
    [
        pytest.param(lambda number, may: may[: len(may) // 2], id="half-of-every-broker"),
        pytest.param(lambda number, may: may[-2:] if number % 2 == 0 else [], id="there-and-back"),
    ],
)
def test_a_wrong_choice_is_no_breach_of_what_may_be_shed(choose: Choose, edition: Edition) -> None:
    named: set[str] = set()
    for index in range(TRIALS):
        trial = make_trial(THRESHOLD, 1, index)
        case = Case(trial, answer_of(trial, choose, edition), edition, THRESHOLD.observe)
        named |= judge_threshold_shedder.judge(case).violated
    assert named.isdisjoint(WHAT_MAY_BE_SHED)
    assert {"SHD-80", "SHD-84", "SHD-87"} <= named


def test_a_bundle_that_is_not_served_comes_first_and_alone() -> None:
    loads = dict.fromkeys(range(4), bytes_per_second(100.0 * MIB))
    nodes = {
        "a": Node(cpu(90), loads),
        "b": Node(cpu(10), {4: bytes_per_second(MIB), 5: bytes_per_second(MIB)}),
    }
    trial = ThresholdTrial(config=ThresholdRules(), rounds=(round_of(nodes),))
    answer = SheddingAnswer(((Shed("b", (name(0),)),),))
    first, *others = find_violations(THRESHOLD, trial, answer, DOCUMENTED)
    assert first.signature == "SHD-1:bundle"
    assert first.sentence == f"round 1: b is to shed {name(0)}, which it does not serve"
    assert {one.clause for one in others} == {"SHD-80", "SHD-81"}
    assert not [one for one in others if "SHD-1 " in one.sentence]
