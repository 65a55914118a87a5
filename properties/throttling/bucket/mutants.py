"""Mutants of token buckets."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from evenkeel.properties.mutant_maker import (
    Function,
    defect,
    defect_of,
    equivalent_of,
)
from evenkeel.reference.edition import PULSAR_4_0, Edition
from evenkeel.reference.throttling import bucket as buckets
from evenkeel.reference.throttling.bucket import Bucket


@defect_of(
    buckets,
    "settle",
    "All dispatchers that look within 16 ms see the same full balance and deliver it.",
    "DT10",
)
def pending_consumption_not_seen(original: Function) -> Function:
    def settle(bucket: Bucket, consumed: int, now: int, edition: Edition) -> tuple[Bucket, int]:
        after, balance = original(bucket, consumed, now, edition)
        return after, balance + after.pending

    return settle


@defect_of(
    buckets,
    "settle",
    "What was consumed since the last refill is subtracted after the capacity has cut.",
    edition=PULSAR_4_0,
)
def capacity_cuts_first(original: Function) -> Function:
    def settle(bucket: Bucket, consumed: int, now: int, edition: Edition) -> tuple[Bucket, int]:
        bucket, tokens = buckets.inflow(bucket, now, edition)
        filled = min(bucket.tokens + tokens, buckets.capacity_of(bucket))
        balance = filled - bucket.pending - consumed
        return replace(bucket, tokens=balance, pending=0), balance

    return settle


def _no_capacity(bucket: Bucket) -> int:
    return 2**62


@equivalent_of(buckets, "pause", "A refill at exactly the resolution, not only after it.")
def refilled_a_little_earlier(original: Function) -> Function:
    return lambda bucket: original(bucket) - 1


MUTANTS: Final = (
    defect(
        "refill-wraps",
        buckets,
        "product",
        lambda original: lambda left, right, _: original(left, right, PULSAR_4_0),
        "A limit of 200,000,000 bytes a minute delivers one minute's worth, then nothing for ever.",
        "DT11",
    ),
    defect(
        "no-capacity",
        buckets,
        "capacity_of",
        lambda _: _no_capacity,
        "Tokens of idle hours are all delivered at once.",
    ),
    defect(
        "rate-of-a-bucket-never-raised",
        buckets,
        "set_rate",
        lambda original: lambda bucket, rate: original(bucket, min(rate, bucket.rate)),
        "A limit that was lowered once is not raised again.",
    ),
)
