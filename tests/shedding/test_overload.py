"""OverloadShedder: numbers of Pulsar's own tests, and some that were recomputed by hand."""

from __future__ import annotations

import pytest

from evenkeel.properties.shedding.overload import OverloadTrial, answer_overload
from evenkeel.properties.shedding.trial_parts import Unloaded
from evenkeel.reference.edition import DOCUMENTED, EDITIONS, PULSAR_4_0, Edition
from evenkeel.reference.load.namespaces import is_monitoring
from evenkeel.reference.load.usage import Resource, Resources
from evenkeel.reference.shedding import overload
from evenkeel.reference.shedding.cluster import BrokerReport
from evenkeel.reference.shedding.overload import OverloadRules
from tests.shedding.building import (
    MB,
    MIB,
    Node,
    bytes_per_second,
    cpu,
    indices,
    name,
    round_of,
)

each_edition = pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
BUSY_NETWORK = Resources(
    bandwidth_in=Resource(999.0, 1000.0), bandwidth_out=Resource(999.0, 1000.0)
)
TEN = Node(BUSY_NETWORK, {i: bytes_per_second(2.0 * i * MIB) for i in range(1, 11)})


def shed(node: Node, edition: Edition, recent: tuple[int, ...] = (), **config: float) -> list[int]:
    """The bundles that one broker sheds in one round."""
    trial = OverloadTrial(
        config=OverloadRules(**config),  # type: ignore[arg-type]
        recently_unloaded=tuple(Unloaded(name(index), 0) for index in recent),
        rounds=(round_of({"a": node}),),
    )
    [decided] = answer_overload(trial, edition).rounds
    return indices(decided[0].bundles) if decided else []


@each_edition
def test_vector_os1_two_of_ten(edition: Edition) -> None:
    assert shed(TEN, edition) == [10, 9]


@each_edition
def test_vector_os2_the_next_two_while_these_rest(edition: Edition) -> None:
    assert shed(TEN, edition, recent=(10, 9)) == [8, 7]


@each_edition
@pytest.mark.parametrize(
    "node",
    [
        Node(BUSY_NETWORK, {1: bytes_per_second(MIB)}),
        Node(BUSY_NETWORK),
        Node(cpu(50.0), {1: bytes_per_second(MIB), 2: bytes_per_second(MIB)}),
        Node(cpu(84.9), {1: bytes_per_second(MIB), 2: bytes_per_second(MIB)}),
    ],
    ids=["one bundle", "no bundle", "half full", "just below"],
)
def test_vectors_os3_os6_nothing(node: Node, edition: Edition) -> None:
    assert shed(node, edition) == []


@each_edition
def test_vector_os4_weights_of_nothing(edition: Edition) -> None:
    assert shed(TEN, edition, bandwidth_in_weight=0.0, bandwidth_out_weight=0.0) == []


@each_edition
def test_vector_os5_exactly_the_threshold(edition: Edition) -> None:
    loads = {1: 20.0 * MB, 2: 50.0 * MB, 3: 30.0 * MB}
    node = Node(cpu(85.0), {i: bytes_per_second(load) for i, load in loads.items()})
    assert shed(node, edition) == [2]


@each_edition
def test_vector_os7_direct_memory_counts_by_weight(edition: Edition) -> None:
    full = Resources(cpu=Resource(50.0, 100.0), direct_memory=Resource(99.0, 100.0))
    node = Node(full, {1: bytes_per_second(50.0 * MB), 2: bytes_per_second(90.0 * MB)})
    assert shed(node, edition) == []
    assert shed(node, edition, direct_memory_weight=1.0) == [2]


def test_a_usage_of_two_hundred_percent_empties_the_broker() -> None:
    loads = {1: 20.0 * MB, 2: 50.0 * MB, 3: 30.0 * MB}
    node = Node(cpu(200.0), {i: bytes_per_second(load) for i, load in loads.items()})
    assert shed(node, PULSAR_4_0) == [2, 3, 1]
    assert shed(node, DOCUMENTED) == [2, 3]


def test_a_sole_bundle_beside_the_heartbeat() -> None:
    heartbeat = name(0, "pulsar/broker-1:8080")
    node = Node(cpu(95.0), {1: bytes_per_second(MIB)}, monitoring=(heartbeat,))
    assert shed(node, PULSAR_4_0) == [1]
    assert shed(node, DOCUMENTED) == []


@each_edition
def test_a_bundle_without_traffic_goes_too(edition: Edition) -> None:
    node = Node(cpu(95.0), {1: bytes_per_second(0.0), 2: bytes_per_second(0.0)})
    assert len(shed(node, edition)) == 1


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
