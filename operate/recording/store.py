"""A recording on disk: a folder with `RECORDING` (JSON) and the entries in Parquet.

While it is made its parts are files of their own, whole as soon as they are there; so a crash
costs the last part alone. At the end they become one file. Pages have checksums, which are verified
when they are read: damage is an error, and no entry.
"""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from msgspec import ValidationError, convert

from evenkeel.operate.recording.entries import Entry, check_entry
from evenkeel_engine.errors import UserError
from evenkeel_engine.files import Unreadable, read_json, replace_file, why_unreadable, write_file
from evenkeel_engine.typed import each, shape_object

PART_ROWS: Final = 20_000
PART_SECONDS: Final = 60
WAITING: Final = 50_000
"""Entries that wait to be written at most; who makes more has to wait."""
LONGEST_PAUSE: Final = 7 * 24 * 3_600_000
"""Milliseconds from an entry to the next; a recorder that runs makes several a second."""
ABOUT: Final = "RECORDING"
WHOLE: Final = "events.parquet"
READ: Final = shape_object({}, {"manager": str, "settings": each(str), "batch": int | None})
"""What is read of it."""
_TYPES: Final = ("int64", "int64", "string", "string", "string", "int64", "string")


class RecordingUnusable(UserError):
    """There is no recording, or it cannot be read: one sentence."""


def now() -> int:
    """Milliseconds by this machine's clock."""
    return time.time_ns() // 1_000_000


def build_schema() -> Any:
    """The columns: those of `Entry`, with data as JSON."""
    import pyarrow as pa  # noqa: PLC0415 - it loads long

    return pa.schema(
        [(name, getattr(pa, kind)()) for name, kind in zip(Entry._fields, _TYPES, strict=True)]
    )


def table_of(entries: list[Entry]) -> Any:
    """The entries by time."""
    import pyarrow as pa  # noqa: PLC0415

    columns = list(zip(*sorted(entries, key=lambda entry: entry.time), strict=True))
    columns[-1] = tuple(json.dumps(data, separators=(",", ":")) for data in columns[-1])
    return pa.table(
        [
            pa.array(column, field.type)
            for column, field in zip(columns, build_schema(), strict=True)
        ],
        schema=build_schema(),
    )


class Store:
    """Writes entries that come from many threads. `close` must be called."""

    def __init__(self, folder: Path, about: dict[str, Any]) -> None:
        self.folder, self.count = folder, 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if any(folder.glob("*.parquet")):
                raise RecordingUnusable(f"--out {folder} holds a recording already.")
            write_file(folder / ABOUT, json.dumps(about, indent=1) + "\n")
        except OSError as error:
            raise RecordingUnusable(f"--out {folder}: {error.strerror}.") from error
        self._queue: queue.Queue[Entry | None] = queue.Queue(WAITING)
        self._failed: Exception | None = None
        self._thread = threading.Thread(target=self._write, name="store", daemon=True)
        self._thread.start()

    def add(
        self,
        source: str,
        data: Any,
        broker: str | None = None,
        subject: str | None = None,
        clock: int | None = None,
        began: int | None = None,
    ) -> None:
        """One more entry, of now."""
        if self._failed is None:
            at = now()
            self._queue.put(
                Entry(at if began is None else began, at, source, broker, subject, clock, data)
            )

    @property
    def open(self) -> bool:
        """Whether entries are still taken."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Write what is left, and make one file of all. Raises what kept it from writing."""
        self._queue.put(None)
        self._thread.join()
        if self._failed is not None:
            raise RecordingUnusable(f"{self.folder} cannot be written: {self._failed}.")
        join(self.folder)

    def _write(self) -> None:
        """In a thread: parts, in order."""
        part, number, until = list[Entry](), 0, time.monotonic() + PART_SECONDS
        try:
            while True:
                entry = self._next(until)
                if isinstance(entry, Entry):
                    part.append(entry)
                    self.count += 1
                ended = entry is None
                due = time.monotonic() >= until or len(part) >= PART_ROWS
                if part and (ended or due):
                    number += 1
                    write_part(self.folder / f"part-{number:06}.parquet", part)
                    part = []
                if due:
                    until = time.monotonic() + PART_SECONDS
                if ended:
                    return
        except Exception as error:
            self._failed = error
            while self._queue.get() is not None:
                pass

    def _next(self, until: float) -> Entry | str | None:
        """The next entry, None for the end, "" if none came in time."""
        try:
            return self._queue.get(timeout=max(until - time.monotonic(), 0.01))
        except queue.Empty:
            return ""


def write_part(path: Path, entries: list[Entry]) -> None:
    """A file, whole or not at all."""
    import pyarrow.parquet as pq  # noqa: PLC0415

    with replace_file(path) as file:
        pq.write_table(table_of(entries), file, compression="zstd", write_page_checksum=True)


def join(folder: Path) -> None:
    """Make one file of the parts, a part at a time."""
    import pyarrow.parquet as pq  # noqa: PLC0415

    if not (parts := sorted(folder.glob("part-*.parquet"))):
        return
    with (
        replace_file(folder / WHOLE) as file,
        pq.ParquetWriter(
            file, build_schema(), compression="zstd", compression_level=12, write_page_checksum=True
        ) as writer,
    ):
        for part in parts:
            writer.write_table(pq.read_table(part, page_checksum_verification=True))
    for part in parts:
        part.unlink()


def read_about(folder: Path) -> dict[str, Any]:
    """What `RECORDING` (JSON) says. Raises `RecordingUnusable`."""
    try:
        found = read_json(folder / ABOUT)
    except Unreadable as why:
        raise RecordingUnusable(f"{folder} is no recording: {ABOUT} {why}.") from why
    try:
        convert(found, READ)
    except ValidationError as error:
        raise RecordingUnusable(f"{folder} is no recording: {ABOUT}: {error}.") from error
    return dict(found)


def read_entries(folder: Path, sources: tuple[str, ...] = ()) -> Iterator[Entry]:
    """The entries, of these sources alone if any are named. Raises `RecordingUnusable`.

    They come about by time: each part is, and parts follow one another. A time far from that of
    the entry before is damage: what happens by the clock would have to be followed until then.
    """
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    whole = folder / WHOLE
    files = [whole] if whole.exists() else sorted(folder.glob("part-*.parquet"))
    requested = frozenset(sources)
    before: int | None = None
    try:
        for path in files:
            if why := why_unreadable(path, largest=None):
                raise RecordingUnusable(f"{folder} cannot be read: {path.name} {why}.")
            with pq.ParquetFile(path, page_checksum_verification=True) as file:
                for batch in file.iter_batches(10_000, columns=list(Entry._fields)):
                    for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                        if before is not None and abs(row[1] - before) > LONGEST_PAUSE:
                            raise RecordingUnusable(
                                f"{folder} cannot be read: an entry's time, {row[1]}, is more than "
                                f"a week from that of the entry before it."
                            )
                        before = row[1]
                        if not requested or row[2] in requested:
                            yield check_entry(Entry._make((*row[:-1], json.loads(row[-1]))))
    except (pa.ArrowException, OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        reason = str(error).partition("\n")[0].rstrip(".")
        raise RecordingUnusable(f"{folder} cannot be read: {reason}.") from error
