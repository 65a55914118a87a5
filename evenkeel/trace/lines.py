"""Logs of JSON lines, read whole or in pieces: a piece is the lines that begin in some bytes.

An event's place is the byte with which its line begins; so pieces can be read apart from each
other. Standard library only: this runs in Spark's workers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evenkeel.trace.rows import BadRow, Bundles

TOLD = 1 << 20
"""So many bytes are read between two signs of life."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The lines of a file that begin at a byte from `start` on and before `end`."""

    path: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Damage:
    """The first line that is no event: at which byte it begins, and why.

    `cut`: it is the last one, and the file ends within it.
    """

    place: int
    reason: str
    cut: bool = False


def pieces(path: Path, size: int) -> list[Piece]:
    """The file in pieces of about so many bytes."""
    end = path.stat().st_size
    return [Piece(str(path), start, min(start + size, end)) for start in range(0, end, size)]


def read_piece(
    piece: Piece, bundles: Bundles, told: Callable[[int], None] = lambda count: None
) -> Damage | None:
    """Read a piece as far as it is in order. `told` is told of so many bytes more."""
    done = piece.start
    for place, text in lines_of(piece):
        try:
            fields = json.loads(text)
            if type(fields) is not dict:
                return Damage(place, "it is no JSON object")
            bundles.add(fields, place)
        except BadRow as bad:
            return Damage(place, str(bad))
        except (ValueError, RecursionError) as error:
            if not text.strip():
                continue
            return Damage(place, reason_of(error), not text.endswith(b"\n"))
        if place - done >= TOLD:
            told(place - done)
            done = place
    told(piece.end - done)
    return None


def lines_of(piece: Piece) -> Iterator[tuple[int, bytes]]:
    """The lines of a piece with the bytes at which they begin."""
    with open(piece.path, "rb") as file:
        place = max(piece.start - 1, 0)
        file.seek(place)
        if piece.start:
            place += len(file.readline())  # the rest of a line that began before
        for text in file:
            if place >= piece.end:
                return
            yield place, text
            place += len(text)


def reason_of(error: Exception) -> str:
    """Why a line is no JSON, in few words."""
    if isinstance(error, UnicodeDecodeError):
        return f"it is no UTF-8 at its byte {error.start + 1}"
    if isinstance(error, json.JSONDecodeError):
        return f"it is no JSON at its column {error.colno} ({error.msg.removesuffix(' at')})"
    return f"it is no JSON ({error or type(error).__name__})"


def line_numbers(path: Path, places: Sequence[int]) -> dict[int, int]:
    """The line numbers, from 1, of lines that begin at these bytes."""
    found, number, at = {}, 1, 0
    with path.open("rb") as file:
        for place in sorted(set(places)):
            while at < place:
                block = file.read(min(place - at, 1 << 20))
                if not block:
                    break
                number += block.count(b"\n")
                at += len(block)
            found[place] = number
    return found


def to_line(fields: dict[str, Any]) -> str:
    """One line of a log."""
    return json.dumps(fields, ensure_ascii=False) + "\n"
