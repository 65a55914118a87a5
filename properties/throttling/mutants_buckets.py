"""Mutants of token buckets, and of the subscribe limiters made of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from evenkeel.properties.mutant import Mutant
from evenkeel.properties.throttling.mutant_maker import (
    Function,
    correct,
    defect,
    first,
    then,
)
from evenkeel.reference.edition import PULSAR_4_0, Edition
from evenkeel.reference.throttling import bucket as buckets
from evenkeel.reference.throttling import subscribing
from evenkeel.reference.throttling.bucket import Bucket
from evenkeel.reference.throttling.subscribing import SubscribeRate


def _pending_not_seen(original: Function) -> Function:
    def settle(bucket: Bucket, consumed: int, now: int, edition: Edition) -> tuple[Bucket, int]:
        after, balance = original(bucket, consumed, now, edition)
        return after, balance + after.pending

    return settle


def _no_remainder(original: Function) -> Function:
    def inflow(bucket: Bucket, now: int, edition: Edition) -> tuple[Bucket, int]:
        after, tokens = original(bucket, now, edition)
        return replace(after, remainder=0), tokens

    return inflow


def _cut_first(original: Function) -> Function:
    def settle(bucket: Bucket, consumed: int, now: int, edition: Edition) -> tuple[Bucket, int]:
        bucket, tokens = buckets.inflow(bucket, now, edition)
        filled = min(bucket.tokens + tokens, buckets.capacity_of(bucket))
        balance = filled - bucket.pending - consumed
        return replace(bucket, tokens=balance, pending=0), balance

    return settle


def _no_capacity(bucket: Bucket) -> int:
    return 2**62


def _rounded_up(original: Function) -> Function:
    def inflow(bucket: Bucket, now: int, edition: Edition) -> tuple[Bucket, int]:
        after, tokens = original(bucket, now, edition)
        return after, tokens + 1 if tokens else 0

    return inflow


def _short_wait(answer: tuple[Bucket, int]) -> tuple[Bucket, int]:
    return answer[0], answer[1] // 4


def _give_back(original: Function) -> Function:
    return lambda bucket, tokens: replace(bucket, pending=bucket.pending + tokens)


def _exactly_at(original: Function) -> Function:
    return lambda bucket: original(bucket) - 1


BUCKETS: Final[tuple[Mutant, ...]] = (
    defect(
        "pending-consumption-not-seen",
        buckets,
        "settle",
        _pending_not_seen,
        "All dispatchers that look within 16 ms see the same full balance and deliver it.",
        "DT10",
    ),
    defect(
        "refill-wraps",
        buckets,
        "product",
        lambda original: lambda left, right, _: original(left, right, PULSAR_4_0),
        "A limit of 200,000,000 bytes a minute delivers one minute's worth, then nothing for ever.",
        "DT11",
    ),
    defect(
        "time-left-over-lost",
        buckets,
        "inflow",
        _no_remainder,
        "A slow bucket that is looked at often gets less than its rate.",
    ),
    defect(
        "rounded-up-at-each-look",
        buckets,
        "inflow",
        _rounded_up,
        "The oftener the bucket is looked at, the more is delivered.",
    ),
    defect(
        "no-capacity",
        buckets,
        "capacity_of",
        lambda _: _no_capacity,
        "Tokens of idle hours are all delivered at once.",
    ),
    defect(
        "wait-too-short",
        buckets,
        "wait_for",
        then(_short_wait),
        "A throttled connection is woken again and again, and finds no tokens.",
    ),
    defect(
        "tokens-given-back",
        buckets,
        "consume",
        _give_back,
        "A negative charge raises the quota.",
    ),
    defect(
        "capacity-cuts-before-pending",
        buckets,
        "settle",
        _cut_first,
        "After a long rest the bucket is not full: what was consumed before it is subtracted.",
    ),
    defect(
        "capacity-cuts-first",
        buckets,
        "settle",
        _cut_first,
        "What was consumed since the last refill is subtracted after the capacity has cut.",
        edition=PULSAR_4_0,
    ),
    defect(
        "refilled-at-exactly-the-resolution",
        buckets,
        "pause",
        _exactly_at,
        "A bucket is refilled one nanosecond earlier than 4.0's.",
        edition=PULSAR_4_0,
    ),
    correct(
        "refilled-a-little-earlier",
        buckets,
        "pause",
        _exactly_at,
        "A refill at exactly the resolution, not only after it.",
    ),
)


def _either_part(rate: SubscribeRate) -> bool:
    return rate.attempts > 0 or rate.period > 0


def _one_for_all(consumer: int) -> int:
    return 0


SUBSCRIBING: Final[tuple[Mutant, ...]] = (
    defect(
        "subscribe-limit-cannot-be-disabled",
        subscribing,
        "limits",
        lambda _: _either_part,
        "A subscribe rate of 0 refuses every consumer, because the period is set by default.",
        "DT21",
    ),
    defect(
        "consumers-share-attempts",
        subscribing,
        "attempt",
        first(1, _one_for_all),
        "One consumer that reconnects often keeps the others from subscribing.",
    ),
    defect(
        "attempts-are-free",
        buckets,
        "consume",
        lambda _: lambda bucket, tokens: bucket,
        "Consumers may subscribe as often as they like.",
    ),
    defect(
        "same-subscribe-rate-refills",
        subscribing,
        "configure",
        lambda original: (
            lambda state, rate, now: original(replace(state, rate=SubscribeRate(0, 0)), rate, now)
        ),
        "Every policy update gives all consumers their attempts back.",
        edition=PULSAR_4_0,
    ),
    correct(
        "attempts-come-back-one-by-one",
        subscribing,
        "new_bucket",
        then(lambda bucket: replace(bucket, resolution=1)),
        "Attempts come back evenly, without a resolution of 16 ms.",
    ),
)
