"""Mutants of dispatch limiters."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant_maker import (
    Function,
    always,
    defect,
    defect_of,
    equivalent,
    equivalent_of,
    first,
    switched,
)
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.throttling import bucket as buckets
from evenkeel.reference.throttling import counter as counters
from evenkeel.reference.throttling import limiter as limiters
from evenkeel.reference.throttling.counter import Counter
from evenkeel.reference.throttling.limiter import Quota


@defect_of(limiters, "configure", "A policy with a period of 0 fails inside the limiter.")
def no_period_breaks(original: Function) -> Function:
    def configure(limiter: Any, rate: Any, *arguments: Any) -> Any:
        if rate.period <= 0:
            raise buckets.DividedByZero("the period is 0")
        return original(limiter, rate, *arguments)

    return configure


@equivalent_of(
    limiters, "changed_counter", "Periods begin when the limiter is made, not with its first use."
)
def periods_from_the_start(original: Function) -> Function:
    def changed(quota: Quota | None, limit: int, seconds: int, now: int) -> Any:
        after, refusal = original(quota, limit, seconds, now)
        begun = isinstance(after, Counter) and after.ends is None and not after.stuck
        return (counters.begin(after, now) if begun else after), refusal

    return changed


@equivalent_of(
    limiters, "changed_counter", "Setting the same rate again does not begin a new period."
)
def same_rate_changes_nothing(original: Function) -> Function:
    def changed(quota: Quota | None, limit: int, seconds: int, now: int) -> Any:
        same = isinstance(quota, Counter) and (quota.rate, quota.period) == (
            limit,
            seconds * limiters.SECOND,
        )
        return (quota, None) if same else original(quota, limit, seconds, now)

    return changed


@equivalent_of(limiters, "consume", "A charge of less than nothing may be refused.")
def negative_charges_refused(original: Function) -> Function:
    def consume(limiter: Any, messages: int, size: int, now: int) -> Any:
        if min(messages, size) < 0:
            raise counters.BadRate("less than nothing is charged")
        return original(limiter, messages, size, now)

    return consume


@equivalent_of(limiters, "charged", "A charge of less than nothing may give something back.")
def negative_charges_given_back(original: Function) -> Function:
    def charged(quota: Quota | None, amount: int, now: int) -> Any:
        if isinstance(quota, Counter) and amount < 0:
            return replace(quota, taken=max(0, quota.taken + amount))
        return original(quota, amount, now)

    return charged


MUTANTS: Final = (
    defect(
        "deliveries-not-charged",
        limiters,
        "charged",
        lambda _: lambda quota, *_rest: quota,
        "Limits are configured and never reached.",
    ),
    defect(
        "publish-rate-not-added",
        limiters,
        "elapse",
        lambda original: lambda limiter, now, _: original(limiter, now, limiters.Publishing()),
        "A limit that is relative to the publish rate stays what is configured.",
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
        "documented-periods-needed",
        limiters,
        "configure",
        switched(refused_change_sticks=False),
        "A refused change of the period leaves the limiter as it was, unlike 4.0.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "no-period-is-one-second",
        limiters,
        "configure",
        first(1, lambda rate: replace(rate, period=max(rate.period, 1))),
        "A period of 0 is taken for one second.",
    ),
)
