"""Text as Java has it: how it is compared, put in order, cut and read as a number.

Apache Pulsar is written in Java, and its brokers interpret names, ranges and settings by Java's
rules, which are not Python's. Every place of the reference where that shows comes here.
Java 17's own answers are in tests/reference/java_text.json, and a test compares these with them.
Letters that Unicode has got since are those of whatever runs this.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import repeat
from typing import Final, TypeVar

T = TypeVar("T")

_NO_SPACES: Final = "\x85\u00a0\u2007\u202f"
"""White space for Python, not for Java: the next line, and spaces at which no line breaks."""
LONGS: Final = range(-(2**63), 2**63)
INTS: Final = range(-(2**31), 2**31)


def code_units(text: str) -> bytes:
    """By what `String.compareTo` puts texts in order: characters above 0xffff count as two."""
    return text.encode("utf-16-be", "surrogatepass")


def in_order(entries: Mapping[str, T]) -> list[tuple[str, T]]:
    """The entries in the order of their names, as a `TreeMap` has them."""
    return sorted(entries.items(), key=lambda entry: code_units(entry[0]))


def utf8(text: str) -> bytes:
    """`String.getBytes(UTF_8)`: half a surrogate pair becomes a question mark."""
    return text.encode("utf-8", "replace")


def same_ignoring_case(one: str, other: str) -> bool:
    """`String.equalsIgnoreCase`: character by character, so `ß` is not `SS`, but `ſ` is `s`."""
    return len(one) == len(other) and all(map(_same, one, other))


def _same(one: str, other: str) -> bool:
    return one == other or fold_case(one) == fold_case(other)


def fold_case(character: str) -> str:
    """The small letter of a character's capital, each of them one character."""
    capital = character.upper()
    return (capital if len(capital) == 1 else character).lower()[0]


def is_blank(text: str) -> bool:
    """`String.isBlank`: nothing but white space, to which no-break spaces do not belong."""
    return all(c.isspace() and c not in _NO_SPACES for c in text)


def trim(text: str) -> str:
    """`String.trim`: without spaces and control characters at both ends, and no others."""
    return text.strip("".join(map(chr, range(33))))


def split(text: str, separator: str) -> list[str]:
    """`String.split`: empty pieces at the end do not exist; the empty text is one piece."""
    pieces = text.split(separator)
    while len(pieces) > 1 and not pieces[-1]:
        pieces.pop()
    return pieces if pieces != [""] or not text else []


@cache
def digit(character: str, base: int) -> int | None:
    """`Character.digit`: any script's decimal digits, and Latin letters, wide ones too.

    Digits that are no character of 16 bits are none: Java looks at one half of them at a time.
    """
    if character > "\uffff":
        return None
    if "\uff21" <= character <= "\uff5a":
        character = chr(ord(character) - 0xFEE0)
    if not (character.isdecimal() or "A" <= character <= "Z" or "a" <= character <= "z"):
        return None
    value = int(character, 36)
    return value if value < base else None


def parse(text: str, base: int, numbers: range) -> int | None:
    """`Integer.parseInt` or `Long.parseLong`; None for what they refuse."""
    negative = text[:1] == "-"
    value, most = 0, numbers.stop
    digits = text[1:] if text[:1] in ("-", "+") else text
    for one in map(digit, digits, repeat(base)):
        if one is None:
            return None
        value = value * base + one
        if value > most:  # it only grows: nothing of a long text need be added up
            return None
    value = -value if negative else value
    return value if digits and value in numbers else None


@lru_cache(256)
def decode(text: str) -> int | None:
    """`Long.decode`: hexadecimal after `0x`, `0X` or `#`, octal after `0`, else decimal.

    The sign comes first. None for what it refuses.
    """
    sign, digits = (text[:1], text[1:]) if text[:1] in ("-", "+") else ("", text)
    base = 10
    if digits[:2] in ("0x", "0X"):
        base, digits = 16, digits[2:]
    elif digits[:1] == "#":
        base, digits = 16, digits[1:]
    elif digits[:1] == "0" and len(digits) > 1:
        base, digits = 8, digits[1:]
    if digits[:1] in ("-", "+"):
        return None
    return parse(sign + digits, base, LONGS)
