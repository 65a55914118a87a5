"""Mutants of period counters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from evenkeel.properties.mutant_maker import (
    Function,
    Make,
    defect,
    defect_of,
    equivalent,
    then,
)
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.throttling import bucket as buckets
from evenkeel.reference.throttling import counter as counters
from evenkeel.reference.throttling.counter import Counter


@defect_of(
    counters,
    "take",
    "A delivery that was under way while the limit changed fails.",
    "DT23",
    PULSAR_4_0,
)
def closed_counter_fails(original: Function) -> Function:
    def take(counter: Counter, permits: int, now: int) -> tuple[Counter, bool]:
        if counter.closed:
            raise buckets.DividedByZero("the limiter is closed")
        answer: tuple[Counter, bool] = original(counter, permits, now)
        return answer

    return take


def always_taken(taken: Callable[[Counter, int], int]) -> Make:
    return lambda _: lambda counter, ends: replace(counter, taken=taken(counter, ends))


MUTANTS: Final = (
    defect(
        "excess-forgotten",
        counters,
        "period_ends",
        always_taken(lambda counter, ends: 0),
        "Two dispatchers that share a limit deliver twice as much in every period.",
        "DT1",
    ),
    defect(
        "unused-quota-saved",
        counters,
        "period_ends",
        always_taken(lambda counter, ends: counter.taken - ends * counter.rate),
        "After an hour of rest an hour's quota is delivered at once.",
    ),
    defect(
        "quota-never-refreshed",
        counters,
        "period_ends",
        always_taken(lambda counter, ends: counter.taken),
        "Delivery stops for good when the first quota is used up.",
        "DT19",
    ),
    defect(
        "excess-carried-one-period",
        counters,
        "period_ends",
        always_taken(
            lambda counter, ends: min(
                max(0, counter.taken - counter.rate), counter.rate if ends == 1 else 0
            )
        ),
        "What was delivered far too much is forgiven after one period.",
        "DT12",
    ),
    defect(
        "negative-quota-told",
        counters,
        "available",
        lambda _: lambda counter: counter.rate - counter.taken,
        "An overdrawn quota is told as a negative number, which means no limit.",
    ),
    equivalent(
        "restart-forgets",
        counters,
        "restart",
        then(lambda changed: (replace(changed[0], taken=0), changed[1])),
        "What was delivered before a change of the limit does not count after it.",
    ),
)
