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


def broker_of(table: Reader, brokers: list[BrokerId]) -> BrokerId:
    """The broker that an event is about."""
    name = table.text("broker")
    if name not in brokers:
        raise table.bad("broker", f"{name} is no broker")
    return BrokerId(name)


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
    broker = broker_of(table, brokers)
    return [Leave(at, broker), Join(at + table.minutes("down", 1.0), broker)]


def slow(table: Reader, at: Millis, brokers: list[BrokerId]) -> list[Event]:
    """A broker's processor does less for a while."""
    broker, factor = broker_of(table, brokers), table.number("factor", least=LEAST_SPEED, most=1.0)
    return [Slow(at, broker, factor, table.minutes("lasts"))]


Make = Callable[[Reader, Millis, list[BrokerId]], list[Event]]

EVENTS: Final[dict[str, Make]] = {
    "join": lambda table, at, brokers: [Join(at, broker_of(table, brokers))],
    "leave": lambda table, at, brokers: [Leave(at, broker_of(table, brokers))],
    "crash": lambda table, at, brokers: [Crash(at, broker_of(table, brokers))],
    "restart": restart,
    "rolling-restart": rolling,
    "leader-change": lambda table, at, brokers: [LeaderChange(at)],
    "slow": slow,
    "delay-reports": lambda table, at, brokers: [
        DelayReports(at, broker_of(table, brokers), table.minutes("by"), table.minutes("lasts"))
    ],
    "lose-reports": lambda table, at, brokers: [
        LoseReports(at, broker_of(table, brokers), table.minutes("lasts"))
    ],
}
