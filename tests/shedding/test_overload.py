"""OverloadShedder: numbers of Pulsar's own tests, and some that were recomputed by hand."""

from __future__ import annotations

import pytest

from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0
from evenkeel.reference.load.namespaces import is_monitoring
from evenkeel.reference.shedding import overload
from evenkeel.reference.shedding.cluster import BrokerReport
from evenkeel.reference.shedding.overload import OverloadRules
from tests.shedding.building import (
    MB,
    bytes_per_second,
)


def test_points_of_capacity_are_not_a_share_of_traffic() -> None:
    report = BrokerReport(traffic=bytes_per_second(100.0 * MB))
    rules = OverloadRules(overloaded_percent=50)
    assert overload.amount_to_shed(0.8, report, rules, PULSAR_4_0) == pytest.approx(35.0 * MB)
    assert overload.amount_to_shed(0.8, report, rules, DOCUMENTED) == pytest.approx(43.75 * MB)


@pytest.mark.parametrize(
    ("namespace", "monitoring"),
    [
        ("pulsar/broker-1:8080", True),
        ("pulsar/c/broker-1:8080", True),
        ("sla-monitor/c/broker-1:8080", True),
        ("pulsar/system", False),
        ("sla-monitor/broker-1:8080", False),
        ("pulsar/broker-1", False),
        ("t/broker-1:8080", False),
    ],
)
def test_monitoring_namespaces(namespace: str, monitoring: bool) -> None:
    assert is_monitoring(namespace) is monitoring
