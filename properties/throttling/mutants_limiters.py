"""Mutants of dispatch limiters."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant import Mutant
from evenkeel.properties.throttling.mutant_maker import (
    Function,
    always,
    correct,
    defect,
    switched,
    then,
)
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.throttling import bucket as buckets
from evenkeel.reference.throttling import bucket3
from evenkeel.reference.throttling import counter as counters
from evenkeel.reference.throttling import limiter as limiters
from evenkeel.reference.throttling.counter import Counter
from evenkeel.reference.throttling.limiter import Quota
from evenkeel.reference.throttling.rates import Limits


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


def _sees_pending(original: Function) -> Function:
    def settle(bucket: Any, consumed: int, now: int) -> tuple[Any, int]:
        after, seen = original(bucket, consumed, now)
        return after, seen - after.pending

    return settle


LIMITERS: Final[tuple[Mutant, ...]] = (
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
    defect(
        "older-counter-carries",
        limiters,
        "forgetful",
        lambda _: lambda quota, forgets: quota,
        "The counter of 2.6 carries excess over, which it did not.",
        edition=PULSAR_4_0,
    ),
    defect(
        "older-bucket-is-consistent",
        bucket3,
        "settle",
        _sees_pending,
        "The bucket of 3.2 shows what was consumed within a tick, which it did not.",
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
