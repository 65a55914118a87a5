"""What TransferShedder was given in a round, put together again from a recording: reports, lists of
bundles, who owned them, what was unloaded lately, and how many rounds in a row had a cause.

What cannot be known exactly is a choice: a report that came within the last seconds may have been
read by the leader or not, and the moment at which it noted an unload is known to some seconds.
Reports go over topics that keep nothing: who comes to lead has none but those that follow.
"""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import islice, product
from operator import itemgetter
from typing import Any, Final, TypeVar

from evenkeel.operate.recording.attributes import in_older_form
from evenkeel.operate.recording.effective import Effective
from evenkeel.operate.recording.entries import Entry
from evenkeel.operate.recording.leaderlog import Round, rounds_of
from evenkeel.reference.shedding.cluster import BrokerId, BundleName
from evenkeel.reference.shedding.transfer import (
    LastUnload,
    TopBundle,
    TransferReport,
    TransferRules,
    TransferView,
)

LATE: Final = 10_000
"""Milliseconds by which the leader may be late in reading reports."""
AHEAD: Final = 1_000
"""Milliseconds by which brokers' clocks may differ."""
NOTED: Final = (0, 1_000, 3_000)
"""Milliseconds after a bundle has its new owner in which the leader notes that it was unloaded."""
UNLOADED_IN: Final = 150_000
"""Milliseconds after which a bundle that was to be unloaded is no longer waited for."""
MOST: Final = 512
"""Ways to read the recording that are tried for one round."""

STATS: Final = ("msgThroughputIn", "msgThroughputOut")
LOAD: Final = ("weightedMaxEMA", *STATS, "msgThroughputEMA", "updatedAt")
"""What of a load report a decision needs."""
REPORTS: Final = ("load", "bundles")
DECIDING: Final = ("log", *REPORTS, "leader", "note", "fault")
"""What of a recording decisions are predicted from."""

R = TypeVar("R")
Timeline = Sequence[tuple[int, Any]]
"""When something was reported, and what; None: it was taken away."""


@dataclass(slots=True)
class Known:
    """All reports and owners of a recording, by time. `led`: when another was seen to lead."""

    loads: dict[str, list[tuple[int, Any]]] = field(default_factory=dict)
    tops: dict[str, list[tuple[int, Any]]] = field(default_factory=dict)
    owners: Mapping[str, Timeline] = field(default_factory=dict)
    led: Sequence[int] = ()

    def find_owner(self, bundle: str, at: int) -> str | None:
        """Who owned a bundle, by the records that had taken effect."""
        line = self.owners.get(bundle, ())
        place = bisect_right(line, at, key=lambda one: one[0])
        return line[place - 1][1] if place else None


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a round: what the strategy was given, and how many rounds had a cause."""

    view: TransferView
    hits: int
    why: tuple[str, ...] = ()
    """What is otherwise than the latest reports have it."""


def slim(entry: Entry) -> Entry:
    """A report with what a decision needs: days of them are kept."""
    if entry.data is None:
        return entry
    if entry.source == "load":
        return entry._replace(data={key: entry.data.get(key) for key in LOAD})
    listed = [
        {
            "bundleName": sys.intern(one["bundleName"]),
            "stats": {key: one["stats"][key] for key in STATS},
        }
        for one in entry.data["topBundlesLoadData"]
    ]
    return entry._replace(data={"topBundlesLoadData": listed})


@dataclass(slots=True)
class Heard:
    """What of a recording decisions are read from: lines of logs, reports, when they were lost, who
    came to lead when, and whether clocks were stepped.
    """

    lines: list[tuple[str, str]] = field(default_factory=list)
    reports: list[Entry] = field(default_factory=list)
    losses: list[int] = field(default_factory=list)
    led: list[int] = field(default_factory=list)
    stepped: bool = False
    ahead: int = 0
    """By how many ms a report was at most published after it was received, by its clock."""

    def list_rounds(self) -> list[Round]:
        """The whole rounds of TransferShedder in the logs."""
        return [one for one in rounds_of(self.lines) if one.ended]


def sort_heard(entries: Iterable[Entry]) -> Heard:
    """The entries of a recording, of the sources `DECIDING`, sorted out."""
    found = Heard()
    for entry in entries:
        if entry.source == "log" and entry.broker is not None:
            found.lines.append((entry.broker, in_older_form(entry.data)))
        elif entry.source in REPORTS:
            found.reports.append(slim(entry))
            found.ahead = max(found.ahead, (entry.clock or 0) - entry.time)
        elif entry.source == "leader":
            found.led.append(entry.time)
        elif entry.source == "fault" and entry.data.get("do") == "clock":
            found.stepped = True
        elif entry.source == "note" and entry.data.get("source") in REPORTS:
            found.losses.append(entry.time)
    return found


def known_of(reported: Heard, channel: Effective) -> Known:
    """Reports and lists of a recording."""
    known = Known(owners=channel.holders, led=reported.led)
    for entry in reported.reports:
        if entry.broker is not None:
            to = known.loads if entry.source == "load" else known.tops
            at = entry.time if entry.clock is None else entry.clock
            to.setdefault(entry.broker, []).append((at, entry.data))
    for timelines in (known.loads, known.tops):
        for line in timelines.values():
            line.sort(key=lambda one: one[0])
    return known


def rules_of(kind: type[R], settings: Mapping[str, str]) -> R:
    """A strategy's settings. Raises `ValueError`."""
    found: dict[str, Any] = {}
    for one in fields(kind):  # type: ignore[arg-type]
        if (text := settings.get(one.metadata["key"])) is not None:
            of = type(one.default)
            found[one.name] = text.lower() == "true" if of is bool else of(text)  # type: ignore[misc]
    return kind(**found)


