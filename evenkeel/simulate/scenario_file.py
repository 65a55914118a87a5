"""Scenario files: TOML or JSON, made for people, turned into the reference's plain data.

Times are minutes (of [timing]: seconds), throughput is megabytes per second, rates are messages
per second. `count` makes several brokers or bundles of one table, and `{n}` in a name their
number. What a key means stands in README.md beside the shipped scenarios.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from evenkeel.properties.codec import BadData, brief, from_json, to_json, wire_name
from evenkeel.reference.balancing.curves import Curve, Daily, Drift, Replay, Spike, Steady
from evenkeel.reference.balancing.scenario import (
    MOST,
    MOST_TIMES,
    BadScenario,
    BrokerSpec,
    BundleSpec,
    Scenario,
    Timing,
)
from evenkeel.reference.balancing.settings import Settings, Strategy
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.cluster import BrokerId, BundleName, Millis
from evenkeel.simulate.rate_table import read_rates
from evenkeel.simulate.reading import (
    LARGEST,
    BadScenarioFile,
    Reader,
    parsed,
    readable,
    text_of,
)
from evenkeel.simulate.scenario_events import events_of

SECOND: Final[Millis] = 1_000
MEGABYTE: Final = 1_000_000.0
UNLIMITED: Final = "maxUnloadBundleNumPerShedding"
"""-1 of it is no limit."""
MOST_STEPS: Final = 100_000
MOST_OF_ONE: Final = 10_000
"""Brokers or bundles of one table."""
LONGEST: Final = 1e7
"""Minutes that a run lasts at most: 19 years."""
SMALLEST: Final = 1.0
"""Messages or bytes a second that fill a broker, at least."""
FASTEST: Final = 1000.0
"""A drift's part of the rate in an hour, at most."""
NAMESPACE: Final = re.compile(r"[-=:.\w]+/[-=:.\w]+")
SHIPPED: Final = Path(__file__).parent / "scenarios"


@dataclass(frozen=True, slots=True)
class ScenarioFile:
    """A scenario with its name, what it shows and where it is from.

    `settings` has the settings for each strategy: those of the file, changed by its own.
    """

    name: str
    title: str
    source: str
    scenario: Scenario
    settings: dict[Strategy, Settings]


def shipped() -> list[str]:
    """The names of the scenarios that come with evenkeel."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def load(name: str) -> ScenarioFile:
    """A scenario by the name of a shipped one, or from a file. Raises `BadScenarioFile`."""
    return read(path_of(name), name)


def path_of(name: str) -> Path:
    """The file that a scenario's name stands for. A shipped one comes first: else write ./name."""
    return SHIPPED / f"{name}.toml" if name in shipped() else Path(name)


def different(names: Sequence[str]) -> list[str]:
    """The names without those of files that were named before, in whatever spelling."""
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(os.path.abspath(path_of(name)), name)
    return list(found.values())


def read(path: Path, name: str) -> ScenarioFile:
    """The scenario in a file; `name` is how errors call it. Raises `BadScenarioFile`."""
    if not readable(path.stem):
        raise BadScenarioFile(name, "", "must have a name without control characters")
    top = Reader(name, "", data_of(path, name))
    title, source = top.text("title"), top.text("source", "not said")
    timing = timing_of(top)
    settings = settings_of(top.table("settings"))
    brokers = all_brokers(top)
    names = [broker.id for broker in brokers]
    there = [broker.id for broker in brokers if broker.present]
    bundles = [b for table in namespaces_of(top) for b in bundles_of(table, there, path)]
    end = timing.end
    events = [event for table in top.tables("events") for event in events_of(table, names, end)]
    top.finish()
    try:
        ordered = tuple(sorted(events, key=lambda event: event.at))
        scenario = Scenario(tuple(brokers), tuple(bundles), timing, ordered)
    except BadScenario as bad:
        raise BadScenarioFile(name, bad.place, bad.reason) from bad
    return ScenarioFile(path.stem, title, source, scenario, settings)


