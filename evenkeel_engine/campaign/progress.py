"""Progress of a campaign: a bar on a terminal, else a plain line every few seconds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

T = TypeVar("T")

POLL_SECONDS: Final = 0.2
PLAIN_SECONDS: Final = 5.0
"""Time between two plain lines. Counts rise when a task ends, so in steps of a task's seconds."""


Show = Callable[[int], None]
"""Called with how much is done."""


@contextmanager
def show_campaign_progress(
    console: Console, total: int, before: int, title: str = "campaign", unit: str = "trials"
) -> Iterator[Show]:
    """Show progress towards `total`; `before` was done by an earlier run."""
    if not console.is_terminal:
        yield _Plain(console, total, before, title, unit)
        return
    columns = (
        TextColumn(title),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(f"{unit}, {{task.fields[rate]}}/s"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=total, completed=before, rate="0")
        began = time.monotonic()

        def show(done: int) -> None:
            rate = (done - before) / max(time.monotonic() - began, 1e-3)
            bar.update(task, completed=done, rate=f"{rate:,.0f}")

        yield show


class _Plain:
    def __init__(self, console: Console, total: int, before: int, title: str, unit: str) -> None:
        self._title, self._unit = title, unit
        self._console, self._total, self._before = console, total, before
        self._began = self._printed = time.monotonic()

    def __call__(self, done: int) -> None:
        now = time.monotonic()
        if now - self._printed < PLAIN_SECONDS:
            return
        self._printed = now
        rate = (done - self._before) / (now - self._began)
        left = f"{(self._total - done) / rate:.0f} s left" if rate else "starting"
        self._console.print(
            f"{self._title}: {done:,} of {self._total:,} {self._unit}, {rate:,.0f}/s, {left}",
            markup=False,
            soft_wrap=True,
        )


def wait_for(future: Future[T], poll: Callable[[], Any]) -> T:
    """The future's result; meanwhile call `poll` several times a second."""
    while not wait([future], POLL_SECONDS).done:
        poll()
    poll()
    return future.result()
