"""Judging TransferShedder's rounds, as the leader's own log tells of them, and against the reports
that were recorded.

Reports go over topics that keep nothing, so that the recorder may have missed one, and the leader
may have read one late: where the recorded reports do not explain what the leader says of them,
that is counted, and no verdict. How rounds are counted and what follows needs the log alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final

from evenkeel.operate.recording.entries import Entry
from evenkeel.operate.recording.findings import Found
from evenkeel.operate.recording.leaderlog import Round, rounds_of

LOAD: Final = "weightedMaxEMA"
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
ReportsOf = dict[str, list[tuple[int, float | None]]]
"""Broker: when it reported, and its load; None: it took its report away."""


@dataclass(slots=True)
class Shedding:
    """What was found about rounds."""

    rounds: list[Round] = field(default_factory=list)
    explained: int = 0
    """Rounds whose loads are those of recorded reports."""
    found: list[Found] = field(default_factory=list)


def judge_rounds(rounds: Iterable[Round], target: float) -> list[Found]:
    """Hits are counted from round to round, and nothing moves before enough of them (SHD-55)."""
    found: list[Found] = []
    before: dict[str, Round] = {}
    for one in rounds:
        if not one.measured:
            continue  # without data the count stands still
        earlier = before.get(one.broker)
        before[one.broker] = one
        if one.moves and one.hits is not None:
            found.append(
                report_wrong(one, f"bundles are moved after {one.hits} rounds with a cause")
            )
        if one.hits is None or (earlier is None and not one.first):
            continue
        known = 0 if earlier is None or one.first or earlier.moves else earlier.hits
        if known is None:
            continue  # the round before was ended for want of something else
        if one.hits not in (0, known + 1):
            found.append(report_wrong(one, f"the count goes from {known} to {one.hits}"))
        elif one.hits == 0 and one.deviation > target + SHOWN:
            found.append(
                report_wrong(
                    one, f"the count begins again, with a deviation of {one.deviation} > {target}"
                )
            )
    return found


def report_wrong(one: Round, sentence: str) -> Found:
    """A violation in a round."""
    return Found("shedding", one.broker, sentence, one.at, one.at, "SHD-55")


def reports_of(entries: Iterable[Entry]) -> ReportsOf:
    """The loads that brokers reported."""
    found: ReportsOf = {}
    for entry in entries:
        if entry.broker is not None:
            load = None if entry.data is None else entry.data.get(LOAD)
            at = entry.time if entry.clock is None else entry.clock
            found.setdefault(entry.broker, []).append((at, load))
    return found


def find_candidates(reports: ReportsOf, broker: str, at: int) -> list[float]:
    """The loads that the leader may have known of a broker at this time."""
    of_broker = [one for one in reports.get(broker, []) if one[0] <= at + AHEAD]
    last = max((one[0] for one in of_broker if one[0] <= at - LATE), default=None)
    return [
        load for when, load in of_broker if load is not None and (when > at - LATE or when == last)
    ]


def explains(reports: ReportsOf, one: Round) -> bool:
    """Whether recorded reports have the sum and the deviation that the leader logged (SHD-52)."""
    known = [find_candidates(reports, broker, one.at) for broker in one.brokers]
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
            load = None if entry.data is None else {LOAD: entry.data.get(LOAD)}
            loads.append(entry._replace(data=load))
        elif entry.broker is not None:
            lines.append((entry.broker, entry.data))
    measured = [one for one in rounds_of(lines) if one.measured]
    found, reports = Shedding(measured), reports_of(loads)
    found.explained = sum(explains(reports, one) for one in measured)
    found.found = judge_rounds(found.rounds, float(settings.get(TARGET, DEFAULT_TARGET)))
    return found
