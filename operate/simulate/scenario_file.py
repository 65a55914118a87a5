"""Scenario files: TOML or JSON, made for people, turned into the reference's plain data.

Times are minutes (of [timing]: seconds), throughput is megabytes per second, rates are messages
per second. `count` makes several brokers or bundles of one table, and `{n}` in a name their
number; `{1..20}` names twenty brokers. What is sampled is sampled by a seed. What a key means is
in README.md next to the shipped scenarios.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from evenkeel.operate.simulate.reading import LARGEST, BadScenarioFile, Reader, is_readable
from evenkeel.operate.simulate.scenario_bundles import (
    MEGABYTE,
    bundles_of,
    namespaces_of,
    read_megabytes,
)
from evenkeel.operate.simulate.scenario_events import ServedBundles, events_of
from evenkeel.operate.simulate.scenario_names import number_names
from evenkeel.reference.balancing.scenario import BadScenario, BrokerSpec, Scenario, Timing
from evenkeel.reference.balancing.settings import Settings, Strategy
from evenkeel.reference.edition import EDITIONS
from evenkeel.reference.shedding.cluster import BrokerId, Millis
from evenkeel_engine.files import Unreadable, parse_json, parse_toml, read_text
from evenkeel_engine.kit.codec import BadData, abbreviate, from_json, to_json, wire_name

SECOND: Final[Millis] = 1_000
UNLIMITED: Final = "maxUnloadBundleNumPerShedding"
"""-1 of it is no limit."""
MOST_STEPS: Final = 100_000
LONGEST: Final = 1e7
"""Minutes that a run lasts at most: 19 years."""
SMALLEST: Final = 1.0
"""Messages or bytes a second that fill a broker, at least."""
SHIPPED: Final = Path(__file__).parent / "scenarios"


@dataclass(frozen=True, slots=True)
class ScenarioFile:
    """A scenario with its name, what it shows and where it is from.

    `settings` has the settings for each strategy: those of the file, changed by its own.
    `edition` is whose cluster it is, if the file says so; `sampled` whether another seed makes
    another scenario.
    """

    name: str
    title: str
    source: str
    scenario: Scenario
    settings: dict[Strategy, Settings]
    edition: str | None = None
    sampled: bool = False


def list_shipped() -> list[str]:
    """The names of the scenarios that come with evenkeel."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def load(name: str, seed: int = 1) -> ScenarioFile:
    """A scenario by the name of a shipped one, or from a file. Raises `BadScenarioFile`."""
    return read(path_of(name), name, seed)


def path_of(name: str) -> Path:
    """The file that a scenario's name stands for. A shipped one comes first: else write ./name."""
    return SHIPPED / f"{name}.toml" if name in list_shipped() else Path(name)


def drop_repeated(names: Sequence[str]) -> list[str]:
    """The names without those of files that were named before, in whatever spelling."""
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(os.path.abspath(path_of(name)), name)
    return list(found.values())


def read(path: Path, name: str, seed: int = 1) -> ScenarioFile:
    """The scenario in a file; `name` is how errors call it. Raises `BadScenarioFile`.

    What the file leaves open is sampled by the seed.
    """
    if not is_readable(path.stem):
        raise BadScenarioFile(name, "", "must have a name without control characters")
    top = Reader(name, "", data_of(path, name))
    title, source = top.text("title"), top.text("source", "not said")
    edition = edition_of(top)
    timing = timing_of(top)
    settings = settings_of(top.table("settings"))
    brokers = all_brokers(top)
    names = [broker.id for broker in brokers]
    there = [broker.id for broker in brokers if broker.present]
    namespaces = list(namespaces_of(top))
    sampled = any(table.has("spread") for table in namespaces)
    bundles = [one for table in namespaces for one in bundles_of(table, there, path, seed)]
    end = timing.end
    served = ServedBundles({bundle.name: bundle for bundle in bundles})
    tables = top.tables("events")
    events = [event for table in tables for event in events_of(table, names, served, end)]
    top.finish()
    try:
        ordered = tuple(sorted(events, key=lambda event: event.at))
        scenario = Scenario(tuple(brokers), tuple(bundles), timing, ordered)
    except BadScenario as bad:
        raise BadScenarioFile(name, bad.place, bad.reason) from bad
    return ScenarioFile(path.stem, title, source, scenario, settings, edition, sampled)


def data_of(path: Path, name: str) -> Any:
    """The file's data. Raises `BadScenarioFile`."""
    try:
        text = read_text(path)
    except Unreadable as error:
        known = ", ".join(list_shipped())
        raise BadScenarioFile(name, "", f"{error}; the shipped scenarios are {known}") from error
    try:
        return parse_json(text) if path.suffix.lower() == ".json" else parse_toml(text)
    except (Unreadable, ValueError) as error:
        raise BadScenarioFile(name, "", f"cannot be parsed: {error}") from error


def edition_of(top: Reader) -> str | None:
    """Whose cluster it is, if that is said."""
    if not top.has("edition"):
        return None
    if (message := top.text("edition")) not in EDITIONS:
        raise top.bad("edition", f"must be {' or '.join(EDITIONS)}, not {abbreviate(message)}")
    return message


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
        found[strategy] = change_settings(Settings(), changes, table.file, place)
    return found


def change_settings(settings: Settings, changes: dict[str, Any], file: str, place: str) -> Settings:
    """Settings with some changed by Pulsar's names. Raises `BadScenarioFile`."""
    known = {wire_name(f) for f in fields(Settings)}
    for key, value in changes.items():
        if (reason := no_setting(key, value, known)) is not None:
            raise BadScenarioFile(file, f"{place}.{key}".strip("."), reason)
    try:
        return from_json(Settings, {**to_json(settings), **changes})
    except BadData as bad:
        key, found, reason = bad.reason.partition(": ")
        inner, reported = (key, reason) if found and key in known else (bad.place, bad.reason)
        raise BadScenarioFile(file, f"{place}.{inner}".strip("."), reported) from bad


def no_setting(key: str, value: Any, known: Collection[str]) -> str | None:
    """Why this can be no setting, whatever its type is; None if it can."""
    if key not in known:
        return "is no setting that balancing reads"
    least = -1 if key == UNLIMITED else 0
    if isinstance(value, int | float) and not value >= least:  # so that nan is none, too
        return f"must be {least} or more, not {abbreviate(value)}"
    if isinstance(value, int | float) and value > LARGEST:
        return f"must be {LARGEST:g} at most, not {abbreviate(value)}"
    return None


# ---------------------------------------------------------------------------------- brokers


def brokers_of(table: Reader) -> list[BrokerSpec]:
    """The brokers of one table."""
    messages = table.number("messages", 100_000.0, least=SMALLEST)
    bandwidth = read_megabytes(table, "megabytes", 1000.0, least=SMALLEST / MEGABYTE)
    present = not table.flag("absent", False)
    found = [
        BrokerSpec(BrokerId(name), messages, bandwidth, present)
        for name in number_names(table, table.text("name", "broker-{n}"))
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


def with_changes(file: ScenarioFile, changes: dict[str, Any]) -> ScenarioFile:
    """The scenario with settings changed for all strategies (`--set`)."""
    settings = {
        strategy: change_settings(before, changes, "--set", "")
        for strategy, before in file.settings.items()
    }
    return replace(file, settings=settings)
