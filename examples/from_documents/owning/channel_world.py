"""The world of `ownership.channel`: storage, brokers, clock, and observations."""

from __future__ import annotations

from dataclasses import dataclass, field

from examples.from_documents.owning.channel_broker import Broker
from examples.from_documents.owning.channel_records import Record, Storage
from examples.from_documents.owning.interpretations import Interpretations
from examples.from_documents.owning.wire import Json


@dataclass
class World:
    """The state of one trial."""

    interpretations: Interpretations
    kind: str
    storage: Storage
    brokers: list[Broker]
    leader: int | None = 0
    now: int = 0
    divided: bool = False
    ended: list[Json] = field(default_factory=list)
    wrote: list[Json] = field(default_factory=list)

    def bundles(self) -> tuple[str, ...]:
        """The bundles that the namespaces have now."""
        return ("left", "right", "other") if self.divided else ("parent", "other")

    def is_registered(self, number: int) -> bool:
        """Whether a broker is registered in the metadata store."""
        broker = self.brokers[number]
        return broker.running and broker.session and not broker.leaving

    def next_available(self, after: int) -> int | None:
        """Another broker that may be given bundles: the next in a circle, or the emptiest."""
        count = len(self.brokers)
        circle = [(after + step) % count for step in range(1, count)]
        heirs = [number for number in circle if self.is_registered(number)]
        if self.interpretations.heir == "fewest":
            heirs.sort(key=lambda number: len(self.brokers[number].open))
        return heirs[0] if heirs else None

    def publish(self, writer: Broker, bundle: str, record: Record | None) -> bool:
        """Write a record; without a session nothing is written."""
        stands = self.storage.take(bundle, record)
        self.wrote.append(
            {
                "writer": writer.number,
                "bundle": bundle,
                "record": None if record is None else record.to_wire(),
                "stands": stands,
            }
        )
        return stands

    def notify_of_registration(self, number: int, came: bool) -> None:
        """Notify every running broker that a registration appeared or disappeared."""
        for broker in self.brokers:
            if broker.running and broker.number != number:
                broker.news.append((number, came))

    def end(self, ticket: int, how: str, owner: int | None = None) -> None:
        """A lookup or an assignment ends."""
        self.ended.append({"ticket": ticket, "end": how, "owner": owner})

    def observe_step(self, result: Json, views: bool) -> Json:
        """The observation of a step; reset for the next one."""
        serves = [
            {"broker": broker.number, "hashes": broker.hashes()}
            for broker in self.brokers
            if broker.open
        ]
        shown: list[Json] = []
        if views:
            for broker in self.brokers:
                if broker.running:
                    shown += [
                        {"broker": broker.number, "bundle": bundle, "record": record.to_wire()}
                        for bundle, record in sorted(broker.view.items())
                    ]
        step = {
            "result": result,
            "ended": sorted(self.ended, key=lambda lookup: int(lookup["ticket"])),
            "wrote": self.wrote,
            "serves": serves,
            "views": shown,
        }
        self.ended, self.wrote = [], []
        return step
