"""The channel's records that took effect. A topic holds all that was written, what lost a race,
too; every broker reads the same order, and takes a record or passes it over by one rule.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from evenkeel.operate.recording.entries import Entry
from evenkeel.operate.recording.findings import Found
from evenkeel.operate.trace.rows import BadLog, BadRow, LoggedBundles
from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership.conflict import accepts
from evenkeel.reference.ownership.records import BundleName, Record, State, Storage
from evenkeel_engine.frame.errors import Breakage

TOPIC = "topic"
"""Who saw it: a topic has one order, so that one observer is enough."""


@dataclass(slots=True)
class Effective:
    """Rows for the judge of ownership; what was passed over; splits."""

    bundles: LoggedBundles = field(default_factory=LoggedBundles)
    passed: int = 0
    current: dict[str, tuple[Record, int]] = field(default_factory=dict)
    """The record of each bundle, and when it came."""
    splits: list[EffectiveSplit] = field(default_factory=list)
    owned: dict[str, list[int]] = field(default_factory=dict)
    """When each bundle became owned."""
    holders: dict[str, list[tuple[int, str | None]]] = field(default_factory=dict)
    """Who owned each bundle since when; None: no broker, or it was on its way."""
    states: dict[str, list[tuple[int, State | None]]] = field(default_factory=dict)
    """The states of each bundle since when; None: its record was removed."""
    gaps: dict[str, list[int]] = field(default_factory=dict)
    """When each bundle had a record whose version does not follow: one before it was lost."""
    ahead: int = 0
    """By how many ms a record was at most published after it was received, by its clock."""
    last: int = 0


@dataclass(frozen=True, slots=True)
class EffectiveSplit:
    """A bundle that is divided: its record's time, and its children."""

    bundle: str
    at: int
    source: str | None
    children: tuple[str, ...]


def record_of(data: dict[str, Any], bundle: str) -> Record:
    """A record as Pulsar writes it. Raises `BadRow`."""
    try:
        namespace = bundle.rpartition("/")[0]
        parts = data.get("splitServiceUnitToDestBroker") or ()
        children = tuple(BundleName(f"{namespace}/{name}") for name in parts)
        return Record(
            State(data["state"]),
            data.get("dstBroker"),
            data.get("sourceBroker"),
            data["versionId"],
            bool(data.get("force")),
            children=children,
        )
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise BadRow(f"a record that is none: {error}") from None


def find_effective(entries: Iterable[Entry], edition: Edition) -> Effective:
    """The records that took effect, in the topic's order. Raises `BadLog`."""
    found = Effective()
    for place, entry in enumerate(entries):
        try:
            take(entry, place, found, edition)
        except BadRow as bad:
            raise BadLog(f"record {place} of the channel ({entry.subject}): {bad}.") from None
    return found


def take(entry: Entry, place: int, found: Effective, edition: Edition) -> None:
    """One record of the topic. Raises `BadRow`."""
    bundle = entry.subject or ""
    # Clocks ahead of the recorder's tell nothing: a broker's may have been stepped.
    found.ahead = max(found.ahead, (entry.clock or 0) - entry.time)
    clock = entry.time if entry.clock is None else min(entry.clock, entry.time)
    at = max(found.last, clock)  # the topic has one order, whatever clocks say
    found.last = at
    before = found.current.get(bundle)
    record = None if entry.data is None else record_of(entry.data, bundle)
    try:
        accepted = accepts(Storage.TOPIC, before[0] if before else None, record, edition)
    except Breakage:  # as in Pulsar, where the reader passes on to the next record
        accepted = False
    if not accepted:
        found.passed += 1
        return
    if record is None:
        found.current.pop(bundle, None)
    else:
        found.current[bundle] = (record, at)
    if record and before and record.version > before[0].version + 1:
        found.gaps.setdefault(bundle, []).append(at)
    found.states.setdefault(bundle, []).append((at, record.state if record else None))
    fields = fields_of(record, before[0].version if before else None)
    owned = record is not None and record.state is State.OWNED
    holder = record.destination if record is not None and owned else None
    found.holders.setdefault(bundle, []).append((at, holder))
    found.bundles.add({"time": at, "broker": TOPIC, "bundle": bundle, **fields}, place)
    if record is not None and record.state is State.SPLITTING:
        found.splits.append(EffectiveSplit(bundle, at, record.source, record.children))
    elif record is not None and record.state is State.OWNED:
        found.owned.setdefault(bundle, []).append(at)


def fields_of(record: Record | None, removed: int | None) -> dict[str, Any]:
    """An event's columns."""
    if record is None:
        return {"state": "Init", "owner": None, "source": None, "version": removed, "force": None}
    return {
        "state": record.state.value,
        "owner": record.destination,
        "source": record.source,
        "version": record.version,
        "force": record.force,
    }


def parse_bounds(bundle: str) -> tuple[int, int] | None:
    """A bundle's range; None if its name has none."""
    low, _, high = bundle.rpartition("/")[2].partition("_")
    try:
        return int(low, 16), int(high, 16)
    except ValueError:
        return None


ON_ITS_WAY: Final = (State.RELEASING, State.ASSIGNING, State.SPLITTING)


def judge_unowned(found: Effective, end: int, patience: float) -> list[Found]:
    """Records in flight, and bundles without an owner, for longer than the margin, until the next
    record or the recording's end; whether or not a client looks the bundle up.

    Some broker must end what is in flight (OWN-11). A free bundle may be one that no client uses.
    """
    findings = []
    for bundle, line in found.states.items():
        ends = [at for at, _ in line[1:]] + [max(end, found.last)]
        for (since, state), until in zip(line, ends, strict=True):
            lasted = (until - since) / 1000
            if lasted <= patience or state not in (*ON_ITS_WAY, State.FREE):
                continue
            flight = state is not State.FREE
            sentence = "its record was" if flight else "it had no owner: its record was"
            sentence += f" {state.value} for {lasted:.0f} s"
            findings.append(Found("flight" if flight else "free", bundle, sentence, since, until))
    return findings


def judge_splits(found: Effective, patience: float) -> list[Found]:
    """Children tile their parent (SPL-17), and become owned (OWN-45)."""
    findings = []
    for split in found.splits:
        if not tiles(split):
            said = f"its children {', '.join(split.children) or '(none)'} do not tile it"
            findings.append(Found("split", split.bundle, said, split.at, split.at, "SPL-17"))
        if any(at > split.at for at in found.owned.get(split.bundle, ())):
            continue
        late = found.last > split.at + int(patience * 1000)
        when, clause = ("in time", "OWN-45") if late else ("before the recording ended", None)
        for child in split.children:
            if not any(at >= split.at for at in found.owned.get(child, ())):
                said = f"its half {child} was not owned {when}"
                findings.append(Found("half", split.bundle, said, split.at, found.last, clause))
    return findings


def tiles(split: EffectiveSplit) -> bool:
    """Do the children cover the parent, each hash once?"""
    parent = parse_bounds(split.bundle)
    parts = [parse_bounds(child) for child in split.children]
    if parent is None or not parts or None in parts:
        return False
    ordered = sorted(part for part in parts if part is not None)
    meet = all(one[1] == two[0] for one, two in itertools.pairwise(ordered))
    return meet and ordered[0][0] == parent[0] and ordered[-1][1] == parent[1]
