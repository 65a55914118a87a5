"""What a stream consumer asks of the consumers of its segments (SCA-102 to SCA-110)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from evenkeel_engine.frame.clauses import states


class Way(Enum):
    """How an assignment has a segment read: not, by this consumer alone, or by several."""

    NOT = "not"
    ALONE = "alone"
    SHARED = "shared"


class What(Enum):
    """What is done with a segment's consumer, or with a message of the segment."""

    SUBSCRIBED = "subscribed"
    CLOSED = "closed"
    DELIVERED = "delivered"
    ACKNOWLEDGED = "acknowledged"
    ACKNOWLEDGED_UP_TO = "acknowledged_up_to"


@dataclass(frozen=True, slots=True)
class Event:
    """`message`: its number, 0 if none. `starts`: where the buckets begin for which a consumer
    subscribed, none if it is Exclusive.
    """

    what: What
    segment: int
    message: int = 0
    starts: tuple[int, ...] = ()


Mode = tuple[int, ...] | None
Positions = tuple[int, ...]


@dataclass(slots=True)
class Segment:
    """Where its buckets begin; how its consumer is to subscribe, and did, None without one; how
    many of its messages, of which none passes another, arrived, were delivered, and are
    acknowledged.
    """

    buckets: tuple[int, ...]
    wanted: Mode = None
    mode: Mode = None
    draining: bool = False
    arrived: int = 0
    delivered: int = 0
    acknowledged: int = 0


@dataclass(slots=True)
class Stream:
    """A stream consumer: its segments, the positions of each message that it delivered, and what
    happened.
    """

    segments: tuple[Segment, ...]
    delivered: list[Positions] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)


@states("SCA-102")
def assign(stream: Stream, ways: tuple[Way, ...]) -> None:
    """The segments are to be read in these ways, in their order; others are not."""
    for number, one in enumerate(stream.segments):
        way = ways[number] if number < len(ways) else Way.NOT
        one.wanted = None if way is Way.NOT else one.buckets if way is Way.SHARED else ()
        converge(stream, number)


@states("SCA-102", "SCA-109", "SCA-110")
def converge(stream: Stream, number: int) -> None:
    """A consumer that is not as assigned drains, and is closed; then another one subscribes."""
    one = stream.segments[number]
    one.draining = one.mode is not None and (one.draining or one.mode != one.wanted)
    if one.draining and one.acknowledged >= one.delivered:
        one.mode, one.draining = None, False
        stream.events.append(Event(What.CLOSED, number))
    if one.mode is None and one.wanted is not None:
        one.mode = one.wanted
        stream.events.append(Event(What.SUBSCRIBED, number, starts=one.wanted))
    deliver(stream, number)


@states("SCA-103", "SCA-105", "SCA-109")
def deliver(stream: Stream, number: int) -> None:
    """What the segment's consumer has is queued, each with the positions of that moment."""
    one = stream.segments[number]
    while one.mode is not None and not one.draining and one.delivered < one.arrived:
        stream.events.append(Event(What.DELIVERED, number, one.delivered))
        one.delivered += 1
        stream.delivered.append(tuple(other.delivered for other in stream.segments))


@states("SCA-104", "SCA-106")
def acknowledge(stream: Stream, positions: Positions) -> None:
    """Every segment is acknowledged up to its position; what is drained by that is closed."""
    for number, position in enumerate(positions):
        acknowledge_segment(stream, number, position)
        converge(stream, number)


@states("SCA-105", "SCA-107", "SCA-108")
def acknowledge_segment(stream: Stream, number: int, position: int) -> None:
    """An Exclusive consumer acknowledges once, one that shares each message by itself."""
    one = stream.segments[number]
    new = range(one.acknowledged, position)
    what = What.ACKNOWLEDGED if one.mode else What.ACKNOWLEDGED_UP_TO
    stream.events += [Event(what, number, message) for message in (new if one.mode else new[-1:])]
    one.acknowledged = max(one.acknowledged, position)
