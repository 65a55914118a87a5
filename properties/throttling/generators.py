"""Trials of the chapter *throttling*: round numbers and their neighbours, full and overdrawn.

Amounts are drawn around the limit, times around the period, because that is where rules differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from evenkeel.properties.draw import Draw
from evenkeel.properties.throttling.trials_policy import (
    PolicyCommand,
    PolicyTrial,
    SetBroker,
    SetNamespace,
    SetTopic,
    Subscribe,
)
from evenkeel.properties.throttling.trials_quota import (
    Advance,
    BucketCommand,
    BucketTrial,
    Close,
    Configure,
    Consume,
    CounterCommand,
    CounterTrial,
    Look,
    Pass,
    Publish,
    QuotaCommand,
    QuotaTrial,
    Restart,
    SetRate,
    Spend,
    SpendAndCheck,
    Take,
    Tokens,
    WaitFor,
)
from evenkeel.properties.throttling.trials_reading import ReaderSort, ReadLimitsTrial
from evenkeel.properties.throttling.trials_subscribing import (
    Attempt,
    Reconfigure,
    SubscribingCommand,
    SubscribingTrial,
)
from evenkeel.reference.throttling.limiter import EARLIER, Mechanism
from evenkeel.reference.throttling.rates import BrokerConfig, DispatchRate, Level, Limits
from evenkeel.reference.throttling.subscribing import SubscribeRate

MECHANISMS: Final = (Mechanism.CLASSIC, Mechanism.BUCKET)
SECOND: Final = 1_000_000_000
MOST: Final = 20


def draw_limit(draw: Draw, huge: Sequence[int]) -> int:
    """A limit: mostly small, sometimes none, sometimes huge."""
    sort = draw.integer(0, 9)
    if sort < 6:
        return draw.integer(1, 12)
    if sort == 6:
        return draw.pick((-1, 0))
    if sort == 7:
        return draw.pick(huge)
    return draw.integer(1, 2000)


def draw_period(draw: Draw) -> int:
    """Seconds: mostly 1."""
    sort = draw.integer(0, 9)
    if sort < 6:
        return 1
    if sort < 9:
        return draw.pick((2, 3, 10, 60, 3600))
    return draw.pick((0, -1))


def draw_rate(draw: Draw, relative: float = 0.1) -> DispatchRate:
    """A dispatch rate."""
    return DispatchRate(
        draw_limit(draw, (2**31 - 1, 200_000_000, 10_000_000)),
        draw_limit(draw, (200_000_000, 154_000_000, 2**40, 2**31)),
        draw_period(draw),
        draw.chance(relative),
    )


def draw_amount(draw: Draw, limit: int) -> int:
    """What is delivered at once: around the limit, multiples of it, a few, seldom nothing."""
    sort = draw.integer(0, 9)
    around = max(limit, 1)
    if sort < 3:
        return draw.integer(1, 5)
    if sort < 6:
        return around + draw.pick((0, -1, 1))
    if sort == 6:
        return around * draw.integer(2, 5) + draw.pick((0, -1, 1))
    if sort == 7:
        return draw.pick((0, -1))
    return draw.integer(1, around)


def draw_millis(draw: Draw, seconds: int) -> int:
    """A stretch of time: around a period, parts of it, several."""
    period = max(seconds, 1) * 1000
    sort = draw.integer(0, 9)
    if sort < 3:
        return period
    if sort < 5:
        return period + draw.pick((1, -1, 16, -16))
    if sort < 7:
        return draw.integer(0, period)
    if sort == 7:
        return draw.pick((1, 15, 16, 17))
    return period * draw.integer(2, 6) + draw.pick((0, 1, -1, period // 2))


def draw_quota_command(draw: Draw, rate: DispatchRate) -> QuotaCommand:
    """One command for a limiter that now has this rate."""
    sort = draw.integer(0, 15)
    if sort < 5:
        return Consume(draw_amount(draw, rate.messages), draw_amount(draw, rate.bytes))
    if sort < 9:
        return Look()
    if sort < 13:
        return Advance(draw_millis(draw, rate.period))
    if sort == 13:
        return Publish(draw.integer(0, 20), draw.pick((0, 1000, 2**32)))
    if draw.chance(0.4):
        return Configure(rate)
    return Configure(draw_rate(draw))


def settled(mechanism: Mechanism, rate: DispatchRate) -> DispatchRate:
    """A rate that this mechanism can have: those before 4.0 have a period and are not relative."""
    if mechanism not in EARLIER:
        return rate
    return replace(rate, period=max(rate.period, 1), relative=False)


def quota_trial(draw: Draw) -> QuotaTrial:
    """A limiter's life."""
    mechanism = draw.pick(EARLIER) if draw.chance(0.15) else draw.pick(MECHANISMS)
    first = rate = settled(mechanism, draw_rate(draw))
    commands: list[QuotaCommand] = []
    for _ in draw.items(MOST, 0.9):
        command = draw_quota_command(draw, rate)
        if isinstance(command, Configure):
            rate = settled(mechanism, command.rate)
            command = Configure(rate)
        commands.append(command)
    commands.append(Look())
    return QuotaTrial(mechanism, first, tuple(commands))


