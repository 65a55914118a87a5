"""Which brokers run the newest version: semantic versions, as the load managers compare them.

Source: BrokerVersionFilter 4.0.8 (of both managers); semver.org 2.0.0; for 4.0 java-semver 0.9.0.
What follows a `+` is part of a version, but does not make one newer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cmp_to_key, partial, reduce
from itertools import combinations
from typing import Any, Final

from evenkeel.reference.clauses import states
from evenkeel.reference.edition import Edition

_NUMBER: Final = "(0|[1-9][0-9]*)"
_WORD: Final = "(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_VERSION: Final = re.compile(
    rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-({_WORD}(?:\.{_WORD})*))?"
    r"(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
)
_INTEGER: Final = re.compile("-?[0-9]+")


@dataclass(frozen=True, slots=True)
class Version:
    """Major, minor and patch number; the words after the hyphen."""

    numbers: tuple[int, ...]
    words: tuple[str, ...] = ()


@states("PLC-31")
def read(text: str | None, in_32_bits: bool) -> Version | None:
    """A version; None for what is no version, in 32 bits also for numbers above 2^31 - 1."""
    found = _VERSION.fullmatch(text) if text else None
    if found is None:
        return None
    *numbers, early = found.groups()
    version = Version(tuple(map(int, numbers)), tuple(early.split(".")) if early else ())
    if in_32_bits and max(version.numbers) >= 2**31:
        return None
    return version


def order(one: Any, other: Any) -> int:
    """Negative, 0 or positive: how one compares with another of its kind."""
    return int(one > other) - int(one < other)


def rank(word: str) -> tuple[bool, int, str]:
    """The rank of a word: numbers before texts, each among its own kind."""
    return (False, int(word), "") if word.isdigit() else (True, 0, word)


def fits(word: str) -> bool:
    """Whether a word is an integer of 32 bits; a hyphen before it is a sign."""
    return bool(_INTEGER.fullmatch(word)) and -(2**31) <= int(word) < 2**31


@states("PLC-31")
def order_of_words(one: str, other: str, in_32_bits: bool) -> int:
    """How a word compares with another.

    In 32 bits they are numbers only if both fit, and then their difference decides, which can
    wrap; else texts. Words then need not have an order: 9 < 10 < 1a < 9.
    """
    if not in_32_bits:
        return order(rank(one), rank(other))
    if fits(one) and fits(other):
        return (int(one) - int(other) + 2**31) % 2**32 - 2**31
    return order(one, other)


@states("PLC-31")
def compare(one: Version, other: Version, in_32_bits: bool) -> int:
    """Negative: one is older than the other; 0: neither is."""
    if one.numbers != other.numbers or not (one.words and other.words):
        return order((one.numbers, not one.words), (other.numbers, not other.words))
    for word, against in zip(one.words, other.words, strict=False):
        difference = order_of_words(word, against, in_32_bits)
        if difference:
            return difference
    return len(one.words) - len(other.words)


def has_order(versions: Iterable[str | None]) -> bool:
    """Whether the versions that can be read have an order in 32 bits too.

    Where they have none, 4.0's newest one depends on the order of iteration over its set.
    """
    compared = partial(compare, in_32_bits=True)
    known = (read(version, True) for version in versions)
    in_order = sorted(filter(None, known), key=cmp_to_key(compared))
    return all(compared(one, other) <= 0 for one, other in combinations(in_order, 2))


@states("PLC-31")
def newest(versions: Mapping[str, str | None], edition: Edition) -> tuple[str, ...] | None:
    """The brokers with the newest version; None if one of them has none that can be read.

    None also for no brokers.
    """
    in_32_bits = edition.versions_in_32_bits
    known = {broker: read(version, in_32_bits) for broker, version in versions.items()}
    readable = {broker: version for broker, version in known.items() if version is not None}
    if len(readable) < len(known) or not known:
        return None
    compared = partial(compare, in_32_bits=in_32_bits)
    highest = reduce(lambda a, b: b if compared(a, b) < 0 else a, readable.values())
    return tuple(b for b, version in readable.items() if compared(version, highest) == 0)
