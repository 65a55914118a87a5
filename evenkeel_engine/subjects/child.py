"""A child process that lines are exchanged with; neither side can block the other. POSIX only."""

from __future__ import annotations

import os
import re
import selectors
import signal
import subprocess
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from typing import Final

from evenkeel_engine.subjects.pipes import CHUNK, Pipes
from evenkeel_engine.subjects.strays import (
    MARK,
    PRCTL,
    end_marked,
    end_with_parent,
    note_end,
    note_start,
)

_COUNT: Final = count()
LAST_WORDS: Final = 1 << 14
"""Bytes of standard error that are remembered."""
LAST_LINES: Final = 10
"""Lines of it that are reported at most."""
BEFORE, AFTER = 2, 4
"""Lines that are reported before the one that names the failure, and from it on."""
_NAMES_FAILURE: Final = re.compile(
    r"Exception in thread |Caused by: |panic: |fatal error: |thread '.*' panicked|"
    r"([\w$]+[.:])*\w*(Error|Exception)\b"
)
"""The beginning of a line that names a failure, in the languages that adapters are written in."""
GRACE: Final = 1.0
"""Seconds that a process has for ending after it closed its output."""


class Child(Pipes):
    """A running command in its own process group. Raises OSError if it cannot be started."""

    def __init__(self, command: Sequence[str], line_bytes: int) -> None:
        self._mark = f"{os.environ.get(MARK, '')}/{os.getpid()}-{next(_COUNT)}/"
        self._process = subprocess.Popen(
            command,
            env={**os.environ, MARK: self._mark},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            preexec_fn=end_with_parent if PRCTL else None,  # noqa: PLW1509 - one system call
        )
        note_start(self._process.pid)
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        to, back, self._errors = (pipe.fileno() for pipe in pipes if pipe is not None)
        super().__init__(to, back, line_bytes)
        os.set_blocking(self._errors, False)
        self._selector.register(self._errors, selectors.EVENT_READ)
        self._words = b""
        # A harness that forgets to close, or ends by an exception, leaves no process.
        self._end = weakref.finalize(self, _kill, self._process, self._mark)

    def _read_errors(self) -> None:
        try:
            chunk = os.read(self._errors, CHUNK)
        except BlockingIOError:
            return
        if not chunk:
            self._selector.unregister(self._errors)
        self._words = (self._words + chunk)[-LAST_WORDS:]

    def wait(self, seconds: float) -> int | None:
        """The exit status (negative: the signal), or None; meanwhile what it writes is read, and
        its beginning is kept (`unread`).
        """
        deadline = time.monotonic() + seconds
        while not self._has_ended():  # never after `kill`, which closed the selector
            if (left := deadline - time.monotonic()) <= 0:
                return None
            self._drain(min(left, 0.02))
        if self._end.alive:
            # Standard error to its end; a grandchild may hold it open for ever.
            deadline = time.monotonic() + GRACE
            while self._errors in self._selector.get_map() and time.monotonic() < deadline:
                self._drain(0.02)
            self.kill()
        return self._process.returncode

    def _has_ended(self) -> bool:
        """Whether the process ended. It stays unreaped, so that its group keeps its number."""
        if self._process.returncode is not None:
            return True
        options = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self._process.pid, options) is not None

    def _drain(self, seconds: float) -> None:
        for key, _ in self._selector.select(seconds):
            if key.fd == self._errors:
                self._read_errors()
            elif key.fd == self._output:
                if not (chunk := os.read(self._output, CHUNK)):
                    self._selector.unregister(self._output)
                if self._unfinished < CHUNK:
                    self._keep(chunk)
            elif key.fd == self._input:
                self._write()

    def kill(self) -> None:
        """Kill the child's process group and let go of the pipes. May be called again."""
        self._end()
        self._selector.close()

    def last_words(self) -> list[str]:
        """The most informative lines of standard error on why the process ended."""
        return find_telling(self._words.decode("utf-8", "replace"))


def find_telling(text: str) -> list[str]:
    """The last line that names a failure, with those around it; where none does, the last lines."""
    lines = [line.strip() for line in text.splitlines() if line.strip(" \t^~")]
    named = [at for at, line in enumerate(lines) if _NAMES_FAILURE.match(line)]
    if not named:
        return lines[-LAST_LINES:]
    return lines[max(named[-1] - BEFORE, 0) : named[-1] + AFTER]


def _kill(process: subprocess.Popen[bytes], mark: str) -> None:
    """Kill the group of a process that was not reaped yet, and processes that left it; reap it."""
    # No such process, or not ours: it ended, and its group is empty.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    end_marked(mark)
    note_end(process.pid)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