when_of = itemgetter(0)


def list_choices(line: Timeline, at: int, led: int) -> list[tuple[str, Any]]:
    """What the leader, who leads since then, may have known at this time, likeliest first, with a
    word for the others.
    """
    # Days of reports: only those around this time are looked at.
    until, late = bisect_right(line, at, key=when_of), bisect_right(line, at - LATE, key=when_of)
    begin = bisect_left(line, when_of(line[late - 1]), key=when_of) if late else 0
    latest = line[begin:until]
    found = [("", latest[-1][1])] if latest else []
    found += [("had not read the latest", data) for _, data in reversed(latest[:-1])]
    soon = line[until : bisect_right(line, at + AHEAD, key=when_of)]
    found += [("had read one of a clock ahead", data) for _, data in soon]
    if latest and latest[-1][0] <= led:
        found.append(("came to lead after the report", None))
    return found


def report_of(
    broker: str, load: Mapping[str, Any], top: Any, known: Known, at: int
) -> TransferReport:
    """A broker's report as the strategy takes it."""
    bundles = None
    if top is not None:
        bundles = tuple(
            TopBundle(
                BundleName(one["bundleName"]),
                one["stats"]["msgThroughputIn"],
                one["stats"]["msgThroughputOut"],
                known.find_owner(one["bundleName"], at) == broker,
            )
            for one in top["topBundlesLoadData"]
        )
    return TransferReport(
        BrokerId(broker),
        load["weightedMaxEMA"],
        load["msgThroughputIn"],
        load["msgThroughputOut"],
        load["msgThroughputEMA"],
        load["updatedAt"],
        bundles,
    )


def find_unloaded(rounds: Sequence[Round], now: Round, known: Known) -> list[tuple[str, str, int]]:
    """Bundles that the strategy's earlier rounds had unloaded: bundle, source, when."""
    found = []
    for one in rounds:
        if one.broker != now.broker or one.at >= now.at:
            continue
        for move in one.decided:
            done = next(
                (
                    when
                    for when, owner in known.owners.get(move.bundle, ())
                    if one.at <= when <= min(one.at + UNLOADED_IN, now.at)
                    and owner is not None
                    and owner != move.source
                ),
                None,
            )
            if done is not None:
                found.append((str(move.bundle), str(move.source), done))
    return found


def hits_before(rounds: Sequence[Round], now: Round, threshold: int) -> list[int]:
    """The count before a round, by the log; every one that matters if it is not known."""
    if now.first:
        return [0]
    for one in reversed([one for one in rounds if one.broker == now.broker and one.at < now.at]):
        if one.moves:
            return [0]
        if one.hits is not None:
            return [one.hits]
        if one.measured:
            return [threshold + 1]  # it went on beyond the count, and moved nothing
        if one.first:
            return [0]
    return list(range(threshold + 2))


def list_readings(
    now: Round, rounds: Sequence[Round], known: Known, rules: TransferRules, grace_minutes: int
) -> Iterator[Reading]:
    """The ways to read a round, likeliest first; none if a broker has no report at all."""
    brokers = sorted({*known.loads, *(now.there or now.brokers)})
    # When the leader was first seen to lead; long ago if that is not recorded.
    led = max((when for when in known.led if when <= now.at + AHEAD), default=-sys.maxsize)
    loads = [
        list_options(known.loads.get(broker, ()), now.at, led, f"of {broker}") for broker in brokers
    ]
    tops = [
        list_options(known.tops.get(broker, ()), now.at, led, f"of {broker}'s list")
        for broker in brokers
    ]
    removed = find_unloaded(rounds, now, known)
    ways = product(hits_before(rounds, now, max(rules.hit_threshold, 0)), NOTED, *loads, *tops)
    ordered = sorted(
        islice(ways, MOST * 16),
        key=lambda way: ((sum((1 for word, _ in way[2:] if word)) + (1 if way[1] else 0)), way[1]),
    )
    for hits, late, *reported in islice(ordered, MOST):
        reports = reported[: len(brokers)]
        lists = reported[len(brokers) :]
        view = TransferView(
            now.at,
            tuple(map(BrokerId, now.there if now.there is not None else now.brokers)),
            tuple(
                report_of(broker, load, top, known, now.at)
                for broker, (_, load), (_, top) in zip(brokers, reports, lists, strict=True)
                if load is not None
            ),
            *find_recent_unloads(removed, now.at, late, grace_minutes),
        )
        why = tuple(word for word, _ in reported if word)
        yield Reading(view, hits, why + ((f"unloads noted {late} ms later",) if late else ()))


def list_options(line: Timeline, at: int, led: int, of: str) -> list[tuple[str, Any]]:
    """What may have been known; that nothing was, if nothing is recorded."""
    found = [(f"{word} {of}" if word else "", data) for word, data in list_choices(line, at, led)]
    return found or [("", None)]


def find_recent_unloads(
    removed: Sequence[tuple[str, str, int]], now: int, late: int, grace_minutes: int
) -> tuple[tuple[BundleName, ...], tuple[LastUnload, ...]]:
    """What the strategy is informed of earlier unloads (SHD-93, SHD-94)."""
    oldest = now - grace_minutes * 60_000
    bundles = dict.fromkeys(BundleName(name) for name, _, at in removed if at + late >= oldest)
    brokers: dict[str, int] = {}
    for _, source, at in removed:
        brokers[source] = max(brokers.get(source, 0), at + late)
    return tuple(bundles), tuple(LastUnload(BrokerId(one), at) for one, at in brokers.items())
