"""What a producer makes of messages to one segment: entries, with stamps of their bucket hashes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from evenkeel.reference.edition import Edition
from evenkeel.reference.scaling.routing import bucket_hash
from evenkeel_engine.frame.clauses import states


@dataclass(frozen=True, slots=True)
class SentMessage:
    """A message, in the order of sending; an empty text is a key. `delayed`: consumers get it at a
    later time.
    """

    key: str | None = None
    delayed: bool = False


@dataclass(frozen=True, slots=True)
class Stamp:
    """`entry_hash_min` and `entry_hash_max` of an entry."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Entry:
    """Messages that are stored together, in their order, by their places in the trial, from 0."""

    messages: tuple[int, ...]
    stamp: Stamp | None = None


@states("SCA-95")
def batch_size(most: int, batching: bool, encrypted: bool) -> int:
    """How many messages wait for one another; 0 if none does.

    Source: Pulsar `ScalableTopicProducer.applyEntryBucketing` 5.0.1.
    """
    return most if batching and not encrypted else 0


@states("SCA-91", "SCA-93", "SCA-94")
def publish(
    messages: Sequence[SentMessage], splits: Sequence[int], size: int, edition: Edition
) -> Iterator[Entry]:
    """The entries of these messages, in the order in which they are published.

    Source: Pulsar `ProducerImpl.serializeAndSendMessage`, `EntryBucketBatchContainer.add` 5.0.1.
    """
    waiting = dict[int, list[int]]()
    for place, message in enumerate(messages):
        if message.delayed or size == 0:
            yield from flush(waiting, messages)
            yield Entry((place,), None if edition.lone_entries_unstamped else stamp([message]))
            continue
        bucket = sum(first <= hash_of(message) for first in splits)
        waiting.setdefault(bucket, []).append(place)
        if sum(map(len, waiting.values())) >= size:
            yield from flush(waiting, messages)
    yield from flush(waiting, messages)


def flush(waiting: dict[int, list[int]], messages: Sequence[SentMessage]) -> Iterator[Entry]:
    """An entry for each bucket that has messages, in the order of their last ones."""
    for places in sorted(waiting.values(), key=lambda one: one[-1]):
        yield Entry(tuple(places), stamp(messages[place] for place in places))
    waiting.clear()


@states("SCA-92")
def stamp(messages: Iterable[SentMessage]) -> Stamp:
    """The stamp of an entry with these messages.

    Source: Pulsar `BatchMessageContainerImpl.stampEntryBucketRange` 5.0.1.
    """
    hashes = [hash_of(message) for message in messages]
    return Stamp(min(hashes), max(hashes))


def hash_of(message: SentMessage) -> int:
    """The bucket hash of its key; without a key any would do, and 0 is Pulsar's."""
    return 0 if message.key is None else bucket_hash(message.key)
