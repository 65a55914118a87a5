"""The bundles of a scenario file: namespaces, their rates, how load is spread, and curves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from evenkeel.operate.simulate.rate_table import read_rates
from evenkeel.operate.simulate.reading import LARGEST, Reader
from evenkeel.operate.simulate.scenario_names import MOST_OF_ONE, brokers_resolved
from evenkeel.operate.simulate.scenario_spread import draw_shares
from evenkeel.reference.balancing.curves import Curve, Daily, Drift, Replay, Spike, Steady, scale
from evenkeel.reference.balancing.scenario import MOST, MOST_TIMES, BundleSpec
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.cluster import BrokerId, BundleName
from evenkeel_engine.kit.codec import abbreviate

MEGABYTE: Final = 1_000_000.0
FASTEST: Final = 1000.0
"""A drift's part of the rate in an hour, at most."""
NAMESPACE: Final = re.compile(r"[-=:.\w]+/[-=:.\w]+")


def read_megabytes(table: Reader, key: str, default: float, *, least: float = 0.0) -> float:
    """A throughput in MB/s, as bytes/s."""
    return table.number(key, default, least=least, most=MOST / MEGABYTE) * MEGABYTE


def namespaces_of(top: Reader) -> Iterator[Reader]:
    """The tables of bundles, one for a namespace."""
    seen: set[str] = set()
    for table in top.tables("bundles"):
        name = table.text("namespace")
        if not NAMESPACE.fullmatch(name):
            raise table.bad("namespace", f"must be tenant/namespace, not {abbreviate(name)}")
        if name in seen:
            raise table.bad("namespace", f"{name} is there twice")
        seen.add(name)
        yield table


def bundles_of(table: Reader, brokers: list[BrokerId], path: Path, seed: int) -> list[BundleSpec]:
    """The bundles of one table, served in turn by the brokers that it names."""
    namespace = table.text("namespace")
    wrong = "no broker that is there from the beginning"
    owners = brokers_resolved(table, "on", table.texts("on"), brokers, wrong)
    rates = table.raw("table")
    if rates is not None:
        found = replay_bundles(table, namespace, owners, path)
        table.finish()
        return found
    count = table.whole("count", 1, least=1, most=MOST_OF_ONE)
    traffic = Traffic(
        table.number("msg_rate_in", 0.0),
        table.number("msg_rate_out", 0.0),
        read_megabytes(table, "megabytes_in", 0.0),
        read_megabytes(table, "megabytes_out", 0.0),
    )
    curve = curve_of(table.table("curve"))
    loads = spread_of(table, traffic, count, namespace, seed)
    table.finish()
    return [
        BundleSpec(
            BundleName(f"{namespace}/{hash_range(index, count)}"),
            load,
            curve,
            owners[index % len(owners)] if owners else None,
        )
        for index, load in enumerate(loads)
    ]


def spread_of(
    table: Reader, traffic: Traffic, count: int, namespace: str, seed: int
) -> list[Traffic]:
    """The traffic of each bundle, of which `traffic` is the mean."""
    found = draw_shares(table.table("spread"), count, namespace, seed)
    largest = max(traffic.msg_rate_in, traffic.msg_rate_out) * max(found)
    if largest > LARGEST:
        raise table.bad("spread", f"makes a bundle of {largest:g} msg/s; {LARGEST:g} is the most")
    return [scale(traffic, share) for share in found]


def hash_range(index: int, count: int) -> str:
    """The range of one of `count` equal bundles of a namespace."""
    full = 2**32 - 1
    low, high = full * index // count, full * (index + 1) // count
    return f"{low:#010x}_{high:#010x}"


def replay_bundles(
    table: Reader, namespace: str, owners: list[BrokerId], path: Path
) -> list[BundleSpec]:
    """Bundles whose rates are replayed from a CSV or Parquet table next to the file."""
    rates = read_rates(path.parent / table.text("table"), table)
    return [
        BundleSpec(
            BundleName(f"{namespace}/{bundle}"),
            rows[0].traffic,
            Replay(rows),
            owners[index % len(owners)] if owners else None,
        )
        for index, (bundle, rows) in enumerate(rates.items())
    ]


def curve_of(table: Reader) -> Curve:
    """How the traffic goes over time; steady if nothing is said."""
    kind = table.text("kind", "steady")
    curve: Curve
    match kind:
        case "steady":
            curve = Steady()
        case "spike":
            begin, end = table.minutes("begin"), table.minutes("end")
            if end < begin:
                raise table.bad("end", "must not be before the spike begins")
            curve = Spike(begin, end, table.number("factor", most=MOST_TIMES))
        case "drift":
            per_hour = table.number("per_hour", least=-FASTEST, most=FASTEST)
            curve = Drift(per_hour, table.minutes("until", 1e9))
        case "daily":
            curve = Daily(table.minutes("peak"), table.number("low", 0.0, most=1.0))
        case _:
            raise table.bad("kind", f"must be steady, spike, drift or daily, not {kind}")
    table.finish()
    return curve
