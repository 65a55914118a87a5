"""Progress of long work: a bar on a terminal, else a plain line every few seconds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

PLAIN_SECONDS: Final = 5.0
"""Seconds between two plain lines."""


Advance = Callable[[str, int], None]
"""Called with what is done, and how much more of it."""


@contextmanager
def show_on(
    console: Console, title: str, total: int, unit: str, before: int = 0
) -> Iterator[Advance]:
    """Show on a console how far work is; `before` was done by an earlier run."""
    if not console.is_terminal:
        yield _Plain(console, title, total, unit, before)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TextColumn("{task.fields[speed]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(title, total=total, completed=before, speed="")

        def advance(what: str, amount: int) -> None:
            speed = _format_speed(bar.tasks[0].speed or 0, unit)
            words = f"{title}: {what}" if what else title
            bar.update(task, description=words, advance=amount, speed=speed)

        yield advance


class _Plain:
    def __init__(self, console: Console, title: str, total: int, unit: str, before: int) -> None:
        self._console, self._title, self._unit = console, title, unit
        self._total, self._before, self._done = total, before, before
        self._began = self._printed = time.monotonic()

    def __call__(self, what: str, amount: int) -> None:
        self._done += amount
        now = time.monotonic()
        if now - self._printed < PLAIN_SECONDS:
            return
        self._printed = now
        rate = (self._done - self._before) / (now - self._began)
        left = f"{(self._total - self._done) / rate:.0f} s left" if rate else "starting"
        amounts = f"{self._done:,} of {self._total:,} {self._unit}"
        parts = filter(None, (what, amounts, _format_speed(rate, self._unit), left))
        self._console.print(f"{self._title}: {', '.join(parts)}", markup=False, soft_wrap=True)


def _format_speed(rate: float, unit: str) -> str:
    """How many a second; nothing where the work itself is measured in seconds."""
    return f"{rate:,.0f}/s" if rate and unit != "s" else ""
