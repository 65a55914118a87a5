"""What a stream consumer asks of the consumers of its segments (SCA-102 to SCA-110)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel_engine.frame.clauses import states

ENDLESS_MILLIS: Final = 50_000  # A longer drain never ends in 5.0.1, on a stack of 1 MB.


class What(Enum):
    """What is done with a segment's consumer, or with a message of the segment."""

    SUBSCRIBED = "subscribed"
    CLOSED = "closed"
    DELIVERED = "delivered"
    ACKNOWLEDGED = "acknowledged"
    ACKNOWLEDGED_UP_TO = "acknowledged_up_to"


@dataclass(frozen=True, slots=True)
class Event:
    """`starts`: where the buckets begin for which a consumer subscribes, none if Exclusive."""

    what: What
    segment: int
    message: int = 0
    starts: tuple[int, ...] = ()


Mode = tuple[int, ...] | None
Positions = tuple[int, ...]


@dataclass(slots=True)
class Segment:
    """How its consumer is to subscribe, and did, None without one; how many of its messages, of
    which none passes another, arrived, were delivered, and are acknowledged.
    """

    assigned: Mode = None
    mode: Mode = None
    draining: bool = False
    drains_for: int = 0
    arrived: int = 0
    delivered: int = 0
    acknowledged: int = 0


@dataclass(slots=True)
class Stream:
    """A stream consumer, with the positions of each message that it delivered."""

    segments: tuple[Segment, ...]
    stuck: bool = False  # It closes no consumer any more, and subscribes none.
    delivered: list[Positions] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)


@states("SCA-102")
def wait(stream: Stream, millis: int, edition: Edition) -> None:
    """Milliseconds pass, while some segments may drain."""
    for one in stream.segments:
        one.drains_for = one.drains_for + millis if one.draining else 0
        if edition.long_drains_hang and one.drains_for > ENDLESS_MILLIS:
            stream.stuck = True


@states("SCA-102")
def assign(stream: Stream, number: int, mode: Mode) -> None:
    """The segment is to be read in this way, or not."""
    stream.segments[number].assigned = mode
    converge(stream, number)


@states("SCA-102", "SCA-109", "SCA-110")
def converge(stream: Stream, number: int) -> None:
    """A consumer that is not as assigned drains, and is closed; then another one subscribes."""
    if stream.stuck:
        return
    one = stream.segments[number]
    one.draining = one.mode is not None and (one.draining or one.mode != one.assigned)
    if one.draining and one.acknowledged >= one.delivered:
        one.mode, one.draining = None, False
        stream.events.append(Event(What.CLOSED, number))
    if one.mode is None and one.assigned is not None:
        one.mode = one.assigned
        stream.events.append(Event(What.SUBSCRIBED, number, starts=one.assigned))
    deliver(stream, number)


@states("SCA-103", "SCA-105", "SCA-109")
def deliver(stream: Stream, number: int) -> None:
    """What the segment's consumer has is queued, each with the positions of that moment."""
    one = stream.segments[number]
    while one.mode is not None and not one.draining and one.delivered < one.arrived:
        stream.events.append(Event(What.DELIVERED, number, one.delivered))
        one.delivered += 1
        stream.delivered.append(tuple(other.delivered for other in stream.segments))


@states("SCA-104", "SCA-105", "SCA-106", "SCA-107", "SCA-108")
def acknowledge(stream: Stream, positions: Positions) -> None:
    """Every segment is acknowledged up to its position: once by an Exclusive consumer, else each
    message by itself. What is drained by that is closed.
    """
    for number, one in enumerate(stream.segments):
        new = range(one.acknowledged, positions[number])
        what = What.ACKNOWLEDGED if one.mode else What.ACKNOWLEDGED_UP_TO
        messages = new if one.mode else new[-1:]
        stream.events += [Event(what, number, message) for message in messages]
        one.acknowledged += len(new)
        converge(stream, number)
