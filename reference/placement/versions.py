"""Which brokers run the newest version: semantic versions, as the load managers compare them.

Source: BrokerVersionFilter 4.0.8 (of both managers); semver.org 2.0.0. What follows a `+` is
part of a version, but does not make one newer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, TypeAlias

_NUMBER: Final = "(0|[1-9][0-9]*)"
_WORD: Final = "(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_VERSION: Final = re.compile(
    rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-({_WORD}(?:\.{_WORD})*))?"
    r"(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
)

Rank: TypeAlias = tuple[int, int, int, bool, tuple[tuple[bool, int, str], ...]]


def rank(version: str | None) -> Rank | None:
    """Where a version stands among others; None for what is no version."""
    found = _VERSION.fullmatch(version) if version else None
    if found is None:
        return None
    major, minor, patch, early = found.groups()
    words = tuple(word_rank(word) for word in early.split(".")) if early else ()
    return int(major), int(minor), int(patch), not early, words


def word_rank(word: str) -> tuple[bool, int, str]:
    """One word after the hyphen: numbers before texts, each among its own kind."""
    return (False, int(word), "") if word.isdigit() else (True, 0, word)


def newest(versions: Mapping[str, str | None]) -> tuple[str, ...] | None:
    """The brokers with the newest version; None if one of them has none that can be read.

    None also for no brokers. PLC-31.
    """
    ranks = {broker: rank(version) for broker, version in versions.items()}
    known = [r for r in ranks.values() if r is not None]
    if len(known) < len(ranks) or not known:
        return None
    highest = max(known)
    return tuple(broker for broker, r in ranks.items() if r == highest)
