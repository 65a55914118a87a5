"""The permits of a shared subscription with several consumers (THR-75, THR-76, THR-94).

A consumer's request is known to the consumer at once, and counted by the dispatcher later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.replacing import replace

TURN: Final = 20
"""Messages that a consumer gets at once, `dispatcherMaxRoundRobinBatchSize` by default."""


@dataclass(frozen=True, slots=True)
class Consumer:
    """A consumer, with the messages that it asked for and did not get (`permits`).

    `under_way`: its requests that the dispatcher has not counted yet, oldest first.
    """

    here: bool = True
    permits: int = 0
    under_way: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Shared:
    """A subscription: the consumers as they came, and the permits that its dispatcher counts.

    `turn`: whose turn it is, of those that are here. `rest`: the chunks that are left of the
    message begun last, which are for its `holder`.
    """

    consumers: tuple[Consumer, ...] = ()
    counted: int = 0
    turn: int = 0
    rest: int = 0
    holder: int = 0


def with_consumer(shared: Shared, index: int, consumer: Consumer) -> Shared:
    """The subscription with one consumer changed."""
    consumers = list(shared.consumers)
    consumers[index] = consumer
    return replace(shared, consumers=tuple(consumers))


def join(shared: Shared) -> Shared:
    """One more consumer comes, without permits."""
    return replace(shared, consumers=(*shared.consumers, Consumer()))


def flow(shared: Shared, index: int, permits: int) -> Shared:
    """A consumer asks for more messages; what one asks for that is gone never counts."""
    own = shared.consumers[index]
    own = replace(own, permits=own.permits + permits, under_way=(*own.under_way, permits))
    return with_consumer(shared, index, own)


@states("THR-75", "THR-76")
def count(shared: Shared, index: int) -> Shared:
    """The dispatcher counts the oldest request under way, unless its consumer is gone."""
    own = shared.consumers[index]
    if not own.under_way:
        return shared
    permits, *later = own.under_way
    counted = shared.counted + (permits if own.here else 0)
    shared = replace(shared, counted=counted)
    return with_consumer(shared, index, replace(own, under_way=tuple(later)))


@states("THR-75", "THR-76")
def leave(shared: Shared, index: int, edition: Edition) -> Shared:
    """A consumer goes, and what was counted of its permits; by edition also what was not.

    After the last one nothing is counted. The rest of a message in chunks is not delivered.
    """
    own = shared.consumers[index]
    if not own.here:
        return shared
    never = 0 if edition.uncounted_permits_leave else sum(own.under_way)
    shared = with_consumer(shared, index, replace(own, here=False))
    shared = replace(shared, rest=0 if index == shared.holder else shared.rest)
    stays = any(consumer.here for consumer in shared.consumers)
    return replace(shared, counted=shared.counted - (own.permits - never) if stays else 0)


@states("THR-31", "THR-75", "THR-76")
def to_read(shared: Shared, batch: int) -> int:
    """How many entries a look asks for: what is counted, or what the first one with permits has."""
    permits = [one.permits for one in shared.consumers if one.here and one.permits > 0]
    return min(batch, max(shared.counted, permits[0])) if permits else 0


@dataclass(frozen=True, slots=True)
class Given:
    """How many messages a consumer got, and how many of them are first chunks."""

    messages: int = 0
    begun: int = 0


@states("THR-43", "THR-60", "THR-76", "THR-94")
def hand_out(shared: Shared, messages: int, chunks: int) -> tuple[Shared, dict[int, Given]]:
    """Deliver n messages, or as many chunks, turn by turn; what each consumer got."""
    given: dict[int, Given] = {}
    while messages > 0 and (place := next_place(shared)) is not None:
        index = list_present(shared.consumers)[place]
        own = shared.consumers[index]
        size = min(messages, own.permits, shared.rest or TURN)
        shared = with_consumer(shared, index, replace(own, permits=own.permits - size))
        shared = replace(shared, counted=shared.counted - size, turn=place + 1)
        begun, before = 0 if shared.rest else -(-size // chunks), given.get(index, Given())
        given[index] = Given(before.messages + size, before.begun + begun)
        shared = replace(shared, rest=(shared.rest - size) % chunks, holder=index)
        messages -= size
    return shared, given


def list_present(consumers: Sequence[Consumer]) -> list[int]:
    """The consumers that are here."""
    return [index for index, consumer in enumerate(consumers) if consumer.here]


@states("THR-94")
def places_of(shared: Shared, here: Sequence[int]) -> Sequence[int]:
    """The places of who may be next: of a message that was begun its consumer alone."""
    return [here.index(shared.holder)] if shared.rest else range(len(here))


def next_place(shared: Shared) -> int | None:
    """The place of the next consumer with permits, of those that are here and may be next."""
    here = list_present(shared.consumers)
    places = sorted(places_of(shared, here), key=lambda place: place < shared.turn)
    return next((place for place in places if shared.consumers[here[place]].permits > 0), None)
