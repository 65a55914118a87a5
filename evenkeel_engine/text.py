"""Texts of subjects, files and users on their way to a terminal or a report."""

from __future__ import annotations

import re
from collections.abc import Sequence


def make_printable(text: str) -> str:
    """A text on one line, with control characters and what else cannot be seen as escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def escape_markdown(text: str) -> str:
    """A text on one line of Markdown, in which nothing of it is Markdown or HTML."""
    return re.sub(r"[\\`*\[<|&]|~~|\b_|_\b", r"\\\g<0>", make_printable(" ".join(text.split())))


def format_code(text: str) -> str:
    """A text on one line as a piece of code in Markdown."""
    return f"`{make_printable(' '.join(text.replace('`', chr(39)).split()))}`"


def number_equal(names: Sequence[str]) -> list[str]:
    """The names, those that are equal with a number behind them."""
    numbers = (names[: place + 1].count(name) for place, name in enumerate(names))
    return [
        f"{name} ({number})" if names.count(name) > 1 else name
        for name, number in zip(names, numbers, strict=True)
    ]


def count_noun(count: int, noun: str) -> str:
    """The count with its noun."""
    many = f"{noun[:-1]}ies" if noun.endswith("ry") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else many}"
