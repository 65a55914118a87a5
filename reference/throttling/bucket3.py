"""The token bucket of Pulsar 3.2 and 3.3, which hides consumption until the next tick (THR-59).

It is refilled at most once in each tick of 16 ms of the clock. Between refills consumption is only
noted, and a look answers the balance of the last refill: within one tick all looks see the same
tokens (issue 24001, defect DT10). Pending consumption is subtracted after the capacity has cut.
Source: Pulsar `AsyncTokenBucket` 3.2 (PIP-322); compared with that of 3.3.2. Times are nanoseconds,
and the clock begins with a tick.
"""

from __future__ import annotations

from dataclasses import dataclass

from evenkeel.reference.throttling.bucket import RESOLUTION, divide_truncated, wrap_long
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.replacing import replace


@dataclass(frozen=True, slots=True)
class Bucket3:
    """`rate` tokens a `period`, as many at most. `tick` is that of the last refill."""

    rate: int
    period: int
    tokens: int
    last: int
    tick: int
    remainder: int = 0
    pending: int = 0


@states("THR-59")
def new(rate: int, period: int, now: int) -> Bucket3:
    """A bucket that starts full."""
    return Bucket3(rate, period, rate, now, now // RESOLUTION)


@states("THR-59")
def settle(bucket: Bucket3, consumed: int, now: int) -> tuple[Bucket3, int]:
    """Consume, refill if a new tick has begun, and say what is seen of the balance."""
    tick = now // RESOLUTION
    if tick <= bucket.tick:
        return replace(bucket, pending=bucket.pending + consumed), bucket.tokens
    elapsed = now - bucket.last + bucket.remainder
    inflow = divide_truncated(wrap_long(elapsed * bucket.rate), bucket.period)
    used = divide_truncated(wrap_long(inflow * bucket.period), bucket.rate)
    filled = min(bucket.tokens + inflow, bucket.rate)
    tokens = filled - consumed - bucket.pending
    remainder = max(0, elapsed - used)
    return Bucket3(bucket.rate, bucket.period, tokens, now, tick, remainder), tokens
