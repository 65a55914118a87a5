"""Printing: tables and summary lines for people, one JSON object for programs, progress for both.

Progress goes to standard error, so that standard output holds the result alone.
"""

from __future__ import annotations

import errno
import io
import json
import os
import select
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.table import Table

from evenkeel_engine.cli.options import Format
from evenkeel_engine.files import write_file
from evenkeel_engine.kit.codec import Json
from evenkeel_engine.progress import Advance, show_on
from evenkeel_engine.text import make_printable

STANDARD_OUTPUT = 1
"""Its file descriptor."""

PIPE_WIDTH = 180
"""Columns of a table where there is no terminal."""


def _make_console(stderr: bool) -> Console:
    console = Console(stderr=stderr, highlight=False, soft_wrap=True, emoji=False)
    if not console.is_terminal:
        console.width = PIPE_WIDTH
    return console


out = _make_console(stderr=False)
err = _make_console(stderr=True)


def show_any_character() -> None:
    """Whatever a terminal or a file cannot encode is written as an escape."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


@contextmanager
def show_progress(title: str, total: int, unit: str) -> Iterator[Advance]:
    """Show the progress of long work on standard error; end it if none reads the result."""
    with show_on(err, title, total, unit) as advance:

        def advance_if_read(what: str, amount: int) -> None:
            stop_if_closed()
            advance(what, amount)

        yield advance_if_read


def stop_if_closed() -> None:
    """Raise `BrokenPipeError` if none reads standard output: the rest of a run would be lost."""
    if not hasattr(select, "poll"):  # on Windows the run continues to its end
        return
    pipe = select.poll()
    pipe.register(STANDARD_OUTPUT, 0)
    if any(event & select.POLLERR for _, event in pipe.poll(0)):
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table; columns that start with `#` hold numbers and are set to the right."""
    shown = Table(title=title, title_justify="left", title_style="bold", header_style="")
    for column in columns:
        right = column.startswith("#")
        shown.add_column(column.removeprefix("#"), justify="right" if right else "left")
    for row in rows:
        shown.add_row(*(_format_cell(value) for value in row))
    out.print(shown)


def print_listing(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a long table as plain lines; a bordered one of 400 rows takes ten times as long."""
    cells = [[column.removeprefix("#") for column in columns]]
    cells += [[str(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    right = [column.startswith("#") for column in columns]
    for row in cells:
        aligned = (
            text.rjust(width) if number else text.ljust(width)
            for text, width, number in zip(row, widths, right, strict=True)
        )
        print("  ".join(aligned).rstrip())  # noqa: T201 - a line each, as wide as it is


def _format_cell(value: object) -> str:
    if isinstance(value, tuple):  # lines of one cell
        return "\n".join(_format_cell(one) for one in value)
    text = f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
    return make_printable(text).replace("[", r"\[")


def print_line(text: str = "") -> None:
    """Print one line: whatever a subject, a file or a name put into it stays on it."""
    out.print(make_printable(text), markup=False)


def print_prose(text: str) -> None:
    """Print a sentence or two: on a terminal broken between words, what follows indented. In a
    pipe it stays one line, and so does a command wherever it is printed (`print_line`).
    """
    for one in break_lines(out, make_printable(text)):
        out.print(one, markup=False)


def warn(sentence: str) -> None:
    """One sentence on standard error, separate from the result."""
    for one in break_lines(err, f"evenkeel: {make_printable(sentence)}"):
        err.print(one, markup=False)


def break_lines(console: Console, text: str) -> list[str]:
    """A text in lines that a terminal holds; paths and names stay whole."""
    if not console.is_terminal:
        return [text]
    indent = " " * (len(text) - len(text.lstrip()) + 2)
    wrapper = textwrap.TextWrapper(console.width, subsequent_indent=indent)
    wrapper.break_long_words = wrapper.break_on_hyphens = False
    return wrapper.wrap(text) or [text]  # an empty line is one, too


def print_lines(lines: Iterable[str]) -> None:
    """Print lines, each on one of its own."""
    for one in lines:
        print_line(one)


def write_text(path: Path, text: str, folders: bool = False) -> None:
    """Write a file that the user requested, with its `folders`. Raises `Unwritable`."""
    write_file(path, text.encode(errors="backslashreplace"), folders)


def finish(format_: Format, summary: str, status: int, data: dict[str, Json]) -> int:
    """Print the end of a command: the summary line, or all of it as one JSON object."""
    if format_ is Format.JSON:
        whole = {"summary": summary, "status": status, **data}
        # An escape for what the output cannot encode must be one that JSON has.
        ascii_only = (sys.stdout.encoding or "").lower() != "utf-8"
        print(json.dumps(whole, ensure_ascii=ascii_only))  # noqa: T201 - JSON must not be wrapped
    else:
        print_prose(summary)
    return status
