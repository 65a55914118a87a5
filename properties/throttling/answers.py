"""How the reference answers the questions of the chapter *throttling*."""

from __future__ import annotations

from dataclasses import replace

from evenkeel.properties.observations import CommandBroke, CommandRefused
from evenkeel.properties.throttling.trials_policy import (
    InForce,
    PolicyAnswer,
    PolicyCommand,
    PolicyTrial,
    SetBroker,
    SetNamespace,
    SetTopic,
    Subscribe,
)
from evenkeel.properties.throttling.trials_quota import (
    Advance,
    Balance,
    BucketAnswer,
    BucketCommand,
    BucketResult,
    BucketTrial,
    Checked,
    Close,
    Configure,
    Consume,
    CounterAnswer,
    CounterCommand,
    CounterResult,
    CounterTrial,
    Done,
    Left,
    Look,
    Pass,
    Permits,
    Publish,
    QuotaAnswer,
    QuotaResult,
    QuotaTrial,
    Restart,
    SetRate,
    Spend,
    SpendAndCheck,
    Take,
    Taken,
    Tokens,
    Wait,
    WaitFor,
)
from evenkeel.properties.throttling.trials_reading import (
    ReaderSort,
    ReadLimitsAnswer,
    ReadLimitsTrial,
)
from evenkeel.properties.throttling.trials_subscribing import (
    Allowed,
    Attempt,
    Reconfigure,
    SubscribingAnswer,
    SubscribingCommand,
    SubscribingResult,
    SubscribingTrial,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.errors import Breakage, Refusal
from evenkeel.reference.throttling import bucket as buckets
from evenkeel.reference.throttling import counter as counters
from evenkeel.reference.throttling import limiter as limiters
from evenkeel.reference.throttling import rates, reading, subscribing
from evenkeel.reference.throttling.bucket import Bucket
from evenkeel.reference.throttling.counter import Counter
from evenkeel.reference.throttling.limiter import Limiter, Publishing
from evenkeel.reference.throttling.rates import Level, Limits, Policies
from evenkeel.reference.throttling.reading import Reader
from evenkeel.reference.throttling.subscribing import Subscribing

MILLI = 1_000_000


def failed(error: Refusal | Breakage) -> CommandRefused | CommandBroke:
    """How a command's failure is stated."""
    reason = type(error).__name__
    return CommandRefused(reason) if isinstance(error, Refusal) else CommandBroke(reason)


# --------------------------------------------------------------------------------- quota


def answer_quota(trial: QuotaTrial, edition: Edition) -> QuotaAnswer:
    """One result for each command."""
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
    """One command: the limiter afterwards and the result."""
    match command:
        case Consume(messages, size):
            return limiters.consume(limiter, messages, size, now), Done()
        case Look():
            limiter, left = limiters.available(limiter, publishing, now, edition)
            return limiter, Left.of(left)
        case Configure(rate):
            limiter, refusal = limiters.configure(limiter, rate, publishing, now, edition)
            return limiter, Done() if refusal is None else failed(refusal)


# -------------------------------------------------------------------------------- bucket


def answer_bucket(trial: BucketTrial, edition: Edition) -> BucketAnswer:
    """One result for each command."""
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
    """One command: the bucket afterwards and the result."""
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


# ------------------------------------------------------------------------------- counter


def answer_counter(trial: CounterTrial, edition: Edition) -> CounterAnswer:
    """One result for each command."""
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
    """One command: the counter afterwards and the result."""
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


# ------------------------------------------------------------------------------- reading


def reader_of(trial: ReadLimitsTrial) -> Reader:
    """What the dispatcher of a trial knows."""
    return Reader(
        permits=trial.permits,
        batch=trial.batch_size,
        max_bytes=trial.max_bytes,
        average=trial.average_messages,
        precise=trial.precise,
        writable=trial.writable,
        throttled=trial.throttled,
        exclusive=trial.reader is ReaderSort.EXCLUSIVE,
        replaying=trial.replay_outstanding,
    )


def answer_read_limits(trial: ReadLimitsTrial, edition: Edition) -> ReadLimitsAnswer:
    """The read, or that there is none."""
    read = reading.read_limits(reader_of(trial), trial.levels, edition)
    if isinstance(read, reading.Blocked):
        return ReadLimitsAnswer(-1, -1, read.reread)
    return ReadLimitsAnswer(read.entries, read.bytes, None)


# -------------------------------------------------------------------------------- policy


def answer_policy(trial: PolicyTrial, edition: Edition) -> PolicyAnswer:
    """What is in force after each command."""
    policies, subscribed = Policies(trial.start), False
    results = []
    for command in trial.commands:
        subscribed = subscribed or isinstance(command, Subscribe)
        policies = changed(policies, command)
        results.append(in_force(policies, subscribed, edition))
    return PolicyAnswer(tuple(results))


def changed(policies: Policies, command: PolicyCommand) -> Policies:
    """The policies after a command."""
    match command:
        case SetBroker(config):
            return replace(policies, configured=config)
        case SetNamespace(level, rate):
            return rates.with_namespace(policies, level, rate)
        case SetTopic(level, rate):
            return rates.with_topic(policies, level, rate)
        case Subscribe():
            return policies


def in_force(policies: Policies, subscribed: bool, edition: Edition) -> InForce:
    """The limits of all levels."""
    limits = {level: rates.in_force(rates.rate_at(policies, level, edition)) for level in Level}
    subscription = limits[Level.SUBSCRIPTION] if subscribed else Limits()
    return InForce(limits[Level.BROKER], limits[Level.TOPIC], subscription)


# --------------------------------------------------------------------------- subscribing


def answer_subscribing(trial: SubscribingTrial, edition: Edition) -> SubscribingAnswer:
    """One result for each command."""
    state, now = Subscribing(trial.rate), 0
    results: list[SubscribingResult] = []
    for command in trial.commands:
        if isinstance(command, Advance):
            now += command.millis * MILLI
            results.append(Done())
            continue
        state, result = use_subscribing(state, command, now, edition)
        results.append(result)
    return SubscribingAnswer(tuple(results))


def use_subscribing(
    state: Subscribing, command: SubscribingCommand, now: int, edition: Edition
) -> tuple[Subscribing, SubscribingResult]:
    """One command: the state afterwards and the result."""
    match command:
        case Attempt(consumer):
            state, allowed = subscribing.attempt(state, consumer, now, edition)
            return state, Allowed(allowed)
        case Reconfigure(rate):
            return subscribing.configure(state, rate, now), Done()
        case Advance():
            return state, Done()
