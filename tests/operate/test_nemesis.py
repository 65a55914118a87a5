"""Taking steps, on a cluster that only writes down what is done to it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from evenkeel.operate.cluster import clocks
from evenkeel.operate.cluster.configuration import Manager, RequestedCluster
from evenkeel.operate.cluster.http import Answer
from evenkeel.operate.cluster.process import Process
from evenkeel.operate.cluster.running import Cluster
from evenkeel.operate.cluster.state import Broker, State
from evenkeel.operate.live import nemesis as nemesis_module
from evenkeel.operate.live.nemesis import Nemesis
from evenkeel.operate.live.plans import PLANS, Scene, steps_of
from evenkeel.operate.live.proxy import Proxies
from evenkeel.operate.live.schedule import LEADER, OWNER, Step
from evenkeel.operate.recording.store import Store, read_entries

NAMES = ["broker-1", "broker-2", "broker-3"]


class Written:
    """A cluster of two brokers and a guest, and the proxies before it."""

    def __init__(self, folder: Path) -> None:
        self.requested = RequestedCluster("4.0.8", 2, Manager.EXTENSIBLE, clocks=True)
        self.folder = folder
        for name in NAMES:
            clocks.place_of(folder, name).write_bytes(struct.pack("=q", 0))
        brokers = [Broker(name, 1, 2 + at, 3) for at, name in enumerate(NAMES)]
        self.state = State(folder, self.requested, 1, 2, brokers, Process(1, 1))
        self.up = {"broker-1", "broker-2", "zookeeper", "bookie"}
        self.done: list[str] = []

    def find_broker(self, name: str) -> Broker:
        return next(broker for broker in self.state.brokers if broker.name == name)

    def runs(self, name: str) -> bool:
        return name in self.up

    def start(self, name: str) -> None:
        assert name not in self.up
        self.up.add(name)
        self.done.append(f"start {name}")

    def send(self, name: str, number: signal.Signals) -> None:
        assert name in self.up
        self.done.append(f"{number.name} {name}")

    def stop(self, name: str, number: signal.Signals, seconds: float) -> bool:
        self.up.discard(name)
        self.done.append(f"end by {number.name} {name}")
        return True

    def cut(self, name: str) -> None:
        self.done.append(f"cut {name}")

    def join(self, name: str) -> None:
        self.done.append(f"join {name}")


@pytest.fixture
def nemesis(tmp_path: Path) -> Iterator[tuple[Nemesis, Written, Store]]:
    written, store = Written(tmp_path), Store(tmp_path / "recording", {})
    made = Nemesis(cast(Cluster, written), cast(Proxies, written), store)
    made.owner_at = lambda place: "broker-2"  # type: ignore[method-assign]
    made.operate = lambda step: {"status": 204}  # type: ignore[method-assign]
    yield made, written, store
    if store.open:
        store.close()


Made = tuple[Nemesis, Written, Store]


def test_who_is_hurt_by_place_is_healed_by_place(nemesis: Made) -> None:
    made, written, _ = nemesis
    steps = [Step(0, "pause", 0.5, OWNER), Step(0, "resume", 0.5, OWNER)]
    made.play((*steps, Step(0, "resume", 0.5, OWNER)), lambda _: None)
    assert written.done == ["SIGSTOP broker-2", "SIGCONT broker-2"]


def test_who_leads_when_it_is_stopped_is_started_again(
    nemesis: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, written, _ = nemesis
    leaders = iter([written.find_broker("broker-2").id, "stranger:1"])
    asked: list[str] = []

    def answer_leader(url: str, *_: object, **__: object) -> Answer:
        asked.append(url)
        return Answer(200, json.dumps({"brokerId": next(leaders)}).encode())

    monkeypatch.setattr(nemesis_module, "request", answer_leader)
    made.play((Step(0, "stop", 0.5, LEADER), Step(0, "start", 0.5, LEADER)), lambda _: None)
    assert written.done == ["SIGTERM broker-2", "end by SIGTERM broker-2", "start broker-2"]
    assert made.broker_of(Step(0, "stop", 0.5, LEADER)) is None
    assert {url.rpartition("/")[2] for url in asked} == {"leaderBroker"}


def test_one_healthy_broker_is_left(nemesis: Made) -> None:
    made, written, store = nemesis
    made.play(
        (*tuple(Step(0, "kill", broker=at) for at in range(2)), Step(0, "cut", broker=1)),
        lambda _: None,
    )
    assert written.done == ["end by SIGKILL broker-1"]
    assert made.list_healthy() == [written.find_broker("broker-2").admin_url]
    assert made.counts == {"kill": 2, "cut": 1}
    store.close()
    done = [one.data["done"] for one in read_entries(store.folder, ("fault",))]
    assert done == [True, False, False]


def test_all_is_healed_and_the_guest_goes(nemesis: Made) -> None:
    made, written, _ = nemesis
    kinds = ("add-broker", "remove-broker", "zookeeper-restart", "bookie-restart")
    faults = [Step(0, kind) for kind in kinds]
    faults += [Step(0, "stop", broker=0), Step(0, "unload", 0.3)]
    made.play(tuple(faults), lambda _: None)
    made.heal_all()
    assert written.up == {"broker-1", "broker-2", "zookeeper", "bookie"}
    assert made.up() == ["broker-1", "broker-2"]
    assert "end by SIGTERM broker-3" in written.done


@pytest.mark.parametrize("plan", PLANS)
def test_every_plan_ends_with_all_brokers_up(plan: str, nemesis: Made) -> None:
    made, written, _ = nemesis
    hasty: list[Any] = []
    for step in steps_of(plan, 3, Scene(300, 2)):
        hasty.append(Step(0, step.do, step.place, step.broker, step.algorithm, step.number))
    made.play(tuple(hasty), lambda _: None)
    made.heal_all()
    assert {"broker-1", "broker-2", "zookeeper", "bookie"} <= written.up
    assert not made.paused | made.cut | made.stopping


def offset(folder: Path, name: str) -> int:
    (seconds,) = struct.unpack("=q", clocks.place_of(folder, name).read_bytes())
    return int(seconds)


def test_a_clock_is_stepped_and_comes_back(nemesis: Made, tmp_path: Path) -> None:
    made = nemesis[0]
    cluster = cast(Written, made.cluster)
    made.play((Step(0, "clock", broker=1, number=-40),), lambda _: None)
    assert [offset(cluster.folder, name) for name in NAMES] == [0, -40, 0]
    cluster.up.discard("broker-1")
    made.play((Step(0, "clock", broker=0, number=9),), lambda _: None)
    assert offset(cluster.folder, "broker-1") == 0  # it does not run
    made.heal_all()
    assert [offset(cluster.folder, name) for name in NAMES[:2]] == [0, 0]


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_a_stepped_process_sees_another_time_of_day(tmp_path: Path) -> None:
    around = {**os.environ, **clocks.make_clock_environment(tmp_path, "broker-1")}
    program = "import time; print(time.time(), time.monotonic())"

    def report_clocks() -> tuple[float, float]:
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, env=around, capture_output=True, text=True, check=True)
        day, lasting = map(float, done.stdout.split())
        return day - time.time(), lasting - time.monotonic()

    assert report_clocks() == pytest.approx((0, 0), abs=5)
    clocks.step(tmp_path, "broker-1", -3600)
    assert report_clocks() == pytest.approx((-3600, 0), abs=5)
