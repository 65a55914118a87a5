"""What clients know: what was sent, what was acknowledged, what was delivered, and when."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Twice:
    """A message that was delivered again: the same stored message, not one that was sent again."""

    topic: str
    number: int
    first: int
    again: int


@dataclass(slots=True)
class Ledger:
    """Of one run; clients' threads write to it. Times in ms."""

    sent: dict[str, int] = field(default_factory=dict)
    acknowledged: dict[str, set[int]] = field(default_factory=dict)
    delivered: dict[str, dict[int, int]] = field(default_factory=dict)
    """Topic, number of the message: when it came first."""
    stored: dict[str, dict[str, tuple[int, int]]] = field(default_factory=dict)
    """Topic, id of the stored message: number, and when it came first."""
    twice: list[Twice] = field(default_factory=list)
    resent: int = 0
    failures: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def next(self, topic: str) -> int:
        """The number of the next message."""
        with self.lock:
            number = self.sent.get(topic, 0)
            self.sent[topic] = number + 1
            return number

    def acknowledge(self, topic: str, number: int) -> None:
        """The cluster says that it has the message."""
        with self.lock:
            self.acknowledged.setdefault(topic, set()).add(number)

    def fail(self) -> None:
        """A message of which the cluster says nothing, or that it has it not."""
        with self.lock:
            self.failures += 1

    def deliver(self, topic: str, number: int, stored: str, at: int) -> None:
        """A message came to a consumer."""
        with self.lock:
            of_topic = self.stored.setdefault(topic, {})
            if stored in of_topic:
                self.twice.append(Twice(topic, number, of_topic[stored][1], at))
                return
            of_topic[stored] = (number, at)
            known = self.delivered.setdefault(topic, {})
            if number in known:
                self.resent += 1  # the producer sent it again, since no answer came
            else:
                known[number] = at

    def find_missing(self) -> dict[str, list[int]]:
        """Acknowledged, and not delivered."""
        with self.lock:
            found = {
                topic: sorted(numbers - set(self.delivered.get(topic, ())))
                for topic, numbers in self.acknowledged.items()
            }
        return {topic: numbers for topic, numbers in found.items() if numbers}

    def count_totals(self) -> dict[str, int]:
        """Counts for the report."""
        with self.lock:
            return {
                "sent": sum(self.sent.values()),
                "acknowledged": sum(map(len, self.acknowledged.values())),
                "delivered": sum(map(len, self.delivered.values())),
                "failed": self.failures,
                "sent_again": self.resent,
                "delivered_again": len(self.twice),
            }


def find_beyond(twice: Sequence[Twice], disturbances: Sequence[int], margin: int) -> list[Twice]:
    """Deliveries beyond at-least-once: nothing happened that would explain them.

    A consumer whose connection, or whose topic's owner, changed is given again what it had not
    seen acknowledged. So between the first delivery, less a margin (an acknowledgement may still
    be under way, or kept in memory by the broker), and the second, something must have happened.
    """
    ordered = sorted(disturbances)
    return [
        one for one in twice if not any(one.first - margin <= at <= one.again for at in ordered)
    ]
