"""Names of brokers in scenario files: `{n}` makes many, `{1..20}` means many."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from evenkeel.operate.simulate.reading import Reader
from evenkeel.reference.shedding.cluster import BrokerId
from evenkeel_engine.kit.codec import abbreviate

MOST_OF_ONE: Final = 10_000
"""Brokers or bundles of one table."""
RANGE: Final = re.compile(r"\{(\d{1,6})\.\.(\d{1,6})\}")


def number_names(table: Reader, name: str) -> Iterator[str]:
    """Names with their numbers, from 1; one without a number if there is no count."""
    count = table.whole("count", 1, least=1, most=MOST_OF_ONE)
    if count > 1 and "{n}" not in name:
        raise table.bad("count", f"needs {{n}} in the name, but it is {name}")
    yield from (name.replace("{n}", str(number)) for number in range(1, count + 1))


def expand_name(table: Reader, key: str, name: str) -> list[str]:
    """The names that one with a range means: `broker-{2..4}` are three."""
    if not (ranges := RANGE.findall(name)):
        return [name]
    first, last = map(int, ranges[0])
    if len(ranges) > 1:
        raise table.bad(key, f"must have one range at most, not {abbreviate(name)}")
    if last < first or last - first >= MOST_OF_ONE:
        raise table.bad(key, f"must go upwards, {MOST_OF_ONE} at most, not {abbreviate(name)}")
    return [RANGE.sub(str(number), name) for number in range(first, last + 1)]


def brokers_resolved(
    table: Reader, key: str, names: Sequence[str], known: Sequence[BrokerId], wrong: str
) -> list[BrokerId]:
    """The brokers that names mean, each of which must be known."""
    found = [name for given in names for name in expand_name(table, key, given)]
    there = set(known)
    for name in found:
        if name not in there:
            raise table.bad(key, f"{name} is {wrong}")
    return [BrokerId(name) for name in found]
