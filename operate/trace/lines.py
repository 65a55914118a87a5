"""Logs of JSON lines, read whole or in pieces: a piece is the lines that begin in some bytes.

An event's place is the byte with which its line begins; so pieces can be read apart from each
other. Standard library only: this runs in Spark's workers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evenkeel.operate.trace.rows import Amount, BadRow, LoggedBundles

REPORTED = 1 << 20
"""Bytes that are read between two reports of progress."""

BLOCK = 1 << 15
"""Bytes of lines that are decoded at once."""

_decode = json.JSONDecoder().decode


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


def read_piece(
    piece: Piece, bundles: LoggedBundles, reported: Amount = lambda count: None
) -> Damage | None:
    """Read a piece as far as it is in order. `reported` is called with the bytes read."""
    done = piece.start
    for place, block in blocks_of(piece):
        objects = decode_lines(block)
        damage = (
            take(block, place, bundles)
            if objects is None
            else take_objects(objects, block, place, bundles)
        )
        if damage is not None:
            return damage
        if place - done >= REPORTED:
            reported(place - done)
            done = place
    reported(piece.end - done)
    return None


def decode_lines(block: Sequence[bytes]) -> list[dict[str, Any]] | None:
    """The objects of these lines, decoded at once, which is faster; None where that is not sure.

    Each line ends with the only closing brace that it has: so if there are as many objects as
    lines, each line is one of them.
    """
    text = b",".join(block)
    if text.count(b"}") != len(block) or not all(line.endswith(b"}\n") for line in block):
        return None
    try:
        objects: list[dict[str, Any]] = _decode(f"[{text.decode()}]")
    except (ValueError, RecursionError):
        return None
    sure = len(objects) == len(block) and all(type(fields) is dict for fields in objects)
    return objects if sure else None


def take_objects(
    objects: Sequence[dict[str, Any]], block: Sequence[bytes], place: int, bundles: LoggedBundles
) -> Damage | None:
    """Take the objects of these lines as rows."""
    for fields, text in zip(objects, block, strict=True):
        try:
            bundles.add(fields, place)
        except BadRow as bad:
            return Damage(place, str(bad))
        place += len(text)
    return None


def take(block: Sequence[bytes], place: int, bundles: LoggedBundles) -> Damage | None:
    """Decode each line for itself, and take it as a row."""
    for text in block:
        try:
            fields = _decode(text.decode())
            if type(fields) is not dict:
                return Damage(place, "it is no JSON object")
            bundles.add(fields, place)
        except BadRow as bad:
            return Damage(place, str(bad))
        except (ValueError, RecursionError) as error:
            if text.strip():
                return Damage(place, reason_of(error), not text.endswith(b"\n"))
        place += len(text)
    return None


def blocks_of(piece: Piece) -> Iterator[tuple[int, list[bytes]]]:
    """The lines of a piece, some at a time, with the byte at which the first of them begins."""
    with open(piece.path, "rb") as file:
        place = max(piece.start - 1, 0)
        file.seek(place)
        if piece.start:
            place += len(file.readline())  # the rest of a line that began before
        block, end = list[bytes](), place
        for text in file:
            if end >= piece.end:
                break
            block.append(text)
            end += len(text)
            if end - place >= BLOCK:
                yield place, block
                block, place = [], end
        if block:
            yield place, block


def reason_of(error: Exception) -> str:
    """Why a line is no JSON, in few words."""
    if isinstance(error, UnicodeDecodeError):
        return f"it is no UTF-8 at its byte {error.start + 1}"
    if isinstance(error, json.JSONDecodeError):
        characters = len(error.doc.rstrip())
        if error.pos >= characters or error.msg.startswith("Unterminated"):
            return f"it is no JSON, since it ends too early, after {characters:,} characters"
        return f"it is no JSON at its column {error.pos + 1:,} ({error.msg.removesuffix(' at')})"
    return f"it is no JSON ({error or type(error).__name__})"


def line_numbers(path: Path, places: Sequence[int]) -> dict[int, int]:
    """The line numbers, from 1, of lines that begin at these bytes."""
    found, number, at = {}, 1, 0
    with path.open("rb") as file:
        for place in sorted(set(places)):
            while at < place:
                if not (block := file.read(min(place - at, 1 << 20))):
                    break
                number += block.count(b"\n")
                at += len(block)
            found[place] = number
    return found
