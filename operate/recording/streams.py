"""Topics that are read as they grow: the ownership channel's, and those of load reports."""

from __future__ import annotations

import json
from collections.abc import Callable
from threading import Event
from typing import Any, Final

from evenkeel.operate.recording.extra import import_needed, open_client
from evenkeel.operate.recording.store import Store
from evenkeel.operate.recording.target import Target

CHANNEL: Final = "channel"
TOPICS: Final = {
    CHANNEL: "persistent://pulsar/system/loadbalancer-service-unit-state",
    "load": "non-persistent://pulsar/system/loadbalancer-broker-load-data",
    "bundles": "non-persistent://pulsar/system/loadbalancer-top-bundles-load-data",
}
AGAIN: Final = 2.0
"""Seconds before a source that was lost is tried again."""
WAIT: Final = 500
"""Milliseconds to wait for a message."""


def follow_until_stopped(name: str, store: Store, stop: Event, follow: Callable[[], None]) -> None:
    """Follow a source until the end; where it is lost, say so, and begin again."""
    lost = False
    while not stop.is_set():
        try:
            if lost:
                store.add("note", {"source": name, "state": "again"})
                lost = False
            follow()
        except Exception as error:
            if not lost:
                store.add("note", {"source": name, "state": "lost", "why": str(error)[:300]})
            lost = True
            stop.wait(AGAIN)


class TopicFollower:
    """The messages of a topic, as entries of its source. The ownership channel is read from its
    beginning, and after a loss from where it was; reports are read from now on.
    """

    def __init__(self, source: str, target: Target, store: Store, stop: Event) -> None:
        self.source, self.target, self.store, self.stop = source, target, store, stop
        self.last: Any = None

    def follow(self) -> None:
        """Read on until the end, or until the connection is lost."""
        pulsar, access = import_needed("pulsar"), self.target.access
        opened = open_client(self.target.service_url, access.token, access.authorities)
        try:
            begin = pulsar.MessageId.latest
            if self.source == CHANNEL:
                begin = self.last or pulsar.MessageId.earliest
            reader = opened.create_reader(TOPICS[self.source], begin)
            while not self.stop.is_set():
                try:
                    message = reader.read_next(WAIT)
                except pulsar.Timeout:
                    continue
                self.take(message)
        finally:
            opened.close()

    def take(self, message: Any) -> None:
        """One record, removal or report."""
        body, key = message.data(), message.partition_key()
        self.last = message.message_id()
        self.store.add(
            self.source,
            json.loads(body) if body else None,
            broker=None if self.source == CHANNEL else key,
            subject=key if self.source == CHANNEL else None,
            clock=message.publish_timestamp(),
        )
