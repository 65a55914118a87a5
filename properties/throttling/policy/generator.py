"""Trials of `throttling.policy`: policies come and go."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.draw import Draw, seldom_repeated
from evenkeel.properties.throttling.policy.trial import (
    PolicyCommand,
    PolicyTrial,
    SetBroker,
    SetNamespace,
    SetTopic,
    Subscribe,
)
from evenkeel.reference.throttling.limiter import Mechanism
from evenkeel.reference.throttling.rates import BrokerConfig, DispatchRate, Level, Limits

MECHANISMS: Final = (Mechanism.CLASSIC, Mechanism.BUCKET)


def draw_policy_rate(draw: Draw) -> DispatchRate | None:
    if draw.chance(0.3):
        return None
    return DispatchRate(draw_bound(draw), draw_bound(draw), draw.pick((1, 2, 60)), draw.chance(0.2))


def draw_bound(draw: Draw) -> int:
    return draw.integer(1, 50) if not draw.chance(0.45) else draw.pick((-1, 0))


def draw_config(draw: Draw) -> BrokerConfig:
    return BrokerConfig(draw_limits(draw), draw_limits(draw), draw_limits(draw))


def draw_limits(draw: Draw) -> Limits:
    return Limits(draw_bound(draw), draw_bound(draw)) if draw.chance(0.4) else Limits()


@seldom_repeated("commands", 0.06)
def policy_trial(draw: Draw) -> PolicyTrial:
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
