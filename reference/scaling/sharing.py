"""Consumers that share a segment: a Key_Shared subscription whose keys are its entry buckets.

What goes and what waits by the keys is in `reference/throttling/keys.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import keys
from evenkeel.reference.throttling.keys import MANY, Entry, Keyed, Sent
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Refusal
from evenkeel_engine.frame.replacing import replace

Starts = tuple[int, ...]
"""Where the buckets of a segment begin."""


class StaleLayout(Refusal):
    """The buckets are not those of the segment."""


def begin(starts: Starts) -> Keyed:
    """No consumer is there."""
    return Keyed(owner=partial(owner_of, len(starts)))


@states("SCA-96", "SCA-97", "SCA-98")
def owner_of(buckets: int, bucket: int, members: Sequence[int]) -> int:
    """Whose a bucket is: each member has as many as the next, or one more or less.

    Source: Pulsar `EntryBucketConsumerSelector.recomputeAssignments` 5.0.1.
    """
    return members[((bucket + 1) * len(members) - 1) // buckets]


@states("SCA-99")
def join(shared: Keyed, starts: Starts, declared: Starts | None, edition: Edition) -> Keyed:
    """One more consumer comes, unless it declares other buckets.

    Source: Pulsar `PersistentEntryBucketDispatcherMultipleConsumers.addConsumer` 5.0.1.
    """
    if declared not in (None, starts) or (edition.first_bucket_of_two and 1 in starts):
        raise StaleLayout(f"{declared} are declared, not {starts}")
    return replace(shared, permits=(*shared.permits, MANY))


@states("SCA-96")
def publish(shared: Keyed, starts: Starts, *hashes: int) -> Keyed:
    """An entry is published, with the bucket hashes of its stamp, or that of its key.

    Source: Pulsar `PersistentEntryBucketDispatcherMultipleConsumers.getStickyKeyHash` 5.0.1.
    """
    bucket = sum(start <= min(hashes) for start in starts) - 1
    entry = Entry(shared.published, bucket, False)
    return replace(shared, published=entry.number + 1, waiting=(*shared.waiting, entry))


@states("SCA-100")
def acknowledge(shared: Keyed, entry: int) -> Keyed:
    """An entry that a consumer has is acknowledged."""
    return replace(shared, held=frozenset(one for one in shared.held if one[0].number != entry))


@states("SCA-100", "SCA-101")
def look(shared: Keyed) -> tuple[Keyed, tuple[Sent, ...]]:
    """Deliver what can go: a bucket waits while another than its owner has something of it."""
    return keys.look(shared)
