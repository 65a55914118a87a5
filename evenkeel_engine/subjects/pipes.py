"""A process at the other end of two pipes that lines are exchanged with; neither side can block the
other. POSIX only.
"""

from __future__ import annotations

import os
import selectors
import time
from collections import deque
from typing import Final

CHUNK: Final = 1 << 18
"""Bytes read at once."""


class NoLine(Exception):
    """No line came, but `unfinished` bytes of one."""

    def __init__(self, unfinished: int) -> None:
        super().__init__(f"no line, {unfinished} bytes of one")
        self.unfinished = unfinished


class Ended(NoLine):
    """The child closed its output."""


class TimeUp(NoLine):
    """No line came in time."""


class LineTooLong(Exception):
    """The child sent a line longer than it may be."""


class Pipes:
    """Two file descriptors, which do not block from now on: `to` it, and what it says, `back`.

    `send` queues bytes; `receive` moves bytes in both directions until a line is complete.
    """

    def __init__(self, to: int, back: int, line_bytes: int) -> None:
        self._input, self._output, self._line_bytes = to, back, line_bytes
        for pipe in (to, back):
            os.set_blocking(pipe, False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(back, selectors.EVENT_READ)
        self._queue: deque[memoryview] = deque()
        self._parts: list[bytes] = []
        self._unfinished = 0

    def send(self, data: bytes) -> None:
        """Queue bytes, and write what the pipe takes now. Never blocks."""
        if data:
            self._queue.append(memoryview(data))
            self._write()

    def receive(self, seconds: float) -> list[bytes]:
        """The lines that have come, at least one, without their ends.

        Waits this long at most. Raises `Ended`, `LineTooLong` or `TimeUp`.
        """
        deadline = time.monotonic() + seconds
        while True:
            if self._unfinished > self._line_bytes:
                raise LineTooLong
            left = deadline - time.monotonic()
            lines: list[bytes] = []
            for key, _ in self._selector.select(max(left, 0)):
                if key.fd == self._output:
                    lines = self._read()
                elif key.fd == self._input:
                    self._write()
                else:
                    self._read_errors()
            if lines:
                return lines
            if left <= 0:
                raise TimeUp(self._unfinished)

    def _write(self) -> None:
        try:
            while self._queue:
                data = self._queue[0]
                if (written := os.write(self._input, data)) == len(data):
                    self._queue.popleft()
                else:
                    self._queue[0] = data[written:]
        except BlockingIOError:
            self._watch_input(True)
        except BrokenPipeError:
            # What it wrote before it ended may still be in its output: continue reading.
            self._queue.clear()
            self._watch_input(False)
        else:
            self._watch_input(False)

    def _watch_input(self, enabled: bool) -> None:
        if enabled == (self._input in self._selector.get_map()):
            return
        if enabled:
            self._selector.register(self._input, selectors.EVENT_WRITE)
        else:
            self._selector.unregister(self._input)

    def _read(self) -> list[bytes]:
        try:
            chunk = os.read(self._output, CHUNK)
        except BlockingIOError:
            return []
        if not chunk:
            raise Ended(self._unfinished)
        first, *rest = chunk.split(b"\n")
        if not rest:
            self._keep(first)
            return []
        lines = [b"".join((*self._parts, first)), *rest[:-1]]
        self._parts.clear()
        self._unfinished = 0
        self._keep(rest[-1])
        return lines

    def _keep(self, part: bytes) -> None:
        if part:
            self._parts.append(part)
            self._unfinished += len(part)

    @property
    def unread(self) -> bytes:
        """What has come of a line without its end."""
        return b"".join(self._parts)

    def _read_errors(self) -> None:
        """Read a piece of standard error, where there is one."""
