"""How a bundle's traffic changes over time (BAL-1).

A curve turns the traffic that a bundle is described with into its traffic at an instant. Curves
use the four basic operations alone, so that every implementation finds the same numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.cluster import MINUTE, Millis
from evenkeel_engine.frame.clauses import states

HOUR: Final[Millis] = 60 * MINUTE
DAY: Final[Millis] = 24 * HOUR
HALF_A_DAY: Final[Millis] = 12 * HOUR


@dataclass(frozen=True, slots=True)
class Steady:
    """The same traffic all the time."""

    DO: ClassVar[str] = "steady"


@dataclass(frozen=True, slots=True)
class Drift:
    """Traffic grows or shrinks by `per_hour` of its first value each hour, until `until` (ms)."""

    DO: ClassVar[str] = "drift"
    per_hour: float
    until: Millis


@dataclass(frozen=True, slots=True)
class Spike:
    """Traffic is `factor` times as much from `begin` (ms) on, `end` excluded."""

    DO: ClassVar[str] = "spike"
    begin: Millis
    end: Millis
    factor: float


@dataclass(frozen=True, slots=True)
class Daily:
    """Traffic follows the day: full at the time of day `peak` (ms), `low` of it half a day later.

    In between it rises and falls evenly, in straight lines.
    """

    DO: ClassVar[str] = "daily"
    peak: Millis
    low: float


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table: from `at` (ms) on, this traffic."""

    at: Millis
    traffic: Traffic


@dataclass(frozen=True, slots=True)
class Replay:
    """Traffic from a table; before its first row there is none."""

    DO: ClassVar[str] = "replay"
    rows: tuple[Row, ...]


Curve = Steady | Drift | Spike | Daily | Replay


@states("BAL-1")
def scale(traffic: Traffic, factor: float) -> Traffic:
    """`factor` times the traffic."""
    return Traffic(
        traffic.msg_rate_in * factor,
        traffic.msg_rate_out * factor,
        traffic.throughput_in * factor,
        traffic.throughput_out * factor,
    )


@states("BAL-1")
def daily_factor(curve: Daily, now: Millis) -> float:
    """1 at the peak, `low` half a day away from it, and in proportion between."""
    away = abs((now - curve.peak) % DAY)
    nearest = min(away, DAY - away)
    return 1.0 - (1.0 - curve.low) * nearest / HALF_A_DAY


@states("BAL-1")
def traffic_at(base: Traffic, curve: Curve, now: Millis) -> Traffic:
    """A bundle's traffic at an instant, if its clients are there."""
    match curve:
        case Steady():
            return base
        case Drift(per_hour, until):
            return scale(base, max(0.0, 1.0 + per_hour * min(now, until) / HOUR))
        case Spike(begin, end, factor):
            return scale(base, factor) if begin <= now < end else base
        case Daily():
            return scale(base, daily_factor(curve, now))
        case Replay(rows):
            latest = Traffic()
            for row in rows:
                if row.at > now:
                    break
                latest = row.traffic
            return latest
