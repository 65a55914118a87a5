"""A dispatch limiter: one quota of messages and one of bytes, over virtual time.

The two dimensions are independent, each there only if its limit is above 0. Times are nanoseconds
from the limiter's creation.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import bucket as buckets
from evenkeel.reference.throttling import bucket3
from evenkeel.reference.throttling import counter as counters
from evenkeel.reference.throttling.bucket import Bucket
from evenkeel.reference.throttling.bucket3 import Bucket3
from evenkeel.reference.throttling.counter import BadPeriod, Counter
from evenkeel.reference.throttling.rates import UNLIMITED, DispatchRate, Limits, is_limited
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Refusal
from evenkeel_engine.frame.replacing import replace

SECOND: Final = 1_000_000_000


class Mechanism(Enum):
    """What enforces a quota: period counter or token bucket of 4.0, or what was before them.

    The counter of Pulsar before 2.7 forgets excess; the bucket of 3.2 hides consumption for a tick.
    Whatever it is called, by the documents a quota is there again at the end of each period and not
    before: a bucket into which tokens drip all the time is another thing (THR-9). And what was
    delivered beyond it is taken off the next periods, also by what is called forgetting (THR-56).
    """

    CLASSIC = "classic"
    BUCKET = "bucket"
    FORGETTING = "forgetting"
    BUCKET_3 = "bucket_3"


@dataclass(frozen=True, slots=True)
class Publishing:
    """The topic's average publish rate, to which a relative limit is added."""

    messages: int = 0
    bytes: int = 0


Quota = Counter | Bucket | Bucket3
EARLIER: Final = (Mechanism.FORGETTING, Mechanism.BUCKET_3)
"""The mechanisms of Pulsar before 4.0."""


@dataclass(frozen=True, slots=True)
class Limiter:
    """The quotas of both dimensions, None without a limit, and the rate they come from."""

    mechanism: Mechanism
    rate: DispatchRate
    messages: Quota | None = None
    bytes: Quota | None = None


@states("THR-13", "THR-14")
def mechanism_of(mechanism: Mechanism, edition: Edition) -> Mechanism:
    """The mechanism that enforces a quota: the documents know the counter only."""
    return mechanism if edition.quotas_by_mechanism else Mechanism.CLASSIC


def new(
    mechanism: Mechanism, rate: DispatchRate, publishing: Publishing, edition: Edition
) -> Limiter:
    """A limiter at time 0. Raises `BadPeriod`."""
    limiter, refusal = configure(
        Limiter(mechanism_of(mechanism, edition), rate), rate, publishing, 0, edition
    )
    if refusal is not None:
        raise refusal
    return limiter


@states("THR-12", "THR-13", "THR-14")
def configure(
    limiter: Limiter, rate: DispatchRate, publishing: Publishing, now: int, edition: Edition
) -> tuple[Limiter, Refusal | None]:
    """Another rate takes effect now; a period of 0 may be refused half-way."""
    changed = replace(limiter, rate=rate)
    if limiter.mechanism is Mechanism.BUCKET_3:
        return replace(
            changed,
            messages=new_bucket3(rate.messages, rate, now),
            bytes=new_bucket3(rate.bytes, rate, now),
        ), None
    if limiter.mechanism is Mechanism.BUCKET:
        return replace(
            changed,
            messages=new_bucket(rate.messages, publishing.messages, rate, now),
            bytes=new_bucket(rate.bytes, publishing.bytes, rate, now),
        ), None
    if rate.period <= 0 and is_limited(rate) and not edition.refused_change_sticks:
        return limiter, BadPeriod(f"a period of {rate.period} s")
    forgets = limiter.mechanism is Mechanism.FORGETTING
    messages, refusal = changed_counter(limiter.messages, rate.messages, rate.period, now)
    if refusal is not None:
        return replace(limiter, messages=messages), refusal
    size, refusal = changed_counter(limiter.bytes, rate.bytes, rate.period, now)
    return replace(
        changed, messages=forgetful(messages, forgets), bytes=forgetful(size, forgets)
    ), refusal


@states("THR-58")
def forgetful(quota: Quota | None, forgets: bool) -> Quota | None:
    """A counter that forgets, if it is one of those."""
    return replace(quota, forgets=forgets) if isinstance(quota, Counter) else quota


