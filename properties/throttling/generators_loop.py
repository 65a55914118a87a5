"""Trials of `throttling.loop`: small quotas, few entries, many interleavings.

Consumers mostly get permits first. Reads and their completion are drawn apart, so that several
are outstanding against one quota; time mostly moves by whole periods and second looks.
"""

from __future__ import annotations

from typing import Final

from evenkeel.properties.draw import Draw
from evenkeel.properties.throttling.trials_loop import (
    Acknowledge,
    AdvanceLoop,
    ChangeConsumer,
    Complete,
    ConfigureLevel,
    Flow,
    LoopCommand,
    LoopSettings,
    LoopTopic,
    LoopTrial,
    PublishEntries,
    ReadNow,
    Redeliver,
    Seek,
    SetActive,
    Written,
)
from evenkeel.reference.throttling.limiter import Mechanism
from evenkeel.reference.throttling.loop_state import Entry, LevelRates, Sort
from evenkeel.reference.throttling.rates import UNLIMITED, DispatchRate, Level
from evenkeel.reference.throttling.reading import REREAD_MILLIS

MOST: Final = 24
MEGABYTES: Final = 5 * 1024 * 1024


def draw_entries(draw: Draw, most: int) -> tuple[Entry, ...]:
    """Entries of one batch size and one size in bytes, seldom of different ones."""
    messages, size = draw.pick((1, 1, 6, 2, 10)), draw.pick((100, 10, 1000))
    entries = []
    for _ in draw.items(most, 0.9):
        if draw.chance(0.1):
            messages, size = draw.integer(1, 12), draw.integer(1, 2000)
        entries.append(Entry(messages, size))
    return tuple(entries)


def draw_level(draw: Draw, limited: float) -> DispatchRate:
    """A level's rate: often none, else a few messages or some entries' worth of bytes."""
    if not draw.chance(limited):
        return DispatchRate()
    messages = draw.integer(1, 12) if not draw.chance(0.2) else UNLIMITED
    size = draw.pick((100, 250, 1000, 150)) if draw.chance(0.3) else UNLIMITED
    return DispatchRate(messages, size, draw.pick((1, 1, 2)))


def draw_settings(draw: Draw) -> LoopSettings:
    """Mostly the configuration that ships, and small batches."""
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
    """A topic with at most so many entries and one subscription, sometimes two or three."""
    entries = draw_entries(draw, most)
    sorts = tuple(draw.pick((Sort.SHARED, Sort.EXCLUSIVE)) for _ in draw.items(3, 0.35, least=1))
    return LoopTopic(entries, sorts)


def draw_outside(draw: Draw, subscription: int) -> LoopCommand:
    """Something from outside the loop."""
    sort = draw.integer(0, 9)
    if sort < 2:
        return Redeliver(subscription, draw.integer(0, 6))
    if sort == 2:
        return Acknowledge(subscription)
    if sort == 3:
        return Seek(subscription, draw.integer(0, 6))
    if sort == 4:
        return ChangeConsumer(subscription)
    if sort == 5:
        return SetActive(subscription, not draw.chance(0.4))
    if sort == 6:
        return PublishEntries(draw.integer(0, 2), draw_entries(draw, 5))
    if sort < 9:
        return ConfigureLevel(draw.pick(tuple(Level)), draw_level(draw, 0.7))
    return Flow(subscription, draw.pick((1, 5)))


def draw_command(draw: Draw, sorts: tuple[Sort, ...], asked: list[int]) -> LoopCommand:
    """One command; `asked` are the subscriptions that probably wait for a read."""
    subscription = draw.integer(0, len(sorts) - 1)
    sort = draw.integer(0, 15)
    if sort < 5:
        asked.append(subscription)
        return ReadNow(subscription)
    if sort < 10:
        replay = sorts[subscription] is Sort.SHARED and draw.chance(0.2)
        return Complete(asked.pop() if asked and not draw.chance(0.1) else subscription, replay)
    if sort == 10:
        exclusive = [i for i, sort in enumerate(sorts) if sort is Sort.EXCLUSIVE]
        if exclusive:
            return Written(draw.pick(exclusive), not draw.chance(0.1))
    if sort < 13:
        sooner = draw.pick((0, 0, -1, 1, REREAD_MILLIS))
        return AdvanceLoop(max(0, REREAD_MILLIS + sooner))
    if sort == 13:
        return Flow(subscription, draw.pick((1000, 10)))
    return draw_outside(draw, subscription)


def draw_turn(draw: Draw, sorts: tuple[Sort, ...]) -> tuple[ReadNow, *tuple[LoopCommand, ...]]:
    """Look, read, deliver and charge: a whole turn of one subscription."""
    subscription = draw.integer(0, len(sorts) - 1)
    turn = (ReadNow(subscription), Complete(subscription, False))
    return turn if sorts[subscription] is Sort.SHARED else (*turn, Written(subscription, True))


def draw_rush(draw: Draw, sorts: tuple[Sort, ...]) -> list[LoopCommand]:
    """One subscription reads as often as it can, now and then into the next period."""
    subscription = draw.integer(0, len(sorts) - 1)
    turn: list[LoopCommand] = [ReadNow(subscription), Complete(subscription, False)]
    if sorts[subscription] is Sort.EXCLUSIVE:
        turn.append(Written(subscription, True))
    commands: list[LoopCommand] = []
    for _ in draw.items(12, 0.9, least=3):
        commands.extend(turn)
        if draw.chance(0.15):
            commands.append(AdvanceLoop(REREAD_MILLIS))
    return commands


def draw_keeping_up(draw: Draw, sorts: tuple[Sort, ...]) -> list[LoopCommand]:
    """Subscriptions that acknowledge all they get at once, and look for what is published next."""
    commands: list[LoopCommand] = []
    for _ in draw.items(MOST, 0.9, least=2):
        turn = draw_turn(draw, sorts)
        commands.extend((*turn, Acknowledge(turn[0].subscription), turn[0]))
        if draw.chance(0.3):
            commands.append(PublishEntries(draw.integer(0, 2), draw_entries(draw, 3)))
        if draw.chance(0.3):
            commands.append(AdvanceLoop(REREAD_MILLIS))
    return commands


def draw_commands(draw: Draw, sorts: tuple[Sort, ...], keeps_up: bool) -> list[LoopCommand]:
    """Permits first, then single commands and whole turns."""
    commands: list[LoopCommand] = []
    asked: list[int] = []
    for subscription in range(len(sorts)):
        if not draw.chance(0.05):
            commands.append(Flow(subscription, draw.pick((1000, 1000, 10, 3))))
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


def loop_trial(draw: Draw) -> LoopTrial:
    """A broker with one topic or a few."""
    settings = draw_settings(draw)
    keeps_up = not settings.non_backlog and draw.chance(0.3)
    rates = LevelRates(draw_level(draw, 0.25), draw_level(draw, 0.6), draw_level(draw, 0.4))
    most = 3 if keeps_up else 30
    topics = tuple(draw_topic(draw, most) for _ in draw.items(3, 0.3, least=1))
    sorts = tuple(sort for topic in topics for sort in topic.subscriptions)
    return LoopTrial(settings, rates, topics, tuple(draw_commands(draw, sorts, keeps_up)))
