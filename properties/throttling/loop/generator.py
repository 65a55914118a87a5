"""Trials of `throttling.loop`: small quotas, few entries, many interleavings.

Consumers mostly get permits first. Reads and their completion are drawn apart, so that several
are outstanding against one quota; time mostly moves by whole periods and second looks.
"""

from __future__ import annotations

from typing import Final

from evenkeel.properties.draw import Draw, seldom_repeated
from evenkeel.properties.throttling.loop import commands as do
from evenkeel.properties.throttling.loop.commands import LoopCommand
from evenkeel.properties.throttling.loop.draws import (
    draw_entries,
    draw_level,
    draw_rush,
    draw_settings,
    draw_turn,
)
from evenkeel.properties.throttling.loop.stories import STORIES, lasting_trial
from evenkeel.properties.throttling.loop.trial import LoopTopic, LoopTrial
from evenkeel.reference.throttling.loop import LevelRates, Sort
from evenkeel.reference.throttling.rates import Level
from evenkeel.reference.throttling.reading import REREAD_MILLIS

MOST: Final = 24


def draw_topic(draw: Draw, most: int) -> LoopTopic:
    entries = draw_entries(draw, most)
    sorts = tuple(draw.pick((Sort.SHARED, Sort.EXCLUSIVE)) for _ in draw.items(3, 0.35, least=1))
    return LoopTopic(entries, sorts)


def draw_outside(draw: Draw, subscription: int) -> LoopCommand:
    sort = draw.integer(0, 9)
    if sort < 2:
        return do.Redeliver(subscription, draw.integer(0, 6))
    if sort == 2:
        return do.Acknowledge(subscription)
    if sort == 3:
        return do.Seek(subscription, draw.integer(0, 6))
    if sort == 4:
        return do.ChangeConsumer(subscription)
    if sort == 5:
        return do.SetActive(subscription, not draw.chance(0.4))
    if sort == 6:
        return do.PublishEntries(draw.integer(0, 2), draw_entries(draw, 5))
    if sort < 9:
        return do.ConfigureLevel(draw.pick(tuple(Level)), draw_level(draw, 0.7))
    return do.Flow(subscription, draw.pick((1, 5)))


def draw_command(draw: Draw, sorts: tuple[Sort, ...], asked: list[int]) -> LoopCommand:
    subscription = draw.integer(0, len(sorts) - 1)
    sort = draw.integer(0, 15)
    if sort < 5:
        asked.append(subscription)
        return do.ReadNow(subscription)
    if sort < 10:
        replay = sorts[subscription] is Sort.SHARED and draw.chance(0.2)
        return do.Complete(asked.pop() if asked and not draw.chance(0.1) else subscription, replay)
    if sort == 10:
        exclusive = [i for i, sort in enumerate(sorts) if sort is Sort.EXCLUSIVE]
        if exclusive:
            return do.Written(draw.pick(exclusive), not draw.chance(0.1))
    if sort < 13:
        sooner = draw.pick((0, 0, -1, 1, REREAD_MILLIS))
        return do.AdvanceLoop(max(0, REREAD_MILLIS + sooner))
    if sort == 13:
        return do.Flow(subscription, draw.pick((1000, 10)))
    return draw_outside(draw, subscription)


def draw_keeping_up(draw: Draw, sorts: tuple[Sort, ...]) -> list[LoopCommand]:
    commands: list[LoopCommand] = []
    for _ in draw.items(MOST, 0.9, least=2):
        turn = draw_turn(draw, sorts)
        commands.extend((*turn, do.Acknowledge(turn[0].subscription), turn[0]))
        if draw.chance(0.3):
            commands.append(do.PublishEntries(draw.integer(0, 2), draw_entries(draw, 3)))
        if draw.chance(0.3):
            commands.append(do.AdvanceLoop(REREAD_MILLIS))
    return commands


def draw_commands(draw: Draw, sorts: tuple[Sort, ...], keeps_up: bool) -> list[LoopCommand]:
    commands: list[LoopCommand] = []
    asked: list[int] = []
    for subscription in range(len(sorts)):
        if not draw.chance(0.05):
            commands.append(do.Flow(subscription, draw.pick((1000, 1000, 10, 3))))
    if keeps_up:
        return [*commands, *draw_keeping_up(draw, sorts)]
    if draw.chance(0.15):
        return [*commands, *draw_rush(draw, sorts)]
    for _ in draw.items(MOST, 0.92):
        if draw.chance(0.25):
            commands.extend(draw_turn(draw, sorts))
        else:
            commands.append(draw_command(draw, sorts, asked))
    return commands


@seldom_repeated("commands", 0.03)
def loop_trial(draw: Draw) -> LoopTrial:
    trial = loop_or_story(draw)
    return lasting_trial(draw) if draw.chance(0.012) else trial


def loop_or_story(draw: Draw) -> LoopTrial:
    if draw.chance(0.2):
        return draw.pick(STORIES)(draw)
    settings = draw_settings(draw)
    keeps_up = not settings.non_backlog and draw.chance(0.3)
    rates = LevelRates(draw_level(draw, 0.25), draw_level(draw, 0.6), draw_level(draw, 0.4))
    most = 3 if keeps_up else 30
    topics = tuple(draw_topic(draw, most) for _ in draw.items(3, 0.3, least=1))
    sorts = tuple(sort for topic in topics for sort in topic.subscriptions)
    return LoopTrial(settings, rates, topics, tuple(draw_commands(draw, sorts, keeps_up)))
