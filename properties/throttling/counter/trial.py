"""Trials and answers of `throttling.counter`: one period counter over time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from evenkeel.properties.observations import CommandBroke, CommandRefused
from evenkeel.properties.throttling.commands import (
    EXACT,
    MILLI,
    Advance,
    Done,
    Look,
    SetRate,
    failed,
)
from evenkeel.properties.trial import require
from evenkeel.reference.edition import Edition
from evenkeel.reference.errors import Refusal
from evenkeel.reference.throttling import counter as counters
from evenkeel.reference.throttling.counter import Counter


@dataclass(frozen=True, slots=True)
class Take:
    """Take permits."""

    DO: ClassVar[str] = "take"
    permits: int

    def __post_init__(self) -> None:
        require(abs(self.permits) < EXACT, "permits", "must be below 2^53")


@dataclass(frozen=True, slots=True)
class Restart:
    """Another rate and period (ms); `updated`: what the rate becomes at each end of a period."""

    DO: ClassVar[str] = "restart"
    rate: int
    period: int
    updated: int | None = None

    def __post_init__(self) -> None:
        require(0 <= self.rate < EXACT, "rate", "must be 0 or more, below 2^53")
        require(0 <= self.period < 2**40, "period", "must be 0 or more, below 2^40")


@dataclass(frozen=True, slots=True)
class Close:
    """The counter is no longer needed."""

    DO: ClassVar[str] = "close"


CounterCommand = Take | Advance | Look | SetRate | Restart | Close


@dataclass(frozen=True, slots=True)
class CounterTrial:
    """`throttling.counter`: so many permits a period (ms).

    `carries`: what was taken too much counts against later periods (as dispatch limits need it);
    else a request for more than is left is refused.
    """

    carries: bool
    rate: int
    period: int
    commands: tuple[CounterCommand, ...]

    def __post_init__(self) -> None:
        require(-EXACT < self.rate < EXACT, "rate", "must be below 2^53")
        require(-(2**40) < self.period < 2**40, "period", "must be below 2^40")


@dataclass(frozen=True, slots=True)
class Taken:
    """Answer to `Take`."""

    DO: ClassVar[str] = "taken"
    granted: bool


@dataclass(frozen=True, slots=True)
class Permits:
    """Answer to `Look`."""

    DO: ClassVar[str] = "permits"
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
