"""Trials of `throttling.loop` that tell one story: what is drawn freely shows it seldom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from evenkeel.properties.draw import Draw
from evenkeel.properties.throttling.loop import commands as do
from evenkeel.properties.throttling.loop.commands import LoopCommand
from evenkeel.properties.throttling.loop.draws import (
    MEGABYTES,
    draw_rush,
    draw_settings,
    draw_turn,
)
from evenkeel.properties.throttling.loop.trial import LoopTopic, LoopTrial
from evenkeel.reference.throttling.loop import Entry, LevelRates, Sort
from evenkeel.reference.throttling.rates import UNLIMITED, DispatchRate, Level
from evenkeel.reference.throttling.reading import REREAD_MILLIS

SORTS: Final = (Sort.SHARED, Sort.EXCLUSIVE)


def precise_trial(draw: Draw) -> LoopTrial:
    """One subscription of equal batches, in precise mode."""
    batch, sorts = draw.integer(2, 8), (draw.pick(SORTS),)
    settings = replace(
        draw_settings(draw),
        precise=True,
        by_entry=False,
        non_backlog=not draw.chance(0.1),
        max_batch=draw.pick((100, 100, 3)),
        max_bytes=MEGABYTES,
    )
    limit = DispatchRate(draw.integer(batch, 3 * batch), UNLIMITED, 1)
    topic = LoopTopic((Entry(batch, 100),) * 40, sorts)
    commands = (do.Flow(0, 1000), *draw_rush(draw, sorts))
    return LoopTrial(settings, limited_at(2, limit), (topic,), commands)


def replaying_trial(draw: Draw) -> LoopTrial:
    """A shared subscription with a limit of bytes about as large as an entry or two, whose entries
    come again: replays have to be counted like what is read for the first time.
    """
    size = draw.pick((100, 10, 1000))
    settings = replace(draw_settings(draw), non_backlog=True, max_bytes=MEGABYTES)
    tight = DispatchRate(UNLIMITED, draw.pick((1, 2, 3)) * size + draw.pick((0, -1, 1)), 1)
    rates = limited_at(draw.pick((0, 1, 2)), tight)
    topic = LoopTopic((Entry(draw.pick((1, 3)), size),) * 12, (Sort.SHARED,))
    commands: list[LoopCommand] = [do.Flow(0, draw.pick((1000, 4)))]
    for _ in draw.items(10, 0.9, least=2):
        commands += (do.ReadNow(0), do.Complete(0, False))
        commands += (do.Redeliver(0, draw.integer(0, 3)) for _ in draw.items(4, 0.6))
        if draw.chance(0.5):
            commands.append(do.AdvanceLoop(REREAD_MILLIS))
        commands += (do.ReadNow(0), do.Complete(0, True))
    return LoopTrial(settings, rates, (topic,), tuple(commands))


def limited_at(level: int, limit: DispatchRate) -> LevelRates:
    return LevelRates(*(limit if place == level else DispatchRate() for place in range(3)))


def asking_again_trial(draw: Draw) -> LoopTrial:
    """Entries are read to the end; then some are to come again, and that is asked for."""
    sort, count = draw.pick(SORTS), draw.integer(2, 6)
    settings = replace(draw_settings(draw), max_batch=draw.pick((100, 1, 2)), max_bytes=MEGABYTES)
    topic = LoopTopic((Entry(1, 10),) * count, (sort,))
    roomy = draw.pick((UNLIMITED, 1000, 6))
    rates = limited_at(draw.integer(0, 2), DispatchRate(roomy, UNLIMITED, 1))
    commands: list[LoopCommand] = [do.Flow(0, 1000)]
    reads = -(-count // min(settings.max_batch, count))
    for _ in range(reads if not draw.chance(0.3) else 1):
        commands += draw_turn(draw, (sort,))
    if draw.chance(0.3):
        commands.append(do.Acknowledge(0))
        commands.append(do.PublishEntries(0, (Entry(1, 10),) * 2))
        commands += draw_turn(draw, (sort,))
    for _ in draw.items(3, 0.4, least=1):
        commands.append(draw_return(draw, count))
        commands.append(do.AdvanceLoop(draw.pick((0, 2)) * REREAD_MILLIS))
        commands.append(do.Flow(0, 1000))
        commands.append(do.ReadNow(0))
        commands += [do.Complete(0, replay) for replay in (True, False) if sort is Sort.SHARED]
        if sort is Sort.EXCLUSIVE:
            commands += (do.Complete(0, False), do.Written(0, True))
    return LoopTrial(settings, rates, (topic,), tuple(commands))


def draw_return(draw: Draw, count: int) -> LoopCommand:
    sort = draw.integer(0, 2)
    if sort == 0:
        return do.Seek(0, draw.integer(0, count))
    return do.Redeliver(0, draw.integer(0, count - 1)) if sort == 1 else do.ChangeConsumer(0)


def reconfigured_trial(draw: Draw) -> LoopTrial:
    """The limit is changed more than once, to more or to less, and used up each time."""
    sort, level = draw.pick(SORTS), draw.integer(0, 2)
    settings = replace(draw_settings(draw), non_backlog=True, precise=False, max_bytes=MEGABYTES)
    topic = LoopTopic((Entry(1, 10),) * 60, (sort,))
    commands: list[LoopCommand] = [do.Flow(0, 1000)]
    for _ in draw.items(4, 0.7, least=2):
        rate = DispatchRate(draw.pick((1, 3, 9, 20)), UNLIMITED, 1)
        commands.append(do.ConfigureLevel(tuple(Level)[level], rate))
        commands.append(do.AdvanceLoop(20 * REREAD_MILLIS))
        commands += (do.Complete(0, False), do.Written(0, True))
        for _ in range(draw.integer(1, 4)):
            commands += draw_turn(draw, (sort,))
    rates = limited_at(level, DispatchRate(5, UNLIMITED, 1))
    return LoopTrial(settings, rates, (topic,), tuple(commands))


def exempt_trial(draw: Draw) -> LoopTrial:
    """Where limits are for who has a backlog, one that keeps up reads on with its quota used up."""
    sort, count = draw.pick(SORTS), draw.integer(1, 3)
    settings = replace(draw_settings(draw), non_backlog=False, max_batch=100, max_bytes=MEGABYTES)
    topic = LoopTopic((Entry(draw.pick((1, 6)), 10),) * count, (sort,))
    commands: list[LoopCommand] = [do.Flow(0, 1000)]
    active = do.SetActive(0, not draw.chance(0.2))
    for _ in draw.items(4, 0.6, least=1):
        commands += draw_turn(draw, (sort,))
        commands += (do.Acknowledge(0), active, do.ReadNow(0))
        if draw.chance(0.7):
            commands.append(do.PublishEntries(0, (Entry(1, 10),) * draw.integer(1, 3)))
            commands += (do.Complete(0, False), do.Written(0, True))
    rates = limited_at(draw.integer(0, 2), DispatchRate(count, UNLIMITED, 1))
    return LoopTrial(settings, rates, (topic,), tuple(commands))


def lasting_trial(draw: Draw) -> LoopTrial:
    """A limit that is used up again and again, for many periods, with entries enough for all: it
    must still be kept, and still be charged, at the end.
    """
    sorts = tuple(draw.pick(SORTS) for _ in draw.items(2, 0.3, least=1))
    settings = replace(
        draw_settings(draw),
        non_backlog=True,
        precise=False,
        max_batch=draw.pick((100, 1, 2)),
        max_bytes=MEGABYTES,
    )
    batch = draw.pick((1, 1, 3))
    limit = DispatchRate(draw.integer(1, 3) * batch, UNLIMITED, 1)
    if draw.chance(0.3):
        limit = DispatchRate(UNLIMITED, draw.integer(1, 3) * 100, 1)
    commands: list[LoopCommand] = [do.Flow(number, 1000) for number in range(len(sorts))]
    for _ in range(draw.pick((20, 30, 45))):
        for _ in range(draw.pick((2, 1, 3))):
            commands += draw_turn(draw, sorts)
        commands.append(do.AdvanceLoop(draw.pick((1, 1, 0)) * REREAD_MILLIS))
    topic = LoopTopic((Entry(batch, 100),) * 200, sorts)
    return LoopTrial(settings, limited_at(draw.integer(0, 2), limit), (topic,), tuple(commands))


STORIES: Final[tuple[Callable[[Draw], LoopTrial], ...]] = (
    precise_trial,
    replaying_trial,
    asking_again_trial,
    reconfigured_trial,
    exempt_trial,
)
