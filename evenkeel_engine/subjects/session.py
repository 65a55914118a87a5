"""One session with one process: start, hello on both sides, messages, bye."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from evenkeel_engine.kit.codec import Json
from evenkeel_engine.subjects import wire
from evenkeel_engine.subjects.checker import Checker
from evenkeel_engine.subjects.child import GRACE, Child
from evenkeel_engine.subjects.parent import PARENT, Parent
from evenkeel_engine.subjects.pipes import Ended, LineTooLong, TimeUp
from evenkeel_engine.subjects.wire import BadMessage

LINE_LENGTH: Final = 160
"""Characters of each of a process's last words."""
LAST_LINES: Final = 10
"""Lines after the last reply that are read."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long (seconds) and how much.

    `trial_seconds` counts from the reply before, and only while the harness waits. Trials are
    sent ahead up to `trials_ahead`, and up to `bytes_ahead` with the last one over it. A line has
    at most `line_bytes`. `restarts` is how many processes in a row may fail without a reply, and
    `failures` on how many trials of one question, `late` of them by their time, before the question
    is given up.
    """

    hello_seconds: float = 60.0
    trial_seconds: float = 30.0
    bye_seconds: float = 2.0
    trials_ahead: int = 128
    bytes_ahead: int = 1 << 20
    line_bytes: int = 64 << 20
    restarts: int = 10
    failures: int = 50
    late: int = 5


class Fault(Exception):
    """The process can no longer be used. The sentence continues "the subject …"."""


class Late(Fault):
    """A reply that did not come in its time."""


class Session:
    """A running subject that has sent its hello. Raises `Fault` if it sends none."""

    def __init__(
        self,
        command: Sequence[str],
        options: Mapping[str, str],
        limits: Limits,
        checker: Checker | None,
    ) -> None:
        self._limits = limits
        self._checker = checker
        self._child: Child | Parent
        try:
            size = limits.line_bytes
            self._child = Parent(size) if command == [PARENT] else Child(command, size)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise Fault(f"cannot be started: {reason}") from None
        self._child.send(wire.write_line(wire.harness_hello(options)))
        try:
            self.hello = self._shake_hands(options)
        except Fault:
            self.kill()
            raise

    def _shake_hands(self, options: Mapping[str, str]) -> wire.Hello:
        # A line after the hello is too early; the first trial reports it.
        seconds = self._limits.hello_seconds
        first, *self._early = self._receive(seconds, f"send its hello within {seconds:g} s")
        message = self._parse_message(first)
        try:
            hello = wire.read_hello(message)
        except BadMessage as bad:
            raise Fault(f"began with a line that {bad}: {show_beginning(first)}") from None
        if unknown := sorted(set(options) - hello.options):
            raise Fault(f"does not know the option {unknown[0]}")
        if self._checker and (problem := self._checker.subject_problem(message, None)):
            raise Fault(f"sent a hello that does not match the schema: {problem}")
        return hello

    def send(self, lines: bytes) -> None:
        """Send lines, or what the pipe takes of them now; the rest goes while waiting."""
        self._child.send(lines)

    def receive(self, seconds: float) -> list[dict[str, Json] | Fault]:
        """The next messages, at least one. Raises `Fault` if none comes in this time.

        A `Fault` among them replaces a line that was no message; nothing follows it.
        """
        lines, self._early = self._early, []
        messages: list[dict[str, Json] | Fault] = []
        what = f"answer within {self._limits.trial_seconds:g} s"
        for line in lines or self._receive(seconds, what):
            try:
                messages.append(self._parse_message(line))
            except Fault as fault:
                messages.append(fault)
                break
        return messages

    def _parse_message(self, line: bytes) -> dict[str, Json]:
        if len(line) > self._limits.line_bytes:
            raise self._too_long()
        try:
            return wire.read_line(line)
        except BadMessage as bad:
            raise Fault(f"sent a line that {bad}: {show_beginning(line)}") from None

    def _receive(self, seconds: float, what: str) -> list[bytes]:
        try:
            return self._child.receive(seconds)
        except TimeUp as late:
            raise Late(f"did not {what}{_describe_piece(late.unfinished)}") from None
        except LineTooLong:
            raise self._too_long() from None
        except Ended as end:
            raise self._explain_end(end.unfinished) from None

    def _too_long(self) -> Fault:
        return Fault(f"sent a line of more than {self._limits.line_bytes:,} bytes")

    def _explain_end(self, unfinished: int) -> Fault:
        """The fault of a process that closed its output."""
        status = self._child.wait(GRACE)
        if isinstance(self._child, Parent):
            text = "closed its side before the check had ended"
        elif status is None:
            text = "closed its standard output but did not exit"
        else:
            text = describe_status(status)
        return Fault(f"{text}{_describe_piece(unfinished)}{self._quote_errors()}")

    def _quote_errors(self) -> str:
        words = " | ".join(wire.clip_reason(line, LINE_LENGTH) for line in self._child.last_words())
        return f", its last words: {words}" if words else ""

    def kill(self) -> None:
        """Kill the process and what it started, at once."""
        self._child.kill()

    def close(self) -> tuple[list[dict[str, Json]], str]:
        """Send bye, wait shortly for the process to end, and kill what is left.

        Returns the first messages that still came, and what a right process does not do: that
        sends its bye and exits with status 0. The sentence continues "the subject …".
        """
        self._child.send(wire.write_line(wire.BYE))
        end, lines = time.monotonic() + self._limits.bye_seconds, self._early
        with suppress(Ended, TimeUp, LineTooLong):
            while len(lines) < LAST_LINES and BYE not in map(read_type, lines):
                lines += self._child.receive(end - time.monotonic())
        status = self._child.wait(end - time.monotonic())
        lines += filter(None, self._child.unread.split(b"\n"))
        self._child.kill()
        wrong = [line for line in lines if read_type(line) not in (BYE, *REPLIES)]
        fault = f"{describe_status(status)} after bye{self._quote_errors()}" if status else ""
        if wrong:
            fault = f"sent a line after its last reply that is no bye: {show_beginning(wrong[0])}"
        replies = [line for line in lines if read_type(line) in REPLIES]
        return list(map(wire.read_line, replies[:LAST_LINES])), fault


BYE: Final = "bye"
REPLIES: Final = ("observation", "skipped", "error")


def read_type(line: bytes) -> object:
    """The type of the message on a line; None if it is no message."""
    try:
        return wire.read_line(line).get("type")
    except BadMessage:
        return None


def describe_status(status: int) -> str:
    """How a process ended."""
    return f"exited with status {status}" if status >= 0 else f"was ended by signal {-status}"


def show_beginning(line: bytes) -> str:
    """The beginning of a line, for a sentence."""
    text = repr(line[:80].decode("utf-8", "replace"))
    return f"{text}…" if len(line) > 80 else text


def _describe_piece(unfinished: int) -> str:
    return f" (after {unfinished:,} bytes without a line end)" if unfinished else ""
