"""A cluster that this process owns: its servers end when it does."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from evenkeel.operate.cluster import clocks, configuration, process
from evenkeel.operate.cluster.configuration import NAME, RequestedCluster
from evenkeel.operate.cluster.distribution import find_distribution
from evenkeel.operate.cluster.errors import ClusterUnusable
from evenkeel.operate.cluster.http import Access, NoAnswer, request
from evenkeel.operate.cluster.jvm import build_java_command
from evenkeel.operate.cluster.ports import free_ports, listens
from evenkeel.operate.cluster.process import Process
from evenkeel.operate.cluster.state import Broker, State

Tell = Callable[[str], None]
"""Called with progress, in a sentence; with an empty text while nothing happens."""
STARTED_IN: Final = 240
"""Seconds that each server may take; the machine may be busy."""
ZOOKEEPER: Final = "zookeeper"
BOOKIE: Final = "bookie"


class Cluster:
    """Start and end servers, one by one or all."""

    def __init__(
        self, folder: Path, requested: RequestedCluster, reported: Tell = lambda _: None
    ) -> None:
        process.require_proc()
        self.folder, self.requested, self.reported = folder.absolute(), requested, reported
        self.distribution = find_distribution(requested.version)
        self.state = new_state(self.folder, requested)

    def find_broker(self, name: str) -> Broker:
        """The broker with this name."""
        return next(broker for broker in self.state.brokers if broker.name == name)

    def up(self) -> None:
        """Start all, and wait until every broker answers. Raises `ClusterUnusable`."""
        began = time.monotonic()
        self.prepare()
        self.up_storage()
        for broker in self.state.brokers[: self.requested.brokers]:
            self.start(broker.name)
        self.reported(f"{self.requested.brokers} brokers start")
        self.wait_ready()
        self.state.ready = round(time.monotonic() - began, 1)
        self.state.write()

    def prepare(self) -> None:
        """Folders and configuration files."""
        for name in ("logs", "tmp", "zookeeper", "journal", "ledgers"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o700)  # a broker's settings may hold a token
        conf, state = self.distribution / "conf", self.state
        ports = {"folder": self.folder, "zookeeper": state.zookeeper}
        settings = configuration.configure("zookeeper", port=state.zookeeper, **ports)
        configuration.write(conf / "zookeeper.conf", self.folder / "zookeeper.conf", settings)
        settings = configuration.configure("bookie", port=state.bookie, **ports)
        configuration.write(conf / "bookkeeper.conf", self.folder / "bookie.conf", settings)
        for broker in state.brokers:
            settings = configuration.configure_broker(
                self.requested, port=broker.service, web=broker.web, zookeeper=broker.metadata
            )
            configuration.write(conf / "broker.conf", self.folder / f"{broker.name}.conf", settings)
        state.write()

    def up_storage(self) -> None:
        """ZooKeeper, what is written into it once, and the bookie."""
        self.start(ZOOKEEPER)
        self.wait_port(ZOOKEEPER, self.state.zookeeper)
        self.reported("ZooKeeper answers")
        self.write_metadata()
        self.start(BOOKIE)
        self.wait_port(BOOKIE, self.state.bookie)
        self.reported("the bookie answers")

    def write_metadata(self) -> None:
        """The cluster's own nodes."""
        store, first = f"zk:{self.state.zookeeper_address}", self.state.brokers[0]
        options = ["--cluster", NAME, "--metadata-store", store]
        options += ["--configuration-metadata-store", store]
        options += ["--web-service-url", first.admin_url]
        options += ["--broker-service-url", first.service_url]
        command = build_java_command(self.distribution, "metadata", self.folder)
        self.start("metadata", [*command, *options])
        if not process.wait_end(self.state.processes.pop("metadata"), STARTED_IN):
            raise ClusterUnusable(
                f"The metadata were not written; see {self.locate_log('metadata')}."
            )

    def start(self, name: str, command: list[str] | None = None) -> None:
        """Start a server. From the main thread only."""
        kind = name if name in (ZOOKEEPER, BOOKIE) else "broker"
        command = command or build_java_command(self.distribution, kind, self.folder, name)
        # As little as possible, so that no user's settings get in.
        around = {one: os.environ[one] for one in ("PATH", "HOME", "LANG") if one in os.environ}
        if self.requested.clocks and any(broker.name == name for broker in self.state.brokers):
            around |= clocks.make_clock_environment(self.folder, name)
        started = process.start(command, self.locate_log(name), around, self.folder)
        self.state.processes[name] = started
        self.state.write()

    def locate_log(self, name: str) -> Path:
        """What a server prints."""
        return self.folder / "logs" / f"{name}.log"

    def runs(self, name: str) -> bool:
        """Whether a server runs."""
        return name in self.state.processes and process.still_runs(self.state.processes[name])

    def wait_port(self, name: str, port: int) -> None:
        """Wait until a server listens. Raises `ClusterUnusable`."""
        until = time.monotonic() + STARTED_IN
        while not listens(port):
            self.require(name, until)
            time.sleep(0.2)

    def require(self, name: str, until: float) -> None:
        """It runs, and there still is time. Raises `ClusterUnusable`."""
        self.reported("")  # the caller that waits may have left
        if not self.runs(name):
            why = find_complaint(self.locate_log(name))
            raise ClusterUnusable(
                f"{name} ended while it started{why}; see {self.locate_log(name)}."
            )
        if time.monotonic() > until:
            raise ClusterUnusable(f"{name} does not answer in time; see {self.locate_log(name)}.")

    def wait_ready(self, seconds: float = STARTED_IN) -> None:
        """Wait until every broker that runs lists every other one. Raises `ClusterUnusable`."""
        until = time.monotonic() + seconds
        brokers = self.state.started
        requested = {broker.id for broker in brokers}
        for broker in brokers:
            while not requested <= ask_known_brokers(broker, self.requested.token):
                self.require(broker.name, until)
                time.sleep(0.3)

    def send(self, name: str, number: signal.Signals) -> None:
        """Send a signal to a server."""
        process.send(self.state.processes[name], number)

    def print_threads(self) -> None:
        """Brokers print their threads, and who waits for whom, into their logs, as any JVM does."""
        for broker in self.state.started:
            if self.runs(broker.name):
                self.send(broker.name, signal.SIGQUIT)

    def stop(self, name: str, number: signal.Signals, seconds: float = 60) -> bool:
        """Send a signal and wait for the end; whether it came in time. It is killed if not."""
        one = self.state.processes[name]
        process.send(one, number)
        if not (ended := process.wait_end(one, seconds)):
            process.send(one, signal.SIGKILL)
            process.wait_end(one, 10)
        del self.state.processes[name]
        self.state.write()
        return ended

    def tear_down(self, keep: bool = False) -> None:
        """End all; remove the folder unless it is to be kept."""
        process.end_all(self.folder)
        self.state.processes.clear()
        if keep:
            self.state.write()
        else:
            shutil.rmtree(self.folder, ignore_errors=True)

    def measure_servers(self) -> dict[str, int]:
        """Bytes of memory by server."""
        return {
            name: process.measure_memory(one) for name, one in list(self.state.processes.items())
        }


