"""Trials and answers of `throttling.bucket`: one token bucket over time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from evenkeel.properties.observations import CommandBroke, CommandRefused
from evenkeel.properties.throttling.commands import (
    EXACT,
    Done,
    Exact,
    SetRate,
    failed,
)
from evenkeel.properties.trial import Tagged, Within, require
from evenkeel.reference.edition import Edition
from evenkeel.reference.errors import Breakage, Refusal
from evenkeel.reference.throttling import bucket as buckets
from evenkeel.reference.throttling.bucket import Bucket


@dataclass(frozen=True, slots=True)
class Tokens(Tagged):
    """What is the balance now?"""


@dataclass(frozen=True, slots=True)
class Spend(Tagged):
    """Consume tokens."""

    tokens: Exact


@dataclass(frozen=True, slots=True)
class SpendAndCheck(Tagged):
    """Consume tokens: are any left?"""

    tokens: Exact


@dataclass(frozen=True, slots=True)
class WaitFor(Tagged):
    """How long until the bucket has this many tokens?"""

    tokens: Exact


@dataclass(frozen=True, slots=True)
class Pass(Tagged):
    """So many nanoseconds pass."""

    nanos: Annotated[int, Within(0, 10**16)]


BucketCommand = Tokens | Spend | SpendAndCheck | WaitFor | Pass | SetRate


@dataclass(frozen=True, slots=True)
class BucketTrial:
    """`throttling.bucket`: a token bucket with `rate` tokens a `period`.

    `capacity` and `initial` null: the rate. `resolution`: refills are at least so far apart.
    `dynamic`: the rate can be set, capacity and initial tokens follow it; only then is there a
    `set_rate`. Times in nanoseconds.
    """

    rate: int
    period: int
    resolution: int
    capacity: int | None
    initial: int | None
    dynamic: bool
    commands: tuple[BucketCommand, ...]

    def __post_init__(self) -> None:
        require(0 < self.rate < EXACT, "rate", "must be above 0 and below 2^53")
        require(0 < self.period < EXACT, "period", "must be above 0 and below 2^53")
        require(0 < self.resolution < EXACT, "resolution", "must be above 0 and below 2^53")
        for name in ("capacity", "initial"):
            value = getattr(self, name)
            require(value is None or 0 <= value < EXACT, name, "must be 0 or more, below 2^53")
            require(value is None or not self.dynamic, name, "must be null for a dynamic bucket")
        if not self.dynamic:
            sets = any(isinstance(command, SetRate) for command in self.commands)
            require(not sets, "commands", "only a dynamic bucket's rate can be set")


@dataclass(frozen=True, slots=True)
class Balance(Tagged):
    """Answer to `Tokens`; may be negative."""

    tokens: int


@dataclass(frozen=True, slots=True)
class Checked(Tagged):
    """Answer to `SpendAndCheck`: `left`, whether the balance is above 0 now."""

    left: bool


@dataclass(frozen=True, slots=True)
class Wait(Tagged):
    """Answer to `WaitFor`: nanoseconds, 0 if the bucket has the tokens."""

    nanos: int


BucketResult = Balance | Checked | Wait | Done | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class BucketAnswer:
    """One result for each command."""

    results: tuple[BucketResult, ...]


def answer_bucket(trial: BucketTrial, edition: Edition) -> BucketAnswer:
    now = 0
    capacity = (
        None if trial.dynamic else trial.capacity if trial.capacity is not None else trial.rate
    )
    bucket = buckets.new(trial.rate, trial.period, now, trial.resolution, capacity, trial.initial)
    results: list[BucketResult] = []
    for command in trial.commands:
        if isinstance(command, Pass):
            now += command.nanos
            results.append(Done())
            continue
        try:
            bucket, result = use_bucket(bucket, command, now, edition)
        except (Refusal, Breakage) as error:
            result = failed(error)
        results.append(result)
    return BucketAnswer(tuple(results))


def use_bucket(
    bucket: Bucket, command: BucketCommand, now: int, edition: Edition
) -> tuple[Bucket, BucketResult]:
    match command:
        case Spend(tokens):
            return buckets.consume(bucket, tokens), Done()
        case SpendAndCheck(tokens):
            bucket, left = buckets.consume_and_check(bucket, tokens, now, edition)
            return bucket, Checked(left)
        case WaitFor(tokens):
            bucket, nanos = buckets.wait_for(bucket, tokens, now, edition)
            return bucket, Wait(nanos)
        case SetRate(rate):
            return buckets.set_rate(bucket, rate), Done()
        case Tokens() | Pass():
            bucket, balance = buckets.balance(bucket, now, edition)
            return bucket, Balance(balance)


def bucket_labels(trial: BucketTrial) -> Iterator[str]:
    yield "dynamic" if trial.dynamic else "fixed"
    if trial.resolution >= trial.period:
        yield "refilled once a period"
    if trial.period // trial.rate > trial.resolution:
        yield "slower than its resolution"
    if trial.rate * trial.period >= 2**63:
        yield "beyond 64 bits"
