"""Mutants of period counters."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant_maker import (
    Function,
    defect,
    equivalent,
)
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.throttling import bucket as buckets
from evenkeel.reference.throttling import counter as counters
from evenkeel.reference.throttling.counter import BadPeriod, Counter


def _forget(counter: Counter) -> Counter:
    return replace(counter, taken=0)


def _save_up(counter: Counter) -> Counter:
    return replace(counter, taken=counter.taken - counter.rate)


def _never_pay_off(counter: Counter) -> Counter:
    return counter


def _carry_once(counter: Counter) -> Counter:
    return replace(counter, taken=min(max(0, counter.taken - counter.rate), counter.rate))


def _negative(counter: Counter) -> int:
    return counter.rate - counter.taken


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


MUTANTS: Final = (
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
        "negative-quota-told",
        counters,
        "available",
        lambda _: _negative,
        "An overdrawn quota is told as a negative number, which means no limit.",
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
    equivalent(
        "restart-forgets",
        counters,
        "restart",
        _forget_on_restart,
        "What was delivered before a change of the limit does not count after it.",
    ),
)
