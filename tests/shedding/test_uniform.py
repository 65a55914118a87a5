"""UniformLoadShedder: numbers of Pulsar's own tests, and some that were recomputed by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from evenkeel.properties.shedding.uniform import UniformTrial, answer_uniform
from evenkeel.reference.edition import DOCUMENTED, EDITIONS, PULSAR_4_0, Edition
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resources
from evenkeel.reference.shedding.uniform import UniformRules
from tests.shedding.building import MIB, Node, bytes_per_second, indices, messages, round_of

each_edition = pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
NOTHING = Node(Resources())


def shed(nodes: Mapping[str, Node], edition: Edition, **config: Any) -> dict[str, list[int]]:
    """What is shed in one round."""
    trial = UniformTrial(config=UniformRules(**config), rounds=(round_of(nodes),))
    [decided] = answer_uniform(trial, edition).rounds
    return {entry.broker: indices(entry.bundles) for entry in decided}


def in_bytes(*megabytes: float) -> Node:
    """A broker with bundles of so many MiB/s."""
    return Node(Resources(), {i: bytes_per_second(size * MIB) for i, size in enumerate(megabytes)})


def in_messages(*rates: float) -> Node:
    """A broker with bundles of so many messages a second."""
    return Node(Resources(), {i: messages(rate) for i, rate in enumerate(rates)})


@each_edition
def test_vector_un1_the_cap(edition: Edition) -> None:
    nodes = {"a": in_bytes(*[2.0] * 20), "b": NOTHING}
    assert [*map(len, shed(nodes, edition, max_bundles=2).values())] == [2]


def test_vector_un2_the_allowance() -> None:
    nodes = {"a": in_bytes(*(2.0 * i for i in range(1, 11))), "b": NOTHING}
    assert shed(nodes, PULSAR_4_0) == {"a": [9, 0]}
    assert shed(nodes, DOCUMENTED) == {"a": [9]}


@each_edition
@pytest.mark.parametrize(
    ("config", "source"),
    [
        ({"throughput_ratio": 0.0}, "2"),
        ({"rate_difference": 0.0, "throughput_ratio": 2.0}, "3"),
        ({"throughput_ratio": 2.0}, "2"),
    ],
    ids=["by rate", "by throughput", "by rate first"],
)
def test_vector_un3_the_source(config: dict[str, float], source: str, edition: Edition) -> None:
    traffic = {"1": (50, 50), "2": (60, 60), "3": (70, 80), "4": (10, 70), "5": (20, 10)}
    nodes = {
        broker: Node(
            Resources(),
            {10 * int(broker) + i: Traffic(100.0, 0.0, 0.1 * MIB, 0.0) for i in range(2)},
            Traffic(rate * 1000.0 - (20_000.0 if broker == "3" else 0.0), 0.0, flow * MIB, 0.0),
        )
        for broker, (rate, flow) in traffic.items()
    }
    found = shed(nodes, edition, max_bundles=1, share=0.5, **config)
    assert [*found] == [source]


@each_edition
def test_vector_un4_a_ratio_of_four_and_a_half(edition: Edition) -> None:
    nodes = {"a": in_bytes(*[45.0] * 10), "b": Node(Resources(), traffic=in_bytes(100.0).total())}
    assert [*map(len, shed(nodes, edition).values())] == [1]


@each_edition
def test_vector_un5_no_brokers(edition: Edition) -> None:
    assert shed({}, edition) == {}


def test_idle_bundles() -> None:
    nodes = {
        "a": Node(Resources(), in_messages(1500.0, 0.0, 0.0, 0.0).bundles, messages(10_500.0)),
        "b": Node(Resources(), traffic=messages(500.0)),
    }
    assert shed(nodes, PULSAR_4_0) == {"a": [0, 1, 2, 3]}
    assert shed(nodes, DOCUMENTED) == {"a": [0]}


def test_issue_21905_everything_moves() -> None:
    nodes = {"a": in_messages(*[60.0] * 10), "b": NOTHING}
    assert [*map(len, shed(nodes, PULSAR_4_0, min_msg_rate=0).values())] == [10]
    assert [*map(len, shed(nodes, DOCUMENTED, min_msg_rate=0).values())] == [1]


def test_fractions_are_free() -> None:
    nodes = {"a": in_messages(*[0.9] * 200), "b": NOTHING}
    found = shed(nodes, PULSAR_4_0, min_msg_rate=0)
    assert len(found["a"]) == 200
    assert len(shed(nodes, DOCUMENTED, min_msg_rate=0)["a"]) == 39


def test_rate_masks_throughput() -> None:
    nodes = {
        "a": Node(Resources(), in_bytes(100.0, 900.0).bundles, Traffic(100.0, 0, 1000.0 * MIB, 0)),
        "b": Node(Resources(), traffic=Traffic(10.0, 0, 1.0 * MIB, 0)),
    }
    assert shed(nodes, PULSAR_4_0) == {}
    assert shed(nodes, DOCUMENTED) == {"a": [0]}


def test_the_least_is_a_32_bit_number() -> None:
    nodes = {
        "a": Node(Resources(), in_bytes(100.0, 200.0).bundles, bytes_per_second(9e9)),
        "b": Node(Resources(), traffic=bytes_per_second(3e9)),
    }
    assert shed(nodes, PULSAR_4_0) == {"a": [1, 0]}
    assert shed(nodes, DOCUMENTED) == {}


def test_the_allowance_wraps() -> None:
    nodes = {
        "a": Node(Resources(), in_bytes(100.0, 200.0).bundles, bytes_per_second(11e9)),
        "b": NOTHING,
    }
    assert shed(nodes, PULSAR_4_0) == {}
    assert shed(nodes, DOCUMENTED) == {"a": [1, 0]}


@each_edition
def test_issue_13915_too_little(edition: Edition) -> None:
    assert shed({"a": in_bytes(0.5, 0.5), "b": NOTHING}, edition) == {}


@each_edition
def test_the_example_of_the_configuration(edition: Edition) -> None:
    nodes = {"a": in_messages(*[2000.0] * 25), "b": Node(Resources(), traffic=messages(30_000.0))}
    assert [*map(len, shed(nodes, edition).values())] == [2]
