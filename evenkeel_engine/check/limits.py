"""Limit processor time: a mutant may loop for ever, or search without end.

Two timers of processor time. The first raises `TooLong`, as soon as the next step of Python begins.
A loop inside one operation of the interpreter (`0.5 in range(2**63)`) has no next step: only the
end of the process ends it. So an expendable process declares that it may be ended
(`may_be_ended`), and there the second timer has the system end it; the parent learns that from its
exit status (`worker.py`).
"""

from __future__ import annotations

import gc
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

SECONDS: Final = 2.0
"""Processor time that any trial may take; clean ones take milliseconds."""
TIMES: Final = 20
"""Factor of the time without the mutant that a trial may take, if that is more."""
GRACE: Final = 2.0
"""Processor time after the limit until a process that may be ended is ended."""

HAS_TIMERS: Final = hasattr(signal, "setitimer")
ENDED_BY: Final = -getattr(signal, "SIGPROF", 0)
"""The exit status, as `multiprocessing` reports it, of a process that was ended."""


class TooLong(BaseException):
    """The time is over. No check and no answer may swallow this, so it is no `Exception`."""


class _Process:
    """What is known of this process."""

    expendable = False


def may_be_ended() -> None:
    """From now on the system ends this process if a limited block runs beyond its grace."""
    if HAS_TIMERS:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        _Process.expendable = True


def compute_allowance(clean: float) -> float:
    """The processor time for what takes `clean` seconds without a mutant."""
    return max(SECONDS, TIMES * clean)


@contextmanager
def limit_time(seconds: float = SECONDS) -> Iterator[None]:
    """A context that raises `TooLong` after this processor time, in seconds.

    Only where there is such a timer (Linux, macOS; not Windows), and in a process's main thread;
    elsewhere nothing is limited. No garbage is collected meanwhile: with all that a process keeps,
    that alone may take a second.
    """
    if not (threading.current_thread() is threading.main_thread() and HAS_TIMERS):
        yield
        return
    before, collects = signal.signal(signal.SIGVTALRM, _raise_too_long), gc.isenabled()
    gc.disable()
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    if _Process.expendable:
        signal.setitimer(signal.ITIMER_PROF, seconds + GRACE)
    try:
        yield
    finally:
        if _Process.expendable:
            signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        if collects:
            gc.enable()


def _raise_too_long(_number: int, _frame: FrameType | None) -> None:
    raise TooLong("it was ended: it took too long")
