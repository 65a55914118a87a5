"""Trials and answers of `throttling.counter`: one period counter over time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Final

from evenkeel.properties.observations import CommandBroke, CommandRefused
from evenkeel.properties.throttling.commands import (
    EXACT,
    MILLI,
    Advance,
    Done,
    Exact,
    Look,
    SetRate,
    failed,
)
from evenkeel.properties.trial import Tagged, Within, require
from evenkeel.reference.edition import Edition
from evenkeel.reference.errors import Refusal
from evenkeel.reference.throttling import counter as counters
from evenkeel.reference.throttling.counter import Counter


@dataclass(frozen=True, slots=True)
class Take(Tagged):
    """Take permits."""

    permits: Exact


@dataclass(frozen=True, slots=True)
class Restart(Tagged):
    """Another rate and period (ms); `updated`: what the rate becomes at each end of a period."""

    rate: Annotated[int, Within(0, EXACT - 1)]
    period: Annotated[int, Within(0, 2**40 - 1)]
    updated: Exact | None = None


@dataclass(frozen=True, slots=True)
class Close(Tagged):
    """The counter is no longer needed."""


CounterCommand = Take | Advance | Look | SetRate | Restart | Close

MOST_PERIODS: Final = 10**7
"""So many periods may end in one advance: a subject with a timer ends each of them."""


@dataclass(frozen=True, slots=True)
class CounterTrial:
    """`throttling.counter`: so many permits a period (ms).

    `carries`: what was taken too much counts against later periods (as dispatch limits need it);
    else a request for more than is left is refused. In one advance at most 10,000,000 periods end.
    Periods follow one another without a gap, whenever the first begins.
    """

    carries: bool
    rate: int
    period: int
    commands: tuple[CounterCommand, ...]

    def __post_init__(self) -> None:
        require(-EXACT < self.rate < EXACT, "rate", "must be below 2^53")
        require(-(2**40) < self.period < 2**40, "period", "must be below 2^40")
        period = self.period
        for place, command in enumerate(self.commands):
            if isinstance(command, Restart):
                period = command.period
            if isinstance(command, Advance):
                few = command.millis <= MOST_PERIODS * max(period, 1)
                require(few, f"commands[{place}].millis", f"must be {MOST_PERIODS} periods at most")


@dataclass(frozen=True, slots=True)
class Taken(Tagged):
    """Answer to `Take`. Of a counter that carries: whether anything is left afterwards; what was
    asked for counts as taken in either case. Of another: whether it was taken.
    """

    granted: bool


@dataclass(frozen=True, slots=True)
class Permits(Tagged):
    """Answer to `Look`: 0 where something is owed."""

    available: int


CounterResult = Taken | Permits | Done | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class CounterAnswer:
    """One result for each command."""

    results: tuple[CounterResult, ...]


def answer_counter(trial: CounterTrial, edition: Edition) -> CounterAnswer:
    now, updated = 0, None
    counter = counters.new(trial.rate, trial.period * MILLI, trial.carries)
    results: list[CounterResult] = []
    for command in trial.commands:
        if isinstance(command, Advance):
            now += command.millis * MILLI
            counter = counters.elapse(counter, now, updated)
            results.append(Done())
            continue
        if isinstance(command, Restart):
            updated = command.updated
        try:
            counter, result = use_counter(counter, command, now)
        except Refusal as refusal:
            result = failed(refusal)
        results.append(result)
    return CounterAnswer(tuple(results))


def use_counter(
    counter: Counter, command: CounterCommand, now: int
) -> tuple[Counter, CounterResult]:
    match command:
        case Take(permits):
            counter, granted = counters.take(counter, permits, now)
            return counter, Taken(granted)
        case SetRate(rate):
            return counters.set_rate(counter, rate), Done()
        case Restart(rate, period, _):
            counter, refusal = counters.restart(counter, rate, period * MILLI, now)
            return counter, Done() if refusal is None else failed(refusal)
        case Close():
            return counters.close(counter), Done()
        case Look() | Advance():
            return counter, Permits(counters.available(counter))


def counter_labels(trial: CounterTrial) -> Iterator[str]:
    yield "carries excess" if trial.carries else "refuses excess"
    if any(isinstance(command, Restart) for command in trial.commands):
        yield "restarted"
    if any(isinstance(command, Close) for command in trial.commands):
        yield "closed"
