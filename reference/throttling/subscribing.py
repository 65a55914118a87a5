"""How often a consumer may subscribe (THR-46 to THR-48). Of the documents CONF alone has it.

Every consumer has a token bucket of its own, created at its first attempt (Pulsar
`SubscribeRateLimiter` 4.0.8); in some editions it has a counter.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import bucket as buckets
from evenkeel.reference.throttling.bucket import Bucket
from evenkeel.reference.throttling.limiter import SECOND
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.replacing import replace


@dataclass(frozen=True, slots=True)
class SubscribeRate:
    """The limit on attempts of one consumer in a period of seconds.

    There is one only if both numbers are above 0; no other is refused.
    """

    attempts: int
    period: int


@dataclass(frozen=True, slots=True)
class Subscribing:
    """The rate and the buckets of the consumers that have tried.

    `counts`: in place of buckets, the attempts allowed in the period that began at `began`.
    """

    rate: SubscribeRate
    buckets: dict[int, Bucket] = field(default_factory=dict)
    counts: dict[int, int] = field(default_factory=dict)
    began: int = 0


@states("THR-46", "THR-104")
def limits(rate: SubscribeRate) -> bool:
    """A rate limits only if both its parts are above 0."""
    return rate.attempts > 0 and rate.period > 0


@states("THR-48")
def new_bucket(rate: SubscribeRate, now: int) -> Bucket:
    """A consumer's bucket, full; of a rate that limits."""
    return buckets.new(rate.attempts, rate.period * SECOND, now, capacity=rate.attempts)


@states("THR-46", "THR-47", "THR-48")
def attempt(
    state: Subscribing, consumer: int, now: int, edition: Edition, *, compacts: bool = False
) -> tuple[Subscribing, bool]:
    """One attempt: allowed while the bucket has a token, which it then takes.

    The reader of the topic's compaction has no limit (#26015).
    """
    if compacts or not limits(state.rate):
        return state, True
    if edition.subscribing_by_counter:
        return count_attempt(state, consumer, now)
    quota = state.buckets.get(consumer) or new_bucket(state.rate, now)
    quota, left = buckets.balance(quota, now, edition)
    if left > 0:
        quota = buckets.consume(quota, 1)
    return replace(state, buckets={**state.buckets, consumer: quota}), left > 0


@states("THR-48")
def in_period(state: Subscribing, now: int) -> Subscribing:
    """The counts of the period that it is now; there are periods only if the rate limits."""
    if not limits(state.rate):
        return state
    began = now - (now - state.began) % (state.rate.period * SECOND)
    return state if began == state.began else replace(state, counts={}, began=began)


@states("THR-47", "THR-48")
def count_attempt(state: Subscribing, consumer: int, now: int) -> tuple[Subscribing, bool]:
    """One attempt: allowed while fewer than the rate says were allowed in this period.

    Source: SubscribeRateLimiter, RateLimiter 3.0.7.
    """
    state = in_period(state, now)
    count = state.counts.get(consumer, 0)
    allowed = count < state.rate.attempts
    return replace(state, counts={**state.counts, consumer: count + allowed}), allowed


@states("THR-48")
def configure(state: Subscribing, rate: SubscribeRate, now: int, edition: Edition) -> Subscribing:
    """Another rate: every consumer known gets a full bucket; the same rate changes nothing.

    Counters keep their counts, and a period begins.
    """
    if rate == state.rate:
        return state
    if edition.subscribing_by_counter:
        counts = in_period(state, now).counts if limits(rate) else {}
        return Subscribing(rate, counts=counts, began=now)
    known = {consumer: new_bucket(rate, now) for consumer in state.buckets} if limits(rate) else {}
    return Subscribing(rate, known)
