"""Which segment and entry bucket a message goes to: a producer's side of a layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel_engine.frame.clauses import states

WORD: Final = 2**32 - 1
HALF: Final = 2**16 - 1
POSITIVE: Final = 2**31 - 1


@dataclass(frozen=True, slots=True)
class KnownSegment:
    """A segment as a client knows it: its hashes, both ends included; `splits`, the first bucket
    hashes of its entry buckets but the first, of which an empty list means that there is one;
    `legacy`: it is a partition of a classic topic.
    """

    number: int
    start: int
    end: int
    sealed: bool = False
    legacy: bool = False
    splits: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Route:
    """Where a message goes: the segment, and the entry bucket, from 0; the hash that chose the
    segment, half of the key's (SCA-75). If all live segments are legacy, or without a key, hash and
    bucket are null. The bucket of a segment with empty `splits` is 0.
    """

    segment: int
    hash: int | None = None
    bucket: int | None = None


@states("SCA-78")
def route_messages(
    keys: Sequence[str | None], live: Sequence[KnownSegment], edition: Edition
) -> Iterator[Route]:
    """Where the messages of one producer go, in their order; `live` by their ranges.

    Source: Pulsar `SegmentRouter.routeRoundRobin` 5.0.0-M1.
    """
    before = 0
    for key in keys:
        if key is None:
            yield Route(live[before % len(live)].number)
            before += 1
        else:
            yield route_key(key, live, edition)


@states("SCA-76", "SCA-77")
def route_key(key: str, live: Sequence[KnownSegment], edition: Edition) -> Route:
    """Where a message with this key goes.

    Source: Pulsar `SegmentRouter.route` 5.0.0-M1.
    """
    if all(one.legacy for one in live):
        return Route(live[partition(key, len(live))].number)
    hash_ = segment_hash(key, edition)
    segment = next(one for one in live if one.start <= hash_ <= one.end)
    if edition.segments_without_buckets:
        return Route(segment.number, hash_)
    return Route(segment.number, hash_, bucket(key, segment.splits))


@states("SCA-75", "SCA-77", "SCA-79")
def murmur3(data: bytes) -> int:
    """Murmur3 for 32 bits with seed 0, not negative.

    Source: Pulsar `Murmur3_32Hash.makeRawHash` 5.0.1.
    """
    state, whole = 0, len(data) & ~3
    for at in range(0, whole, 4):
        state ^= scramble(int.from_bytes(data[at : at + 4], "little"))
        state = (rotate(state, 13) * 5 + 0xE6546B64) & WORD
    state ^= scramble(int.from_bytes(data[whole:], "little")) ^ len(data)
    state = ((state ^ state >> 16) * 0x85EBCA6B) & WORD
    state = ((state ^ state >> 13) * 0xC2B2AE35) & WORD
    return state ^ state >> 16


def scramble(word: int) -> int:
    """Four bytes of the key, before they change the state; nothing remains nothing."""
    return (rotate(word * 0xCC9E2D51 & WORD, 15) * 0x1B873593) & WORD


def rotate(word: int, by: int) -> int:
    """A word of 32 bits, rotated to the left."""
    return (word << by | word >> 32 - by) & WORD


@states("SCA-75")
def segment_hash(key: str, edition: Edition) -> int:
    """The hash by which a key's segment is chosen.

    Source: Pulsar `ScalableTopicHashing.segmentHash` 5.0.1, `SegmentRouter.hash` 5.0.0-M1.
    """
    raw = murmur3(key.encode())
    return raw & HALF if edition.segments_by_low_half else raw >> 16


@states("SCA-79")
def bucket_hash(key: str) -> int:
    """The hash by which a key's entry bucket is chosen.

    Source: Pulsar `ScalableTopicHashing.entryBucketHash` 5.0.1.
    """
    return murmur3(key.encode()) & HALF


@states("SCA-77")
def partition(key: str, count: int) -> int:
    """The partition of a key among as many as this.

    Source: Pulsar `SegmentRouter.routeModN` 5.0.0-M1.
    """
    return (murmur3(key.encode()) & POSITIVE) % count


@states("SCA-79")
def bucket(key: str, splits: Sequence[int]) -> int:
    """The entry bucket of a key, counted from 0.

    Source: Pulsar `EntryBucketBatchContainer.bucketOf` 5.0.1.
    """
    return sum(first <= bucket_hash(key) for first in splits)
