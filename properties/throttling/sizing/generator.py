"""Trials about estimates.

Byte limits lie where the estimate changes: at whole entries, whole ledgers and just beside them.
"""

from __future__ import annotations

from collections.abc import Iterator

from evenkeel.properties.draw import Draw
from evenkeel.properties.throttling.sizing.trial import AveragesTrial, EntriesForBytesTrial, Send
from evenkeel.reference.throttling.sizing import OVERHEAD, Ledger, Position

STEADY = 100
"""Equal sends after which the average has followed (THR-34)."""


def draw_send(draw: Draw, batch: int) -> Send:
    entries = draw.pick((1, 1, 2, 3, 10, 100))
    if draw.chance(0.15):
        batch = draw.pick((1, 2, 6, 1000))
    uneven = draw.integer(0, entries - 1) if draw.chance(0.2) else 0
    return Send(entries * batch + uneven, entries)


def averages_trial(draw: Draw) -> AveragesTrial:
    sends: list[Send] = []
    for _ in draw.items(3, 0.6, least=1):
        batch = draw.pick((1, 5, 6, 10, 1000)) if draw.chance(0.6) else draw.integer(1, 40)
        sends.extend(draw_send(draw, batch) for _ in draw.items(20, 0.85, least=1))
    if draw.chance(0.1):
        sends.extend([Send(draw.integer(1, 40), 1)] * STEADY)
    return AveragesTrial(tuple(sends))


def draw_ledger(draw: Draw) -> Ledger:
    if draw.chance(0.15):
        return Ledger(0, 0)
    entries = draw.pick((1, 10, 2, 100)) if draw.chance(0.6) else draw.integer(1, 1000)
    size = draw.pick((100, 1, 1000, 10_000)) if draw.chance(0.6) else draw.integer(1, 5000)
    return Ledger(entries, entries * size + (draw.integer(0, entries) if draw.chance(0.2) else 0))


def draw_position(draw: Draw, ledgers: tuple[Ledger, ...]) -> Position:
    if draw.chance(0.1):
        return Position(draw.pick((-1, len(ledgers))), draw.pick((0, 1, 5)))
    index = draw.integer(0, len(ledgers) - 1)
    entries = ledgers[index].entries
    place = draw.integer(0, 3)
    if place < 2:
        return Position(index, 0)
    return Position(index, draw.integer(0, entries) if place == 2 else max(entries - 1, 0))


def turning_points(ledgers: tuple[Ledger, ...]) -> Iterator[int]:
    total = 0
    for ledger in ledgers:
        whole = ledger.bytes + ledger.entries * OVERHEAD
        if not ledger.empty:
            yield from (total + ledger.entry_size, total + ledger.entry_size * 2)
        total += whole
        yield max(total, 1)


def entries_for_bytes_trial(draw: Draw) -> EntriesForBytesTrial:
    ledgers = tuple(draw_ledger(draw) for _ in draw.items(4, 0.6, least=1))
    if draw.chance(0.05):
        max_bytes = -1
    elif draw.chance(0.5):
        max_bytes = max(1, draw.pick(tuple(turning_points(ledgers))) + draw.pick((0, -1, 1)))
    else:
        max_bytes = draw.pick((1, 64, 164, 5000, 5 * 1024 * 1024))
    return EntriesForBytesTrial(
        max_entries=draw.pick((100, 1, 10, 1000)),
        max_bytes=max_bytes,
        ledgers=ledgers,
        writable=not draw.chance(0.2),
        position=draw_position(draw, ledgers),
        publish_size=draw.pick((None, 100, 1, 1000)),
        dispatch_size=draw.pick((None, 100, 300)),
    )
