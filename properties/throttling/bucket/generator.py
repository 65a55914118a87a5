"""Trials of `throttling.bucket`: a bucket's life."""

from __future__ import annotations

from evenkeel.properties.draw import Draw, seldom_repeated
from evenkeel.properties.throttling.bucket.trial import (
    BucketCommand,
    BucketTrial,
    Pass,
    Spend,
    SpendAndCheck,
    Tokens,
    WaitFor,
)
from evenkeel.properties.throttling.commands import SetRate
from evenkeel.properties.throttling.draws import MOST, SECOND, draw_amount


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
    """The rate is set more than once, and the bucket emptied and filled at each of them."""
    rates = [draw.pick((2, 10, 50, 1000)) * draw.pick((1, 3)) for _ in range(draw.integer(3, 5))]
    commands: list[BucketCommand] = []
    for rate in rates[1:]:
        commands += (SetRate(rate), Tokens(), Spend(rate * draw.pick((1, 2, 20))))
        commands += (Pass(SECOND * draw.pick((2, 40))), Tokens(), Pass(SECOND * 40), Tokens())
    resolution = draw.pick((16_000_000, SECOND, 1))
    return BucketTrial(rates[0], SECOND, resolution, None, None, True, tuple(commands))


@seldom_repeated("commands")
def bucket_trial(draw: Draw) -> BucketTrial:
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
