"""Text is compared, cut and read as Java 17 does it; `adapters/apache-pulsar/text/` asked Java."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evenkeel.reference import java_text
from evenkeel.reference.java_text import INTS, LONGS

JAVA = json.loads(Path(__file__).with_name("java_text.json").read_text())
EVERY_CHARACTER = range(sys.maxunicode + 1)


def in_runs(runs: list[list[int]]) -> set[int]:
    return {point for first, last in runs for point in range(first, last + 1)}


def test_every_character_is_folded_as_in_java() -> None:
    moved = {
        point: distance
        for first, last, step, distance in JAVA["folds"]
        for point in range(first, last + 1, step)
    }
    later = in_runs(JAVA["undefined"])
    wrong = [
        hex(point)
        for point in EVERY_CHARACTER
        if ord(java_text.fold_case(chr(point))) - point != moved.get(point, 0)
        and not ({point, ord(java_text.fold_case(chr(point)))} & later)
    ]
    assert wrong == []


def test_white_space_is_what_java_says() -> None:
    white = [point for point in EVERY_CHARACTER if java_text.is_blank(chr(point))]
    assert white == JAVA["white_space"]


def test_digits_begin_where_java_says() -> None:
    later = in_runs(JAVA["undefined"])
    values = {point: java_text.digit(chr(point), 36) for point in EVERY_CHARACTER}
    known = {point: value for point, value in values.items() if point not in later}
    zeros = [point for point, value in known.items() if value == 0 and chr(point).isdecimal()]
    assert zeros == JAVA["digits"]
    assert [point for point, value in known.items() if value == 10] == JAVA["letters"]


def number(read: Callable[[str], int | None]) -> Callable[[str], str | None]:
    return lambda text: None if (value := read(text)) is None else str(value)


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("decode", number(java_text.decode)),
        ("parse_int", number(lambda text: java_text.parse(text, 10, INTS))),
        ("split", lambda text: java_text.split(text, "_")),
        ("blank", java_text.is_blank),
        ("utf8", lambda text: java_text.utf8(text).hex()),
    ],
)
def test_texts_are_read_as_java_reads_them(name: str, function: Callable[[str], Any]) -> None:
    assert [[text, function(text)] for text, _ in JAVA[name]] == JAVA[name]


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("same", java_text.same_ignoring_case),
        ("before", lambda a, b: java_text.code_units(a) < java_text.code_units(b)),
    ],
)
def test_texts_are_compared_as_java_compares_them(
    name: str, function: Callable[[str, str], bool]
) -> None:
    texts = [text for text, _ in JAVA["utf8"]]
    assert [[a, b] for a in texts for b in texts if a != b and function(a, b)] == JAVA[name]


def test_numbers_have_their_bounds() -> None:
    assert java_text.parse("9223372036854775807", 10, LONGS) == 2**63 - 1
    assert java_text.parse("9223372036854775808", 10, LONGS) is None
