"""A replicator: what it reads of its topic, and gives its producer (THR-87 to THR-92)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.replacing import replace

AFTER_FAILURE: Final = 1
"""Entries of the read after one that failed, `dispatcherMinReadBatchSize` by default."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A read that was asked for; `dropped`: the cursor was put back since."""

    entries: int
    dropped: bool = False


@dataclass(frozen=True, slots=True)
class Replicator:
    """A replicator, its topic and its producer.

    `next`: the entry that the next read begins with; `queued`: entries that the producer has, in
    its order; `lost`: places that are kept for what could not be published; `stuck`: it takes a
    read for under way that is not; `waits`: it has put off a look; `owes`: a look asked for no
    read. `quota` is what the limit leaves, None without one. `reads` and `given`: entries of the
    reads that it has asked for, and the entries that its producer was given, of one command.
    """

    queue: int
    max_batch: int
    batch: int
    limit: int = 0
    quota: int | None = None
    published: int = 0
    next: int = 0
    stored: frozenset[int] = frozenset()
    queued: tuple[int, ...] = ()
    lost: int = 0
    asked: Asked | None = None
    stuck: bool = False
    waits: bool = False
    owes: bool = False
    reads: tuple[int, ...] = ()
    given: tuple[int, ...] = ()


@states("THR-87", "THR-89", "THR-90", "THR-91", "THR-92")
def look(replicator: Replicator, edition: Edition) -> Replicator:
    """Ask for a read, unless one is under way; without quota or room look again later.

    Source: Pulsar `PersistentReplicator.readMoreEntries` 4.0.8, 4.2.4.
    """
    replicator = replace(replicator, owes=True)
    if replicator.asked is not None or replicator.stuck:
        return replicator
    room = replicator.queue - count_taken(replicator)
    if room <= 0:
        return replace(replicator, waits=True)
    if replicator.quota is not None and replicator.quota <= 0:
        return replace(replicator, waits=True, stuck=edition.replicator_reads_assumed)
    most = replicator.batch if replicator.quota is None else min(replicator.batch, replicator.quota)
    if edition.replicator_reads_assumed and replicator.quota is None:
        most = room
    entries = min(room, most)
    reads = (*replicator.reads, entries)
    return replace(replicator, asked=Asked(entries), reads=reads, owes=False)


def count_taken(replicator: Replicator) -> int:
    """How many places of the producer's queue are taken."""
    return len(replicator.queued) + replicator.lost


@states("THR-87", "THR-88", "THR-89", "THR-92")
def complete(replicator: Replicator, edition: Edition) -> Replicator:
    """The read under way brings what is there, which the producer is given.

    One that was under way when the cursor was put back is dropped, and the cursor put back again.
    """
    asked = replicator.asked
    if asked is None or not (brought := list_unstored(replicator)[: asked.entries]):
        return replicator
    replicator = replace(replicator, asked=None, next=brought[-1] + 1)
    batch = min(2 * replicator.batch, replicator.max_batch)
    if not asked.dropped:
        quota = None if replicator.quota is None else replicator.quota - len(brought)
        queued, given = (*replicator.queued, *brought), (*replicator.given, *brought)
        replicator = replace(replicator, queued=queued, given=given, quota=quota, batch=batch)
    elif edition.replicator_reads_assumed:
        replicator = replace(replicator, batch=batch)
    else:
        replicator = put_back(replicator)
    return look(replicator, edition)


def list_unstored(replicator: Replicator) -> list[int]:
    """The entries that are there for the next read, without those that were replicated."""
    there = range(replicator.next, replicator.published)
    return [entry for entry in there if entry not in replicator.stored]


def put_back(replicator: Replicator) -> Replicator:
    """The cursor is back at the first entry that was not replicated."""
    first = min(set(range(replicator.published + 1)) - replicator.stored)
    return replace(replicator, next=first)


@states("THR-87", "THR-92")
def fail(replicator: Replicator, edition: Edition) -> Replicator:
    """The read under way fails, if it could bring something; the next one is small, and later."""
    if replicator.asked is None or not list_unstored(replicator):
        return replicator
    stuck = edition.replicator_failed_reads_stay
    replicator = replace(replicator, asked=None, batch=AFTER_FAILURE, waits=True, stuck=stuck)
    at_once = edition.replicator_owes_looks and replicator.owes
    return look(replicator, edition) if at_once else replicator


@states("THR-87", "THR-88", "THR-92")
def end_oldest(replicator: Replicator, stores: bool, edition: Edition) -> Replicator:
    """The other cluster stores the oldest entry of the producer's queue, or does not take it.

    What it does not take is read again, and all after it that was not stored. A read under way
    that found nothing is called off then; another is dropped when it comes.
    Source: Pulsar `PersistentReplicator.ProducerSendCallback.sendComplete` 4.0.8.
    """
    oldest, *queued = replicator.queued
    owes = edition.replicator_owes_looks and (replicator.owes or replicator.asked is not None)
    replicator = replace(replicator, queued=tuple(queued), owes=owes)
    if stores:
        replicator = replace(replicator, stored=replicator.stored | {oldest})
    else:
        asked = replicator.asked
        left = replace(asked, dropped=True) if asked and list_unstored(replicator) else None
        kept = int(edition.replicator_reads_assumed)
        replicator = put_back(replace(replicator, asked=left, lost=replicator.lost + kept))
    under_way = replicator.asked is not None or replicator.stuck
    in_use = replicator.queue if under_way else count_taken(replicator)
    looks = in_use < int(replicator.queue * 0.9) or (owes and not stores)
    return look(replicator, edition) if looks else replicator


@states("THR-89", "THR-92")
def limit(replicator: Replicator, messages: int) -> Replicator:
    """Another limit, 0: none, all of which is left."""
    return replace(replicator, limit=messages, quota=messages or None)


@states("THR-87", "THR-89", "THR-92")
def pass_second(replicator: Replicator, edition: Edition) -> Replicator:
    """The quota is whole again, and the looks are made that were put off."""
    waits, replicator = replicator.waits, limit(replace(replicator, waits=False), replicator.limit)
    return look(replicator, edition) if waits else replicator


@states("THR-87", "THR-92")
def rest(replicator: Replicator, edition: Edition) -> Replicator:
    """Nothing fails, and seconds pass, until one has passed in which nothing happened."""
    before = None
    while replicator != before:
        before = replicator
        replicator = complete(replicator, edition)
        while replicator.queued:
            replicator = end_oldest(replicator, True, edition)
        replicator = pass_second(replicator, edition)
    return replicator
