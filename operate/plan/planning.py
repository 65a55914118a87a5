"""From an operator's settings to the bounds of chapter *throttling* (THR-49 to THR-54).

4.0 keeps quotas in one of two ways, `dispatchRateLimiterFactoryClassName`: with a token bucket, its
default, or with the period counter that document 004 describes (`classic`).

A limit of messages is followed in its own units; a limit of bytes in bytes. Both at once is a
logical AND: each bound holds, so of deliveries in messages the smaller one counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from evenkeel.reference.throttling import overdelivery
from evenkeel.reference.throttling.overdelivery import Setting
from evenkeel_engine.text import count_noun

WINDOWS = (1, 2, 3, 10)
"""Windows, in periods, that a plan tells about."""


class Limiter(StrEnum):
    """How a broker keeps a quota."""

    BUCKET = "bucket"
    COUNTER = "counter"


@dataclass(frozen=True, slots=True)
class RequestedLimit:
    """What an operator knows.

    `messages` and `bytes` per `period` seconds, None without that limit. `batch`: messages of one
    entry at most. `average_bytes` and `largest_bytes`: of one entry. `entries`: of one read at
    most, from `dispatcherMaxReadBatchSize` and the consumers' permits. `reads`: reads under way at
    once against the limit. `partitions`: topics that each have the limit. `by_entry`: entries are
    counted instead of messages. `precise`: the quota is divided by the batch size, as documented.
    """

    messages: int | None
    bytes: int | None
    period: int
    batch: int
    average_bytes: int
    largest_bytes: int
    entries: int
    reads: int
    partitions: int
    by_entry: bool
    precise: bool


@dataclass(frozen=True, slots=True)
class BoundRow:
    """One window: what the limit says, the most that whole periods deliver, and any window."""

    periods: int
    limit: int
    aligned: int
    window: int


@dataclass(frozen=True, slots=True)
class Bounds:
    """A limiter's bounds in one unit, for all partitions, and whether a schedule attains them."""

    limiter: Limiter
    unit: str
    rows: tuple[BoundRow, ...]
    attained: bool


def setting_of(requested: RequestedLimit) -> Setting:
    """The setting of a limit in messages (or entries)."""
    assert requested.messages is not None
    batch = 1 if requested.by_entry else requested.batch
    return Setting(requested.messages, requested.entries, batch, requested.reads)


def message_bounds(
    requested: RequestedLimit, limiter: Limiter = Limiter.COUNTER
) -> tuple[Bounds, ...]:
    """What a limit of messages lets through: in messages, and in entries where they are counted."""
    if not requested.by_entry:
        return (count_bounds(requested, limiter, "messages", 1),)
    return (
        count_bounds(requested, limiter, "entries", 1),
        count_bounds(requested, limiter, "messages", requested.batch),
    )


def count_bounds(requested: RequestedLimit, limiter: Limiter, unit: str, weight: int) -> Bounds:
    """The bounds of all partitions, each unit of the quota being `weight` of these."""
    setting = setting_of(requested)
    rows = tuple(
        row_of(limiter, periods, setting.quota, most, weight * requested.partitions)
        for periods in WINDOWS
        for most in [messages_in(requested, setting, periods)]
    )
    return Bounds(limiter, unit, rows, limiter is Limiter.COUNTER and not requested.precise)


def row_of(limiter: Limiter, periods: int, quota: int, most: int, weight: int) -> BoundRow:
    """One window, by the most units of `periods` whole periods of the counter.

    A bucket is not bound to whole periods, and lets one quota and a unit more through (THR-54).
    """
    if limiter is Limiter.BUCKET:
        window = most + 2 * quota + 1
        return BoundRow(periods, *(number * weight for number in (periods * quota, window, window)))
    return BoundRow(periods, *(number * weight for number in (periods * quota, most, most + quota)))


def messages_in(requested: RequestedLimit, setting: Setting, periods: int) -> int:
    """The most units of `periods` whole periods of the counter."""
    if not requested.precise:
        return overdelivery.most_in_periods(setting, periods)
    return overdelivery.most_if_precise(
        setting.quota, requested.batch, requested.batch, requested.reads, periods
    )


def byte_bounds(requested: RequestedLimit, limiter: Limiter = Limiter.COUNTER) -> Bounds:
    """What a limit of bytes lets through, in bytes."""
    assert requested.bytes is not None
    rows = []
    for periods in WINDOWS:
        most = overdelivery.most_bytes(
            requested.bytes,
            requested.average_bytes,
            requested.largest_bytes,
            requested.entries,
            requested.reads,
            periods,
        )
        rows.append(row_of(limiter, periods, requested.bytes, most, requested.partitions))
    return Bounds(limiter, "bytes", tuple(rows), False)


def all_bounds(requested: RequestedLimit, limiter: Limiter = Limiter.COUNTER) -> tuple[Bounds, ...]:
    """The bounds of every limit that is set."""
    found: list[Bounds] = []
    if requested.messages is not None:
        found.extend(message_bounds(requested, limiter))
    if requested.bytes is not None:
        found.append(byte_bounds(requested, limiter))
    return tuple(found)


def worst_schedule(requested: RequestedLimit) -> list[str]:
    """The burst of one partition in words, and how long it is paid off."""
    setting = setting_of(requested)
    single, unit = setting.quota - setting.span, "entry" if requested.by_entry else "message"
    reported = [f"{count_noun(single, f'single {unit}')}, each charged before the next is read"]
    each = setting.span * setting.batch
    delivered = single + setting.reads * each
    idle = (delivered - setting.quota) // setting.quota
    reported.append(
        f"{count_noun(setting.reads, 'read')} of {count_noun(setting.span, 'entry')}, "
        f"all issued while {setting.span:,} of the quota are left"
    )
    reported.append(
        f"each delivers {each:,}, full entries of {setting.batch:,}; then all are charged"
    )
    rest = f"; then {count_noun(idle, 'period')} without any delivery" if idle else ""
    reported.append(f"{delivered:,} in this period{rest}")
    return reported if single else reported[1:]


def compute_timeline(requested: RequestedLimit, periods: int) -> list[int]:
    """Units that each period delivers if the burst is tried again in every one of them.

    As `run_possible` would run it, without its single steps: limits can be large.
    """
    setting, taken, delivered = setting_of(requested), 0, []
    for _ in range(periods):
        left = max(0, setting.quota - taken)
        span = min(setting.entries, left)
        units = left - span + setting.reads * span * setting.batch
        delivered.append(units)
        taken = max(0, taken + units - setting.quota)
    return delivered
