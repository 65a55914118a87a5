"""Which brokers run the newest version: semantic versions, as the load managers compare them.

Source: BrokerVersionFilter 4.0.8 (of both managers); semver.org 2.0.0; for 4.0 java-semver 0.9.0,
for 5.0.1 0.10.2. What follows a `+` is part of a version, and makes one newer in 5.0.1 only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cmp_to_key, partial, reduce
from itertools import combinations
from typing import Any, Final

from evenkeel.reference.edition import Edition
from evenkeel_engine.frame.clauses import states

_NUMBER: Final = "(0|[1-9][0-9]*)"
_WORD: Final = "(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_VERSION: Final = re.compile(
    rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-({_WORD}(?:\.{_WORD})*))?"
    r"(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?"
)
_INTEGER: Final = re.compile("-?[0-9]+")
_POSITIVE: Final = re.compile("[1-9][0-9]*")


@dataclass(frozen=True, slots=True)
class Version:
    """Major, minor and patch number; the words after the hyphen, and those after the plus."""

    numbers: tuple[int, ...]
    words: tuple[str, ...] = ()
    build: tuple[str, ...] = ()


@states("PLC-31")
def read(text: str | None, in_32_bits: bool) -> Version | None:
    """A version; None for what is no version, in 32 bits also for numbers above 2^31 - 1."""
    found = _VERSION.fullmatch(text) if text else None
    if found is None:
        return None
    *numbers, early, build = found.groups()
    words, after = (tuple(part.split(".")) if part else () for part in (early, build))
    version = Version(tuple(map(int, numbers)), words, after)
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


@states("PLC-31")
def order_of_lists(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """How words compare with others in 5.0.1: as numbers where both are, else as texts."""
    for word, against in zip(one, other, strict=False):
        numbers = _POSITIVE.fullmatch(word) and _POSITIVE.fullmatch(against)
        difference = order(int(word), int(against)) if numbers else order(word, against)
        if difference:
            return difference
    return len(one) - len(other)


@states("PLC-31")
def compare_with_builds(one: Version, other: Version) -> int:
    """How a version compares with another in 5.0.1, where its build counts last."""
    if one.numbers != other.numbers or bool(one.words) != bool(other.words):
        return order((one.numbers, not one.words), (other.numbers, not other.words))
    return order_of_lists(one.words, other.words) or order_of_lists(one.build, other.build)


def is_ordered(
    versions: Iterable[Version | None], compared: Callable[[Version, Version], int]
) -> bool:
    """Whether those that can be read have an order.

    Where they have none, Pulsar's newest one depends on the order of iteration over its set.
    """
    in_order = sorted(filter(None, versions), key=cmp_to_key(compared))
    return all(compared(one, other) <= 0 for one, other in combinations(in_order, 2))


def has_order(versions: Iterable[str | None]) -> bool:
    """Whether the versions that can be read have an order in 32 bits too."""
    known = (read(version, True) for version in versions)
    return is_ordered(known, partial(compare, in_32_bits=True))


def has_order_of_builds(versions: Iterable[str | None]) -> bool:
    """Whether the versions that can be read have an order in 5.0.1 too."""
    return is_ordered((read(version, False) for version in versions), compare_with_builds)


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
    compared: Callable[[Version, Version], int] = partial(compare, in_32_bits=in_32_bits)
    if edition.builds_make_newer:
        compared = compare_with_builds
    highest = reduce(lambda a, b: b if compared(a, b) < 0 else a, readable.values())
    return tuple(b for b, version in readable.items() if compared(version, highest) == 0)
