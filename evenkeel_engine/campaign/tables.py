"""The tables of a campaign: their columns, their rows, and how to read them.

Each finished table has in every row also its campaign, subject and edition, and in its metadata the
version of this form, so that tables of many campaigns can be combined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from evenkeel_engine.campaign.errors import CampaignUnusable
from evenkeel_engine.campaign.worker import Summary
from evenkeel_engine.check.seeded import Block
from evenkeel_engine.check.tally import Found, Tally
from evenkeel_engine.files import replace_file, why_unreadable
from evenkeel_engine.kit.draw import Generator

FORMAT: Final = "evenkeel campaign 3"
_PLACE: Final = ("question", "seed", "generator", "index")
_FOUND: Final = (*_PLACE, "size", "clause", "kind", "sentence")
COLUMNS: Final[dict[str, tuple[str, ...]]] = {
    "tally": ("clause", "status", "count"),
    "labels": ("question", "label", "count"),
    "failures": (*_PLACE, "clause", "kind", "status", "signature"),
    "signatures": ("signature", "count", *_FOUND),
    "differing": (*_PLACE, "size", "kind", "count"),
    "answers": (*_PLACE, "trial", "observation"),
    "blocks": (*_PLACE[:3], "start", "count", "trials", "commands", "seconds", "worker"),
    "unanswered": ("question", "status", "reason", "count"),
}
"""Every table, every column; docs/how-to/campaign-on-a-cluster.md says what each holds."""

_NUMBERS: Final = ("count", "seed", "index", "size", "start", "trials", "commands")
_TYPES: Final = {"seconds": pa.float64(), **dict.fromkeys(_NUMBERS, pa.int64())}
SCHEMAS: Final = {
    table: pa.schema([(name, _TYPES.get(name, pa.string())) for name in columns])
    for table, columns in COLUMNS.items()
}
"""The tables while a campaign runs; finished ones begin with those of `Common`."""

ORDER: Final = {
    "failures": ("question", "seed", "index", "clause", "kind"),
    "answers": ("question", "seed", "index"),
}
"""Tables that are put together from parts, and by what they are sorted."""

TableRow = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Common:
    """The columns of every row of every finished table."""

    campaign: str
    subject: str
    edition: str


_DIFFERING: Final = (*_PLACE, "size", "kind")


def tally_rows(tally: Tally) -> dict[str, list[TableRow]]:
    """The rows of all tables but `failures` and `blocks`."""
    return {
        "tally": _count_rows(("clause", "status"), tally.verdicts),
        "labels": _count_rows(("question", "label"), tally.labels),
        "signatures": [
            {"signature": signature, "count": tally.failures[signature], **_values(found, _FOUND)}
            for signature, found in sorted(tally.smallest.items())
        ],
        "differing": [
            {"count": count, **_values(tally.least[key], _DIFFERING)}
            for key, count in sorted(tally.differing.items())
        ],
        "unanswered": [
            {**row, "status": status}
            for status, counts in (("skipped", tally.skipped), ("errored", tally.errored))
            for row in _count_rows(("question", "reason"), counts)
        ],
    }


def _count_rows(names: tuple[str, str], counts: Counter[tuple[str, str]]) -> list[TableRow]:
    return [
        {names[0]: one, names[1]: other, "count": count}
        for (one, other), count in sorted(counts.items())
    ]


def _values(record: object, names: Iterable[str]) -> TableRow:
    return {name: getattr(record, name) for name in names}


def place_row(block: Block) -> TableRow:
    """The columns that say of which trials a block is."""
    return {"question": block.question, "seed": block.seed, "generator": block.generator.value}


def block_of(row: TableRow) -> Block:
    """The block that a row of `blocks` is about."""
    generator = Generator(row["generator"])
    return Block(row["question"], row["seed"], row["start"], row["count"], generator)


def answer_rows(summary: Summary) -> Iterator[TableRow]:
    """A row per stored answer of a block."""
    for stored in summary.stored:
        yield {**place_row(summary.block), **_values(stored, ("index", "trial", "observation"))}


def block_row(summary: Summary) -> TableRow:
    """A block's row."""
    block = summary.block
    return {
        **place_row(block),
        "start": block.start,
        "count": block.count,
        "trials": sum(summary.tally.trials.values()),
        "commands": sum(summary.tally.commands.values()),
        "seconds": summary.seconds,
        "worker": summary.worker,
    }


