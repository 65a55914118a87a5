"""Judging TransferShedder's rounds, as the leader's own log tells of them, and against the reports
that were recorded.

Reports go over topics that keep nothing, so that the recorder may have missed one, and the leader
may have read one late: where the recorded reports do not explain what the leader says of them,
that is counted, and no verdict. How rounds are counted and what follows needs the log alone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from itertools import product
from typing import Any, Final

from evenkeel.recording.entries import Entry
from evenkeel.recording.findings import Found

TARGET: Final = "loadBalancerBrokerLoadTargetStd"
DEFAULT_TARGET: Final = 0.25
SHOWN: Final = 0.0051
"""The log shows two digits."""
LATE: Final = 10_000
"""Milliseconds by which the leader may be late in reading reports."""
AHEAD: Final = 1_000
"""Milliseconds by which brokers' clocks may differ."""
MOST: Final = 2_000
"""Combinations of reports that are tried at most."""
_TIME: Final = re.compile(r"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d,\d{3}[+-]\d{4}) ")
_STATS: Final = re.compile(
    r"load stats:sum:(\S+), sqSum:\S+, avg:(\S+), std:(\S+), totalBrokers:\d+, "
    r"brokersSortedByLoad:\[([^\]]*)\]"
)
_HITS: Final = re.compile(r"hit count:(\d+) is less than or equal to the threshold:(\d+)")
_STARTED: Final = "Created namespace unload strategy"
_RESULT: Final = re.compile(r"\[TransferShedder\] Unload decision result: \[(.*)")

Reports = dict[str, list[tuple[int, float | None]]]
"""Broker: when it reported, and its load; None: it took its report away."""


@dataclass(slots=True)
class Round:
    """One round of the leader: what it says of loads, of hits, and what it decides."""

    broker: str
    at: int
    total: float
    deviation: float
    brokers: tuple[str, ...]
    hits: int | None = None
    threshold: int | None = None
    moves: bool = False
    first: bool = False
    """Of a broker that has just started, and counts from nothing."""


@dataclass(slots=True)
class Shedding:
    """What was found about rounds."""

    rounds: list[Round] = field(default_factory=list)
    explained: int = 0
    """Rounds whose loads are those of recorded reports."""
    found: list[Found] = field(default_factory=list)


def time_of(line: str) -> int | None:
    """When a line was logged, in ms."""
    found = _TIME.match(line)
    if found is None:
        return None
    return int(datetime.strptime(found[1], "%Y-%m-%dT%H:%M:%S,%f%z").timestamp() * 1000)


def rounds_of(lines: Iterable[tuple[str, str]]) -> list[Round]:
    """The rounds in lines of logs, each with the broker whose log it is in."""
    found: list[Round] = []
    open_: dict[str, Round] = {}
    new: set[str] = set()
    for broker, line in lines:
        if _STARTED in line:
            new.add(broker)
        at = time_of(line)
        if at is not None and (stats := _STATS.search(line)) is not None:
            names = tuple(name.strip() for name in stats[4].split(",") if name.strip())
            open_[broker] = Round(broker, at, number(stats[1]), number(stats[3]), names)
            open_[broker].first = broker in new
            new.discard(broker)
            found.append(open_[broker])
        elif broker in open_ and (hits := _HITS.search(line)) is not None:
            open_[broker].hits, open_[broker].threshold = int(hits[1]), int(hits[2])
        elif (result := _RESULT.search(line)) is not None and broker in open_:
            open_.pop(broker).moves = not result[1].startswith("]")
    return found


def number(text: str) -> float:
    """A number as Java writes it."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return math.nan


def judge_rounds(rounds: Iterable[Round], target: float) -> list[Found]:
    """Hits are counted from round to round, and nothing moves before enough of them (SHD-55)."""
    found: list[Found] = []
    before: dict[str, Round] = {}
    for one in rounds:
        earlier = before.get(one.broker)
        before[one.broker] = one
        if one.moves and one.hits is not None:
            found.append(wrong(one, f"bundles are moved after {one.hits} rounds with a cause"))
        if one.hits is None or (earlier is None and not one.first):
            continue
        known = 0 if earlier is None or one.first or earlier.moves else earlier.hits
        if known is None:
            continue  # the round before was ended for want of something else
        if one.hits not in (0, known + 1):
            found.append(wrong(one, f"the count goes from {known} to {one.hits}"))
        elif one.hits == 0 and one.deviation > target + SHOWN:
            found.append(
                wrong(one, f"the count begins anew, with a deviation of {one.deviation} > {target}")
            )
    return found


def wrong(one: Round, sentence: str) -> Found:
    """A round that is not as it should be."""
    return Found("shedding", one.broker, sentence, one.at, one.at, "SHD-55")


def reports_of(entries: Iterable[Entry]) -> Reports:
    """The loads that brokers reported."""
    found: Reports = {}
    for entry in entries:
        if entry.broker is not None:
            load = None if entry.data is None else entry.data.get("weightedMaxEMA")
            at = entry.time if entry.clock is None else entry.clock
            found.setdefault(entry.broker, []).append((at, load))
    return found


def candidates(reports: Reports, broker: str, at: int) -> list[float]:
    """The loads that the leader may have known of a broker at this time."""
    of_broker = [one for one in reports.get(broker, []) if one[0] <= at + AHEAD]
    last = max((one[0] for one in of_broker if one[0] <= at - LATE), default=None)
    return [
        load for when, load in of_broker if load is not None and (when > at - LATE or when == last)
    ]


def explains(reports: Reports, one: Round) -> bool:
    """Whether recorded reports have the sum and the deviation that the leader told (SHD-52)."""
    known = [candidates(reports, broker, one.at) for broker in one.brokers]
    if math.prod(map(len, known)) not in range(1, MOST + 1):
        return False
    return any(fits(loads, one) for loads in product(*known))


def fits(loads: tuple[float, ...], one: Round) -> bool:
    """Whether these loads are those of the round."""
    average = sum(loads) / len(loads)
    deviation = math.sqrt(sum((load - average) ** 2 for load in loads) / len(loads))
    same = abs(sum(loads) - one.total) <= SHOWN * len(loads)
    return same and (math.isnan(one.deviation) or abs(deviation - one.deviation) <= 2 * SHOWN)


def judge_shedding(entries: Iterable[Entry], settings: dict[str, Any]) -> Shedding:
    """All that logs and reports tell."""
    lines: list[tuple[str, str]] = []
    loads: list[Entry] = []
    for entry in entries:
        if entry.source == "load":
            loads.append(entry)
        elif entry.broker is not None:
            lines.append((entry.broker, entry.data))
    found, reports = Shedding(rounds_of(lines)), reports_of(loads)
    found.explained = sum(explains(reports, one) for one in found.rounds)
    found.found = judge_rounds(found.rounds, float(settings.get(TARGET, DEFAULT_TARGET)))
    return found
