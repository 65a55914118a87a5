"""Kill processes that a subject started and that left its process group, and end with a parent.

A variable in the environment marks a process and its descendants, which are found by /proc. Those
that cleared their environment become children of this process when their parents end, if it
adopts orphans; and their session is not its own, since every subject began one.
Linux only: elsewhere the process group is all that can be killed.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

MARK: Final = "EVENKEEL_STARTED_BY"
"""The variable."""
ROUNDS: Final = 5
"""A process may start another while it is looked for."""


_PR_SET_PDEATHSIG: Final = 1
_PR_SET_CHILD_SUBREAPER: Final = 36
PRCTL: Final = getattr(ctypes.CDLL(None), "prctl", None) if sys.platform == "linux" else None


class _Process:
    """What is known of this process."""

    adopts = False
    subjects: Final = set[int]()
    """Processes of subjects that have not been reaped."""


def end_with_parent() -> None:
    """End this process as soon as the thread that started it has ended, however that ended. It may
    run in a child before its command: it does nothing but one system call.
    """
    if PRCTL is not None:
        PRCTL(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def adopt_orphans() -> None:
    """Adopt orphans while there are subjects, to end them. For a process that starts nothing else
    in a session of its own meanwhile: that would be taken for an orphan.
    """
    _Process.adopts = PRCTL is not None


def note_start(subject: int) -> None:
    """A subject's process was started."""
    _Process.subjects.add(subject)
    if PRCTL is not None and _Process.adopts:
        PRCTL(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def note_end(subject: int) -> None:
    """A subject's process was reaped: end what it started and what nothing marks."""
    _Process.subjects.discard(subject)
    for _ in range(ROUNDS):
        left = find_orphans() if _Process.adopts else []
        for number in left:
            with suppress(OSError):
                os.kill(number, signal.SIGKILL)
                os.waitpid(number, 0)
        if not left:
            return


def find_orphans() -> list[int]:
    """The adopted children of this process."""
    own, found = os.getsid(0), []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            _, parent, _, session, *_ = (entry / "stat").read_text().rpartition(")")[2].split()
            if int(parent) == os.getpid() and int(session) != own:
                found.append(int(entry.name))
    return [number for number in found if number not in _Process.subjects]


def find_marked(mark: str) -> list[int]:
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
        if not (left := find_marked(mark)):
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
