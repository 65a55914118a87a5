"""Trials of `throttling.counter`: a counter's life."""

from __future__ import annotations

from evenkeel.properties.draw import Draw, seldom_repeated
from evenkeel.properties.throttling.commands import Advance, Look, SetRate
from evenkeel.properties.throttling.counter.trial import (
    Close,
    CounterCommand,
    CounterTrial,
    Restart,
    Take,
)
from evenkeel.properties.throttling.draws import MOST, draw_amount


def draw_counter_command(draw: Draw, rate: int, millis: int) -> CounterCommand:
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


@seldom_repeated("commands")
def counter_trial(draw: Draw) -> CounterTrial:
    """A counter's life; seldom a long one, as is decided last."""
    trial = draw_trial(draw)
    return lasting_trial(draw) if draw.chance(0.02) else trial


def lasting_trial(draw: Draw) -> CounterTrial:
    """Nothing comes that takes a counter's promises away."""
    first = rate = draw.integer(1, 20)
    first_period = period = draw.pick((1000, 10))
    commands: list[CounterCommand] = []
    for _ in draw.items(60, 0.97, least=20):
        command = draw_counter_command(draw, rate, period)
        if isinstance(command, Restart):
            rate, period = max(command.rate, 1), max(command.period, 1)
            command = Restart(rate, period, None)
        elif isinstance(command, SetRate):
            rate = command.rate
        elif isinstance(command, Close) or (isinstance(command, Take) and command.permits < 0):
            command = Look()
        commands.append(command)
    return CounterTrial(True, first, first_period, (*commands, Look()))


def draw_trial(draw: Draw) -> CounterTrial:
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