def draw_bucket_rate(draw: Draw) -> int:
    """Tokens a period: few, some, or so many that 64 bits become too small."""
    sort = draw.integer(0, 5)
    if sort < 3:
        return draw.integer(1, 20)
    if sort == 3:
        return draw.integer(1, 100_000)
    return draw.pick((50, 999_999_937, 10**9, 154_000_000, 2**31, 2**40))


def draw_nanos(draw: Draw, period: int, resolution: int, rate: int) -> int:
    """Time for a bucket: around its period, its resolution, and one token."""
    sort = draw.integer(0, 6)
    token = max(period // rate, 1)
    base = (period, resolution, token, period * 2, 0, 1, period * 7)[sort]
    if sort == 4:
        return draw.integer(0, period)
    return max(0, base * draw.pick((1, 1, 1, 2, 3)) + draw.pick((0, 1, -1)))


def draw_bucket_command(draw: Draw, trial: tuple[int, int, int], dynamic: bool) -> BucketCommand:
    """One command for a bucket with this rate, period and resolution."""
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
    """An empty bucket, looked at again and again just before a further token is whole."""
    token = max(period // rate, 1)
    step = max(resolution, token) + draw.pick((token - 1, token // 2, 1))
    looks: list[BucketCommand] = [Spend(rate)]
    for _ in range(12):
        looks.extend((Pass(step), Tokens()))
    return looks


def bucket_trial(draw: Draw) -> BucketTrial:
    """A bucket's life."""
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


def draw_counter_command(draw: Draw, rate: int, millis: int) -> CounterCommand:
    """One command for a counter with this rate and period."""
    sort = draw.integer(0, 15)
    if sort < 6:
        return Take(draw_amount(draw, rate))
    if sort < 9:
        return Look()
    if sort < 13:
        step = draw.integer(0, 4)
        lengths = (millis, millis - 1, millis + 1, draw.integer(0, millis), millis * 3)
        return Advance(max(0, lengths[step]))
    if sort == 13:
        return SetRate(draw.integer(1, 20))
    if sort == 14:
        return Restart(
            max(rate, 1) if draw.chance(0.4) else draw.integer(1, 20),
            draw.pick((millis, 1000, 10, 0)),
            draw.pick((None, 0, 7, 100)),
        )
    return Close() if draw.chance(0.3) else Look()


def counter_trial(draw: Draw) -> CounterTrial:
    """A counter's life."""
    carries = not draw.chance(0.3)
    first = rate = draw.pick((0, -1)) if draw.chance(0.02) else draw.integer(1, 20)
    first_period = period = (
        draw.pick((0, -5)) if draw.chance(0.02) else draw.pick((1000, 10, 60_000))
    )
    commands: list[CounterCommand] = []
    for _ in draw.items(MOST, 0.9):
        command = draw_counter_command(draw, rate, max(period, 1))
        commands.append(command)
        if isinstance(command, Restart):
            rate, period = command.rate, command.period
        elif isinstance(command, SetRate):
            rate = command.rate
    commands.append(Look())
    return CounterTrial(carries, first, first_period, tuple(commands))


def draw_left(draw: Draw, permits: int) -> Limits | None:
    """What is left at one level, or that it has no limiter."""
    if draw.chance(0.4):
        return None
    return Limits(draw_part(draw, permits), draw_part(draw, 5_000_000))


def draw_part(draw: Draw, around: int) -> int:
    """What is left of one quota."""
    sort = draw.integer(0, 9)
    if sort < 3:
        return draw.integer(1, 30)
    if sort < 5:
        return -1
    if sort == 5:
        return 0
    if sort == 6:
        return draw.pick((2**31 - 1, 2**31, 2**32, 2**32 + 5, 2**31 + 5, 2**40))
    return max(0, around + draw.pick((0, 1, -1)))


def read_limits_trial(draw: Draw) -> ReadLimitsTrial:
    """A dispatcher about to read."""
    shared = not draw.chance(0.4)
    permits = draw.pick((1000, 1, 2, 10)) if draw.chance(0.5) else draw.integer(1, 2000)
    return ReadLimitsTrial(
        reader=ReaderSort.SHARED if shared else ReaderSort.EXCLUSIVE,
        permits=permits,
        average_messages=draw.pick((1, 0, 6, 10, 1000))
        if draw.chance(0.7)
        else draw.integer(1, 50),
        writable=not draw.chance(0.1),
        cursor_active=draw.chance(0.4),
        replay_outstanding=shared and draw.chance(0.15),
        batch_size=draw.pick((100, 1, 7, 1000)),
        max_bytes=draw.pick((5 * 1024 * 1024, 1, 1000)),
        precise=draw.chance(0.4),
        by_entry=draw.chance(0.2),
        non_backlog=not draw.chance(0.4),
        broker=draw_left(draw, permits),
        topic=draw_left(draw, permits),
        subscription=draw_left(draw, permits),
    )


def draw_policy_rate(draw: Draw) -> DispatchRate | None:
    """A policy, or that it is removed."""
    if draw.chance(0.3):
        return None
    return DispatchRate(draw_bound(draw), draw_bound(draw), draw.pick((1, 2, 60)), draw.chance(0.2))


def draw_bound(draw: Draw) -> int:
    """A limit of a policy."""
    return draw.integer(1, 50) if not draw.chance(0.45) else draw.pick((-1, 0))


def draw_config(draw: Draw) -> BrokerConfig:
    """A configuration; limits are mostly off, as they ship."""
    return BrokerConfig(draw_limits(draw), draw_limits(draw), draw_limits(draw))


def draw_limits(draw: Draw) -> Limits:
    """One level of the configuration; mostly off."""
    return Limits(draw_bound(draw), draw_bound(draw)) if draw.chance(0.4) else Limits()


def policy_trial(draw: Draw) -> PolicyTrial:
    """Policies come and go."""
    mechanism, start = draw.pick(MECHANISMS), draw_config(draw)
    commands: list[PolicyCommand] = []
    for _ in draw.items(12, 0.85):
        sort = draw.integer(0, 6)
        level = draw.pick((Level.TOPIC, Level.SUBSCRIPTION))
        if sort == 0:
            commands.append(Subscribe())
        elif sort < 3:
            commands.append(SetNamespace(level, draw_policy_rate(draw)))
        elif sort < 6:
            commands.append(SetTopic(level, draw_policy_rate(draw)))
        else:
            commands.append(SetBroker(draw_config(draw)))
    return PolicyTrial(mechanism, start, tuple(commands))


def draw_subscribe_rate(draw: Draw) -> SubscribeRate:
    """A subscribe rate; 0 attempts means no limit."""
    attempts = draw.pick((0, -1)) if draw.chance(0.2) else draw.integer(1, 5)
    return SubscribeRate(attempts, draw.pick((30, 1, 10, 0)) if draw.chance(0.3) else 1)


def subscribing_trial(draw: Draw) -> SubscribingTrial:
    """A few consumers try again and again."""
    first = rate = draw_subscribe_rate(draw)
    commands: list[SubscribingCommand] = []
    for _ in draw.items(MOST, 0.9):
        sort = draw.integer(0, 9)
        if sort < 6:
            commands.append(Attempt(draw.integer(0, 2)))
        elif sort < 9:
            commands.append(Advance(draw_millis(draw, rate.period)))
        else:
            rate = rate if draw.chance(0.3) else draw_subscribe_rate(draw)
            commands.append(Reconfigure(rate))
    return SubscribingTrial(first, tuple(commands))
