"""Token buckets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Final

from evenkeel.properties.throttling.trial_parts import (
    EXACT,
    MOST,
    SECOND,
    Done,
    Exact,
    SetRate,
    describe_failure,
    draw_amount,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import bucket as buckets
from evenkeel.reference.throttling.bucket import Bucket
from evenkeel_engine.frame.errors import Breakage, Refusal
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw, seldom_repeated
from evenkeel_engine.kit.judge import monitor, pair_results, require_results
from evenkeel_engine.kit.observations import CommandBroke, CommandRefused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun, fill
from evenkeel_engine.kit.trial import Tagged, Within, require


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
    """This many nanoseconds pass."""

    nanos: Annotated[int, Within(0, 10**16)]


BucketCommand = Tokens | Spend | SpendAndCheck | WaitFor | Pass | SetRate


@dataclass(frozen=True, slots=True)
class BucketTrial:
    """`throttling.bucket`: a token bucket with `rate` tokens a `period`.

    `capacity` and `initial` null: the rate. `resolution`: the least time between refills.
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


def draw_bucket_rate(draw: Draw) -> int:
    sort = draw.integer(0, 5)
    if sort < 3:
        return draw.integer(1, 20)
    if sort == 3:
        return draw.integer(1, 100_000)
    return draw.pick((50, 999_999_937, 10**9, 154_000_000, 2**31, 2**40))


