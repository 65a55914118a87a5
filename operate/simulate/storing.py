"""Runs as Parquet tables: `runs`, `moments`, `brokers` and `moves`, one row each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Final, get_args, get_origin, get_type_hints

import pyarrow as arrow
from pyarrow import parquet

from evenkeel.operate.simulate.running import Run
from evenkeel.reference.balancing.history import Gauge, Move
from evenkeel.reference.balancing.measures import Measurement, Measures
from evenkeel_engine.files import replace_file

TableRow = dict[str, Any]


def list_brokers(run: Run) -> Iterator[TableRow]:
    """A row for each broker at each moment; bytes and messages per second."""
    for moment in run.history.moments:
        for gauge in moment.gauges:
            yield {"at": moment.at, **asdict(gauge), "bundles": len(gauge.bundles)}


def list_moves(run: Run) -> Iterator[TableRow]:
    """A row for each move."""
    for moment in run.history.moments:
        yield from ({"at": moment.at, **asdict(move)} for move in moment.moves)


ROWS: Final[dict[str, Callable[[Run], Iterable[TableRow]]]] = {
    "runs": lambda run: [asdict(run.measures)],
    "moments": lambda run: map(asdict, run.readings),
    "brokers": list_brokers,
    "moves": list_moves,
}
"""Each table's rows of a run. Times in milliseconds, usages as fractions."""


def store(runs: Sequence[Run], folder: Path) -> None:
    """Write the four tables into a folder. Raises `Unwritable`."""
    for name, rows_of in ROWS.items():
        rows = [
            {**run.identity, "seed": run.job.seed, **row} for run in runs for row in rows_of(run)
        ]
        table = arrow.Table.from_pylist(rows, schema=SCHEMAS[name])
        with replace_file(folder / f"{name}.parquet", folders=True) as file:
            parquet.write_table(table, file, write_page_checksum=True)


# ------------------------------------------------------------------------------------ columns


def list_columns(kind: type) -> list[tuple[str, arrow.DataType]]:
    """A column for each field of a dataclass; one that may be None may be null."""
    hints = get_type_hints(kind)
    return [(field.name, column_type(hints[field.name])) for field in fields(kind)]


def column_type(hint: Any) -> arrow.DataType:
    """What a field's values are stored as; of a tuple, how many there are."""
    if get_origin(hint) is tuple:
        return arrow.int64()
    plain = [part for part in get_args(hint) if part is not type(None)] or [hint]
    return TYPES[getattr(plain[0], "__supertype__", plain[0])]


TYPES: Final = {
    str: arrow.string(),
    bool: arrow.bool_(),
    int: arrow.int64(),
    float: arrow.float64(),
}
NAMES: Final = [
    *((name, arrow.string()) for name in ("scenario", "strategy", "placement", "edition")),
    ("seed", arrow.int64()),
]
AT: Final = ("at", arrow.int64())
SCHEMAS: Final = {
    "runs": arrow.schema([*NAMES, *list_columns(Measures)]),
    "moments": arrow.schema([*NAMES, *list_columns(Measurement)]),
    "brokers": arrow.schema([*NAMES, AT, *list_columns(Gauge)]),
    "moves": arrow.schema([*NAMES, AT, *list_columns(Move)]),
}
"""The columns of each table, the same whatever the runs."""
