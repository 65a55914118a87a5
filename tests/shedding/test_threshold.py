"""ThresholdShedder on the inputs of Pulsar's own tests and on the documents' examples."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from evenkeel.properties.shedding.threshold import Membership, ThresholdTrial, answer_threshold
from evenkeel.properties.shedding.trial_parts import Unloaded
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0, Edition
from evenkeel.reference.load.usage import Resource, Resources
from evenkeel.reference.shedding.cluster import BrokerId, BrokerReport, Cluster
from evenkeel.reference.shedding.threshold import (
    NO_HISTORY,
    ThresholdRules,
    next_score,
    share_to_shed,
    step,
)
from tests.shedding.building import MB, MIB, Node, bytes_per_second, cpu, indices, name, round_of

Shedding = list[dict[str, list[int]]]
AT_ALL = ThresholdRules(min_throughput=0.0)


def node(percent: float, first: int, *sizes: float) -> Node:
    """A broker at so many percent, its bundles numbered from `first`."""
    loads = {first + i: bytes_per_second(size) for i, size in enumerate(sizes)}
    return Node(cpu(percent), loads)


def sheds(
    *rounds: Mapping[str, Node],
    config: ThresholdRules = AT_ALL,
    edition: Edition = PULSAR_4_0,
    recent: tuple[int, ...] = (),
    memberships: tuple[Membership, ...] = (),
) -> Shedding:
    """What is shed in each round, by bundle numbers; the bundles of a round stay there."""
    made = tuple(round_of(nodes, minute=40 * i) for i, nodes in enumerate(rounds))
    unloaded = tuple(Unloaded(name(index), made[0].at) for index in recent)
    trial = ThresholdTrial(
        config=config, recently_unloaded=unloaded, rounds=made, memberships=memberships
    )
    answer = answer_threshold(trial, edition)
    return [{entry.broker: indices(entry.bundles) for entry in shed} for shed in answer.rounds]


def busy() -> dict[str, Node]:
    """The broker of Pulsar's test: 99.9 % of its bandwidth, ten bundles; and an idle one."""
    loads = {i: bytes_per_second(2 * i * MIB) for i in range(1, 11)}
    full = Resource(999.0, 1000.0)
    resources = Resources(bandwidth_in=full, bandwidth_out=full)
    return {"1": Node(resources, loads), "2": node(0, 11, 0.0, 0.0)}


def test_the_largest_bundles_that_come_to_the_amount() -> None:
    config = ThresholdRules()
    assert sheds(busy(), config=config) == [{"1": [10, 9, 8]}]
    assert sheds(busy(), config=config, recent=(10, 9)) == [{"1": [8, 7, 6, 5]}]


def test_alone_at_the_average() -> None:
    assert sheds({"1": node(99.9, 1, 30.0 * MIB)}) == [{}]
    assert sheds({"1": node(99.9, 1, 30.0 * MIB, 20.0 * MIB)}) == [{}]


def test_more_than_all_there_is() -> None:
    assert sheds({"1": node(140, 1, 9.0 * MB, 8.0 * MB), "2": node(50, 3, 1.0 * MB)}) != [{}]


def test_40_10_10() -> None:
    nodes = {"1": node(40, 1, *[200.0 * MB] * 5), "2": node(10, 6, MB), "3": node(10, 7, MB)}
    config = ThresholdRules()
    assert [list(shed) for shed in sheds(nodes, config=config)] == [["1"]]
    assert len(sheds(nodes, config=config)[0]["1"]) == 1
    assert len(sheds(nodes, config=config, edition=DOCUMENTED)[0]["1"]) == 2


def test_exactly_the_threshold_sheds_in_4_0() -> None:
    assert sheds({"1": node(20, 1, 5.0 * MB, MB), "2": node(0, 3, MB)}) == [{"1": [1]}]


def eleven(**changes: bool) -> Shedding:
    """Ten brokers at 80 % with 200 MiB/s, one at 5 %."""
    nodes = {str(i): node(80, 2 * i, 120.0 * MIB, 80.0 * MIB) for i in range(10)}
    return sheds({**nodes, "10": node(5, 30, MB)}, config=ThresholdRules(**changes))


def test_ten_at_80_and_one_at_5() -> None:
    assert eleven() == [{}]
    (drawn,) = eleven(lower_boundary=True)
    assert len(drawn) == 1
    assert "10" not in drawn


def test_the_source_for_the_lower_boundary_has_several_bundles() -> None:
    nodes = {"1": node(80, 1, 900.0 * MIB), "2": node(80, 2, 900.0 * MIB)}
    nodes |= {"3": node(50, 3, 500.0 * MIB, 100.0 * MIB), "4": node(5, 5, MB)}
    assert sheds(nodes, config=ThresholdRules(lower_boundary=True)) == [{"3": [3]}]


def test_nobody_is_below_the_boundary() -> None:
    nodes = {str(i): node(80, 2 * i, 300.0 * MIB, 200.0 * MIB) for i in range(5)}
    assert sheds(nodes, config=ThresholdRules(lower_boundary=True)) == [{}]


def test_80_then_50_is_77() -> None:
    rules = ThresholdRules()
    assert next_score(0.8, 0.5, rules) == pytest.approx(0.77)
    assert next_score(None, 0.5, rules) == 0.5
    first = {"1": node(80, 1, 50.0 * MB, 40.0 * MB), "2": node(50, 3, MB)}
    then = {"1": node(50, 1, 50.0 * MB, 40.0 * MB), "2": node(50, 3, MB)}
    assert list(sheds(first, then)[1]) == ["1"]
    restarted = (Membership(1, ("2",)),)
    assert sheds(first, then, memberships=restarted)[1] == {}


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


def test_too_little_to_shed() -> None:
    nodes = {"1": node(90, 1, 5.0 * MIB, 5.0 * MIB), "2": node(10, 3, MB)}
    assert sheds(nodes, config=ThresholdRules()) == [{}]
    enough = ThresholdRules(min_throughput=1.0)
    assert sheds(nodes, config=enough) != [{}]
