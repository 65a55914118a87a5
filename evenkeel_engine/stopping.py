"""Ctrl-C, SIGTERM and SIGHUP end a command: finish the current output and exit with status 2."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from threading import Timer
from typing import Any, Final

STOPPING: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
PATIENCE: Final = 2.0
"""Seconds after a signal in which others change nothing: many a sender sends it more than once."""


class Stopped(BaseException):
    """The user, or the system, wants an end. No KeyboardInterrupt: Typer keeps those to itself."""


class _Process:
    """What is known of this process."""

    heeded = -PATIENCE
    ends = False
    number = 0


def stop_in_good_order() -> None:
    """Have the signals raise `Stopped` in the main thread; not SIGHUP where it is ignored (nohup).

    After the first signal those of the next seconds are ignored. A later one raises it again.
    """
    _Process.heeded, _Process.ends, _Process.number = -PATIENCE, False, os.getpid()
    for number in STOPPING:
        if number == signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _stop)
    atexit.register(_ignore)
    sys.unraisablehook = _stop_again


def _ignore() -> None:
    """At its very end the interpreter takes our handlers away, and a signal would kill it."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)


def only_end() -> None:
    """The command has printed all; from now on a signal raises nothing, but ends the process."""
    _Process.ends = True


def _stop(*_: object) -> None:
    now = time.monotonic()
    if now < _Process.heeded + PATIENCE:
        return
    if _Process.ends:
        os._exit(2)
    _Process.heeded = now
    raise Stopped


def _stop_again(lost: Any) -> None:
    """A signal came where the interpreter only prints what is raised, as around a fork."""
    if lost.exc_type is not Stopped:
        sys.__unraisablehook__(lost)
    elif os.getpid() == _Process.number:
        _Process.heeded = -PATIENCE
        Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()


@contextmanager
def block_signals(numbers: Collection[int]) -> Iterator[None]:
    """What is started within this block never gets these signals; POSIX only, else nothing."""
    if os.name != "posix":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
