"""Tables of recorded rates: CSV or Parquet, a row for a bundle at a time.

Columns: `minute`, `bundle`, `msg_rate_in`, `msg_rate_out`, `throughput_in`, `throughput_out`
(bytes per second). A bundle keeps the rates of a row until its next one.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from evenkeel.reference.balancing.curves import Row
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.cluster import MINUTE
from evenkeel.simulate.reading import BadScenarioFile, Reader, brief

RATES: Final = ("msg_rate_in", "msg_rate_out", "throughput_in", "throughput_out")
COLUMNS: Final = ("minute", "bundle", *RATES)


def read_rates(path: Path, table: Reader) -> dict[str, tuple[Row, ...]]:
    """The rows of every bundle in the order of time. Raises `BadScenarioFile`."""
    try:
        rows = list(parquet(path) if path.suffix == ".parquet" else lines(path))
    except (OSError, ValueError, csv.Error) as error:
        raise table.bad("table", f"{path.name} cannot be read ({error})") from error
    if not rows:
        raise table.bad("table", f"{path.name} has no rows")
    bundles: dict[str, list[Row]] = {}
    for index, row in enumerate(rows):
        name, found = row_of(row, f"{path.name}, row {index + 1}", table)
        bundles.setdefault(name, []).append(found)
    return {name: tuple(sorted(own, key=lambda row: row.at)) for name, own in bundles.items()}


def lines(path: Path) -> Iterable[Mapping[str, Any]]:
    """The rows of a CSV file with a header."""
    with path.open(newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file)


def parquet(path: Path) -> Iterable[Mapping[str, Any]]:
    """The rows of a Parquet file."""
    from pyarrow import parquet as files  # noqa: PLC0415 - loads longer than all the rest

    rows: list[dict[str, Any]] = files.read_table(path).to_pylist()
    return rows


def row_of(row: Mapping[str, Any], place: str, table: Reader) -> tuple[str, Row]:
    """One row: whose it is, and what it says."""
    for column in COLUMNS:
        if row.get(column) in {None, ""}:
            raise BadScenarioFile(table.file, table.at("table"), f"{place}: {column} is missing")
    minute, *rates = (number(row, name, place, table) for name in ("minute", *RATES))
    return str(row["bundle"]), Row(round(minute * MINUTE), Traffic(*rates))


def number(row: Mapping[str, Any], column: str, place: str, table: Reader) -> float:
    """A number of a row, 0 or more."""
    try:
        value = float(row[column])
    except (TypeError, ValueError):
        value = math.nan
    if not 0 <= value < math.inf:
        told = f"{place}: {column} must be a number of 0 or more, not {brief(row[column])}"
        raise BadScenarioFile(table.file, table.at("table"), told)
    return value
