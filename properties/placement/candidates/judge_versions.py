"""Versions: taken apart word by word, and one is newest if no other is newer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

DIGITS: Final = frozenset("0123456789")
LETTERS: Final = DIGITS | frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-")
LIMIT: Final = 2**31


@dataclass(frozen=True, slots=True)
class Version:
    numbers: tuple[int, ...]
    words: tuple[str, ...]


def is_number(word: str) -> bool:
    """Digits, without a leading zero."""
    return bool(word) and set(word) <= DIGITS and (word == "0" or word[0] != "0")


def is_word(word: str) -> bool:
    return bool(word) and set(word) <= LETTERS and (not set(word) <= DIGITS or is_number(word))


@lru_cache(4096)
def parsed(text: str) -> Version | None:
    """A semantic version; None for what is none."""
    rest, plus, build = text.partition("+")
    if plus and not all(word and set(word) <= LETTERS for word in build.split(".")):
        return None
    core, hyphen, early = rest.partition("-")
    numbers, words = core.split("."), early.split(".") if hyphen else []
    if len(numbers) != 3 or not all(map(is_number, numbers)) or not all(map(is_word, words)):
        return None
    return Version(tuple(map(int, numbers)), tuple(words))


def in_32_bits(word: str) -> int | None:
    """The integer of 32 bits that a word is, a hyphen being its sign."""
    digits = word[1:] if word[0] == "-" else word
    if not digits or not set(digits) <= DIGITS:
        return None
    return int(word) if -LIMIT <= int(word) < LIMIT else None


def is_newer_word(one: str, other: str, small: bool) -> bool:
    if small:
        first, second = in_32_bits(one), in_32_bits(other)
        if first is None or second is None:
            return one > other
        return 0 < (first - second) % 2**32 < LIMIT
    if is_number(one) != is_number(other):
        return is_number(other)
    return int(one) > int(other) if is_number(one) else one > other


def is_newer(one: Version, other: Version, small: bool) -> bool:
    """Whether one is newer than the other; `small`: words are compared as 4.0 does."""
    if one.numbers != other.numbers:
        return one.numbers > other.numbers
    if not one.words or not other.words:
        return bool(other.words) and not one.words
    for word, against in zip(one.words, other.words, strict=False):
        if is_newer_word(word, against, small) or is_newer_word(against, word, small):
            return is_newer_word(word, against, small)
    return len(one.words) > len(other.words)


def newest(texts: Mapping[str, str | None], small: bool) -> tuple[str, ...] | None:
    """Those with the newest version; None if there is one that cannot be read, or nobody."""
    versions = {broker: parsed(text or "") for broker, text in texts.items()}
    known = {
        broker: version
        for broker, version in versions.items()
        if version is not None and not (small and max(version.numbers) >= LIMIT)
    }
    if len(known) < len(texts) or not known:
        return None
    different = set(known.values())
    return tuple(
        broker
        for broker, version in known.items()
        if not any(is_newer(other, version, small) for other in different)
    )
