"""Trials of `load.history`."""

from __future__ import annotations

from evenkeel.properties.draw import Draw, seldom_large, seldom_repeated
from evenkeel.properties.load.drawing import BROKERS, MANY_BROKERS, draw_many
from evenkeel.properties.load.history.trial import Active, HistoryCommand, HistoryTrial, Look
from evenkeel.reference.load.history import Keeper, Seen


def draw_seen(draw: Draw, broker: str) -> Seen:
    """What is seen of a broker: now and then it is new, or idle."""
    cpu = float(draw.integer(0, 120)) if draw.chance(0.7) else draw.real(0.0, 100.0)
    bundles = 0 if draw.chance(0.15) else draw.integer(1, 5)
    msg_rate = 0.0 if draw.chance(0.15) else draw.pick((100.0, 1.0, 0.5))
    return Seen(broker, cpu, bundles, msg_rate)


@seldom_repeated("commands")
def history_trial(draw: Draw) -> HistoryTrial:
    """Looks at some of the brokers, and changes of who is there."""
    return seldom_large(draw, draw_trial)


def draw_trial(draw: Draw, large: bool) -> HistoryTrial:
    """The same; a large one has many brokers."""
    keeper = draw.pick(tuple(Keeper))
    weight = draw.pick((0.9, 0.5, 0.0, 1.0)) if draw.chance(0.7) else draw.real(0.0, 1.0)
    commands: list[HistoryCommand] = []
    for _ in draw.items(3 if large else 10, 0.85, least=1):
        brokers = draw_many(draw, MANY_BROKERS) if large else draw.sample(BROKERS, 6)
        if draw.chance(0.2):
            commands.append(Active(tuple(brokers)))
        else:
            commands.append(Look(tuple(draw_seen(draw, broker) for broker in brokers)))
    return HistoryTrial(keeper, weight, tuple(commands))
