"""Load that is not the same for all bundles and does not stay as it is, so that a leader has
something to even out: producers and consumers on loopback, bounded in count and rate.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final

from evenkeel.operate.cluster.configuration import NAME, RequestedCluster
from evenkeel.operate.cluster.running import Tell, lend_cluster
from evenkeel.operate.live.admin import NAMESPACE, Admin
from evenkeel.operate.operating.gather import from_cluster
from evenkeel.operate.operating.snapshot import BadSnapshot, write
from evenkeel.operate.recording.extra import import_needed, open_client
from evenkeel.operate.recording.recorder import Recorder
from evenkeel.operate.recording.target import Target, target_of_state

TOPICS: Final = 24
BUNDLES: Final = 16
RATE: Final = 150.0
LOOKED_UP: Final = 6
"""Topics that every broker is asked for; more would be load."""
SUBSCRIPTION: Final = "all"
SNAPSHOTS: Final = "snapshots"
"""The folder in that of a recording."""
LONGEST: Final = 8192
"""Bytes of a message at most."""
CHANGES: Final = 240.0
"""Seconds after which the rates are sampled again; a strategy wants several rounds of one kind."""
TICK: Final = 0.05
HELD: Final = 40.0
"""Seconds until a message is acknowledged. So long a broker that is set so
(`cacheEvictionByMarkDeletedPosition`) keeps it in its cache, which is direct memory."""


def sample_shares(count: int, seed: int) -> list[float]:
    """How much of all messages each topic gets: few get most, in an order sampled by the seed."""
    weights = [0.7**place for place in range(count)]
    Random(seed).shuffle(weights)
    total = sum(weights)
    return [weight / total for weight in weights]


class Uneven:
    """One producer and one consumer for each topic; `stop` must be called."""

    def __init__(
        self, service_url: str, topics: Sequence[str], rate: float, size: int, seed: int
    ) -> None:
        self.topics, self.rate, self.seed = list(topics), rate, seed
        self.body = b"x" * min(size, LONGEST)
        self.client = open_client(service_url, None, None, operation_timeout_seconds=30)
        self.ending, self.sent, self.failed = threading.Event(), 0, 0
        self.held: deque[tuple[float, Any, Any]] = deque()
        self.thread = threading.Thread(target=self.run, name="uneven", daemon=True)

    def start(self) -> None:
        """Begin."""
        self.thread.start()

    def run(self) -> None:
        """Subscribe, then send until stopped. What fails is counted, and tried again."""
        pulsar = import_needed("pulsar")
        producers: dict[str, Any] = {}
        began = time.monotonic()
        owed = dict.fromkeys(self.topics, 0.0)
        last = began
        while not self.ending.wait(TICK):
            now = time.monotonic()
            parts = sample_shares(len(self.topics), self.seed * 1000 + int((now - began) / CHANGES))
            for topic, part in zip(self.topics, parts, strict=True):
                owed[topic] = min(owed[topic] + part * self.rate * (now - last), self.rate)
                try:
                    if topic not in producers:
                        producers[topic] = self.open_topic(topic)
                    for _ in range(int(owed[topic])):
                        producers[topic].send_async(self.body, self.count_answer)
                        owed[topic] -= 1
                except pulsar.PulsarException:
                    self.failed += 1
            last = now
            self.acknowledge(now - HELD)

    def acknowledge(self, until: float) -> None:
        """Acknowledge what came before this time."""
        while self.held and self.held[0][0] <= until:
            _, consumer, message = self.held.popleft()
            with suppress(import_needed("pulsar").PulsarException):  # it is delivered again
                consumer.acknowledge(message)

    def open_topic(self, topic: str) -> Any:
        """A producer, after a consumer."""
        pulsar = import_needed("pulsar")
        self.client.subscribe(
            topic,
            SUBSCRIPTION,
            consumer_type=pulsar.ConsumerType.Shared,
            message_listener=lambda consumer, message: self.held.append(
                (time.monotonic(), consumer, message.message_id())
            ),
        )
        return self.client.create_producer(topic, send_timeout_millis=30_000)

    def count_answer(self, result: Any, _: Any) -> None:
        """What became of a message."""
        if result == import_needed("pulsar").Result.Ok:
            self.sent += 1
        else:
            self.failed += 1

    def stop(self) -> None:
        """End."""
        self.ending.set()
        self.thread.join(60)
        with suppress(import_needed("pulsar").PulsarException):
            self.client.shutdown()


def take_snapshot(target: Target, folder: Path, reported: Tell) -> None:
    """A snapshot of a cluster, as an operator takes it; that one cannot be taken is reported."""
    folder.mkdir(exist_ok=True)
    try:
        found = from_cluster(target)
        write(found, folder / f"{found.taken}.json")
    except BadSnapshot as bad:
        reported(f"no snapshot: {bad}")


def record_uneven(
    requested: RequestedCluster,
    folder: Path,
    seconds: float,
    seed: int,
    reported: Tell,
    every: float | None = None,
) -> None:
    """Start a cluster, load it for so long, and record, with a snapshot every `every` seconds.

    Raises `ClusterUnusable`.
    """
    with lend_cluster(requested, reported) as cluster:
        state = cluster.state
        target = target_of_state(state)
        Admin(lambda: state.admin_urls).make_namespace(NAME, BUNDLES)
        names = [f"persistent://{NAMESPACE}/topic-{at}" for at in range(TOPICS)]
        recorder = Recorder(target, folder, 4.0, names, LOOKED_UP, {"seed": seed})
        load = Uneven(state.service_url, names, RATE, LONGEST, seed)
        recorder.start()
        load.start()
        until = time.monotonic() + seconds
        try:
            while (left := until - time.monotonic()) > 0:
                time.sleep(min(left, every or 60.0))
                reported(f"{load.sent:,} messages sent, {load.failed:,} failed")
                if every is not None:
                    take_snapshot(target, folder / SNAPSHOTS, reported)
        finally:
            load.stop()
            reported(f"{recorder.stop():,} entries in {folder}")
