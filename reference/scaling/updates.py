"""What a client keeps of the layouts and assignments that it is sent."""

from __future__ import annotations

from dataclasses import dataclass

from evenkeel.reference.edition import Edition
from evenkeel.reference.scaling.routing import KnownSegment, route_key, segment_hash
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Refusal


@dataclass(frozen=True, slots=True)
class SentSegment:
    """A segment of a layout as a client is sent it: its hashes, both ends included."""

    number: int
    start: int
    end: int
    sealed: bool = False


@dataclass(frozen=True, slots=True)
class SentLayout:
    """A layout with its epoch."""

    epoch: int
    segments: tuple[SentSegment, ...]


@dataclass(frozen=True, slots=True)
class SentAssignment:
    """The numbers of the segments that a consumer is to read, and the epoch of their layout."""

    epoch: int
    segments: tuple[int, ...]


class NoSegment(Refusal):
    """No live segment has the hash of a key."""


@states("SCA-80", "SCA-81", "SCA-82", "SCA-83")
def layout_after(has: SentLayout | None, sent: SentLayout, edition: Edition) -> SentLayout:
    """The layout of a client that had one, or none, and is sent another.

    Source: Pulsar `DagWatchClient.onUpdate` 5.0.0-M1, which compares no epochs.
    """
    if has is None or edition.layouts_of_any_epoch or sent.epoch > has.epoch:
        return sent
    return has


@states("SCA-84")
def assignment_after(has: SentAssignment | None, sent: SentAssignment) -> SentAssignment:
    """The assignment of a client that had one, or none, and is sent another.

    Source: Pulsar `ScalableConsumerClient.onAssignmentUpdate` 5.0.0-M1.
    """
    if has is None or sent.epoch >= has.epoch:
        return sent
    return has


@states("SCA-76", "SCA-85")
def segment_of(key: str, layout: SentLayout, edition: Edition) -> int:
    """The segment of a message with this key; raises `NoSegment` if the layout has none for it.

    Source: Pulsar `SegmentRouter.route` 5.0.0-M1.
    """
    hash_ = segment_hash(key, edition)
    live = [one for one in layout.segments if not one.sealed and one.start <= hash_ <= one.end]
    if not live:
        raise NoSegment(f"no live segment has the hash {hash_}")
    known = [KnownSegment(one.number, one.start, one.end) for one in live]
    return route_key(key, known, edition).segment
