"""A log as a user names it: what it is, in which pieces it is read, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from evenkeel.operate.trace import lines, parquet
from evenkeel.operate.trace.lines import Damage, Piece
from evenkeel.operate.trace.parquet import RowGroup
from evenkeel.operate.trace.rows import Amount, BadLog, LoggedBundles, seldom_collecting
from evenkeel_engine.files import why_unreadable

_MAGIC: Final = b"PAR1"
WHOLE: Final = 1 << 62
"""A piece that is larger than any file."""

Task = Piece | RowGroup


@dataclass(frozen=True, slots=True)
class Source:
    """A log file. `total` is how much there is to read, in `unit`."""

    path: Path
    tasks: tuple[Task, ...]
    total: int
    unit: str
    word: str

    def number_places(self, places: Sequence[int]) -> dict[int, int]:
        """The numbers of lines, or of rows, at these places, from 1."""
        if self.unit == "rows":
            return {place: place + 1 for place in places}
        return lines.line_numbers(self.path, places)

    def describe_place(self, place: int) -> str:
        """A place in words."""
        return f"{self.path}, {self.word} {self.number_places([place])[place]:,}"


def open_source(path: Path, piece: int = WHOLE) -> Source:
    """The log in this file, in pieces of about `piece` bytes. Raises `BadLog`."""
    try:
        if why := why_unreadable(path, largest=None):
            raise BadLog(f"{path} {why}.")
        with path.open("rb") as file:
            begins = file.read(len(_MAGIC))
    except OSError as error:
        raise BadLog(f"{path} cannot be read: {error.strerror}.") from error
    if not begins:
        raise BadLog(f"{path} is empty.")
    if begins == _MAGIC or path.suffix == ".parquet":
        groups, rows = parquet.row_groups(path)
        return Source(path, tuple(groups), rows, "rows", "row")
    size = path.stat().st_size
    pieces = (Piece(str(path), at, min(at + piece, size)) for at in range(0, size, piece))
    return Source(path, tuple(pieces), size, "bytes", "line")


@seldom_collecting()
def read_task(
    task: Task, bundles: LoggedBundles, reported: Amount = lambda amount: None
) -> Damage | None:
    """Read a piece, telling how much more is read. Raises `BadLog`."""
    if isinstance(task, Piece):
        return lines.read_piece(task, bundles, reported)
    return parquet.read_row_group(task, bundles, reported)


def first_damage(source: Source, found: Sequence[Damage | None], events: int) -> Damage | None:
    """The damage if the file ends within its last line, None if there is none.

    Raises `BadLog` for any other damage, and where no event is left.
    """
    damages = [damage for damage in found if damage is not None]
    damage = min(damages, key=lambda damage: damage.place, default=None)
    if damage is not None and (not damage.cut or not events):
        cut = " (the file ends within it)" if damage.cut else ""
        raise BadLog(f"{source.describe_place(damage.place)}: {damage.reason}{cut}.")
    if not events:
        raise BadLog(f"{source.path} holds no events.")
    return damage
