"""Tables of recorded rates: CSV or Parquet, a row for a bundle at a time.

Columns: `minute`, `bundle`, `msg_rate_in`, `msg_rate_out`, `throughput_in`, `throughput_out`
(bytes per second). A bundle keeps the rates of a row until its next one.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from evenkeel.operate.simulate.reading import BadScenarioFile, Reader
from evenkeel.reference.balancing.curves import Row
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.cluster import MINUTE
from evenkeel_engine.files import why_unreadable
from evenkeel_engine.kit.codec import abbreviate

RATES: Final = ("msg_rate_in", "msg_rate_out", "throughput_in", "throughput_out")
BUNDLE: Final = re.compile(r"[-=:.\w]+")
COLUMNS: Final = ("minute", "bundle", *RATES)
LARGEST_RATE: Final = 1e15
"""Messages or bytes per second of a bundle; all that is computed of such ones is finite."""
LATEST: Final = 1e9
"""The last minute that a row may be for."""


def read_rates(path: Path, table: Reader) -> dict[str, tuple[Row, ...]]:
    """The rows of every bundle in the order of time. Raises `BadScenarioFile`."""
    try:
        rows = list(read_parquet(path) if path.suffix.lower() == ".parquet" else read_csv(path))
    except (OSError, ValueError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise table.bad("table", f"{path.name} cannot be read ({reason})") from error
    if not rows:
        raise table.bad("table", f"{path.name} has no rows")
    bundles: dict[str, list[Row]] = {}
    for index, row in enumerate(rows):
        name, found = row_of(row, f"{path.name}, row {index + 1}", table)
        bundles.setdefault(name, []).append(found)
    return {name: in_order(name, own, path, table) for name, own in bundles.items()}


def in_order(bundle: str, rows: list[Row], path: Path, table: Reader) -> tuple[Row, ...]:
    """A bundle's rows in the order of time, one for a time."""
    found = tuple(sorted(rows, key=lambda row: row.at))
    for before, after in pairwise(found):
        if before.at == after.at:
            reported = f"two rows of {bundle} for minute {after.at / MINUTE:g}"
            raise table.bad("table", f"{path.name} has {reported}")
    return found


def require_regular(path: Path) -> None:
    """Raises ValueError where the file cannot be read whole."""
    if why := why_unreadable(path):
        raise ValueError(f"it {why}")


def read_csv(path: Path) -> Iterable[Mapping[str, Any]]:
    """The rows of a CSV file with a header."""
    require_regular(path)
    with path.open(newline="", encoding="utf-8-sig") as file:
        reader = csv.DictReader(file)
        for column in COLUMNS:
            if column not in (reader.fieldnames or ()):
                raise ValueError(f"its first line has no column {column}")
        for index, row in enumerate(reader, 1):
            if None in row:
                raise ValueError(f"row {index} has more cells than the first line")
            yield row


def read_parquet(path: Path) -> Iterable[Mapping[str, Any]]:
    """The rows of a Parquet file."""
    from pyarrow import ArrowException  # noqa: PLC0415 - loads longer than all the rest
    from pyarrow import parquet as files  # noqa: PLC0415 - the same

    require_regular(path)
    try:
        with path.open("rb") as file:
            rows: list[dict[str, Any]] = files.read_table(file).to_pylist()
    except ArrowException as error:
        raise ValueError(str(error).partition("\n")[0]) from error
    return rows


def row_of(row: Mapping[str, Any], place: str, table: Reader) -> tuple[str, Row]:
    """One row: whose it is, and what it says."""
    for column in COLUMNS:
        if row.get(column) in (None, ""):  # a cell of Parquet may be a list, which no set has
            raise BadScenarioFile(table.file, table.at("table"), f"{place}: {column} is missing")
    if not BUNDLE.fullmatch(str(row["bundle"])):
        reported = f"{place}: bundle must be a word without spaces, not {abbreviate(row['bundle'])}"
        raise BadScenarioFile(table.file, table.at("table"), reported)
    minute = read_rate(row, "minute", LATEST, place, table)
    rates = (read_rate(row, name, LARGEST_RATE, place, table) for name in RATES)
    return str(row["bundle"]), Row(round(minute * MINUTE), Traffic(*rates))


def read_rate(row: Mapping[str, Any], column: str, most: float, place: str, table: Reader) -> float:
    """A number of a row, from 0 to `most`."""
    try:
        value = math.nan if isinstance(row[column], bool) else float(row[column])
    except (TypeError, ValueError, OverflowError):
        value = math.nan
    if not 0 <= value < math.inf:
        reported = f"{place}: {column} must be a number of 0 or more, not {abbreviate(row[column])}"
        raise BadScenarioFile(table.file, table.at("table"), reported)
    if value > most:
        reported = f"{place}: {column} must be {most:g} at most, not {value:g}"
        raise BadScenarioFile(table.file, table.at("table"), reported)
    return value
