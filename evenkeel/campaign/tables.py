"""A campaign's folder: its parameters, its tables, and how far it is.

    DIR/campaign.json             what was asked for, with what, whether it is finished, the result
    DIR/parts/<wave>/*.parquet    the tables of each finished wave, while the campaign runs
    DIR/<table>.parquet           the tables, once it is finished
    DIR/counterexamples/<chapter>/*.json, DIR/report.txt, DIR/spark.log

A part appears whole or not at all, and holds all that its blocks came to; so a stopped campaign
can go on with the blocks that no part has.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from evenkeel.campaign.errors import CampaignUnusable
from evenkeel.campaign.worker import FailedVerdict, Summary
from evenkeel.drivers.seeded import Block
from evenkeel.drivers.tally import Found, Tally

FORMAT: Final = "evenkeel campaign 1"
CAMPAIGN: Final = "campaign.json"
PARTS: Final = "parts"
LOCK: Final = ".lock"

_WORD, _NUMBER = pa.string(), pa.int64()
SCHEMAS: Final = {
    "tally": pa.schema([("clause", _WORD), ("status", _WORD), ("count", _NUMBER)]),
    "labels": pa.schema([("question", _WORD), ("label", _WORD), ("count", _NUMBER)]),
    "failures": pa.schema(
        [
            ("question", _WORD),
            ("seed", _NUMBER),
            ("index", _NUMBER),
            ("clause", _WORD),
            ("kind", _WORD),
            ("status", _WORD),
            ("signature", _WORD),
        ]
    ),
    "signatures": pa.schema(
        [
            ("signature", _WORD),
            ("count", _NUMBER),
            ("question", _WORD),
            ("seed", _NUMBER),
            ("index", _NUMBER),
            ("size", _NUMBER),
            ("clause", _WORD),
            ("kind", _WORD),
            ("sentence", _WORD),
        ]
    ),
    "blocks": pa.schema(
        [
            ("question", _WORD),
            ("seed", _NUMBER),
            ("start", _NUMBER),
            ("count", _NUMBER),
            ("trials", _NUMBER),
            ("commands", _NUMBER),
            ("seconds", pa.float64()),
            ("worker", _WORD),
        ]
    ),
    "unanswered": pa.schema(
        [("question", _WORD), ("status", _WORD), ("reason", _WORD), ("count", _NUMBER)]
    ),
}
"""The tables. `signatures` has the smallest trial of each signature; `size` is in characters."""

_KEYS: Final = {
    "failures": ("question", "seed", "index", "clause", "kind"),
    "blocks": ("question", "seed", "start"),
}

Row = dict[str, Any]


def tally_rows(tally: Tally) -> dict[str, list[Row]]:
    """The rows of all tables but `failures` and `blocks`."""
    unanswered = (("skipped", tally.skipped), ("errored", tally.errored))
    return {
        "tally": [
            {"clause": clause, "status": status, "count": count}
            for (clause, status), count in sorted(tally.verdicts.items())
        ],
        "labels": [
            {"question": question, "label": label, "count": count}
            for (question, label), count in sorted(tally.labels.items())
        ],
        "signatures": [
            {
                "signature": signature,
                "count": tally.failures[signature],
                **{name: getattr(found, name) for name in Found.__slots__},
            }
            for signature, found in sorted(tally.smallest.items())
        ],
        "unanswered": [
            {"question": question, "status": status, "reason": reason, "count": count}
            for status, counts in unanswered
            for (question, reason), count in sorted(counts.items())
        ],
    }


def block_row(summary: Summary) -> Row:
    """A block's row."""
    block = summary.block
    return {
        "question": block.question,
        "seed": block.seed,
        "start": block.start,
        "count": block.count,
        "trials": sum(summary.tally.trials.values()),
        "commands": sum(summary.tally.commands.values()),
        "seconds": summary.seconds,
        "worker": summary.worker,
    }


def failure_rows(summary: Summary) -> Iterator[Row]:
    """A row per failed verdict of a block."""
    for failure in summary.failures:
        row = {name: getattr(failure, name) for name in FailedVerdict.__slots__}
        yield {"question": summary.block.question, "seed": summary.block.seed, **row}


def read_rows(folder: Path, table: str) -> list[Row]:
    """The rows of one table of a folder."""
    rows: list[Row] = pq.read_table(folder / f"{table}.parquet").to_pylist()
    return rows