def data_of(path: Path, name: str) -> Any:
    """The file's data. Raises `BadScenarioFile`."""
    try:
        text = text_of(path)
    except ValueError as error:
        known = ", ".join(shipped())
        told = f"cannot be read ({error}); the shipped scenarios are {known}"
        raise BadScenarioFile(name, "", told) from error
    try:
        return parsed(text, path.suffix)
    except ValueError as error:
        raise BadScenarioFile(name, "", f"cannot be parsed: {error}") from error


def timing_of(top: Reader) -> Timing:
    """How long the run is, and its steps; seconds."""
    own = top.table("timing")

    def seconds(key: str, default: float) -> Millis:
        return round(own.number(key, default, most=LONGEST * 60) * SECOND)

    step = seconds("step", 60)
    length = top.minutes("minutes", most=LONGEST)
    if step <= 0:
        raise own.bad("step", "must be 0.001 s or more")
    if length < step:
        raise top.bad("minutes", "must be one step or more")
    if length // step > MOST_STEPS:
        raise top.bad("minutes", f"must be {MOST_STEPS} steps at most, not {length // step}")
    if length % step:
        raise top.bad("minutes", f"must be a multiple of the step, {step / SECOND:g} s")
    try:
        timing = Timing(
            length // step,
            step,
            seconds("shedding", max(60.0, step / SECOND)),
            seconds("reconnect", 1),
            seconds("transfer", 0),
            seconds("session", 30),
        )
    except BadScenario as bad:
        raise own.bad(bad.place, bad.reason) from bad
    own.finish()
    return timing


def settings_of(table: Reader) -> dict[Strategy, Settings]:
    """The settings by strategy: keys in Pulsar's spelling, and a table for a strategy's own."""
    names = {strategy.value for strategy in Strategy}
    # A Reader is no mapping: it cannot be iterated over, so SIM118 is not for it.
    common = {key: table.raw(key) for key in table.keys() if key not in names}  # noqa: SIM118
    found = {}
    for strategy in Strategy:
        own = table.table(strategy.value)
        changes = {**common, **{key: own.raw(key) for key in own.keys()}}  # noqa: SIM118
        place = own.place if any(True for _ in own.keys()) else table.place  # noqa: SIM118
        found[strategy] = changed(Settings(), changes, table.file, place)
    return found


def changed(settings: Settings, changes: dict[str, Any], file: str, place: str) -> Settings:
    """Settings with some changed by Pulsar's names. Raises `BadScenarioFile`."""
    known = {wire_name(f) for f in fields(Settings)}
    for key, value in changes.items():
        reason = no_setting(key, value, known)
        if reason is not None:
            raise BadScenarioFile(file, f"{place}.{key}".strip("."), reason)
    try:
        return from_json(Settings, {**to_json(settings), **changes})
    except BadData as bad:
        key, found, reason = bad.reason.partition(": ")
        inner, told = (key, reason) if found and key in known else (bad.place, bad.reason)
        raise BadScenarioFile(file, f"{place}.{inner}".strip("."), told) from bad


def no_setting(key: str, value: Any, known: Collection[str]) -> str | None:
    """Why this can be no setting, whatever its type is; None if it can."""
    if key not in known:
        return "is no setting that balancing reads"
    least = -1 if key == UNLIMITED else 0
    if isinstance(value, int | float) and not value >= least:  # so that nan is none, too
        return f"must be {least} or more, not {brief(value)}"
    if isinstance(value, int | float) and value > LARGEST:
        return f"must be {LARGEST:g} at most, not {brief(value)}"
    return None


# -------------------------------------------------------------------------- brokers, bundles


