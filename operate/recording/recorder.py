"""All sources of a recording, each in a thread of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from typing import Any

from evenkeel.operate.recording import loglines
from evenkeel.operate.recording.extra import import_needed
from evenkeel.operate.recording.limits import LimitsFollower
from evenkeel.operate.recording.nodes import NodesFollower, require_zookeeper
from evenkeel.operate.recording.prober import Prober
from evenkeel.operate.recording.store import Store, now
from evenkeel.operate.recording.streams import TOPICS, TopicFollower, follow_until_stopped
from evenkeel.operate.recording.target import Target


class Recorder:
    """Records from `start` to `stop`."""

    def __init__(
        self,
        target: Target,
        folder: Path,
        every: float = 2.0,
        topics: list[str] | None = None,
        most: int = 20,
        more: dict[str, Any] | None = None,
    ) -> None:
        import_needed("pulsar")
        import_needed("kazoo.client")
        require_zookeeper(target)
        about = {"began": now(), "every": every, **target.describe_target(), **(more or {})}
        self.target, self.store, self.stopping = target, Store(folder, about), Event()
        self.prober = Prober(target, self.store, self.stopping, every, topics or [], most)
        self.limits = LimitsFollower(
            target, self.store, self.stopping, every, self.prober.open_topics
        )
        self.threads: list[Thread] = []

    def start(self) -> None:
        """Begin."""
        target, store, stop = self.target, self.store, self.stopping
        self.run("prober", self.prober.follow)
        self.run("limits", self.limits.follow)
        if target.zookeeper is not None:
            self.run("zookeeper", NodesFollower(target, store, stop).follow)
        if target.manager == "extensible":
            for source in TOPICS:
                self.run(source, TopicFollower(source, target, store, stop).follow)
        if target.logs:
            self.run("logs", lambda: loglines.follow(target.logs, store, stop))

    def run(self, name: str, follow: Callable[[], None]) -> None:
        """Follow one source in a thread."""
        thread = Thread(
            target=follow_until_stopped,
            args=(name, self.store, self.stopping, follow),
            name=name,
            daemon=True,
        )
        self.threads.append(thread)
        thread.start()

    def stop(self) -> int:
        """End, and write what is left; how many entries there are."""
        self.stopping.set()
        for thread in self.threads:
            thread.join(20)
        self.prober.join()
        self.store.close()
        return self.store.count
