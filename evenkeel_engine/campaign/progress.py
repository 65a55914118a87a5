"""Progress of a campaign, whose workers tell from time to time how much is done in all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from rich.console import Console

from evenkeel_engine.progress import show_on

T = TypeVar("T")
POLL_SECONDS: Final = 0.2
Show = Callable[[int], None]
"""Called with how much is done."""


@contextmanager
def show_campaign_progress(
    console: Console, total: int, before: int, title: str = "campaign", unit: str = "trials"
) -> Iterator[Show]:
    """Show progress towards `total`; `before` was done by an earlier run."""
    shown = before
    with show_on(console, title, total, unit, before) as advance:

        def show(done: int) -> None:
            nonlocal shown
            more, shown = done - shown, done
            advance("", more)

        yield show


def wait_for(future: Future[T], poll: Callable[[], Any]) -> T:
    """The future's result; meanwhile call `poll` several times a second."""
    while not wait([future], POLL_SECONDS).done:
        poll()
    poll()
    return future.result()
