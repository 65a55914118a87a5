"""The token bucket: tokens flow in with time, up to a capacity, and the balance may be negative.

Consumption is noted as pending and subtracted when the bucket is next refilled; a balance always
counts it (Pulsar `AsyncTokenBucket` 4.0.8, PR 24012). Times are nanoseconds, numbers Java's longs:
in an edition with `refill_wraps` products keep only their lower 64 bits, in one with
`balance_wraps` balances.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Breakage, Refusal
from evenkeel_engine.frame.replacing import replace

RESOLUTION: Final = 16_000_000
"""Nanoseconds between refills unless something else is asked for: 16 ms."""

GREATEST: Final = 2**63 - 1
"""The greatest of Java's longs."""


class NegativeTokens(Refusal):
    """Tokens cannot be given back."""


class DividedByZero(Breakage):
    """A bucket whose rate fell to 0."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """`rate` tokens a `period`. `capacity` None: always the rate's worth of one period.

    `last` is when the bucket was last refilled, `remainder` the time since then that was too
    short for a whole token, `pending` what was consumed since then.
    """

    rate: int
    period: int
    capacity: int | None
    resolution: int
    tokens: int
    last: int
    remainder: int = 0
    pending: int = 0


@states("THR-15")
def new(
    rate: int,
    period: int,
    now: int,
    resolution: int = RESOLUTION,
    capacity: int | None = None,
    initial: int | None = None,
) -> Bucket:
    """A bucket that starts full by default."""
    return Bucket(rate, period, capacity, resolution, rate if initial is None else initial, now)


@states("THR-15")
def capacity_of(bucket: Bucket) -> int:
    """How many tokens it holds."""
    return bucket.rate if bucket.capacity is None else bucket.capacity


@states("THR-20")
def divide_truncated(dividend: int, divisor: int) -> int:
    """Division of two longs: towards 0. Raises `DividedByZero`."""
    if divisor == 0:
        raise DividedByZero("the rate is 0")
    quotient = abs(dividend) // abs(divisor)
    return quotient if (dividend < 0) == (divisor < 0) else -quotient


def wrap_long(exact: int) -> int:
    """What 64 bits keep of a number."""
    return (exact + 2**63) % 2**64 - 2**63


@states("THR-20")
def product(left: int, right: int, edition: Edition) -> int:
    """A product, or what 64 bits keep of it."""
    exact = left * right
    return wrap_long(exact) if edition.refill_wraps else exact


@states("THR-20")
def divide_long(left: int, right: int, divisor: int, edition: Edition) -> int:
    """A product divided, the greatest long at most."""
    return min(divide_truncated(product(left, right, edition), divisor), GREATEST)


@states("THR-20")
def total(exact: int, edition: Edition) -> int:
    """A balance, or what 64 bits keep of it."""
    return wrap_long(exact) if edition.balance_wraps else exact


@states("THR-20")
def pause(bucket: Bucket) -> int:
    """More than this must pass before the next refill.

    It is the resolution, or, where one token takes longer than that, the time it takes.
    """
    one_token = divide_truncated(bucket.period, bucket.rate)
    return one_token - bucket.remainder - 1 if one_token > bucket.resolution else bucket.resolution


@states("THR-17", "THR-18", "THR-20")
def inflow(bucket: Bucket, now: int, edition: Edition) -> tuple[Bucket, int]:
    """The tokens that have flowed in since the last refill, if it is time for one.

    The time that was too short for a whole token is stored, so that rounding never adds up.
    """
    if now == bucket.last or now <= bucket.last + pause(bucket):
        return bucket, 0
    elapsed = now - bucket.last + bucket.remainder
    tokens = divide_long(elapsed, bucket.rate, bucket.period, edition)
    used = divide_long(tokens, bucket.period, bucket.rate, edition)
    return replace(bucket, last=now, remainder=max(0, elapsed - used)), tokens


@states("THR-15", "THR-16", "THR-20")
def settle(bucket: Bucket, consumed: int, now: int, edition: Edition) -> tuple[Bucket, int]:
    """Refill if it is time, consume, and say the balance.

    Pending consumption is subtracted before the capacity cuts, what is consumed now after it.
    """
    bucket, tokens = inflow(bucket, now, edition)
    if tokens <= 0:
        bucket = replace(bucket, pending=bucket.pending + consumed)
        return bucket, total(bucket.tokens - bucket.pending, edition)
    change = tokens - bucket.pending
    balance = bucket.tokens
    if change != 0 or consumed != 0:
        full = min(total(balance + change, edition), capacity_of(bucket))
        balance = total(full - consumed, edition)
    return replace(bucket, tokens=balance, pending=0), balance


@states("THR-16", "THR-21")
def consume(bucket: Bucket, tokens: int) -> Bucket:
    """Note a consumption; no refill. Raises `NegativeTokens`."""
    if tokens < 0:
        raise NegativeTokens(f"{tokens} tokens")
    return replace(bucket, pending=bucket.pending + tokens)


@states("THR-16", "THR-21")
def consume_and_check(
    bucket: Bucket, tokens: int, now: int, edition: Edition
) -> tuple[Bucket, bool]:
    """Consume, and say whether tokens are left. Raises `NegativeTokens`."""
    if tokens < 0:
        raise NegativeTokens(f"{tokens} tokens")
    bucket, left = settle(bucket, tokens, now, edition)
    return bucket, left > 0


def balance(bucket: Bucket, now: int, edition: Edition) -> tuple[Bucket, int]:
    """The balance now, refilled if it is time."""
    return settle(bucket, 0, now, edition)


@states("THR-20")
def lacking(tokens: int, left: int, edition: Edition) -> int:
    """How many tokens are missing; the greatest long at most, unless products wrap anyway."""
    return tokens - left if edition.refill_wraps else min(tokens - left, GREATEST)


@states("THR-19")
def wait_for(bucket: Bucket, tokens: int, now: int, edition: Edition) -> tuple[Bucket, int]:
    """How long until the bucket has this many tokens, 0 if it has them."""
    bucket, left = balance(bucket, now, edition)
    if left >= tokens:
        return bucket, 0
    return bucket, divide_long(lacking(tokens, left, edition), bucket.period, bucket.rate, edition)


@states("THR-14")
def set_rate(bucket: Bucket, rate: int) -> Bucket:
    """Another rate; a capacity of one period's worth follows it."""
    return replace(bucket, rate=rate)