def failure_rows(summary: Summary) -> Iterator[TableRow]:
    """A row per failed verdict of a block."""
    for failure in summary.failures:
        verdict = _values(failure.verdict, ("clause", "kind", "status", "signature"))
        yield {**place_row(summary.block), "index": failure.index, **verdict}


def read_table(folder: Path, table: str, below: int | None = None) -> pa.Table:
    """One table, perhaps only indices `below`. Raises `CampaignUnusable` where it is damaged."""
    some = None if below is None else [("index", "<", below)]
    path = folder / f"{table}.parquet"
    try:
        if why := why_unreadable(path, None):
            raise CampaignUnusable(f"The table {path} {why}.")
        whole = pq.read_table(
            path, columns=list(COLUMNS[table]), filters=some, page_checksum_verification=True
        ).cast(SCHEMAS[table])
        whole.validate(full=True)
        if any(column.null_count for column in whole.columns):
            raise ValueError("a value is missing")
        if "generator" in whole.column_names:
            list(map(Generator, whole["generator"].unique().to_pylist()))
    except (pa.ArrowException, OSError, ValueError, KeyError) as error:
        reason = " ".join(str(error).split())
        raise CampaignUnusable(f"The table {path} cannot be read: {reason}") from error
    return whole


def read_rows(folder: Path, table: str, below: int | None = None) -> list[TableRow]:
    """The rows of `read_table`. Raises `CampaignUnusable`."""
    rows: list[TableRow] = read_table(folder, table, below).to_pylist()
    return rows


def sum_seconds(folder: Path) -> dict[str, float]:
    """How long the blocks of each question took, over all workers. Raises `CampaignUnusable`."""
    seconds: dict[str, float] = {}
    for row in read_rows(folder, "blocks"):
        seconds[row["question"]] = seconds.get(row["question"], 0.0) + row["seconds"]
    return seconds


def found_of(row: TableRow) -> Found:
    """The smallest trial that a row is about."""
    return Found(**{**row, "generator": Generator(row["generator"])})


def read_tally(folder: Path) -> Tally:
    """The tally that the tables of a folder hold. Raises `CampaignUnusable`."""
    tally = Tally()
    for row in read_rows(folder, "tally"):
        tally.verdicts[row["clause"], row["status"]] = row["count"]
    for row in read_rows(folder, "labels"):
        tally.labels[row["question"], row["label"]] = row["count"]
    for row in read_rows(folder, "unanswered"):
        counts = tally.skipped if row["status"] == "skipped" else tally.errored
        counts[row["question"], row["reason"]] = row["count"]
    for row in read_rows(folder, "signatures"):
        signature = row.pop("signature")
        tally.failures[signature] = row.pop("count")
        tally.smallest[signature] = found_of(row)
    for row in read_rows(folder, "differing"):
        key = (row["question"], row["kind"])
        tally.differing[key] = row.pop("count")
        tally.least[key] = found_of({**row, "clause": "", "sentence": ""})
    for row in read_rows(folder, "blocks"):
        tally.trials[row["question"]] += row["trials"]
        tally.commands[row["question"]] += row["commands"]
    return tally


def planned_rows(rows: Iterable[TableRow], blocks: Iterable[Block]) -> list[TableRow]:
    """Rows of pieces of blocks put together to rows of the planned blocks."""
    pieces: dict[tuple[str, int], list[TableRow]] = {}
    for row in sorted(rows, key=lambda row: int(row["start"])):
        pieces.setdefault((row["question"], row["seed"]), []).append(row)
    whole = []
    for block in sorted(blocks, key=lambda b: (b.question, b.seed, b.start)):
        own, end = [], block.start + block.count
        queue = pieces.get((block.question, block.seed), [])
        while queue and queue[0]["start"] < end:
            own.append(queue.pop(0))
        sums = {name: sum(row[name] for row in own) for name in ("trials", "commands", "seconds")}
        whole.append({**asdict(block), **sums, "worker": own[0]["worker"] if own else ""})
    return whole


def write_table(path: Path, table: pa.Table, common: Common) -> None:
    """Write a finished table, whole or not at all."""
    for place, (name, value) in enumerate(asdict(common).items()):
        column = pa.array([value] * len(table), pa.string()).dictionary_encode()
        table = table.add_column(place, name, column)
    table = table.replace_schema_metadata({"evenkeel": FORMAT})
    with replace_file(path) as file:
        pq.write_table(table, file, compression="zstd", write_page_checksum=True)
