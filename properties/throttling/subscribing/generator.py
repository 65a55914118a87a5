"""Trials of `throttling.subscribing`: a few consumers try again and again."""

from __future__ import annotations

from evenkeel.properties.draw import Draw, seldom_repeated
from evenkeel.properties.throttling.commands import Advance
from evenkeel.properties.throttling.draws import MOST, draw_millis
from evenkeel.properties.throttling.subscribing.trial import (
    Attempt,
    Reconfigure,
    SubscribingCommand,
    SubscribingTrial,
)
from evenkeel.reference.throttling.subscribing import SubscribeRate


def draw_subscribe_rate(draw: Draw) -> SubscribeRate:
    attempts = draw.pick((0, -1)) if draw.chance(0.2) else draw.integer(1, 5)
    return SubscribeRate(attempts, draw.pick((30, 1, 10, 0)) if draw.chance(0.3) else 1)


@seldom_repeated("commands")
def subscribing_trial(draw: Draw) -> SubscribingTrial:
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