@contextmanager
def lend_cluster(requested: RequestedCluster, reported: Tell) -> Iterator[Cluster]:
    """A cluster in a folder of its own, both gone afterwards. Raises `ClusterUnusable`."""
    with tempfile.TemporaryDirectory(prefix="evenkeel-cluster-") as place:
        cluster = Cluster(Path(place) / "cluster", requested, reported)
        try:
            cluster.up()
            yield cluster
        finally:
            cluster.tear_down()


def new_state(folder: Path, requested: RequestedCluster) -> State:
    """Ports for all. There is one broker more than requested, which can be added later."""
    count = requested.brokers + 1
    ports = free_ports(2 + 3 * count)
    zookeeper, bookie, rest = ports[0], ports[1], ports[2:]
    brokers = []
    for number in range(count):
        service, web, proxy = rest[3 * number : 3 * number + 3]
        metadata = proxy if requested.cut_off else zookeeper
        brokers.append(Broker(f"broker-{number + 1}", service, web, metadata))
    me = os.getpid()
    owner = Process(me, process.start_time(me) or 0)
    return State(folder, requested, zookeeper, bookie, brokers, owner)


def ask_known_brokers(broker: Broker, token: str | None = None) -> set[str]:
    """The brokers that this one knows; none while it does not answer."""
    url = f"{broker.admin_url}/admin/v2/brokers/{NAME}"
    try:
        answer = request(url, Access(token), timeout=5)
        return set(answer.parse_json()) if answer.good else set()
    except NoAnswer:
        return set()


def find_complaint(log: Path) -> str:
    """The last error that a server logged, for a sentence."""
    try:
        lines = log.read_text(errors="replace").splitlines()
    except OSError:
        return ""
    errors = [line.partition(" ERROR ")[2] for line in lines if " ERROR " in line]
    return f" ({errors[-1][:300].rstrip('.')})" if errors else ""


def last_words(log: Path, lines: int = 20) -> str:
    """The end of a log."""
    tail = subprocess.run(
        ["tail", "-n", str(lines), str(log)], capture_output=True, text=True, check=False
    )
    return tail.stdout
