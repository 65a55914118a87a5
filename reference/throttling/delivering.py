"""How a shared subscription hands entries to its consumer (THR-43).

In turns: each takes as many entries as its share of permits is estimated to hold, at least one,
so that a batch may overdraw the permits. What comes when no permits are left goes to the replay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evenkeel.reference.clauses import states
from evenkeel.reference.throttling import sizing
from evenkeel.reference.throttling.loop import Entry


@dataclass(frozen=True, slots=True)
class Handed:
    """How many of the entries were handed over, and the consumer's permits and average after."""

    count: int
    permits: int
    average: float


@states("THR-43")
def turn_size(messages_left: int, batch: int, permits: int, round_robin: int) -> int:
    """Entries of one turn, given the messages per entry of this read (`batch`).

    Source: Pulsar `PersistentDispatcherMultipleConsumers.getMaxEntriesInThisBatch` 4.0.8.
    """
    messages = min(messages_left, permits)
    return max(1, min(round_robin, -(-messages // batch)))


@states("THR-43")
def hand_over(entries: Sequence[Entry], permits: int, average: float, round_robin: int) -> Handed:
    """Turn after turn, while entries and permits are left."""
    messages_left = sum(entry.messages for entry in entries)
    batch = max(1, messages_left // len(entries)) if entries else 1
    count = 0
    while count < len(entries) and permits > 0:
        size = turn_size(messages_left, batch, permits, round_robin)
        turn = entries[count : count + size]
        sent = sum(entry.messages for entry in turn)
        average = sizing.average_after(average, sent, len(turn))
        messages_left, permits, count = messages_left - sent, permits - sent, count + len(turn)
    return Handed(count, permits, average)
