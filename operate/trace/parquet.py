"""Logs in Parquet. An event's place is the number of its row, from 0.

PyArrow is needed where this runs; in Spark's workers too. Checksums of pages are verified where
the file has them (`write_page_checksum=True`); without them, damage can look like other events.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evenkeel.operate.trace.lines import Damage
from evenkeel.operate.trace.rows import COLUMNS, NEEDED, Amount, BadLog, BadRow, LoggedBundles

BATCH = 20_000
"""Rows that are read at once."""


@dataclass(frozen=True, slots=True)
class RowGroup:
    """One row group of a file; `first` is the number of its first row."""

    path: str
    number: int
    first: int


@contextmanager
def open_parquet(path: str) -> Iterator[Any]:
    """The open file. Raises `BadLog`."""
    import pyarrow as pa  # noqa: PLC0415 - workers that read JSON lines may not have it
    import pyarrow.parquet as pq  # noqa: PLC0415

    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            yield file
    except (pa.ArrowException, OSError) as error:
        reason = str(error).partition("\n")[0].rstrip(".")
        raise BadLog(f"{path} cannot be read as Parquet: {reason}.") from error


def row_groups(path: Path) -> tuple[list[RowGroup], int]:
    """The row groups of a file and how many rows it has. Raises `BadLog`."""
    found, first = [], 0
    with open_parquet(str(path)) as file:
        require_schema(path, file.schema_arrow)
        for number in range(file.metadata.num_row_groups):
            found.append(RowGroup(str(path), number, first))
            first += file.metadata.row_group(number).num_rows
    return found, first


def require_schema(path: Path, schema: Any) -> None:
    """The columns are there and have their types. Raises `BadLog`."""
    from pyarrow import types  # noqa: PLC0415

    def texts(kind: Any) -> bool:
        kind = kind.value_type if types.is_dictionary(kind) else kind
        return bool(types.is_string(kind) or types.is_large_string(kind))

    requested = {
        "time": (types.is_integer, "integers"),
        "version": (types.is_integer, "integers"),
        "force": (types.is_boolean, "booleans"),
    }
    for column in COLUMNS:
        if column not in schema.names:
            if column in (*NEEDED, "version"):
                raise BadLog(f"{path} has no column {column}.")
            continue
        kind = schema.field(column).type
        fits, words = requested.get(column, (texts, "strings"))
        if not (fits(kind) or (types.is_null(kind) and column not in NEEDED)):
            raise BadLog(f"{path}: column {column} must hold {words}, not {kind}.")


def read_row_group(
    group: RowGroup, bundles: LoggedBundles, reported: Amount = lambda count: None
) -> Damage | None:
    """Read a row group as far as it is in order, reporting the rows read. Raises `BadLog`."""
    place = group.first
    with open_parquet(group.path) as file:
        columns = [name for name in COLUMNS if name in file.schema_arrow.names]
        for batch in file.iter_batches(BATCH, row_groups=[group.number], columns=columns):
            try:
                values = [batch.column(name).to_pylist() for name in columns]
            except UnicodeDecodeError as error:
                raise BadLog(f"{group.path}: text that is no UTF-8 behind row {place}.") from error
            for row in zip(*values, strict=True):
                try:
                    bundles.add(dict(zip(columns, row, strict=True)), place)
                except BadRow as bad:
                    return Damage(place, str(bad))
                place += 1
            reported(batch.num_rows)
    return None
