"""Processes that tests start, and what is waited for."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any


def start(*words: str, seconds: float = 240, **more: Any) -> subprocess.CompletedProcess[str]:
    """A process that has ended, with its output as text."""
    return subprocess.run(
        words, capture_output=True, text=True, check=False, timeout=seconds, **more
    )


def comes(condition: Callable[[], bool], seconds: float = 20) -> bool:
    """Whether it holds within this time."""
    until = time.monotonic() + seconds
    while not (held := condition()) and time.monotonic() < until:
        time.sleep(0.02)
    return held


def ends(pid: int) -> bool:
    """Whether a process ends: after it is killed it runs for a moment, on a busy machine longer."""
    return comes(lambda: not runs(pid))


def runs(pid: int) -> bool:
    """Whether a process has not ended; one that has not been reaped has."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False
