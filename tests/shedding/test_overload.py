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
    ("namespace", "clustered", "bare"),
    [
        ("pulsar/broker-1:8080", True, True),
        ("pulsar/c/broker-1:8080", True, False),
        ("sla-monitor/c/broker-1:8080", True, False),
        ("sla-monitor/broker-1:8080", False, True),
        ("pulsar/system", False, False),
        ("pulsar/broker-1", False, False),
        ("t/broker-1:8080", False, False),
    ],
)
def test_monitoring_namespaces(namespace: str, clustered: bool, bare: bool) -> None:
    """As the expressions of NamespaceService 4.0.8 and 4.2.4 have it."""
    assert is_monitoring(namespace, clustered=True) is clustered
    assert is_monitoring(namespace, clustered=False) is bare
