"""Trials and answers of `throttling.quota`: one dispatch limiter over time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from evenkeel.properties.observations import CommandBroke, CommandRefused
from evenkeel.properties.throttling.commands import (
    MILLI,
    Advance,
    Done,
    Exact,
    Look,
    failed,
    require_rate,
)
from evenkeel.properties.trial import Tagged, Within, require
from evenkeel.reference.edition import Edition
from evenkeel.reference.errors import Breakage, Refusal
from evenkeel.reference.throttling import limiter as limiters
from evenkeel.reference.throttling import rates
from evenkeel.reference.throttling.limiter import EARLIER, Limiter, Mechanism, Publishing
from evenkeel.reference.throttling.rates import DispatchRate, Limits


@dataclass(frozen=True, slots=True)
class Consume(Tagged):
    """A delivery is charged."""

    messages: Exact
    bytes: Exact


@dataclass(frozen=True, slots=True)
class Configure(Tagged):
    """Another rate takes effect at once: its limits and its period, also for the one that runs."""

    rate: DispatchRate

    def __post_init__(self) -> None:
        require_rate("rate", self.rate)


@dataclass(frozen=True, slots=True)
class Publish(Tagged):
    """The topic's average publish rate is now so many messages and bytes per second.

    A relative limit has that many more in each of its periods, however long these are.
    """

    messages: Annotated[int, Within(0, 2**52 - 1)]
    bytes: Annotated[int, Within(0, 2**52 - 1)]


QuotaCommand = Consume | Advance | Look | Configure | Publish


@dataclass(frozen=True, slots=True)
class QuotaTrial:
    """`throttling.quota`: one dispatch limiter of a topic, messages and bytes.

    `mechanism` is what keeps the quotas where a balancer has several: the period counter
    (`classic`) or the token bucket (`bucket`); or one of Pulsar before 4.0, the counter that
    forgets (`forgetting`) or the bucket of 3.2 (`bucket_3`), never relative and with a period.
    Periods follow one another without a gap, whenever the first begins.
    """

    mechanism: Mechanism
    rate: DispatchRate
    commands: tuple[QuotaCommand, ...]

    def __post_init__(self) -> None:
        require_rate("rate", self.rate)
        if self.mechanism in EARLIER:
            changes = [c.rate for c in self.commands if isinstance(c, Configure)]
            for rate in (self.rate, *changes):
                require(not rate.relative, "rate", "must not be relative for this mechanism")
                require(rate.period > 0, "rate", "must have a period for this mechanism")


@dataclass(frozen=True, slots=True)
class Left(Tagged):
    """Answer to `Look`: what is left of both quotas, -1 without a limit."""

    messages: int
    bytes: int

    @staticmethod
    def of(limits: Limits) -> Left:
        return Left(limits.messages, limits.bytes)


QuotaResult = Left | Done | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class QuotaAnswer:
    """One result for each command."""

    results: tuple[QuotaResult, ...]


def answer_quota(trial: QuotaTrial, edition: Edition) -> QuotaAnswer:
    publishing, now = Publishing(), 0
    limiter = limiters.new(trial.mechanism, trial.rate, publishing, edition)
    results: list[QuotaResult] = []
    for command in trial.commands:
        if isinstance(command, Advance):
            now += command.millis * MILLI
            limiter = limiters.elapse(limiter, now, publishing)
            results.append(Done())
        elif isinstance(command, Publish):
            publishing = Publishing(command.messages, command.bytes)
            results.append(Done())
        else:
            try:
                limiter, result = use_limiter(limiter, command, publishing, now, edition)
            except (Refusal, Breakage) as error:
                result = failed(error)
            results.append(result)
    return QuotaAnswer(tuple(results))


def use_limiter(
    limiter: Limiter,
    command: Consume | Look | Configure,
    publishing: Publishing,
    now: int,
    edition: Edition,
) -> tuple[Limiter, QuotaResult]:
    match command:
        case Consume(messages, size):
            return limiters.consume(limiter, messages, size, now), Done()
        case Look():
            limiter, left = limiters.available(limiter, publishing, now, edition)
            return limiter, Left.of(left)
        case Configure(rate):
            limiter, refusal = limiters.configure(limiter, rate, publishing, now, edition)
            return limiter, Done() if refusal is None else failed(refusal)


def quota_labels(trial: QuotaTrial) -> Iterator[str]:
    yield trial.mechanism.value
    yield "limited" if rates.limited(trial.rate) else "unlimited"
    if trial.rate.relative:
        yield "relative to the publish rate"
    if trial.rate.period < 1:
        yield "no period"
    if any(isinstance(command, Configure) for command in trial.commands):
        yield "configured while running"
