"""Hash ranges and their names (BUN-7 to BUN-9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from evenkeel.reference import java_text
from evenkeel.reference.edition import Edition
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Breakage, Refusal

HASH_COUNT: Final = 2**32
TOP_HASH: Final = HASH_COUNT - 1


class BadRange(Refusal):
    """A range that is empty, reversed or outside the hash space (BUN-8)."""


class BadRangeText(Refusal):
    """A text that names no range (BUN-8)."""


class MissingPiece(Breakage):
    """The range text ends before its second number, and the modelled parser reads on."""


@dataclass(frozen=True, slots=True)
class HashRange:
    """The hashes of one bundle: `lower` to `upper`, without `upper` unless it is the last hash.

    Raises `BadRange` unless 0 <= lower < upper <= 0xffffffff; the one-point range of the last
    hash is the only one with equal ends (BUN-8).
    """

    lower: int
    upper: int

    def __post_init__(self) -> None:
        in_space = 0 <= self.lower <= self.upper <= TOP_HASH
        if not in_space or (self.lower == self.upper and not self.upper_included):
            raise BadRange(f"from {self.lower:#x} to {self.upper:#x} is no range of hashes")

    @property
    def upper_included(self) -> bool:
        """Ranges are closed-open, except that the last one is closed."""
        return self.upper == TOP_HASH

    @property
    @states("BUN-7")
    def name(self) -> str:
        """`0x%08x_0x%08x`: lower case, padded with zeros."""
        return range_name(self.lower, self.upper)

    def __contains__(self, hash_: int) -> bool:
        return self.lower <= hash_ < self.upper or (self.upper_included and hash_ == self.upper)

    def __str__(self) -> str:
        return f"[{self.lower:#010x}, {self.upper:#010x}{']' if self.upper_included else ')'}"


@states("BUN-7")
def range_name(lower: int, upper: int) -> str:
    """The name of a range of 64-bit ends, negative ones in two's complement."""
    return f"0x{lower % 2**64:08x}_0x{upper % 2**64:08x}"


@states("BUN-7", "BUN-8", "BUN-9")
def parse_range(text: str, edition: Edition) -> tuple[int, int]:
    """The ends of the range that `text` names: two integers joined by an underscore.

    The canonical name is understood, and so is any number as `parse_integer` reads it. Raises
    `BadRangeText`, `BadRange`, and `MissingPiece` where the edition is lenient.
    Source: Pulsar `NamespaceBundleFactory.getBundle(String, String)` 4.0.8.
    """
    if "_" not in text:
        raise BadRangeText(f"{text!r} has no underscore")
    if edition.lenient_range_texts:
        lower, upper = lenient_ends(java_text.split(text, "_"))
        if lower > upper or (lower == upper and upper != TOP_HASH):
            raise BadRange(f"from {lower:#x} to {upper:#x} holds no hash")
        return lower, upper
    pieces = text.split("_")
    if len(pieces) != 2:
        raise BadRangeText(f"{text!r} does not have two pieces")
    named = HashRange(parse_integer(pieces[0]), parse_integer(pieces[1]))
    return named.lower, named.upper


@states("BUN-9")
def lenient_ends(pieces: list[str]) -> tuple[int, int]:
    """The first two pieces; further ones are ignored."""
    if not pieces:
        raise MissingPiece("the text has no piece at all")
    lower = parse_integer(pieces[0])
    if len(pieces) < 2:
        raise MissingPiece("the text has no second piece")
    return lower, parse_integer(pieces[1])


@states("BUN-8", "BUN-9")
def parse_integer(text: str) -> int:
    """A signed 64-bit integer as `Long.decode` reads it. Raises `BadRangeText`."""
    value = java_text.decode(text)
    if value is None:
        raise BadRangeText(f"{text!r} is no integer")
    return value
