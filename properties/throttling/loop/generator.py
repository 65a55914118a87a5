"""Trials of `throttling.loop`: small quotas, few entries, many interleavings.

Consumers mostly get permits first. Reads and their completion are drawn apart, so that several
are outstanding against one quota; time mostly moves by whole periods and second looks.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from evenkeel.properties.draw import Draw
from evenkeel.properties.throttling.loop import commands as do
from evenkeel.properties.throttling.loop.commands import LoopCommand
from evenkeel.properties.throttling.loop.trial import LoopSettings, LoopTopic, LoopTrial
from evenkeel.reference.throttling.limiter import Mechanism
from evenkeel.reference.throttling.loop_state import Entry, LevelRates, Sort
from evenkeel.reference.throttling.rates import UNLIMITED, DispatchRate, Level
from evenkeel.reference.throttling.reading import REREAD_MILLIS

MOST: Final = 24
MEGABYTES: Final = 5 * 1024 * 1024


def draw_entries(draw: Draw, most: int) -> tuple[Entry, ...]:
    messages, size = draw.pick((1, 1, 6, 2, 10)), draw.pick((100, 10, 1000))
    entries = []
    for _ in draw.items(most, 0.9):
        if draw.chance(0.1):
            messages, size = draw.integer(1, 12), draw.integer(1, 2000)
        entries.append(Entry(messages, size))
    return tuple(entries)


def draw_level(draw: Draw, limited: float) -> DispatchRate:
    if not draw.chance(limited):
        return DispatchRate()
    messages = draw.integer(1, 12) if not draw.chance(0.2) else UNLIMITED
    size = draw.pick((100, 250, 1000, 150)) if draw.chance(0.3) else UNLIMITED
    return DispatchRate(messages, size, draw.pick((1, 1, 2)))


def draw_settings(draw: Draw) -> LoopSettings:
    return LoopSettings(
        mechanism=Mechanism.BUCKET if draw.chance(0.4) else Mechanism.CLASSIC,
        max_batch=draw.pick((100, 3, 1, 10)),
        max_bytes=MEGABYTES if not draw.chance(0.1) else draw.pick((1000, 1)),
        round_robin=draw.pick((20, 2, 1)),
        precise=draw.chance(0.25),
        by_entry=draw.chance(0.2),
        non_backlog=not draw.chance(0.2),
    )


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


def draw_turn(draw: Draw, sorts: tuple[Sort, ...]) -> tuple[do.ReadNow, *tuple[LoopCommand, ...]]:
    subscription = draw.integer(0, len(sorts) - 1)
    turn = (do.ReadNow(subscription), do.Complete(subscription, False))
    return turn if sorts[subscription] is Sort.SHARED else (*turn, do.Written(subscription, True))


def draw_rush(draw: Draw, sorts: tuple[Sort, ...]) -> list[LoopCommand]:
    subscription = draw.integer(0, len(sorts) - 1)
    turn: list[LoopCommand] = [do.ReadNow(subscription), do.Complete(subscription, False)]
    if sorts[subscription] is Sort.EXCLUSIVE:
        turn.append(do.Written(subscription, True))
    commands: list[LoopCommand] = []
    for _ in draw.items(12, 0.9, least=3):
        commands.extend(turn)
        if draw.chance(0.15):
            commands.append(do.AdvanceLoop(REREAD_MILLIS))
    return commands


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


def precise_trial(draw: Draw) -> LoopTrial:
    """One subscription of equal batches, in precise mode."""
    batch, sorts = draw.integer(2, 8), (draw.pick((Sort.SHARED, Sort.EXCLUSIVE)),)
    settings = replace(draw_settings(draw), precise=True, by_entry=False, max_bytes=MEGABYTES)
    limit = DispatchRate(draw.integer(batch, 3 * batch), UNLIMITED, 1)
    topic = LoopTopic((Entry(batch, 100),) * 40, sorts)
    commands = (do.Flow(0, 1000), *draw_rush(draw, sorts))
    rates = LevelRates(DispatchRate(), DispatchRate(), limit)
    return LoopTrial(settings, rates, (topic,), commands)


def replaying_trial(draw: Draw) -> LoopTrial:
    """A shared subscription with a limit of bytes about as large as an entry or two, whose entries
    come again: replays have to be counted like what is read for the first time.
    """
    size = draw.pick((100, 10, 1000))
    settings = replace(draw_settings(draw), non_backlog=True, max_bytes=MEGABYTES)
    tight = DispatchRate(UNLIMITED, draw.pick((1, 2, 3)) * size + draw.pick((0, -1, 1)), 1)
    places = draw.pick((0, 1, 2))
    rates = LevelRates(*(tight if place == places else DispatchRate() for place in range(3)))
    topic = LoopTopic((Entry(draw.pick((1, 3)), size),) * 12, (Sort.SHARED,))
    commands: list[LoopCommand] = [do.Flow(0, draw.pick((1000, 4)))]
    for _ in draw.items(10, 0.9, least=2):
        commands += (do.ReadNow(0), do.Complete(0, False))
        commands += (do.Redeliver(0, draw.integer(0, 3)) for _ in draw.items(4, 0.6))
        if draw.chance(0.5):
            commands.append(do.AdvanceLoop(REREAD_MILLIS))
        commands += (do.ReadNow(0), do.Complete(0, True))
    return LoopTrial(settings, rates, (topic,), tuple(commands))


def loop_trial(draw: Draw) -> LoopTrial:
    if draw.chance(0.04):
        return precise_trial(draw)
    if draw.chance(0.04):
        return replaying_trial(draw)
    settings = draw_settings(draw)
    keeps_up = not settings.non_backlog and draw.chance(0.3)
    rates = LevelRates(draw_level(draw, 0.25), draw_level(draw, 0.6), draw_level(draw, 0.4))
    most = 3 if keeps_up else 30
    topics = tuple(draw_topic(draw, most) for _ in draw.items(3, 0.3, least=1))
    sorts = tuple(sort for topic in topics for sort in topic.subscriptions)
    return LoopTrial(settings, rates, topics, tuple(draw_commands(draw, sorts, keeps_up)))
