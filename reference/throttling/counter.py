"""The period counter: a number of permits a period; excess is carried over.

A counter counts what was taken. When a period ends, it is lowered by the period's permits, not
below 0: unused permits are lost, excess stays (document 004, "the quota for the next period will
be reduced accordingly"; Pulsar `RateLimiter` 4.0.8 as dispatch limiter). The older counter forgets
the excess and refuses instead; 4.0.8 still has it for other uses.

Periods begin with the first use. Times are nanoseconds.
"""

from __future__ import annotations

from dataclasses import dataclass

from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Refusal
from evenkeel_engine.frame.replacing import replace


class BadPeriod(Refusal):
    """A period lasts longer than nothing."""


class BadRate(Refusal):
    """A counter has at least one permit a period."""


@dataclass(frozen=True, slots=True)
class Counter:
    """`rate` permits a `period`.

    `forgets`: the end of a period clears the count, excess and all, as limiters before 2.7 did
    (#8611). `ends` is when the present period ends; None before the first use, and for ever where
    a change of the period failed (`stuck`).
    """

    rate: int
    period: int
    carries: bool = True
    taken: int = 0
    ends: int | None = None
    stuck: bool = False
    closed: bool = False
    forgets: bool = False


def new(rate: int, period: int, carries: bool = True) -> Counter:
    """A counter that has not been used yet. Raises `BadRate`, `BadPeriod`."""
    if rate <= 0:
        raise BadRate(f"{rate} permits")
    if period <= 0:
        raise BadPeriod(f"a period of {period} ns")
    return Counter(rate, period, carries)


@states("THR-8", "THR-11", "THR-22")
def available(counter: Counter) -> int:
    """Permits left in this period, never less than 0."""
    return max(0, counter.rate - counter.taken)


@states("THR-9", "THR-22", "THR-23")
def take(counter: Counter, permits: int, now: int) -> tuple[Counter, bool]:
    """Take permits; whether any are left afterwards, which is what the boolean says.

    A counter that carries excess over never refuses: what was delivered is counted.
    """
    if counter.closed:
        return counter, True
    started = begin(counter, now)
    if not counter.carries:
        return take_if_left(started, permits)
    taken = replace(started, taken=started.taken + permits)
    return taken, permits < 0 or taken.taken < taken.rate


@states("THR-23")
def take_if_left(counter: Counter, permits: int) -> tuple[Counter, bool]:
    """The counter that forgets: it refuses what goes beyond the period's permits."""
    if counter.taken + permits > counter.rate:
        return counter, False
    if permits >= 0 and counter.taken >= counter.rate:
        return counter, False
    return replace(counter, taken=counter.taken + permits), True


@states("THR-13", "THR-23")
def begin(counter: Counter, now: int) -> Counter:
    """The first use begins the first period. Raises `BadPeriod`."""
    if counter.ends is not None or counter.stuck:
        return counter
    if counter.period <= 0:
        raise BadPeriod(f"a period of {counter.period} ns")
    return replace(counter, ends=now + counter.period)


@states("THR-9", "THR-10", "THR-13")
def elapse(counter: Counter, now: int, renewed: int | None = None) -> Counter:
    """It is `now`: every period that ended meanwhile is closed.

    `renewed` is what the rate becomes at each end of a period; None or 0 and less: it stays.
    """
    if counter.ends is None or counter.ends > now:
        return counter
    ends = 1 + (now - counter.ends) // counter.period
    ended = replace(counter, ends=counter.ends + ends * counter.period)
    if renewed is None or renewed <= 0:
        return period_ends(ended, ends)
    return period_ends(replace(period_ends(ended, 1), rate=renewed), ends - 1)


@states("THR-9", "THR-55", "THR-56", "THR-58")
def period_ends(counter: Counter, ends: int) -> Counter:
    """The counter after `ends` ends of periods: at each the count falls by the period's permits."""
    if not ends:
        return counter
    carries = counter.carries and not counter.forgets
    left = max(0, counter.taken - ends * counter.rate) if carries else 0
    return replace(counter, taken=left)


@states("THR-23")
def set_rate(counter: Counter, rate: int) -> Counter:
    """Another rate at once; count and period continue."""
    return replace(counter, rate=rate)


@states("THR-12", "THR-13")
def restart(counter: Counter, rate: int, period: int, now: int) -> tuple[Counter, BadPeriod | None]:
    """Another rate and period; the count stays, and a new period begins now.

    With a period of 0 or less the old timer stops and no new one begins: no period ends any more.
    """
    changed = replace(counter, rate=rate, period=period)
    if period <= 0:
        begun = counter.stuck or counter.ends is not None
        return replace(changed, ends=None, stuck=begun), BadPeriod(f"a period of {period} ns")
    return replace(changed, ends=now + period, stuck=False), None


@states("THR-23")
def close(counter: Counter) -> Counter:
    """Nothing is counted any more, and no period ends; a second time it does nothing."""
    if counter.closed:
        return counter
    return replace(counter, closed=True, ends=None, stuck=True)
