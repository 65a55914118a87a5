"""Asks every broker, over and over: what it has open, and whom it names for each topic."""

from __future__ import annotations

from contextlib import suppress
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException
from threading import Event, Thread
from typing import Final
from urllib.parse import urlsplit

from evenkeel.operate.cluster.http import NoAnswer
from evenkeel.operate.recording.metrics import open_topics
from evenkeel.operate.recording.store import Store, now
from evenkeel.operate.recording.target import LONGEST, Target

CLOCKS: Final = 60_000
"""Milliseconds between two comparisons of clocks."""
MOST_OPEN: Final = 2000
"""Topics of a broker that are recorded at most."""


class Prober:
    """A thread for each broker that was ever seen. Lookups have unowned bundles assigned."""

    def __init__(
        self, target: Target, store: Store, stop: Event, every: float, topics: list[str], most: int
    ) -> None:
        self.target, self.store, self.stop = target, store, stop
        self.every, self.most = every, most
        self.topics: set[str] = set(topics)
        self.opened: dict[str, dict[str, set[str]]] = {}
        """By broker: its open topics, with their subscriptions."""
        self.threads: dict[str, Thread] = {}
        self.leader: str | None = ""

    def follow(self) -> None:
        """Look for brokers, and for who leads."""
        while not self.stop.is_set():
            for broker in self.target.ask_known():
                if broker not in self.threads:
                    thread = Thread(target=self.probe, args=(broker,), name=f"probe {broker}")
                    thread.daemon = True
                    self.threads[broker] = thread
                    thread.start()
            self.ask_leader()
            self.stop.wait(2 * self.every)

    def open_topics(self) -> dict[str, set[str]]:
        """Topics that are open now, as many as are looked up, and their subscriptions."""
        found: dict[str, set[str]] = {}
        for of_broker in list(self.opened.values()):
            for topic, names in of_broker.items():
                found.setdefault(topic, set()).update(names)
        return {topic: found[topic] for topic in choose_topics(set(found), self.most)}

    def join(self) -> None:
        """After the end."""
        for thread in self.threads.values():
            thread.join(2 * LONGEST)

    def ask_leader(self) -> None:
        """Who leads, if that changed."""
        for broker in sorted(self.threads):
            try:
                answer = self.target.ask(broker, "admin/v2/brokers/leaderBroker")
                leader = answer.parse_json().get("brokerId") if answer.good else None
            except NoAnswer:
                continue
            if leader != self.leader:
                self.leader = leader
                self.store.add("leader", leader)
            return

    def probe(self, broker: str) -> None:
        """Ask one broker until the end."""
        compared = 0
        while not self.stop.is_set():
            began = now()
            if began - compared >= CLOCKS:
                compared = began
                self.compare(broker)
            if self.ask_open(broker):
                self.ask_lookups(broker)
            self.stop.wait(max(self.every - (now() - began) / 1000, 0.05))

    def ask_open(self, broker: str) -> bool:
        """What the broker has open; whether it answered."""
        began, found = now(), None
        with suppress(NoAnswer):
            if (answer := self.target.ask(broker, "metrics/")).good:
                found = open_topics(answer.body.decode(errors="replace"))
        kept = found
        if found is not None and len(found) > MOST_OPEN:
            kept = {topic: found[topic] for topic in sorted(found)[:MOST_OPEN]}
        self.store.add("serving", kept, broker=broker, began=began)
        self.topics |= set(found or ())
        self.opened[broker] = {topic: set(one[3]) for topic, one in (found or {}).items()}
        return found is not None

    def ask_lookups(self, broker: str) -> None:
        """Whom the broker names. One that does not answer in time is not asked on."""
        began, named = now(), dict[str, str | None]()
        for topic in choose_topics(self.topics, self.most):
            if self.stop.is_set():
                return
            try:
                named[topic] = self.lookup(broker, topic)
            except NoAnswer:
                named[topic] = None
                break
        if named:
            self.store.add("lookup", named, broker=broker, began=began)

    def lookup(self, broker: str, topic: str) -> str | None:
        """The broker that is named for a topic. Raises `NoAnswer`."""
        answer = self.target.ask(broker, f"lookup/v2/topic/{topic.replace('://', '/')}")
        if not answer.good:
            return None
        data = answer.parse_json()
        found = data.get("httpUrl") or data.get("httpUrlTls")
        return urlsplit(found).netloc if found else None

    def compare(self, broker: str) -> None:
        """Bounds of the difference of clocks, by the date in an answer, which has whole seconds."""
        if self.target.scheme != "http":
            return
        host, _, port = broker.rpartition(":")
        connection = HTTPConnection(host, int(port), timeout=LONGEST)
        began = now()
        try:
            connection.request("GET", "/admin/v2/brokers/ready")
            date = connection.getresponse().getheader("Date")
        except (OSError, HTTPException):
            return
        finally:
            connection.close()
        if date:
            at = int(parsedate_to_datetime(date).timestamp() * 1000)
            self.store.add("clock", [at - now(), at + 1000 - began], broker=broker)


def choose_topics(topics: set[str], most: int) -> list[str]:
    """At most `most` topics, the same ones every time, from all over the list."""
    named = sorted(topics)
    if len(named) <= most:
        return named
    return [named[place * len(named) // most] for place in range(most)]
