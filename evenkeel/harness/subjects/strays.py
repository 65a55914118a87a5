"""Kill processes that a subject started and that left its process group.

A variable in the environment marks a process and its descendants, which are found by /proc.
Linux only: elsewhere the process group is all that can be killed.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

MARK: Final = "EVENKEEL_STARTED_BY"
"""The variable."""
ROUNDS: Final = 5
"""A process may start another while it is looked for."""


def marked(mark: str) -> list[int]:
    """The processes that have this mark, but for this one."""
    variable, found = f"{MARK}={mark}".encode(), []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it ended meanwhile, or belongs to another user
            words = (entry / "environ").read_bytes().split(b"\0")
            if any(word.startswith(variable) for word in words):
                found.append(int(entry.name))
    return [number for number in found if number != os.getpid()]


def end_marked(mark: str) -> None:
    """Kill them."""
    for _ in range(ROUNDS):
        left = marked(mark)
        if not left:
            return
        for number in left:
            with suppress(OSError):
                os.kill(number, signal.SIGKILL)


@contextmanager
def no_strays(mark: str) -> Iterator[None]:
    """Whatever is started within this block has ended with it."""
    before = os.environ.get(MARK)
    os.environ[MARK] = mark
    try:
        yield
    finally:
        if before is None:
            del os.environ[MARK]
        else:
            os.environ[MARK] = before
        end_marked(mark)
