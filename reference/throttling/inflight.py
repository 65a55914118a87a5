"""The memory that reads under way may hold together (THR-95 to THR-101).

A read asks for memory before it begins, and gives it back once its data are delivered.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from evenkeel.reference.edition import Edition
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.replacing import replace


@dataclass(frozen=True, slots=True)
class InFlight:
    """A limit in bytes, how many reads may wait and how long (ms), and what is so at `now`.

    `asked`: how many reads there have been. `held`: the bytes of each that is under way. `waiting`:
    those that wait, oldest first, each with its bytes and the moment when it fails, None without
    end. `begun`, `failed`: the reads that began and failed.
    """

    limit: int
    queue: int
    timeout: int
    now: int = 0
    asked: int = 0
    held: dict[int, int] = field(default_factory=dict)
    waiting: tuple[tuple[int, int, int | None], ...] = ()
    begun: tuple[int, ...] = ()
    failed: tuple[int, ...] = ()


@states("THR-95", "THR-96", "THR-97")
def fits(flight: InFlight, size: int) -> bool:
    """Whether a read may begin; one that is larger than the limit counts the limit."""
    return min(size, flight.limit) <= flight.limit - sum(flight.held.values())


@states("THR-95")
def begin(flight: InFlight, read: int, size: int) -> InFlight:
    """The read is under way."""
    held = {**flight.held, read: min(size, flight.limit)}
    return replace(flight, held=held, begun=(*flight.begun, read))


@states("THR-96", "THR-97", "THR-100", "THR-101")
def ask(flight: InFlight, size: int) -> InFlight:
    """One more read: it begins if it fits, even while others wait, else waits or fails."""
    read, flight = flight.asked, replace(flight, asked=flight.asked + 1)
    if fits(flight, size):
        return begin(flight, read, size)
    if len(flight.waiting) >= flight.queue:
        return replace(flight, failed=(*flight.failed, read))
    until = flight.now + flight.timeout if flight.timeout else None
    return replace(flight, waiting=(*flight.waiting, (read, size, until)))


@states("THR-97", "THR-98")
def serve(flight: InFlight) -> InFlight:
    """Reads that wait begin, oldest first, until one does not fit."""
    while flight.waiting and fits(flight, flight.waiting[0][1]):
        (read, size, _), *later = flight.waiting
        flight = begin(replace(flight, waiting=tuple(later)), read, size)
    return flight


@states("THR-95", "THR-97")
def give_back(flight: InFlight, read: int) -> InFlight:
    """A read's data are delivered; a read that is not under way has nothing to give back."""
    held = {other: size for other, size in flight.held.items() if other != read}
    return serve(replace(flight, held=held)) if read in flight.held else flight


@states("THR-97", "THR-99", "THR-101", "THR-105")
def advance(flight: InFlight, millis: int, edition: Edition) -> InFlight:
    """Time passes; reads fail that waited their time, and by edition those behind them begin."""
    now = flight.now + millis
    while flight.waiting and (until := flight.waiting[0][2]) is not None and until <= now:
        (read, _, _), *later = flight.waiting
        flight = replace(flight, waiting=tuple(later), failed=(*flight.failed, read))
        flight = flight if edition.failed_waits_let_none_begin else serve(flight)
    return replace(flight, now=now)
