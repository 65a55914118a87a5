"""Planted changes of counters, buckets and limiters."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.planted import Planted
from evenkeel.properties.throttling.planting import (
    Function,
    always,
    correct,
    defect,
    first,
    switched,
    then,
)
from evenkeel.reference.edition import PULSAR_4_0, Edition
from evenkeel.reference.throttling import bucket as buckets
from evenkeel.reference.throttling import counter as counters
from evenkeel.reference.throttling import limiter as limiters
from evenkeel.reference.throttling import subscribing
from evenkeel.reference.throttling.bucket import Bucket
from evenkeel.reference.throttling.counter import BadPeriod, Counter
from evenkeel.reference.throttling.limiter import Quota
from evenkeel.reference.throttling.rates import Limits
from evenkeel.reference.throttling.subscribing import SubscribeRate

# ------------------------------------------------------------------------------- counters


def _forget(counter: Counter) -> Counter:
    return replace(counter, taken=0)


def _save_up(counter: Counter) -> Counter:
    return replace(counter, taken=counter.taken - counter.rate)


def _never_pay_off(counter: Counter) -> Counter:
    return counter


def _carry_once(counter: Counter) -> Counter:
    return replace(counter, taken=min(max(0, counter.taken - counter.rate), counter.rate))


def _refuse_beyond(original: Function) -> Function:
    def take(counter: Counter, permits: int, now: int) -> tuple[Counter, bool]:
        return counters.take_if_left(counters.begin(counter, now), permits)

    return take


def _negative(counter: Counter) -> int:
    return counter.rate - counter.taken


def _one_end_only(original: Function) -> Function:
    def elapse(counter: Counter, now: int, renewed: int | None = None) -> Counter:
        once: Counter = original(counter, counter.ends or now, renewed)
        if counter.ends is None or counter.ends > now or once.ends is None:
            return counter
        return replace(once, ends=max(once.ends, now + 1))

    return elapse


def _forget_on_restart(original: Function) -> Function:
    def restart(counter: Counter, *arguments: Any) -> tuple[Counter, BadPeriod | None]:
        changed: tuple[Counter, BadPeriod | None] = original(counter, *arguments)
        return _forget(changed[0]), changed[1]

    return restart


def _closed_refuses(original: Function) -> Function:
    def take(counter: Counter, permits: int, now: int) -> tuple[Counter, bool]:
        if counter.closed:
            raise buckets.DividedByZero("the limiter is closed")
        answer: tuple[Counter, bool] = original(counter, permits, now)
        return answer

    return take


def _granted_if_any_before(original: Function) -> Function:
    def take(counter: Counter, permits: int, now: int) -> tuple[Counter, bool]:
        after, _ = original(counter, permits, now)
        return after, counter.taken < counter.rate

    return take


COUNTERS: Final[tuple[Planted, ...]] = (
    defect(
        "excess-forgotten",
        counters,
        "period_end",
        lambda _: _forget,
        "Two dispatchers that share a limit deliver twice as much in every period.",
        "DT1",
    ),
    defect(
        "unused-quota-saved",
        counters,
        "period_end",
        lambda _: _save_up,
        "After an hour of rest an hour's quota is delivered at once.",
    ),
    defect(
        "quota-never-refreshed",
        counters,
        "period_end",
        lambda _: _never_pay_off,
        "Delivery stops for good when the first quota is used up.",
        "DT19",
    ),
    defect(
        "excess-carried-one-period",
        counters,
        "period_end",
        lambda _: _carry_once,
        "What was delivered far too much is forgiven after one period.",
        "DT12",
    ),
    defect(
        "deliveries-beyond-quota-not-counted",
        counters,
        "take",
        _refuse_beyond,
        "A batch that does not fit is delivered but not charged.",
    ),
    defect(
        "negative-quota-told",
        counters,
        "available",
        lambda _: _negative,
        "An overdrawn quota is told as a negative number, which means no limit.",
    ),
    defect(
        "late-timer-refreshes-once",
        counters,
        "elapse",
        _one_end_only,
        "After a pause of several periods only one of them is refreshed.",
    ),
    defect(
        "closed-counter-fails",
        counters,
        "take",
        _closed_refuses,
        "A delivery that was under way while the limit changed fails.",
        "DT23",
        PULSAR_4_0,
    ),
    defect(
        "granted-if-any-was-left",
        counters,
        "take",
        _granted_if_any_before,
        "Taking the last permits is answered as if some were left.",
        edition=PULSAR_4_0,
    ),
    correct(
        "restart-forgets",
        counters,
        "restart",
        _forget_on_restart,
        "What was delivered before a change of the limit does not count after it.",
    ),
)

# -------------------------------------------------------------------------------- buckets


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


BUCKETS: Final[tuple[Planted, ...]] = (
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

# ------------------------------------------------------------------------------- limiters


def _charge_nothing(quota: Quota | None, amount: int, now: int) -> Quota | None:
    return quota


def _only_messages(original: Function) -> Function:
    def consume(limiter: Any, messages: int, size: int, now: int) -> Any:
        return original(limiter, messages, 0, now)

    return consume


def _zero_limits(original: Function) -> Function:
    def changed(quota: Quota | None, limit: int, seconds: int, now: int) -> Any:
        if limit == 0:
            return replace(counters.new(1, max(seconds, 1) * limiters.SECOND), rate=0), None
        return original(quota, limit, seconds, now)

    return changed


def _minus_one_unless_quota(answer: tuple[Any, Limits]) -> tuple[Any, Limits]:
    limiter, left = answer
    return limiter, Limits(left.messages or -1, left.bytes)


def _period_breaks(original: Function) -> Function:
    def configure(limiter: Any, rate: Any, *arguments: Any) -> Any:
        if rate.period <= 0:
            raise buckets.DividedByZero("the period is 0")
        return original(limiter, rate, *arguments)

    return configure


def _one_second_at_least(original: Function) -> Function:
    def configure(limiter: Any, rate: Any, *arguments: Any) -> Any:
        return original(limiter, replace(rate, period=max(rate.period, 1)), *arguments)

    return configure


def _periods_from_the_start(original: Function) -> Function:
    def changed(quota: Quota | None, limit: int, seconds: int, now: int) -> Any:
        after, refusal = original(quota, limit, seconds, now)
        begun = isinstance(after, Counter) and after.ends is None and not after.stuck
        return (counters.begin(after, now) if begun else after), refusal

    return changed


def _kept_through_configure(original: Function) -> Function:
    def changed(quota: Quota | None, limit: int, seconds: int, now: int) -> Any:
        same = isinstance(quota, Counter) and (quota.rate, quota.period) == (
            limit,
            seconds * limiters.SECOND,
        )
        return (quota, None) if same else original(quota, limit, seconds, now)

    return changed


LIMITERS: Final[tuple[Planted, ...]] = (
    defect(
        "deliveries-not-charged",
        limiters,
        "charged",
        lambda _: _charge_nothing,
        "Limits are configured and never reached.",
    ),
    defect(
        "bytes-not-charged",
        limiters,
        "consume",
        _only_messages,
        "Only messages are limited, whatever is configured for bytes.",
    ),
    defect(
        "zero-blocks",
        limiters,
        "changed_counter",
        _zero_limits,
        "A limit of 0, which means none, stops delivery.",
    ),
    defect(
        "used-up-is-unlimited",
        limiters,
        "available",
        then(_minus_one_unless_quota),
        "A quota that is used up is told like no limit.",
    ),
    defect(
        "bucket-for-a-counter",
        limiters,
        "kept_by",
        lambda _: lambda mechanism, edition: mechanism,
        "Debts are forgiven with every change, and a late look brings more than a period.",
    ),
    defect(
        "counter-for-a-bucket",
        limiters,
        "kept_by",
        always(limiters.Mechanism.CLASSIC),
        "The default limiter of 4.0 behaves like the older one.",
        edition=PULSAR_4_0,
    ),
    defect(
        "no-period-breaks",
        limiters,
        "configure",
        _period_breaks,
        "A policy with a period of 0 fails inside the limiter.",
    ),
    defect(
        "documented-periods-needed",
        limiters,
        "configure",
        switched(refused_change_sticks=False),
        "A refused change of the period leaves the limiter as it was, unlike 4.0.",
        edition=PULSAR_4_0,
    ),
    correct(
        "no-period-is-one-second",
        limiters,
        "configure",
        _one_second_at_least,
        "A period of 0 is taken for one second.",
    ),
    correct(
        "periods-from-the-start",
        limiters,
        "changed_counter",
        _periods_from_the_start,
        "Periods begin when the limiter is made, not with its first use.",
    ),
    correct(
        "same-rate-changes-nothing",
        limiters,
        "changed_counter",
        _kept_through_configure,
        "Setting the same rate again does not begin a new period.",
    ),
)

# ---------------------------------------------------------------------------- subscribing


def _either_part(rate: SubscribeRate) -> bool:
    return rate.attempts > 0 or rate.period > 0


def _one_for_all(consumer: int) -> int:
    return 0


SUBSCRIBING: Final[tuple[Planted, ...]] = (
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
