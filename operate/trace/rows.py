"""Rows of a log as events: which columns there are, of which types, and what is wrong with a row.

Standard library only: this runs in Spark's workers. The format: spec/trace.md.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from evenkeel.properties.ownership.trace import Event
from evenkeel.reference.ownership.records import LARGEST_VERSION, SMALLEST_VERSION, State
from evenkeel_engine.errors import UserError

NEEDED: Final = ("time", "broker", "bundle", "state")
OPTIONAL: Final = ("owner", "source", "version", "force")
COLUMNS: Final = (*NEEDED, *OPTIONAL)

_STATES: Final = {state.value: state for state in State}
_WORDS: Final = {word: word for word in _STATES}


class BadLog(UserError):
    """The log cannot be used: one sentence with the file, the line and the reason."""


class BadRow(ValueError):
    """A row is no event: why."""


Amount = Callable[[int], None]
"""By which progress is reported: how much more was read."""
EventRow = tuple[int, str, str, str | None, str | None, int | None, bool | None, int]
"""An event as plain data: time, broker, state, owner, source, version, force, place."""


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Rows and events make no cycles, so that Python need not look for some so often."""
    before = gc.get_threshold()
    gc.set_threshold(200_000, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


@dataclass(slots=True)
class LoggedBundles:
    """Rows by bundle. Names that come again and again are kept once."""

    rows: dict[str, list[EventRow]] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)  # of brokers: texts, and not blank

    def add(self, fields: Mapping[str, Any], place: int) -> None:
        """One more row. Raises `BadRow`."""
        bundle, row = row_of(fields, place, self._names)
        if (known := self.rows.get(bundle)) is not None:
            known.append(row)
            return
        if not bundle:
            raise BadRow("bundle is empty")
        require_text(bundle, "bundle")
        self.rows[bundle] = [row]

    def merge(self, rows: Mapping[str, list[EventRow]]) -> None:
        """Rows that were read elsewhere."""
        for bundle, more in rows.items():
            self.rows.setdefault(bundle, []).extend(more)


def events_of(rows: Iterable[EventRow]) -> list[Event]:
    """The events."""
    states, make = _STATES, Event._make
    return [make((r[0], r[1], states[r[2]], *r[3:])) for r in rows]


def row_of(fields: Mapping[str, Any], place: int, names: dict[str, str]) -> tuple[str, EventRow]:
    """The bundle and the row of these columns. `names` keeps names. Raises `BadRow`."""
    try:
        time, broker = fields["time"], fields["broker"]
        bundle, state = fields["bundle"], fields["state"]
    except KeyError as missing:
        raise BadRow(f"there is no {missing.args[0]}") from None
    get = fields.get
    owner, source, version, force = get("owner"), get("source"), get("version"), get("force")
    if not (type(time) is int and type(broker) is str and type(bundle) is str):
        raise BadRow(wrong_type(fields))
    word = _WORDS.get(state) if type(state) is str else None
    if word is None:
        raise BadRow(f"state must be one of {', '.join(_STATES)}, not {state!r}")
    seen_by = names.get(broker) or observer_of(broker, names)
    if owner is not None:
        owner = broker_of(owner, "owner", names)
    if source is not None:
        source = broker_of(source, "source", names)
    if not (force is None or type(force) is bool):
        raise BadRow(wrong_type(fields))
    if type(version) is not int or not SMALLEST_VERSION <= version <= LARGEST_VERSION:
        require_removal(version, state)
    if owner is None and source is None and state not in ("Init", "Free"):
        raise BadRow(f"a record in state {state} names no broker, neither owner nor source")
    return bundle, (time, seen_by, word, owner, source, version, force, place)


def broker_of(name: object, column: str, names: dict[str, str]) -> str | None:
    """The broker that a record names; blank is none. Raises `BadRow`."""
    if type(name) is not str:
        raise BadRow(f"{column} must be a string or null, not {name!r}")
    if name in names:
        return names[name]
    require_text(name, column)
    return names.setdefault(name, name) if name.strip() else None


def observer_of(name: str, names: dict[str, str]) -> str:
    """The broker that saw it, if its name was not met before. Raises `BadRow`."""
    if not name:
        raise BadRow("broker is empty")
    require_text(name, "broker")
    return names.setdefault(name, name) if name.strip() else name


def require_text(name: str, column: str) -> None:
    """JSON can write halves of characters, which no text has. Raises `BadRow`."""
    if not name.isascii() and any("\ud800" <= sign <= "\udfff" for sign in name):
        raise BadRow(f"{column} holds half a character: {name!a}")


def require_removal(version: object, state: str) -> None:
    """Without a version of 64 bits it must be a removal, and name none. Raises `BadRow`."""
    if version is not None:
        raise BadRow(f"version must be a 64-bit integer, not {version!r}")
    if state != "Init":
        raise BadRow("there is no version")


def wrong_type(fields: Mapping[str, Any]) -> str:
    """Which column has a value of the wrong type."""
    kinds = {"time": (int, "an integer"), "broker": (str, "a string"), "bundle": (str, "a string")}
    for column, (kind, words) in kinds.items():
        if type(fields[column]) is not kind:
            return f"{column} must be {words}, not {fields[column]!r}"
    return f"force must be true, false or null, not {fields['force']!r}"
