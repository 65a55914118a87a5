"""ThresholdShedder on the inputs of Pulsar's own tests and on the documents' examples."""

from __future__ import annotations

import pytest

from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0
from evenkeel.reference.shedding.cluster import BrokerId, BrokerReport, Cluster
from evenkeel.reference.shedding.threshold import (
    NO_HISTORY,
    ThresholdRules,
    next_score,
    share_to_shed,
    step,
)
from tests.shedding.building import cpu


def test_80_then_50_is_77() -> None:
    rules = ThresholdRules()
    assert next_score(0.8, 0.5, rules) == pytest.approx(0.77)
    assert next_score(None, 0.5, rules) == 0.5


def test_1_5_of_10_gigabytes() -> None:
    rules = ThresholdRules()
    assert 10 * share_to_shed(0.8, 0.6, rules, PULSAR_4_0) == pytest.approx(1.5)
    assert 10 * share_to_shed(0.8, 0.6, rules, DOCUMENTED) == pytest.approx(2.5)


def test_usages_enter_twice_in_4_0() -> None:
    broker = BrokerId("1")
    half, more = (
        Cluster({broker: BrokerReport(resources=cpu(percent))}, {}, {}) for percent in (50, 60)
    )
    rules = ThresholdRules()
    once = step(step(NO_HISTORY, half, rules).history, more, rules)
    assert once.average == pytest.approx(0.5100000038, abs=1e-10)
    assert step(once.history, more, rules).average == pytest.approx(0.5190000072, abs=1e-10)
