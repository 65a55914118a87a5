"""What is recorded of a run, one `Moment` a step."""

from __future__ import annotations

from dataclasses import dataclass

from evenkeel.reference.shedding.cluster import BrokerId, BundleName, Millis


@dataclass(frozen=True, slots=True)
class Gauge:
    """What a broker carries: usage (a fraction), msg/s and bytes/s in plus out, its bundles."""

    broker: BrokerId
    usage: float
    msg_rate: float
    throughput: float
    bundles: tuple[BundleName, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """Clients looked a bundle up, and this broker serves it now.

    Recorded for transferred bundles too, unless a transfer takes no time.
    """

    bundle: BundleName
    broker: BrokerId


@dataclass(frozen=True, slots=True)
class Move:
    """A bundle leaves its owner, for a destination if one was fixed, else for the broker chosen.

    `transfer`, with TransferShedder alone: the ownership goes straight to the destination. Of other
    strategies only AvgShedder (in 4.0 any) may name one; lookups come after `reconnect` anyway.
    """

    bundle: BundleName
    source: BrokerId
    destination: BrokerId | None
    transfer: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Moment:
    """One step, at `at` (ms): what was placed, what every broker carries, what is moved away.

    `placed` is in the order of placing, `moves` in any; `gauges` are those of the brokers that are
    up, in the scenario's order; `away` are bundles that no broker serves when gauges are read.
    """

    at: Millis
    placed: tuple[Placed, ...]
    gauges: tuple[Gauge, ...]
    away: tuple[BundleName, ...]
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class History:
    """A whole run."""

    moments: tuple[Moment, ...]
