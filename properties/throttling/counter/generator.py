"""Trials of `throttling.counter`: a counter's life."""

from __future__ import annotations

from evenkeel.properties.draw import Draw
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


def counter_trial(draw: Draw) -> CounterTrial:
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