def draw_nanos(draw: Draw, period: int, resolution: int, rate: int) -> int:
    sort = draw.integer(0, 6)
    token = max(period // rate, 1)
    base = (period, resolution, token, period * 2, 0, 1, period * 7)[sort]
    if sort == 4:
        return draw.integer(0, period)
    return max(0, base * draw.pick((1, 1, 1, 2, 3)) + draw.pick((0, 1, -1)))


def draw_bucket_command(draw: Draw, trial: tuple[int, int, int], dynamic: bool) -> BucketCommand:
    rate, period, resolution = trial
    sort = draw.integer(0, 13)
    if sort < 4:
        return Pass(draw_nanos(draw, period, resolution, rate))
    if sort < 8:
        return Tokens()
    if sort < 10:
        return Spend(draw_amount(draw, rate))
    if sort == 10:
        return SpendAndCheck(draw_amount(draw, rate))
    if sort == 11 and dynamic:
        return SetRate(draw_bucket_rate(draw))
    return WaitFor(draw_amount(draw, rate))


def draw_patience(draw: Draw, rate: int, period: int, resolution: int) -> list[BucketCommand]:
    token = max(period // rate, 1)
    step = max(resolution, token) + draw.pick((token - 1, token // 2, 1))
    looks: list[BucketCommand] = [Spend(rate)]
    for _ in range(12):
        looks.extend((Pass(step), Tokens()))
    return looks


def changing_trial(draw: Draw) -> BucketTrial:
    """The rate is set more than once, and the bucket emptied and filled at each rate."""
    count = draw.pick((3, 4, 5, 8))
    rates = [draw.pick((2, 10, 50, 1000)) * draw.pick((1, 3)) for _ in range(count)]
    commands: list[BucketCommand] = []
    for rate in rates[1:]:
        commands += (SetRate(rate), Tokens(), Spend(rate * draw.pick((1, 2, 20))))
        commands += (Pass(SECOND * draw.pick((2, 40))), Tokens(), Pass(SECOND * 40), Tokens())
    resolution = draw.pick((16_000_000, SECOND, 1))
    return BucketTrial(rates[0], SECOND, resolution, None, None, True, tuple(commands))


def overflowing_trial(draw: Draw) -> BucketTrial:
    """Tokens for every nanosecond: more than 64 bits hold come between two looks."""
    rate = draw.pick((2**40, 2**50, EXACT - 1))
    initial, commands = draw.pick((None, 1, 10)), list[BucketCommand]()
    for _ in draw.items(6, 0.8, 2):
        commands += (Pass(16_000_001 * draw.pick((1, 1, 100))), Tokens())
        after: tuple[BucketCommand, ...] = (
            Spend(1),
            SpendAndCheck(2),
            WaitFor(EXACT - 1),
            Spend(EXACT - 1),
        )
        commands.append(draw.pick(after))
    return BucketTrial(rate, 1, 16_000_000, None, initial, False, (*commands, Tokens()))


@seldom_repeated("commands")
def bucket_trial(draw: Draw) -> BucketTrial:
    if draw.chance(0.02):
        return overflowing_trial(draw)
    if draw.chance(0.06):
        return changing_trial(draw)
    rate = draw_bucket_rate(draw)
    period = SECOND * draw.pick((1, 1, 2, 10, 60, 3600))
    resolution = draw.pick((16_000_000, period, 1_000_000, 1))
    dynamic = draw.chance(0.25)
    capacity = initial = None
    if not dynamic and draw.chance(0.4):
        capacity = draw.pick((rate, rate * 2, max(rate // 2, 1), 0, 10))
    if not dynamic and draw.chance(0.4):
        initial = draw.pick((0, 1, rate, max(rate - 1, 0)))
    commands: list[BucketCommand] = []
    now_rate = rate
    for _ in draw.items(MOST, 0.9):
        command = draw_bucket_command(draw, (now_rate, period, resolution), dynamic)
        commands.append(command)
        if isinstance(command, SetRate):
            now_rate = command.rate
    commands.append(Tokens())
    if draw.chance(0.1):
        commands.extend(draw_patience(draw, now_rate, period, resolution))
    return BucketTrial(rate, period, resolution, capacity, initial, dynamic, tuple(commands))


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
            result = describe_failure(error)
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


@dataclass(slots=True)
class BucketMonitor:
    """The state of the bucket as it follows from commands and answers.

    `spent` and `elapsed` count from its creation. `level` is an ideal bucket's balance in shares,
    filled evenly and cut at the capacity; `history` its earlier values with their times and what
    was spent; `seen` the balance at this instant if it was requested, `promised` a number of tokens
    and the time by which they were promised. `rate` is the present one. After a change of the rate
    the balance is unknown until it is next requested (`known`); counting restarts there, and time
    that no refill has used yet (`unused`, ns, at most) still brings tokens. `most` is the largest
    balance above the capacity: what was spent may not be subtracted yet.
    """

    trial: BucketTrial
    rate: int
    start: int
    capacity: int
    level: int
    elapsed: int = 0
    spent: int = 0
    looks: int = 1
    seen: int | None = None
    promised: tuple[int, int] | None = None
    known: bool = True
    unused: int = 0
    most: int = 0
    history: list[tuple[int, int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.most, self.history = self.start, [(0, self.level, 0)]

    @property
    def token(self) -> int:
        """The shares of one token."""
        return self.trial.period

    @property
    def late(self) -> int:
        """The delay in ns with which tokens may come: one resolution and one token's time."""
        return self.trial.resolution + -(-self.trial.period // self.rate) + 1

    def facts(self) -> Iterator[str]:
        """The state for sentences."""
        ideal = self.level / self.token
        yield f"{self.elapsed} ns since the beginning, {self.spent} tokens spent"
        yield f"filled evenly at {self.rate} in {self.trial.period} ns it has {ideal:.10g} tokens"
        yield f"tokens may come {self.late} ns late; capacity {self.capacity}"

    def is_beyond_64_bits(self) -> bool:
        """Whether more tokens may have come than 64 bits hold."""
        inflow = (self.elapsed + self.unused + self.looks) * self.rate
        return inflow + self.start * self.token >= 2**63 * self.token

    def advance(self, nanos: int) -> None:
        """Advance the time."""
        if nanos:
            self.elapsed += nanos
            self.seen = None
            self.level = self.fill_level(self.level, nanos)

    def fill_level(self, level: int, nanos: int) -> int:
        """The ideal bucket's balance after some time."""
        return min(level + nanos * self.rate, self.capacity * self.token)

    def least(self) -> int:
        """The ideal balance at a time so early that all of it must have come by now, less what was
        spent since and a token.
        """
        then = max(0, self.elapsed - self.late)
        time, level, spent = next(past for past in reversed(self.history) if past[0] <= then)
        return self.fill_level(level, then - time) - (self.spent - spent + 1) * self.token

    def spend(self, tokens: int) -> None:
        """Consume tokens."""
        self.spent += tokens
        self.level -= tokens * self.token
        self.history.append((self.elapsed, self.level, self.spent))
        self.promised = None if tokens else self.promised
        if self.seen is not None:
            self.seen -= tokens

    def change_rate(self, rate: int) -> None:
        """Set another rate, and a capacity that follows it. Time before may count at either
        rate.
        """
        self.unused += self.late
        self.rate = self.capacity = rate
        self.known = False
        self.seen = self.promised = None

    def begin(self, tokens: int) -> None:
        """Restart from the first balance after a change of the rate. Tokens spent before, also
        before an earlier change, may not be subtracted yet.
        """
        self.most = tokens + self.spent + max(0, self.most - self.start)
        self.start, self.level = tokens, tokens * self.token
        self.elapsed = self.spent = 0
        self.history = [(0, self.level, 0)]
        self.looks, self.known = 1, True
        self.unused += self.late


def follow_from(trial: BucketTrial) -> BucketMonitor:
    """The bucket at its creation."""
    start = trial.rate if trial.initial is None else trial.initial
    capacity = trial.rate if trial.capacity is None else trial.capacity
    return BucketMonitor(trial, trial.rate, start, capacity, min(start, capacity) * trial.period)


@monitor("throttling.bucket", "THR-15", "THR-16", "THR-17", "THR-18", "THR-19", "THR-20", "THR-21")
def judge_bucket(run: MonitorRun, case: Case[BucketTrial, BucketAnswer]) -> None:
    require_results(run, case, "THR-20")
    world = follow_from(case.trial)
    run.facts = world.facts
    for command, result in pair_results(run, "THR-15", case, "the bucket"):
        step(run, world, command, result)
        if case.edition.balance_wraps and world.is_beyond_64_bits():
            return


ANSWERS: Final[dict[type, tuple[str, type]]] = {
    Pass: ("THR-15", Done),
    Spend: ("THR-15", Done),
    SetRate: ("THR-15", Done),
    SpendAndCheck: ("THR-16", Checked),
    Tokens: ("THR-15", Balance),
    WaitFor: ("THR-19", Wait),
}
"""The clause about a command's answer, and the answer's type."""


def step(
    run: MonitorRun, bucket: BucketMonitor, command: BucketCommand, result: BucketResult
) -> None:
    if isinstance(command, Spend | SpendAndCheck) and command.tokens < 0:
        refused = isinstance(result, CommandRefused)
        run.require("THR-21", refused, fill("{} must be refused, not {}", command, result))
        return
    if isinstance(result, CommandRefused | CommandBroke):
        fit = max(bucket.capacity, bucket.seen or 0)
        never = isinstance(command, WaitFor) and not 0 <= command.tokens <= fit
        right = never and isinstance(result, CommandRefused)
        run.require("THR-15", right, fill("{}: {}", command, result), "failed")
        return
    clause, meant = ANSWERS[type(command)]
    if not isinstance(result, meant):
        run.require(clause, False, fill("{} is answered with {}", command, result), "shape")
        return
    match command:
        case Pass(nanos):
            bucket.advance(nanos)
        case SetRate(rate):
            bucket.change_rate(rate)
        case Spend(tokens):
            bucket.spend(tokens)
        case SpendAndCheck(tokens):
            bucket.spend(tokens)
            bucket.looks += 1
            if bucket.seen is not None and isinstance(result, Checked):
                right = result.left == (bucket.seen > 0)
                sentence = "{} are left, but the answer is {}"
                run.require("THR-16", right, fill(sentence, bucket.seen, result.left))
        case Tokens():
            bucket.looks += 1
            if isinstance(result, Balance):
                judge_look(run, bucket, result.tokens)
        case WaitFor(tokens):
            bucket.looks += 1
            if isinstance(result, Wait):
                waits(run, bucket, tokens, result.nanos)


def judge_look(run: MonitorRun, bucket: BucketMonitor, tokens: int) -> None:
    """Check a balance."""
    if not bucket.known:
        bucket.begin(tokens)
        bucket.seen = tokens
        return
    most = max(bucket.capacity, bucket.most)
    run.require("THR-15", tokens <= most, fill("{} tokens, but only {} fit in", tokens, most))
    if bucket.seen is not None:
        sentence = "{} tokens, but {} must be left now"
        run.require("THR-16", tokens == bucket.seen, fill(sentence, tokens, bucket.seen))
    inflow = (bucket.elapsed + bucket.unused + bucket.looks) * bucket.rate
    highest = (bucket.start + 1 - bucket.spent) * bucket.token + inflow
    right = tokens * bucket.token <= highest
    sentence = "{} tokens, but only {:.6g} can have come"
    run.require("THR-17", right, fill(sentence, tokens, highest / bucket.token))
    if bucket.start <= bucket.capacity:
        lowest = bucket.least()
        right = tokens * bucket.token >= lowest
        sentence = "{} tokens, but {:.6g} must have come"
        run.require("THR-18", right, fill(sentence, tokens, lowest / bucket.token))
    if bucket.promised is not None:
        requested, due = bucket.promised
        if bucket.elapsed >= due:
            sentence = "{} tokens after the wait for {}"
            run.require("THR-19", tokens >= requested, fill(sentence, tokens, requested), "short")
    bucket.seen = tokens


def waits(run: MonitorRun, bucket: BucketMonitor, requested: int, nanos: int) -> None:
    """Check a reported wait."""
    if bucket.seen is not None:
        missing = requested - bucket.seen
        right = (missing <= 0) == (nanos == 0) or 0 < missing * bucket.token < bucket.rate
        sentence = "{} tokens, {} requested: a wait of {} ns"
        run.require("THR-19", right, fill(sentence, bucket.seen, requested, nanos), "zero")
    if bucket.known and nanos > 0 and requested <= bucket.capacity:
        bucket.promised = (requested, bucket.elapsed + nanos + bucket.late)


BUCKET: Final = Question(
    "throttling.bucket",
    BucketTrial,
    BucketAnswer,
    bucket_trial,
    answer_bucket,
    bucket_labels,
    commands="commands",
)

QUESTIONS: Final = (BUCKET,)
