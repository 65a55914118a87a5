"""An end for what would not end: a mutant may loop for ever."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

SECONDS: Final = 2.0
"""Processor time for one trial; clean ones take milliseconds."""


class TooLong(BaseException):
    """The time is over. No check and no answer may swallow this, so it is no `Exception`."""


@contextmanager
def limited(seconds: float = SECONDS) -> Iterator[None]:
    """Raise `TooLong` once this block has used so much processor time.

    Only where there is such a timer, and in a process's main thread; elsewhere nothing is limited.
    """
    main = threading.current_thread() is threading.main_thread()
    if not (main and hasattr(signal, "setitimer")):
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _over)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _over(_number: int, _frame: FrameType | None) -> None:
    raise TooLong
