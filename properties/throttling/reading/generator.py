"""Trials of `throttling.read_limits`: a dispatcher about to read."""

from __future__ import annotations

from evenkeel.properties.draw import Draw
from evenkeel.properties.throttling.reading.trial import ReaderSort, ReadLimitsTrial
from evenkeel.reference.throttling.rates import Limits


def draw_left(draw: Draw, permits: int) -> Limits | None:
    if draw.chance(0.4):
        return None
    return Limits(draw_part(draw, permits), draw_part(draw, 5_000_000))


def draw_part(draw: Draw, around: int) -> int:
    sort = draw.integer(0, 9)
    if sort < 3:
        return draw.integer(1, 30)
    if sort < 5:
        return -1
    if sort == 5:
        return 0
    if sort == 6:
        return draw.pick((2**31 - 1, 2**31, 2**32, 2**32 + 5, 2**31 + 5, 2**40))
    return max(0, around + draw.pick((0, 1, -1)))


def read_limits_trial(draw: Draw) -> ReadLimitsTrial:
    shared = not draw.chance(0.4)
    permits = draw.pick((1000, 1, 2, 10)) if draw.chance(0.5) else draw.integer(1, 2000)
    return ReadLimitsTrial(
        reader=ReaderSort.SHARED if shared else ReaderSort.EXCLUSIVE,
        permits=permits,
        average_messages=draw.pick((1, 0, 6, 10, 1000))
        if draw.chance(0.7)
        else draw.integer(1, 50),
        writable=not draw.chance(0.1),
        cursor_active=draw.chance(0.4),
        replay_outstanding=shared and draw.chance(0.15),
        batch_size=draw.pick((100, 1, 7, 1000)),
        max_bytes=draw.pick((5 * 1024 * 1024, 1, 1000)),
        precise=draw.chance(0.4),
        by_entry=draw.chance(0.2),
        non_backlog=not draw.chance(0.4),
        broker=draw_left(draw, permits),
        topic=draw_left(draw, permits),
        subscription=draw_left(draw, permits),
    )
