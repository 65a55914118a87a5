"""Which consumers of a subscription read which segments (SCA-54 to SCA-65, SCA-74)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evenkeel.reference.edition import Edition
from evenkeel.reference.java_text import code_units
from evenkeel.reference.scaling.layout import Layout, Segment, lineage
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.replacing import replace


@dataclass(frozen=True, slots=True)
class Subscription:
    """A stream subscription: its topic, its consumers, connected or not, and the segments of which
    it has read everything.
    """

    layout: Layout
    consumers: frozenset[str] = frozenset()
    drained: frozenset[int] = frozenset()


def connect_consumer(subscription: Subscription, consumer: str) -> Subscription:
    """A consumer connects, or connects again."""
    return replace(subscription, consumers=subscription.consumers | {consumer})


@states("SCA-59")
def disconnect_consumer(subscription: Subscription, consumer: str) -> Subscription:
    """The connection of a consumer is lost."""
    return subscription


@states("SCA-61")
def gone(subscription: Subscription, consumer: str) -> Subscription:
    """A consumer leaves, or does not come back in time."""
    return replace(subscription, consumers=subscription.consumers - {consumer})


@states("SCA-54", "SCA-55", "SCA-57", "SCA-58", "SCA-62")
def assign_segments(subscription: Subscription, edition: Edition) -> dict[str, tuple[int, ...]]:
    """The segments of each consumer: in the order of their ranges they go round the consumers in
    the order of names. A segment that is shared has as many turns as consumers.

    Source: Pulsar `SubscriptionCoordinator.computeAssignment` 5.0.1.
    """
    names = sorted(subscription.consumers, key=code_units)
    found: dict[str, list[int]] = {name: [] for name in names}
    if names:
        segments = readable(subscription, edition)
        turns = shares(segments, len(names))
        every = [one for one, turn in zip(segments, turns, strict=True) for _ in range(turn)]
        for place, segment in enumerate(every):
            found[names[place % len(names)]].append(segment.number)
    return {name: tuple(numbers) for name, numbers in found.items()}


@states("SCA-63")
def shares(segments: Sequence[Segment], consumers: int) -> list[int]:
    """How many consumers each segment has: one; those to spare are spread over the segments, one
    each and again, as far as there are entry buckets.
    """
    turns, spare = [1] * len(segments), consumers - len(segments)
    while spare > 0 and any(turn < one.buckets for turn, one in zip(turns, segments, strict=True)):
        for place, one in enumerate(segments):
            if spare > 0 and turns[place] < one.buckets:
                turns[place] += 1
                spare -= 1
    return turns


def readable(subscription: Subscription, edition: Edition) -> list[Segment]:
    """The segments that are assigned, by range: the child of a split before its parent."""
    every = subscription.layout.segments.values()
    found = (one for one in every if is_readable(subscription, one, edition))
    return sorted(found, key=lambda one: (one.start, one.end, one.number))


@states("SCA-54", "SCA-56", "SCA-64", "SCA-74")
def is_readable(subscription: Subscription, segment: Segment, edition: Edition) -> bool:
    """Whether a segment has something to read, and all that was before it was read.

    Source: Pulsar `SubscriptionCoordinator.isAssignable`, `ancestorsDrained` 5.0.1.
    """
    if segment.sealed and edition.sealed_segments_stay:
        return True
    if segment.sealed and segment.number in subscription.drained:
        return False
    before = lineage(subscription.layout, segment.number)[1:]
    if edition.parents_alone_awaited:
        before = tuple(one for one in before if one.number in segment.parents)
    return all(one.number in subscription.drained for one in before)


@states("SCA-60", "SCA-65", "SCA-74")
def taken_over(subscription: Subscription, edition: Edition) -> Subscription:
    """What another controller knows."""
    if edition.drained_forgotten:
        return replace(subscription, drained=frozenset())
    return subscription
