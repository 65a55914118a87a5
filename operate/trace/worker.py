"""What runs in a Spark worker: reading a piece of a log, and judging the bundles of a partition."""

from __future__ import annotations

import marshal
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from evenkeel.operate.trace.judging import add_findings, judge_each
from evenkeel.operate.trace.lines import Damage
from evenkeel.operate.trace.rows import Amount, BadLog, EventRow, LoggedBundles
from evenkeel.operate.trace.source import Task, read_task
from evenkeel.properties.ownership.trace import Finding, Rules, TraceVerdict
from evenkeel.reference.edition import EDITIONS
from evenkeel.reference.ownership.records import Storage


@dataclass(frozen=True, slots=True)
class TraceOrder:
    """The rules in words, so that they travel well."""

    storage: str
    edition: str
    skew: int

    @property
    def rules(self) -> Rules:
        """The rules."""
        return Rules(Storage(self.storage), EDITIONS[self.edition], self.skew)


@dataclass(frozen=True, slots=True)
class Header:
    """What one task read: which bundles, how much, and what was wrong."""

    bundles: tuple[str, ...]
    events: int
    damage: Damage | None
    error: str | None


class Count:
    """Adds to a Spark accumulator."""

    def __init__(self, accumulator: Any) -> None:
        self._accumulator = accumulator

    def __call__(self, amount: int) -> None:
        """So much more is done."""
        self._accumulator.add(amount)


def headers_of(blocks: Iterable[tuple[int, Header]]) -> list[Header]:
    """The headers, from the partition that has them."""
    return [header for _, header in blocks]


def partition_of(bundle: str, partitions: int) -> int:
    """The partition in which a bundle is judged."""
    return zlib.crc32(bundle.encode("utf-8", "surrogatepass")) % partitions


def read_tasks(
    partitions: int, reported: Amount, tasks: Iterable[Iterable[Task]]
) -> Iterator[tuple[int, Any]]:
    """Read pieces; the rows go to the partitions of their bundles, a header to the one after."""
    for task in chain.from_iterable(tasks):
        bundles, damage, error = LoggedBundles(), None, None
        try:
            damage = read_task(task, bundles, reported)
        except BadLog as bad:
            error = str(bad)
        events = sum(map(len, bundles.rows.values()))
        yield partitions, Header(tuple(bundles.rows), events, damage, error)
        parts: dict[int, dict[str, list[EventRow]]] = {}
        for bundle, rows in bundles.rows.items():
            parts.setdefault(partition_of(bundle, partitions), {})[bundle] = rows
        yield from ((number, marshal.dumps(part)) for number, part in parts.items())


def rows_of(blocks: Iterable[tuple[int, bytes]]) -> dict[str, list[EventRow]]:
    """The rows of a partition by bundle."""
    bundles = LoggedBundles()
    for _, block in blocks:
        bundles.merge(marshal.loads(block))
    return bundles.rows


def judge_partition(
    order: TraceOrder,
    overlap: frozenset[str],
    reported: Amount,
    blocks: Iterable[tuple[int, bytes]],
) -> list[TraceVerdict]:
    """Judge each bundle of a partition."""
    return list(judge_each(rows_of(blocks), order.rules, overlap, reported).values())


def add_to_partition(
    verdicts: Mapping[str, TraceVerdict],
    found: Mapping[str, Finding],
    blocks: Iterable[tuple[int, bytes]],
) -> list[TraceVerdict]:
    """Add findings to the bundles of a partition that have some."""
    rows = {name: rows for name, rows in rows_of(blocks).items() if name in found}
    return add_findings(rows, verdicts, found)
