"""A campaign's folder: its parameters, its parts, and its progress.

    DIR/campaign.json             what was requested, with what, whether it is finished, the result,
                                  and then the tables' digests
    DIR/parts/<wave>/*.parquet    the tables of each finished wave, while the campaign runs
    DIR/parts/<wave>/sha256.json  their digests
    DIR/parts/shrunk.jsonl        failures that are shrunk already
    DIR/<table>.parquet           the tables, once it is finished
    DIR/counterexamples/<chapter>/*.json, DIR/report.txt, DIR/spark.log

A part appears whole or not at all, with all results of its blocks; so a stopped campaign can
continue with the trials that no part has.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Any, Final, Literal

import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import ValidationError, convert

from evenkeel_engine.campaign.errors import CampaignUnusable
from evenkeel_engine.campaign.tables import (
    FORMAT,
    ORDER,
    SCHEMAS,
    Common,
    TableRow,
    answer_rows,
    block_of,
    block_row,
    failure_rows,
    planned_rows,
    read_rows,
    read_table,
    read_tally,
    tally_rows,
    write_table,
)
from evenkeel_engine.campaign.worker import STORED, Summary
from evenkeel_engine.check.blocks import left_of
from evenkeel_engine.check.seeded import Block
from evenkeel_engine.check.tally import Tally
from evenkeel_engine.files import (
    Unreadable,
    append,
    parse_json,
    read_bytes,
    read_json,
    replace_file,
    write_file,
)
from evenkeel_engine.typed import each, shape_list, shape_object
from evenkeel_engine.version import find_version

CAMPAIGN: Final = "campaign.json"
PARTS: Final = "parts"
COUNTEREXAMPLES: Final = "counterexamples"
DIGESTS: Final = "sha256.json"
SHRUNK: Final = "shrunk.jsonl"
LOCK: Final = ".lock"
_BY_PLACE: Final = attrgetter("question", "seed", "start")


REQUESTED: Final = {
    **dict.fromkeys(("code", "edition", "generator", "subject"), str),
    **dict.fromkeys(("trials", "seed"), int),
    **dict.fromkeys(("questions", "clauses"), shape_list(str)),
    "strict": bool,
}
FAILURE: Final = shape_object(
    {
        "signature": str,
        "sentence": str,
        "replay": str,
        "count": int,
        "departure": bool,
        "trial": Any,
    }
)
DIFFERING: Final = shape_object({"question": str, "kind": str, "count": int, "smallest": str})
RESULT: Final = shape_object(
    {"status": Literal[0, 1, 2], "summary": str, "clauses": each(str)}
    | {"failures": shape_list(FAILURE), "differing": shape_list(DIFFERING)}
)
HEAD: Final = {"format": Literal[FORMAT], "id": str, "campaign": shape_object({}, REQUESTED)}
DIGEST: Final = {"tables": each(str, Literal[tuple(SCHEMAS)])}
STATE: Final = shape_object(HEAD, DIGEST)
FINISHED: Final = shape_object(
    HEAD | {"campaign": shape_object(REQUESTED), "result": RESULT},
    DIGEST | {"ran": each(str | int)},
)
"""`campaign.json`, as far as it is read."""


def made_by(state: Mapping[str, Any]) -> str:
    """Which evenkeel made a campaign."""
    return str(state.get("evenkeel") or state["campaign"].get("evenkeel") or "unknown")


def by_another(state: Mapping[str, Any]) -> str:
    """Whether another evenkeel than this one made a campaign, for the middle of a sentence."""
    made, own = made_by(state), find_version()
    return "" if made == own else f", made by evenkeel {made}, and this is {own}"


class Folder:
    """A campaign's folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.report = path / "report.txt"
        self._lock = -1

    def open(self, identity: dict[str, Any], id_: str, again: bool = False) -> dict[str, Any]:
        """Make the folder, or find this very campaign in it; returns its `campaign.json`.

        `identity` is what must be equal for it to be the same campaign. With `again` an
        existing campaign is removed first. Raises `CampaignUnusable` for another campaign's folder
        or one with other things in it. A finished campaign may be in a folder that is read-only.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            fresh = not any(path.name != LOCK for path in self.path.iterdir())
            # A folder of something else gets no lock.
            finished = not fresh and bool(self.read_state().get("finished"))
            try:
                self._take()
            except OSError:
                if again or not finished:
                    raise
            if again and not fresh:
                self._remove()
            if fresh or again:
                state: dict[str, Any] = {
                    "format": FORMAT,
                    "id": id_,
                    "evenkeel": find_version(),
                    "campaign": identity,
                    "finished": False,
                }
                self.save(state)
                return state
            state = self.read_state()
        except OSError as error:
            raise CampaignUnusable(
                f"The folder {self.path} cannot be used: {error.strerror}."
            ) from error
        differing = [
            f"{name} {state['campaign'].get(name)} there, {value} here"
            for name, value in identity.items()
            if state["campaign"].get(name) != value
        ]
        if differing:
            raise CampaignUnusable(
                f"{self.path} holds another campaign ({'; '.join(differing)}){by_another(state)}; "
                f"choose another folder, or replace it with --again."
            )
        return state

    def _take(self) -> None:
        """One process for a folder: the lock ends with the process, however that ends."""
        self._lock = os.open(self.path / LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.close()
            raise CampaignUnusable(
                f"Another process runs a campaign in {self.path}; wait for it, or choose another "
                f"folder."
            ) from None

    def close(self) -> None:
        """Let another process have the folder."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def read_state(self) -> dict[str, Any]:
        """The content of `campaign.json`. Raises `CampaignUnusable` if it describes no campaign."""
        try:
            if not (self.path / CAMPAIGN).exists():
                raise CampaignUnusable(
                    f"{self.path} is not empty and holds no campaign; choose another folder."
                )
            state: dict[str, Any] = read_json(self.path / CAMPAIGN)
            convert(state, FINISHED if dict(state).get("finished") else STATE)
        except (Unreadable, ValidationError, TypeError, ValueError) as error:
            raise CampaignUnusable(
                f"{self.path / CAMPAIGN} describes no campaign ({error}); choose another folder."
            ) from error
        return state

    def save(self, state: dict[str, Any]) -> None:
        """Write `campaign.json`, whole or not at all."""
        write_file(self.path / CAMPAIGN, json.dumps(state, indent=2, ensure_ascii=False) + "\n")

    def list_parts(self) -> list[Path]:
        """The parts there are, in order."""
        folder = self.path / PARTS
        return sorted(p for p in folder.glob("*") if p.name.isdigit()) if folder.is_dir() else []

    def write_part(self, tally: Tally, summaries: Iterable[Summary]) -> None:
        """Write a wave's tables, all or none of them."""
        summaries = list(summaries)
        rows = {
            **tally_rows(tally),
            "failures": [row for summary in summaries for row in failure_rows(summary)],
            "answers": [row for summary in summaries for row in answer_rows(summary)],
            "blocks": [block_row(summary) for summary in summaries],
        }
        parts = self.list_parts()
        tables = {t: pa.Table.from_pylist(rows[t], schema=schema) for t, schema in SCHEMAS.items()}
        self._write_part(int(parts[-1].name) + 1 if parts else 0, tables)

    def _write_part(self, number: int, tables: Mapping[str, pa.Table]) -> None:
        fresh = self.path / PARTS / f"{number:06d}.new"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        for table, rows in tables.items():
            with replace_file(fresh / f"{table}.parquet") as file:
                pq.write_table(rows, file, write_page_checksum=True)
        write_file(fresh / DIGESTS, json.dumps(digests_of(fresh), indent=2) + "\n")
        os.replace(fresh, fresh.with_suffix(""))

    def read_parts(self) -> tuple[Tally, set[Block]]:
        """What the parts hold: their tally, and the blocks that are done.

        Raises `CampaignUnusable` for a part whose files are not those that were written.
        """
        tally, done = Tally(), set[Block]()
        for folder in self.list_parts():
            try:
                if read_json(folder / DIGESTS) != digests_of(folder):
                    raise CampaignUnusable("its tables are not those that were written")
                tally.merge(read_tally(folder))
                rows = read_rows(folder, "blocks")
            except (CampaignUnusable, Unreadable) as error:
                raise CampaignUnusable(
                    f"The part {folder} cannot be used ({error}); remove it, and its blocks will "
                    f"be done again."
                ) from error
            blocks = {block_of(r) for r in rows}
            trials = sum(block.count for block in blocks)
            new = sum(block.count for block in left_of(sorted(blocks, key=_BY_PLACE), done))
            if len(blocks) < len(rows) or new < trials:
                raise CampaignUnusable(
                    f"The part {folder} holds blocks that another part holds as well; remove it."
                )
            done |= blocks
        return tally, done

    def merge_parts(
        self, tally: Tally, blocks: Sequence[Block], common: Common, keep_all: bool = False
    ) -> None:
        """Write the tables of the whole campaign, with their rows in an order of their own."""
        rows = tally_rows(tally)
        for table, schema in SCHEMAS.items():
            if table in rows:
                whole = pa.Table.from_pylist(rows[table], schema=schema)
            else:
                pieces = [read_table(part, table) for part in self.list_parts()]
                whole = pa.concat_tables([schema.empty_table(), *pieces])
            if table in ORDER:
                whole = whole.sort_by([(key, "ascending") for key in ORDER[table]])
            if table == "blocks":
                whole = pa.Table.from_pylist(planned_rows(whole.to_pylist(), blocks), schema=schema)
            if table == "answers" and not keep_all:
                whole = pa.Table.from_pylist(first_of(whole.to_pylist(), blocks), schema=schema)
            write_table(self.path / f"{table}.parquet", whole, common)

    def extend(self, state: dict[str, Any]) -> None:
        """Make a finished campaign's tables the first part of one. Raises `CampaignUnusable`."""
        if self._lock < 0:
            raise CampaignUnusable(f"The folder {self.path} cannot be written to.")
        tables = {table: read_table(self.path, table) for table in SCHEMAS}
        self.drop_parts()
        self._write_part(0, tables)
        self.save(state)

    def keep_shrunk(self, rows: Iterable[TableRow]) -> None:
        """Keep what was shrunk; it need not be done again."""
        path = self.path / PARTS / SHRUNK
        path.parent.mkdir(exist_ok=True)
        append(path, "".join(f"{json.dumps([hash_json(row), row])}\n" for row in rows))

    def read_shrunk(self) -> list[TableRow]:
        """What is shrunk; a line that was cut off or damaged does not count."""
        lines = whole_lines(self.path / PARTS / SHRUNK)
        pairs = [line for line in lines if isinstance(line, list) and len(line) == 2]
        return [row for digest, row in pairs if digest == hash_json(row)]

    def _remove(self) -> None:
        """Remove all that a campaign came to; last of all it is no campaign any more."""
        self.drop_parts()
        for table in SCHEMAS:
            (self.path / f"{table}.parquet").unlink(missing_ok=True)
        shutil.rmtree(self.path / COUNTEREXAMPLES, ignore_errors=True)
        self.report.unlink(missing_ok=True)
        (self.path / CAMPAIGN).unlink()

    def drop_parts(self) -> None:
        """Remove the parts: the tables have it all."""
        shutil.rmtree(self.path / PARTS, ignore_errors=True)