def read_tally(folder: Path) -> Tally:
    """The tally that the tables of a folder hold."""
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
        tally.smallest[signature] = Found(**row)
    for row in read_rows(folder, "blocks"):
        tally.trials[row["question"]] += row["trials"]
        tally.commands[row["question"]] += row["commands"]
    return tally


class Folder:
    """A campaign's folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.report = path / "report.txt"
        self._lock = -1

    def open(self, identity: dict[str, Any]) -> dict[str, Any]:
        """Make the folder, or find this very campaign in it; returns its `campaign.json`.

        `identity` is what must be equal for it to be the same campaign. Raises
        `CampaignUnusable` for another campaign's folder or one with other things in it.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            fresh = not any(path.name != LOCK for path in self.path.iterdir())
            if not fresh:
                self._state()  # somebody else's folder gets no lock
            self._take()
            if fresh:
                state: dict[str, Any] = {"format": FORMAT, "campaign": identity, "finished": False}
                self.save(state)
                return state
            state = self._state()
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
                f"{self.path} holds another campaign ({'; '.join(differing)}); choose another "
                f"folder."
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

    def _state(self) -> dict[str, Any]:
        state: Any = None
        try:
            state = json.loads((self.path / CAMPAIGN).read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise CampaignUnusable(
                f"{self.path} is not empty and holds no campaign; choose another folder."
            ) from None
        except ValueError:
            pass
        if (
            not isinstance(state, dict)
            or state.get("format") != FORMAT
            or not isinstance(state.get("campaign"), dict)
        ):
            raise CampaignUnusable(
                f"{self.path / CAMPAIGN} describes no campaign; choose another folder."
            )
        return state

    def save(self, state: dict[str, Any]) -> None:
        """Write `campaign.json`, whole or not at all."""
        text = json.dumps(state, indent=2, ensure_ascii=False) + "\n"
        fresh = self.path / f"{CAMPAIGN}.new"
        fresh.write_text(text, encoding="utf-8")
        os.replace(fresh, self.path / CAMPAIGN)

    def parts(self) -> list[Path]:
        """The parts there are, in order."""
        folder = self.path / PARTS
        return sorted(p for p in folder.glob("*") if p.name.isdigit()) if folder.is_dir() else []

    def write_part(self, tally: Tally, summaries: Iterable[Summary]) -> None:
        """Write a wave's tables, all or none of them."""
        summaries = list(summaries)
        rows = {
            **tally_rows(tally),
            "failures": [row for summary in summaries for row in failure_rows(summary)],
            "blocks": [block_row(summary) for summary in summaries],
        }
        parts = self.parts()
        name = f"{int(parts[-1].name) + 1 if parts else 0:06d}"
        fresh = self.path / PARTS / f"{name}.new"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        for table, schema in SCHEMAS.items():
            pq.write_table(
                pa.Table.from_pylist(rows[table], schema=schema), fresh / f"{table}.parquet"
            )
        os.replace(fresh, fresh.with_suffix(""))

    def read_parts(self) -> tuple[Tally, set[Block]]:
        """What the parts hold: their tally, and the blocks that are done."""
        tally, done = Tally(), set[Block]()
        for folder in self.parts():
            try:
                tally.merge(read_tally(folder))
                rows = read_rows(folder, "blocks")
            except (pa.ArrowException, KeyError, OSError) as error:
                raise CampaignUnusable(
                    f"The part {folder} cannot be read ({error}); remove it, and its blocks will "
                    f"be done again."
                ) from error
            blocks = {Block(r["question"], r["seed"], r["start"], r["count"]) for r in rows}
            if len(blocks) < len(rows) or blocks & done:
                raise CampaignUnusable(
                    f"The part {folder} holds blocks that another part holds as well; remove it."
                )
            done |= blocks
        return tally, done

    def merge_parts(self, tally: Tally) -> None:
        """Write the tables of the whole campaign, with their rows in an order of their own."""
        rows = tally_rows(tally)
        for table, schema in SCHEMAS.items():
            if table in _KEYS:
                pieces = [pq.read_table(part / f"{table}.parquet") for part in self.parts()]
                whole = pa.concat_tables([schema.empty_table(), *pieces])
                whole = whole.sort_by([(key, "ascending") for key in _KEYS[table]])
            else:
                whole = pa.Table.from_pylist(rows[table], schema=schema)
            pq.write_table(whole, self.path / f"{table}.parquet")

    def drop_parts(self) -> None:
        """Remove the parts: the tables have it all."""
        shutil.rmtree(self.path / PARTS, ignore_errors=True)