@states("THR-59")
def new_bucket3(limit: int, rate: DispatchRate, now: int) -> Bucket3 | None:
    """A full bucket of 3.2 for one dimension; None without a limit."""
    return None if limit <= 0 else bucket3.new(limit, max(rate.period, 1) * SECOND, now)


@states("THR-14")
def new_bucket(limit: int, published: int, rate: DispatchRate, now: int) -> Bucket | None:
    """A full bucket for one dimension, refilled at most once a period; None without a limit."""
    if limit <= 0:
        return None
    period = max(rate.period, 1) * SECOND
    tokens = limit + published if rate.relative else limit
    return buckets.new(
        tokens, period, now, resolution=period, capacity=None if rate.relative else limit
    )


@states("THR-12", "THR-13")
def changed_counter(
    quota: Quota | None, limit: int, seconds: int, now: int
) -> tuple[Quota | None, Refusal | None]:
    """One dimension's counter after a change: dropped, created, or restarted with its count."""
    if limit <= 0:
        return None, None
    period = seconds * SECOND
    if isinstance(quota, Counter):
        return counters.restart(quota, limit, period, now)
    try:
        return counters.new(limit, period), None
    except Refusal as refusal:
        return quota, refusal


@states("THR-9")
def consume(limiter: Limiter, messages: int, size: int, now: int) -> Limiter:
    """Charge a delivery to both dimensions; nothing is charged for 0 and less."""
    return with_quotas(
        limiter, charge_one(limiter.messages, messages, now), charge_one(limiter.bytes, size, now)
    )


def with_quotas(limiter: Limiter, messages: Quota | None, size: Quota | None) -> Limiter:
    """The limiter with these quotas; itself if they are the ones that it has."""
    if messages is limiter.messages and size is limiter.bytes:
        return limiter
    return Limiter(limiter.mechanism, limiter.rate, messages, size)


@states("THR-9", "THR-55")
def charge_one(quota: Quota | None, amount: int, now: int) -> Quota | None:
    """One dimension after a charge."""
    if quota is None or amount <= 0:
        return quota
    if isinstance(quota, Counter):
        return counters.take(quota, amount, now)[0]
    if isinstance(quota, Bucket3):
        return bucket3.settle(quota, amount, now)[0]
    return buckets.consume(quota, amount)


@states("THR-9", "THR-13", "THR-67")
def elapse(limiter: Limiter, now: int, publishing: Publishing) -> Limiter:
    """The limiter at the time `now`."""
    rate = limiter.rate
    return with_quotas(
        limiter,
        elapse_one(
            limiter.messages, now, rate.messages + publishing.messages if rate.relative else None
        ),
        elapse_one(limiter.bytes, now, rate.bytes + publishing.bytes if rate.relative else None),
    )


def elapse_one(quota: Quota | None, now: int, renewed: int | None) -> Quota | None:
    """One dimension's counter with the periods closed that have ended; buckets do not watch."""
    return counters.elapse(quota, now, renewed) if isinstance(quota, Counter) else quota


@states("THR-8")
def available(
    limiter: Limiter, publishing: Publishing, now: int, edition: Edition
) -> tuple[Limiter, Limits]:
    """What is left of both quotas, -1 without a limit. Looking refills a bucket if it is time."""
    rate = limiter.rate
    messages, left = left_of(
        limiter.messages,
        rate.messages + publishing.messages if rate.relative else None,
        now,
        edition,
    )
    size, size_left = left_of(
        limiter.bytes, rate.bytes + publishing.bytes if rate.relative else None, now, edition
    )
    return with_quotas(limiter, messages, size), Limits(left, size_left)


@states("THR-8", "THR-14")
def left_of(
    quota: Quota | None, renewed: int | None, now: int, edition: Edition
) -> tuple[Quota | None, int]:
    """What is left of one dimension: never less than 0, -1 without a limit."""
    if quota is None:
        return None, UNLIMITED
    if isinstance(quota, Counter):
        return quota, counters.available(quota)
    if isinstance(quota, Bucket3):
        seen, tokens = bucket3.settle(quota, 0, now)
        return seen, max(tokens, 0)
    if renewed is not None:
        quota = buckets.set_rate(quota, renewed)
    quota, balance = buckets.balance(quota, now, edition)
    return quota, max(balance, 0)
