"""The events of a scenario file: what happens to which broker, and when."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from evenkeel.reference.balancing.scenario import (
    LEAST_SPEED,
    Crash,
    DelayReports,
    Event,
    Join,
    LeaderChange,
    Leave,
    LoseReports,
    Slow,
)
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId, Millis
from evenkeel.simulate.reading import Reader
from evenkeel.simulate.scenario_names import brokers_meant


def events_of(table: Reader, brokers: list[BrokerId], end: Millis) -> list[Event]:
    """The events of one table; a rolling restart is many."""
    kind, at = table.text("kind"), table.minutes("at")
    if at > end:
        raise table.bad("at", f"must be {end / MINUTE:g} at most, when the run ends")
    if kind not in EVENTS:
        raise table.bad("kind", f"must be one of {', '.join(EVENTS)}, not {kind}")
    found = EVENTS[kind](table, at, brokers)
    table.finish()
    return found


def brokers_of(table: Reader, brokers: list[BrokerId]) -> list[BrokerId]:
    """The brokers that an event is about: one, or those of a range."""
    return brokers_meant(table, "broker", [table.text("broker")], brokers, "no broker")


def rolling(table: Reader, at: Millis, brokers: list[BrokerId]) -> list[Event]:
    """One broker after the other leaves and comes back."""
    every, down = table.minutes("every"), table.minutes("down", 1.0)
    events: list[Event] = []
    for index, broker in enumerate(brokers):
        leaves = at + index * every
        events += [Leave(leaves, broker), Join(leaves + down, broker)]
    return events


def restart(table: Reader, at: Millis, brokers: list[BrokerId]) -> list[Event]:
    """A broker leaves and comes back."""
    down = table.minutes("down", 1.0)
    pairs = [(Leave(at, one), Join(at + down, one)) for one in brokers_of(table, brokers)]
    return [event for pair in pairs for event in pair]


def slow(table: Reader, at: Millis, brokers: list[BrokerId]) -> list[Event]:
    """A broker's processor does less for a while."""
    factor, lasts = table.number("factor", least=LEAST_SPEED, most=1.0), table.minutes("lasts")
    return [Slow(at, one, factor, lasts) for one in brokers_of(table, brokers)]


def delay(table: Reader, at: Millis, brokers: list[BrokerId]) -> list[Event]:
    """A broker's reports are late for a while."""
    by, lasts = table.minutes("by"), table.minutes("lasts")
    return [DelayReports(at, one, by, lasts) for one in brokers_of(table, brokers)]


def lose(table: Reader, at: Millis, brokers: list[BrokerId]) -> list[Event]:
    """A broker's reports are lost for a while."""
    lasts = table.minutes("lasts")
    return [LoseReports(at, one, lasts) for one in brokers_of(table, brokers)]


Make = Callable[[Reader, Millis, list[BrokerId]], list[Event]]


def at_once(kind: type[Join | Leave | Crash]) -> Make:
    """An event that needs nothing but its brokers."""
    return lambda table, at, brokers: [kind(at, one) for one in brokers_of(table, brokers)]


EVENTS: Final[dict[str, Make]] = {
    "join": at_once(Join),
    "leave": at_once(Leave),
    "crash": at_once(Crash),
    "restart": restart,
    "rolling-restart": rolling,
    "leader-change": lambda table, at, brokers: [LeaderChange(at)],
    "slow": slow,
    "delay-reports": delay,
    "lose-reports": lose,
}
