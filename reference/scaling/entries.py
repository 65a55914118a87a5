"""What a producer makes of messages to one segment: entries, with stamps of their bucket hashes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from evenkeel.reference.edition import Edition
from evenkeel.reference.scaling.routing import bucket_hash
from evenkeel_engine.frame.clauses import states


@dataclass(frozen=True, slots=True)
class SentMessage:
    """A message, in the order of sending; `delayed`: consumers get it at a later time."""

    key: str | None = None
    delayed: bool = False


@dataclass(frozen=True, slots=True)
class Stamp:
    """`entry_hash_min` and `entry_hash_max` of an entry."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Entry:
    """Messages that are stored together, in their order, by their places in the trial, from 0;
    the stamp is null if the entry has none.
    """

    messages: tuple[int, ...]
    stamp: Stamp | None = None


@dataclass(frozen=True, slots=True)
class Batching:
    """How a producer sends: `most` messages in a batch, at most; whether it has batches, and
    whether it encrypts.
    """

    most: int
    enabled: bool
    encrypted: bool


@states("SCA-94")
def publish(
    messages: Sequence[SentMessage], splits: Sequence[int], batching: Batching, edition: Edition
) -> Iterator[Entry]:
    """The entries of these messages, in the order in which they are published.

    Source: Pulsar `ProducerImpl.serializeAndSendMessage` 5.0.1.
    """
    waiting = dict[int, list[int]]()
    for place, message in enumerate(messages):
        if not is_batched(message, batching):
            yield from flush(waiting, messages)
            yield Entry((place,), stamp_lone(message, edition))
            continue
        waiting.setdefault(bucket_of(message, splits), []).append(place)
        if sum(map(len, waiting.values())) >= batching.most:
            yield from flush(waiting, messages)
    yield from flush(waiting, messages)


@states("SCA-95")
def is_batched(message: SentMessage, batching: Batching) -> bool:
    """Whether a message may share its entry.

    Source: Pulsar `ScalableTopicProducer.applyEntryBucketing`, `ProducerImpl.canAddToBatch` 5.0.1.
    """
    return batching.enabled and not batching.encrypted and not message.delayed


def flush(waiting: dict[int, list[int]], messages: Sequence[SentMessage]) -> Iterator[Entry]:
    """An entry for each bucket that has messages, in the order of their last ones.

    Source: Pulsar `EntryBucketBatchContainer.createOpSendMsgs` 5.0.1.
    """
    for places in sorted(waiting.values(), key=lambda one: one[-1]):
        yield Entry(tuple(places), stamp(messages[place] for place in places))
    waiting.clear()


@states("SCA-91")
def bucket_of(message: SentMessage, splits: Sequence[int]) -> int:
    """The entry bucket among whose messages a message waits.

    Source: Pulsar `EntryBucketBatchContainer.bucketOf` 5.0.1.
    """
    return sum(first <= hash_of(message) for first in splits)


@states("SCA-92")
def stamp(messages: Iterable[SentMessage]) -> Stamp:
    """The stamp of an entry with these messages.

    Source: Pulsar `BatchMessageContainerImpl.add, stampEntryBucketRange` 5.0.1.
    """
    hashes = [hash_of(message) for message in messages]
    return Stamp(min(hashes), max(hashes))


@states("SCA-93")
def stamp_lone(message: SentMessage, edition: Edition) -> Stamp | None:
    """The stamp of a message that no batch takes."""
    return None if edition.lone_entries_unstamped else stamp([message])


def hash_of(message: SentMessage) -> int:
    """The bucket hash; a message without a key counts as one with hash 0, which is left open.

    Source: Pulsar `EntryBucketBatchContainer.entryBucketHash` 5.0.1.
    """
    return 0 if message.key is None else bucket_hash(message.key)
