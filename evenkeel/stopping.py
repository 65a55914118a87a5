"""Ctrl-C and SIGTERM end a command: finish the current output and exit with status 2."""

from __future__ import annotations

import signal


class Stopped(BaseException):
    """The user, or the system, wants an end. No KeyboardInterrupt: Typer keeps those to itself."""


def stop_in_good_order() -> None:
    """Have both signals raise `Stopped` in the main thread."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)


def _stop(*_: object) -> None:
    raise Stopped
