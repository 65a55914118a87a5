"""Progress of a campaign: a bar on a terminal, else a plain line every few seconds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Done:
    """How much is done: blocks, and trials in them."""

    blocks: int
    trials: int


Show = Callable[[Done], None]


@contextmanager
def shown(
    console: Console, total: Done, before: Done, title: str = "campaign", unit: str = "blocks"
) -> Iterator[Show]:
    """Show progress towards `total`; `before` was done by an earlier run."""
    if not console.is_terminal:
        yield _Plain(console, total, before, title, unit)
        return
    columns = (
        TextColumn(title),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(f"{unit}, {{task.fields[rate]}} trials/s"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=total.blocks, completed=before.blocks, rate="0")
        began = time.monotonic()

        def show(done: Done) -> None:
            rate = (done.trials - before.trials) / max(time.monotonic() - began, 1e-3)
            bar.update(task, completed=min(done.blocks, total.blocks), rate=f"{rate:,.0f}")

        yield show


class _Plain:
    def __init__(self, console: Console, total: Done, before: Done, title: str, unit: str) -> None:
        self._title, self._unit = title, unit
        self._console, self._total, self._before = console, total, before
        self._began = self._printed = time.monotonic()

    def __call__(self, done: Done) -> None:
        now = time.monotonic()
        if now - self._printed < PLAIN_SECONDS:
            return
        self._printed = now
        rate = (done.trials - self._before.trials) / (now - self._began)
        left = f"{(self._total.trials - done.trials) / rate:.0f} s left" if rate else "starting"
        self._console.print(
            f"{self._title}: {min(done.blocks, self._total.blocks):,} of "
            f"{self._total.blocks:,} {self._unit}, "
            f"{rate:,.0f} trials/s, {left}",
            markup=False,
            soft_wrap=True,
        )


def wait_for(future: Future[T], poll: Callable[[], Any]) -> T:
    """The future's result; meanwhile call `poll` several times a second."""
    while not wait([future], POLL_SECONDS).done:
        poll()
    poll()
    return future.result()
