"""Producers and consumers, one of each for a topic; they continue whatever happens."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from typing import Any, Final

from evenkeel.operate.live.ledger import Ledger
from evenkeel.operate.live.schedule import Load
from evenkeel.operate.recording.extra import import_needed, open_client
from evenkeel.operate.recording.store import Store, now

SUBSCRIPTION: Final = "all"
VISIT: Final = 20
"""Messages, and seconds, of a visitor."""
MESSAGE: Final = 5000
"""Milliseconds between two entries about a client that fails."""


class Topic:
    """The clients of one topic."""

    def __init__(self, name: str, opened: Any, load: Load, ledger: Ledger, store: Store) -> None:
        self.name, self.opened, self.ledger, self.store = name, opened, ledger, store
        self.every = load.topics / load.rate
        self.padding = b"x" * load.bytes
        self.stop, self.works, self.sentence = threading.Event(), True, 0
        self.ending = threading.Event()
        self.thread = threading.Thread(target=self.run, name=name, daemon=True)

    def run(self) -> None:
        """Consume, and send until stopped."""
        while not self.ending.is_set() and not self.try_to_subscribe():
            self.ending.wait(1)
        while not self.stop.is_set():
            if (producer := self.open_producer()) is None:
                self.stop.wait(1)
                continue
            self.send_all(producer)

    def try_to_subscribe(self) -> bool:
        """Whether there is a consumer now."""
        pulsar = import_needed("pulsar")
        try:
            self.opened.subscribe(
                self.name,
                SUBSCRIPTION,
                consumer_type=pulsar.ConsumerType.Shared,
                initial_position=pulsar.InitialPosition.Earliest,
                message_listener=self.note_message,
            )
        except pulsar.PulsarException:
            self.say(False)
            return False
        self.say(True)
        return True

    def open_producer(self) -> Any:
        """A producer, or None."""
        pulsar = import_needed("pulsar")
        try:
            return self.opened.create_producer(self.name, send_timeout_millis=20_000)
        except pulsar.PulsarException:
            self.say(False)
            return None

    def send_all(self, producer: Any) -> None:
        """Send at the chosen rate until stopped; the producer connects again by itself."""
        pulsar = import_needed("pulsar")
        at = time.monotonic()
        while not self.stop.is_set():
            number = self.ledger.next(self.name)
            body = b"%d %b" % (number, self.padding)
            try:
                producer.send_async(body, lambda result, _, n=number: self.note_answer(result, n))
            except pulsar.PulsarException:
                self.ledger.fail()
                self.say(False)
            at += self.every
            self.stop.wait(max(at - time.monotonic(), 0.001))
        try:
            producer.flush()
        except pulsar.PulsarException:
            self.say(False)

    def note_answer(self, result: Any, number: int) -> None:
        """What the cluster says of a message."""
        good = result == import_needed("pulsar").Result.Ok
        if good:
            self.ledger.acknowledge(self.name, number)
        else:
            self.ledger.fail()
        self.say(good)

    def note_message(self, consumer: Any, message: Any) -> None:
        """A message."""
        number = int(message.data().split(b" ", 1)[0])
        self.ledger.deliver(self.name, number, str(message.message_id()), now())
        consumer.acknowledge(message)

    def say(self, works: bool) -> None:
        """Tell the recording of a change, and of failures every few seconds."""
        at = now()
        if works and self.works:
            return
        if works != self.works or at - self.sentence >= MESSAGE:
            self.works, self.sentence = works, at
            self.store.add("client", "works" if works else "tries", subject=self.name)


class Clients:
    """All clients of a run."""

    def __init__(
        self, service_url: str, names: list[str], load: Load, ledger: Ledger, store: Store
    ) -> None:
        self.service_url, self.ledger = service_url, ledger
        self.client = open_client(service_url, None, None, operation_timeout_seconds=20)
        self.topics = [Topic(name, self.client, load, ledger, store) for name in names]

    def start(self) -> None:
        """Begin."""
        for topic in self.topics:
            topic.thread.start()

    def visit(self, place: float) -> dict[str, str]:
        """A client that knows nothing yet: it looks the topics up, sends, and stays a while."""
        pulsar = import_needed("pulsar")
        topic = self.topics[int(place * len(self.topics)) % len(self.topics)]
        visitor = open_client(self.service_url, None, None, operation_timeout_seconds=20)
        try:
            producer = visitor.create_producer(topic.name, send_timeout_millis=20_000)
            for _ in range(VISIT):
                number = self.ledger.next(topic.name)
                producer.send(b"%d visit" % number)
                self.ledger.acknowledge(topic.name, number)
                time.sleep(1)
        except pulsar.PulsarException as error:
            return {"topic": topic.name, "said": str(error)}
        finally:
            with suppress(pulsar.PulsarException):
                visitor.shutdown()
        return {"topic": topic.name}

    def stop_sending(self) -> None:
        """Send no more; messages under way are waited for. Consumers continue."""
        for topic in self.topics:
            topic.stop.set()
        for topic in self.topics:
            topic.thread.join(40)

    def close(self) -> None:
        """End."""
        for topic in self.topics:
            topic.stop.set()
            topic.ending.set()
        with suppress(import_needed("pulsar").PulsarException):
            self.client.shutdown()
