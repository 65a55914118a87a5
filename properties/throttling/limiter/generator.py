"""Trials of `throttling.quota`: a limiter's life."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from evenkeel.properties.draw import Draw, seldom_repeated
from evenkeel.properties.throttling.commands import Advance, Look
from evenkeel.properties.throttling.draws import MOST, draw_amount, draw_millis, draw_rate
from evenkeel.properties.throttling.limiter.trial import (
    Configure,
    Consume,
    Publish,
    QuotaCommand,
    QuotaTrial,
)
from evenkeel.reference.throttling.limiter import EARLIER, Mechanism
from evenkeel.reference.throttling.rates import DispatchRate

MECHANISMS: Final = (Mechanism.CLASSIC, Mechanism.BUCKET)


def draw_quota_command(draw: Draw, rate: DispatchRate) -> QuotaCommand:
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
    if mechanism not in EARLIER:
        return rate
    return replace(rate, period=max(rate.period, 1), relative=False)


@seldom_repeated("commands", 0.04)
def quota_trial(draw: Draw) -> QuotaTrial:
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
    if mechanism in MECHANISMS and draw.chance(0.06):
        first, commands = following(draw, first)
    return QuotaTrial(mechanism, first, tuple(commands))


def following(draw: Draw, rate: DispatchRate) -> tuple[DispatchRate, list[QuotaCommand]]:
    """A relative limit: something is delivered, the publish rate changes, and time goes by."""
    first = replace(rate, period=max(rate.period, 1), relative=True)
    around = draw_amount(draw, first.messages), draw_amount(draw, first.bytes)
    period = first.period * 1000
    commands: list[QuotaCommand] = [Publish(draw.integer(0, 20), draw.pick((0, 1000, 2**32)))]
    commands += [Consume(*around), Look(), Advance(period + draw.pick((0, 1, -1))), Look()]
    if draw.chance(0.5):
        commands.append(Publish(draw.integer(0, 20), draw.pick((0, 1000, 2**32))))
    return first, [*commands, Advance(period * draw.pick((9, 2, 4)) + 1), Look()]
