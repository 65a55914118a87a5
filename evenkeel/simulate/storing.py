"""Runs as Parquet tables: `runs`, `moments`, `brokers` and `moves`, one row each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as arrow
from pyarrow import parquet

from evenkeel.simulate.running import Run

Row = dict[str, Any]


def names(run: Run) -> Row:
    """What tells runs apart."""
    balancer = run.job.balancer
    return {
        "scenario": run.job.file.name,
        "strategy": balancer.strategy.value,
        "placement": balancer.placement.value,
        "edition": run.job.edition.name,
        "seed": run.job.seed,
    }


def run_rows(runs: Sequence[Run]) -> Iterator[Row]:
    """A row for each run: its measures. Times in milliseconds, usages as fractions."""
    for run in runs:
        yield {**names(run), **asdict(run.measures)}


def moment_rows(runs: Sequence[Run]) -> Iterator[Row]:
    """A row for each moment of each run."""
    for run in runs:
        for one in run.readings:
            yield {**names(run), **asdict(one)}


def broker_rows(runs: Sequence[Run]) -> Iterator[Row]:
    """A row for each broker at each moment; bytes and messages per second."""
    for run in runs:
        for moment in run.history.moments:
            for gauge in moment.gauges:
                row = {**names(run), "at": moment.at, **asdict(gauge)}
                yield {**row, "bundles": len(gauge.bundles)}


def move_rows(runs: Sequence[Run]) -> Iterator[Row]:
    """A row for each move."""
    for run in runs:
        for moment in run.history.moments:
            for move in moment.moves:
                yield {**names(run), "at": moment.at, **asdict(move)}


def store(runs: Sequence[Run], folder: Path) -> None:
    """Write the four tables into a folder. Raises `OSError`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in (
        ("runs", run_rows(runs)),
        ("moments", moment_rows(runs)),
        ("brokers", broker_rows(runs)),
        ("moves", move_rows(runs)),
    ):
        parquet.write_table(arrow.Table.from_pylist(list(rows)), folder / f"{name}.parquet")
