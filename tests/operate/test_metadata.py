"""Snapshots of a dump of the metadata."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evenkeel.operate.operating import gather
from evenkeel.operate.operating.expected import moves_now
from evenkeel.operate.operating.snapshot import BadSnapshot
from evenkeel.reference.balancing.settings import Strategy
from evenkeel.reference.bundles.topics import topic_hash
from evenkeel.reference.edition import PULSAR_4_0
from tests.operate.test_advise import report as load_report

FULL, IDLE = "full:8080", "idle:8080"
LOW, HIGH = "0x00000000_0x80000000", "0x80000000_0xffffffff"


def stats(rate: float) -> dict[str, float]:
    rates = {"msgRateIn": rate, "msgRateOut": rate}
    return {**rates, "msgThroughputIn": rate * 1000, "msgThroughputOut": rate * 1000}


def report(cpu: float, bundles: dict[str, float]) -> dict[str, Any]:
    """As the modular manager writes it into a broker's node."""
    none = {"usage": 0.0, "limit": -1000.0}  # no network card that has a speed
    last = {f"t/ns/{one}": stats(rate) for one, rate in bundles.items()}
    return {**load_report(4 * cpu), "bandwidthIn": none, "bandwidthOut": none, "lastStats": last}


def dump() -> dict[str, Any]:
    boundaries = {"boundaries": ["0x00000000", "0x80000000", "0xffffffff"], "numBundles": 2}
    averages = {"shortTermData": {**stats(70.0), "numSamples": 9}, "longTermData": stats(60.0)}
    return {
        f"/loadbalance/brokers/{FULL}": report(80.0, {LOW: 50.0, HIGH: 40.0}),
        f"/loadbalance/brokers/{IDLE}": report(5.0, {}),
        f"/loadbalance/bundle-data/t/ns/{LOW}": averages,
        "/admin/policies/t": {"adminRoles": []},
        "/admin/policies/t/ns": {"bundles": boundaries, "replication_clusters": ["c1"]},
        "/managed-ledgers/t/ns/persistent/a": None,
        "/managed-ledgers/t/ns/persistent/b%20c": None,
        "/managed-ledgers/t/ns/persistent/a/cursor": None,
        "/admin/configuration": {"loadBalancerBrokerThresholdShedderPercentage": "20"},
        "/admin/clusters/c1": {},
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "metadata.json").write_text(json.dumps(dump()))
    (tmp_path / "broker.conf").write_text(
        "loadBalancerLoadSheddingStrategy=x.ThresholdShedder\n"
        "loadBalancerBrokerThresholdShedderPercentage=10\n"
        "loadBalancerBundleUnloadMinThroughputThreshold=0\n"
    )
    return tmp_path


def test_a_dump_is_a_snapshot(folder: Path) -> None:
    seen = gather.from_files(folder)
    assert [one.id for one in seen.brokers] == [FULL, IDLE]
    full = seen.brokers[0]
    assert (full.cpu.percent, full.bandwidth_in.percent) == (80, 0)
    rates = {one.name.rpartition("/")[2]: one.msg_rate_in for one in seen.bundles}
    assert rates == {LOW: 70, HIGH: 40}  # the leader's average, where there is one
    assert {one.broker for one in seen.bundles} == {FULL}
    in_bundle = {topic: one.name for one in seen.bundles for topic in one.topics}
    for name in ("persistent://t/ns/a", "persistent://t/ns/b c"):
        assert in_bundle[name] == f"t/ns/{LOW if topic_hash(name) < 1 << 31 else HIGH}"


def test_dynamic_settings_go_before_the_file(folder: Path) -> None:
    seen = gather.from_files(folder)
    assert seen.value("loadBalancerBrokerThresholdShedderPercentage") == "20"
    assert moves_now(seen, Strategy.THRESHOLD, PULSAR_4_0)
    nodes = dump()
    nodes["/admin/configuration"] = {"loadBalancerBrokerThresholdShedderPercentage": "60"}
    (folder / "metadata.json").write_text(json.dumps(nodes))
    assert not moves_now(gather.from_files(folder), Strategy.THRESHOLD, PULSAR_4_0)


@pytest.mark.parametrize("last", [[1], "x", {f"t/ns/{LOW}": 5}])
def test_statistics_that_are_none_say_nothing(folder: Path, last: object) -> None:
    nodes = dump()
    nodes[f"/loadbalance/brokers/{FULL}"]["lastStats"] = last
    nodes[f"/loadbalance/bundle-data/t/ns/{LOW}"] = {"shortTermData": "x"}
    (folder / "metadata.json").write_text(json.dumps(nodes))
    assert not any(one.msg_rate_in for one in gather.from_files(folder).bundles)


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ([], "must be an object of nodes by path"),
        ({"admin": {}}, "must be an object of nodes by path"),
        ({"/admin/clusters/c1": {}}, "has a load report"),
        ({f"/loadbalance/brokers/{FULL}": {"webServiceUrl": "x"}}, "has a load report"),
        ({"/admin/policies/t/ns": {}}, "has no boundaries"),
        ({"/admin/policies/t/ns": {"bundles": {"boundaries": ["0x1", "0x0"]}}}, "must rise"),
    ],
)
def test_bad_dumps_are_one_sentence(tmp_path: Path, nodes: object, message: str) -> None:
    (tmp_path / "metadata.json").write_text(json.dumps(nodes))
    with pytest.raises(BadSnapshot, match=message):
        gather.from_files(tmp_path)
