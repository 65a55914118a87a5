"""Rounds of TransferShedder as the leader's log tells of them, in debug mode: who was there, the
loads' sum and deviation, the rounds in a row with a cause, and what was decided.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from evenkeel.reference.shedding.cluster import BrokerId, BundleName
from evenkeel.reference.shedding.transfer import TransferMove, TransferReason

_TIME: Final = re.compile(r"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d,\d{3}[+-]\d{4}) ")
_THERE: Final = re.compile(r"UnloadScheduler - Available brokers: \[([^\]]*)\]")
_STATS: Final = re.compile(
    r"load stats:sum:(\S+), sqSum:\S+, avg:(\S+), std:(\S+), totalBrokers:\d+, "
    r"brokersSortedByLoad:\[([^\]]*)\]"
)
_HITS: Final = re.compile(r"hit count:(\d+) is less than or equal to the threshold:(\d+)")
_SKIPPED: Final = re.compile(r"Skipped the load stat update\. Reason:(\w+)")
_STARTED: Final = "Created namespace unload strategy"
_RESULT: Final = re.compile(r"\[TransferShedder\] Unload decision result: \[(.*)")
_MOVE: Final = re.compile(
    r"sourceBroker=([^,\]]+), serviceUnit=([^,\]]+), destBroker=Optional(?:\[([^\]]+)\]|\.empty)"
    r".*?label=(\w+), reason=(\w+)"
)


@dataclass(slots=True)
class Round:
    """One round of the leader: what it says of loads, of hits, and what it decides."""

    broker: str
    at: int
    total: float = math.nan
    average: float = math.nan
    deviation: float = math.nan
    brokers: tuple[str, ...] = ()
    """From the least to the most loaded."""
    there: tuple[str, ...] | None = None
    """The registered ones, if the log tells."""
    hits: int | None = None
    threshold: int | None = None
    skipped: TransferReason | None = None
    """Why no load was looked at, if none was."""
    moves: bool = False
    decided: tuple[TransferMove, ...] = ()
    cut: bool = False
    """The line of the result was too long to be recorded whole."""
    first: bool = False
    """Of a broker that has just started, and counts from nothing."""
    ended: bool = False

    @property
    def measured(self) -> bool:
        """Whether the leader reported loads."""
        return bool(self.brokers)


def time_of(line: str) -> int | None:
    """When a line was logged, in ms."""
    if (found := _TIME.match(line)) is None:
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
        if (at := time_of(line)) is None:
            continue
        there, stats = _THERE.search(line), _STATS.search(line)
        if there is not None or (stats is not None and broker not in open_):
            open_[broker] = Round(broker, at, first=broker in new)
            new.discard(broker)
            found.append(open_[broker])
        if broker in open_:
            one = open_[broker]
            if there is not None:
                one.there = names_in(there[1])
            if take(one, line):
                del open_[broker]
    return found


def take(one: Round, line: str) -> bool:
    """What a line adds to the round; whether it is the round's last."""
    if (stats := _STATS.search(line)) is not None:
        if one.measured:
            return False  # what is to be expected after the moves
        one.total, one.average, one.deviation = map(parse_java_number, stats.group(1, 2, 3))
        one.brokers = names_in(stats[4])
    elif (hits := _HITS.search(line)) is not None:
        one.hits, one.threshold = int(hits[1]), int(hits[2])
    elif (skipped := _SKIPPED.search(line)) is not None:
        one.skipped = parse_reason(skipped[1])
    elif (result := _RESULT.search(line)) is not None:
        one.moves = not result[1].startswith("]")
        one.decided = tuple(moves_in(result[1]))
        one.cut = not line.endswith("]")
        one.ended = True
    return one.ended


def moves_in(text: str) -> Iterator[TransferMove]:
    """The moves in a result."""
    for source, bundle, destination, _, why in _MOVE.findall(text):
        if (reported := parse_reason(why)) is not None:
            taker = BrokerId(destination) if destination else None
            yield TransferMove(BrokerId(source), BundleName(bundle), taker, reported)


def names_in(text: str) -> tuple[str, ...]:
    """Names with commas between them."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def parse_reason(text: str) -> TransferReason | None:
    """A reason by Pulsar's name."""
    return next((one for one in TransferReason if one.value == text), None)


def parse_java_number(text: str) -> float:
    """A number as Java writes it."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return math.nan
