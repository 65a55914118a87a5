"""What trials of `throttling.loop` are drawn from."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.draw import Draw
from evenkeel.properties.throttling.loop import commands as do
from evenkeel.properties.throttling.loop.commands import LoopCommand
from evenkeel.properties.throttling.loop.trial import LoopSettings
from evenkeel.reference.throttling.limiter import Mechanism
from evenkeel.reference.throttling.loop import Entry, Sort
from evenkeel.reference.throttling.rates import UNLIMITED, DispatchRate
from evenkeel.reference.throttling.reading import REREAD_MILLIS

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