def numbered(table: Reader, name: str) -> Iterator[str]:
    """Names with their numbers, from 1; one without a number if there is no count."""
    count = table.whole("count", 1, least=1, most=MOST_OF_ONE)
    if count > 1 and "{n}" not in name:
        raise table.bad("count", f"needs {{n}} in the name, but it is {name}")
    for number in range(1, count + 1):
        yield name.replace("{n}", str(number))


def megabytes(table: Reader, key: str, default: float, *, least: float = 0.0) -> float:
    """A throughput in MB/s, as bytes/s."""
    return table.number(key, default, least=least, most=MOST / MEGABYTE) * MEGABYTE


def brokers_of(table: Reader) -> list[BrokerSpec]:
    """The brokers of one table."""
    messages = table.number("messages", 100_000.0, least=SMALLEST)
    bandwidth = megabytes(table, "megabytes", 1000.0, least=SMALLEST / MEGABYTE)
    present = not table.flag("absent", False)
    found = [
        BrokerSpec(BrokerId(name), messages, bandwidth, present)
        for name in numbered(table, table.text("name", "broker-{n}"))
    ]
    table.finish()
    return found


def all_brokers(top: Reader) -> list[BrokerSpec]:
    """The brokers of all tables, each name once."""
    found: dict[BrokerId, BrokerSpec] = {}
    for table in top.tables("brokers"):
        for broker in brokers_of(table):
            if broker.id in found:
                raise table.bad("name", f"{broker.id} is there twice")
            found[broker.id] = broker
    return list(found.values())


def namespaces_of(top: Reader) -> Iterator[Reader]:
    """The tables of bundles, one for a namespace."""
    seen: set[str] = set()
    for table in top.tables("bundles"):
        name = table.text("namespace")
        if not NAMESPACE.fullmatch(name):
            raise table.bad("namespace", f"must be tenant/namespace, not {brief(name)}")
        if name in seen:
            raise table.bad("namespace", f"{name} is there twice")
        seen.add(name)
        yield table


def bundles_of(table: Reader, brokers: list[BrokerId], path: Path) -> list[BundleSpec]:
    """The bundles of one table, served in turn by the brokers that it names."""
    namespace = table.text("namespace")
    owners = owners_of(table, brokers)
    rates = table.raw("table")
    if rates is not None:
        found = replayed(table, namespace, owners, path)
        table.finish()
        return found
    count = table.whole("count", 1, least=1, most=MOST_OF_ONE)
    traffic = Traffic(
        table.number("msg_rate_in", 0.0),
        table.number("msg_rate_out", 0.0),
        megabytes(table, "megabytes_in", 0.0),
        megabytes(table, "megabytes_out", 0.0),
    )
    curve = curve_of(table.table("curve"))
    table.finish()
    return [
        BundleSpec(
            BundleName(f"{namespace}/{hash_range(index, count)}"),
            traffic,
            curve,
            owners[index % len(owners)] if owners else None,
        )
        for index in range(count)
    ]


def hash_range(index: int, count: int) -> str:
    """The range of one of so many equal bundles of a namespace."""
    full = 2**32 - 1
    low, high = full * index // count, full * (index + 1) // count
    return f"{low:#010x}_{high:#010x}"


def owners_of(table: Reader, brokers: list[BrokerId]) -> list[BrokerId]:
    """Who serves the bundles at the beginning; nobody named: they are looked up."""
    owners = table.texts("on")
    for owner in owners:
        if owner not in brokers:
            raise table.bad("on", f"{owner} is no broker that is there from the beginning")
    return [BrokerId(owner) for owner in owners]


def replayed(table: Reader, namespace: str, owners: list[BrokerId], path: Path) -> list[BundleSpec]:
    """Bundles whose rates are replayed from a CSV or Parquet table beside the file."""
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


def with_changes(file: ScenarioFile, changes: dict[str, Any]) -> ScenarioFile:
    """The scenario with settings changed for all strategies (`--set`)."""
    settings = {
        strategy: changed(before, changes, "--set", "")
        for strategy, before in file.settings.items()
    }
    return replace(file, settings=settings)