def digests_of(folder: Path) -> dict[str, str]:
    """The SHA-256 of each table in a folder. Raises `Unreadable`."""
    return {
        table: hashlib.sha256(read_bytes(folder / f"{table}.parquet", None)).hexdigest()
        for table in SCHEMAS
    }


def hash_json(value: Any) -> str:
    """The SHA-256 of what becomes JSON."""
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()


def whole_lines(path: Path) -> list[Any]:
    """The JSON of each line; one that was cut off does not count, and no file has none."""
    found = []
    with suppress(Unreadable):
        for line in read_bytes(path, None).split(b"\n"):
            with suppress(Unreadable):
                found.append(parse_json(line.decode("utf-8", "replace")))
    return found


def first_of(rows: list[TableRow], blocks: Iterable[Block]) -> list[TableRow]:
    """The first few stored answers of each planned block, however it was divided."""
    found: list[TableRow] = []
    queue = sorted(rows, key=itemgetter("question", "seed", "index"))
    place, at = itemgetter("question", "seed"), 0
    for block in sorted(blocks, key=_BY_PLACE):
        begin, own, end = at, (block.question, block.seed), block.start + block.count
        while at < len(queue) and place(queue[at]) == own and queue[at]["index"] < end:
            at += 1
        found += queue[begin : min(at, begin + STORED)]
    return found
