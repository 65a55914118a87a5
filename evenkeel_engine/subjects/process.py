"""A subject that is a process: it speaks the wire protocol on its standard input and output.

Trials are sent ahead of the replies. A process that crashes, hangs or breaks the protocol is
replaced by a new one and the run continues: the failing trial is `Errored`, those after it are sent
again. POSIX only.
"""

from __future__ import annotations

import shlex
import sys
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Final

from evenkeel_engine.errors import UserError
from evenkeel_engine.kit.codec import Json
from evenkeel_engine.subjects import wire
from evenkeel_engine.subjects.base import Errored, Reply, Request, Skipped, talks
from evenkeel_engine.subjects.checker import Checker
from evenkeel_engine.subjects.parent import PARENT
from evenkeel_engine.subjects.session import REPLIES, Fault, Late, Limits, Session
from evenkeel_engine.subjects.wire import BadMessage
from evenkeel_engine.text import make_printable

NOT_SUPPORTED: Final = "not supported"
"""Why a trial is skipped: its question is not in the subject's hello."""


class SubjectUnusable(UserError):
    """A subject that cannot be run: one clear sentence."""


@dataclass(slots=True)
class _Flight:
    """A trial on its way. No request: its run was given up. A reply: known without sending it."""

    request: Request | None
    id: int
    line: bytes
    reply: Reply | None = None


class ProcessSubject:
    """A command that answers trials over the wire protocol; it is started at once.

    `options` go into the hello. With `validate` every message in both directions is also checked
    against the JSON schemas, which needs the package jsonschema.
    Raises `SubjectUnusable` if the command cannot be started or sends no hello. `restarts` counts
    new processes.

    A question on which the process fails again and again is given up: its trials are `Errored`
    from then on without being sent, and those of other questions continue. So is everything, once
    no new process sends a hello.

    One run at a time: a new call of `replies` gives up what an earlier one left open.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        options: Mapping[str, str] | None = None,
        limits: Limits | None = None,
        validate: bool = False,
    ) -> None:
        self.command = command_words(command)
        self.limits = limits or Limits()
        self.restarts = 0
        self.parting = ""
        self._options = dict(options or {})
        self._checker = Checker() if validate else None
        self._flights: deque[_Flight] = deque()
        self._bytes_ahead = 0
        self._next_id = self._first_id = 0
        self._waited = 0.0
        self._failed_in_a_row = 0
        self._failed: Counter[str] = Counter()
        self._late: Counter[str] = Counter()
        self._given_up: dict[str, str] = {}
        self._given_up_entirely = ""
        self._messages: deque[dict[str, Json] | Fault] = deque()
        self._session: Session | None = None
        try:
            self._session = self._open()
        except Fault as fault:
            program = name_program(shlex.join(self.command))  # reports of others repeat it
            raise SubjectUnusable(f"The subject {program} {fault}.") from None
        self.hello = self._session.hello
        self.name = f"{self.hello.name} {self.hello.version}".strip()

    @property
    def questions(self) -> frozenset[str]:
        """The questions of its hello; unknown names included."""
        return self.hello.questions

    @talks
    def replies(self, requests: Iterable[Request]) -> Iterator[tuple[Request, Reply]]:
        """Each request with its reply, in order."""
        for flight in self._flights:
            flight.request = None
        waiting, more = iter(requests), True
        while True:
            if more and self._has_room():
                more = self._fill(waiting)
            if not more and (not self._flights or self._flights[-1].request is None):
                return
            yield from self._advance()

    def close(self) -> None:
        """Send bye, wait shortly for the process to end, and kill what is left of it.

        Raises `SubjectUnusable` for a reply after that to the last trial. What else is wrong at
        the end is `parting`, and a line on standard error: all trials have their replies.
        """
        session, self._session = self._session, None
        if session is None:
            return
        late, fault = session.close()
        if self._flights:
            return
        for message in [*self._messages, *late]:
            if isinstance(message, Fault):
                fault = str(message)
            elif message.get("type") in REPLIES:
                id_ = message.get("id")
                what = self._wrong_id(id_ if type(id_) is int else None, self._next_id)
                raise SubjectUnusable(f"The subject {self.name} {what}, after its last reply.")
        if fault:
            self.parting = make_printable(f"the subject {self.name} {fault}")
            say_once(f"evenkeel: {self.parting}.\n")

    def renew(self) -> None:
        """Have a new process answer next: what it does may hang on the process, as hashes do."""
        self.close()  # the next trial starts another process

    def _has_room(self) -> bool:
        # Refilled from half, so that many trials go out in one piece.
        limits = self.limits
        return not self._flights or (
            len(self._flights) <= limits.trials_ahead // 2
            and self._bytes_ahead < limits.bytes_ahead
        )

    def _fill(self, waiting: Iterator[Request]) -> bool:
        """Send trials ahead in one piece; False if there are no more."""
        lines, more = [], False
        for request in waiting:
            flight = self._start_flight(request)
            self._flights.append(flight)
            self._bytes_ahead += len(flight.line)
            lines.append(flight.line)
            limits = self.limits
            if len(self._flights) >= limits.trials_ahead or self._bytes_ahead >= limits.bytes_ahead:
                more = True
                break
        if self._session is not None:
            self._session.send(b"".join(lines))
        return more

    def _start_flight(self, request: Request) -> _Flight:
        if request.question.name not in self.hello.questions:
            return _Flight(request, -1, b"", Skipped(NOT_SUPPORTED))
        if given_up := self._given_up_entirely or self._given_up.get(request.question.name, ""):
            return _Flight(request, -1, b"", Errored(given_up, definite=True))
        id_ = self._next_id
        try:
            line = wire.write_line(wire.trial_message(id_, request.question, request.trial))
        except ValueError as error:  # a number such as infinity
            return _Flight(request, -1, b"", Errored(f"this trial has no JSON form: {error}", True))
        if self._checker and (problem := self._checker.harness_problem(wire.read_line(line))):
            why = f"this trial does not match the schema: {problem}"
            return _Flight(request, -1, b"", Errored(why, definite=True))
        self._next_id += 1
        return _Flight(request, id_, line)

    def _advance(self) -> list[tuple[Request, Reply]]:
        """The replies that can be had now; at least one, but for trials that were given up."""
        done: list[tuple[Request, Reply]] = []
        try:
            while self._flights:
                head = self._flights[0]
                if head.reply is not None:
                    self._land(head.reply, done)
                    continue
                if not self._messages:
                    if done:
                        break
                    if self._session is None:
                        self._restart()
                        continue
                    self._messages.extend(self._wait())
                self._land(self._read(head, self._messages.popleft()), done)
                self._waited, self._failed_in_a_row = 0.0, 0
        except Fault as fault:
            at_fault = self._flights[0].request
            self._give_up_session(fault)
            self._land(Errored(str(fault), definite=False), done)
            if at_fault is not None:
                self._count_failure(at_fault.question.name, fault)
        return done

    def _count_failure(self, question: str, fault: Fault) -> None:
        """The process failed on a trial of this question, which is given up after too many."""
        self._failed[question] += 1
        self._late[question] += isinstance(fault, Late)
        if self._failed_in_a_row > self.limits.restarts:
            often = f"{self._failed_in_a_row} times in a row"
        elif self._late[question] >= self.limits.late:
            often = f"to answer in time {self._late[question]} times"
        elif self._failed[question] >= self.limits.failures:
            often = f"{self._failed[question]} times"
        else:
            return
        self._given_up[question] = f"given up: it failed {often}; the last time it {fault}"
        self._failed_in_a_row = 0
        self._answer_waiting()

    def _answer_waiting(self) -> None:
        """Give trials in flight that are given up their reply; they are not sent again."""
        for flight in self._flights:
            name = flight.request.question.name if flight.request else ""
            why = self._given_up_entirely or self._given_up.get(name, "")
            if flight.reply is None and why:
                flight.reply = Errored(why, definite=True)
                self._bytes_ahead -= len(flight.line)
                flight.line = b""

    def _land(self, reply: Reply, done: list[tuple[Request, Reply]]) -> None:
        """The first trial on its way has its reply."""
        flight = self._flights.popleft()
        self._bytes_ahead -= len(flight.line)
        if flight.request is not None:
            done.append((flight.request, reply))

    def _wait(self) -> list[dict[str, Json] | Fault]:
        """The next messages. Only time spent in here counts as the trial's. Raises `Fault`."""
        assert self._session is not None  # `_advance` opened one
        began = time.monotonic()
        try:
            return self._session.receive(self.limits.trial_seconds - self._waited)
        finally:
            self._waited += time.monotonic() - began

    def _read(self, head: _Flight, message: dict[str, Json] | Fault) -> Reply:
        """The reply to the first trial on its way. Raises `Fault`."""
        if isinstance(message, Fault):
            raise message
        try:
            id_ = wire.read_id(message)
        except BadMessage as bad:
            raise Fault(f"sent a line that {bad}") from None
        if id_ not in (None, head.id):
            raise Fault(self._wrong_id(id_, head.id))
        if head.request is None:
            return Skipped("given up")
        question = head.request.question
        if self._checker and (problem := self._checker.subject_problem(message, question.name)):
            return Errored(f"sent a message that does not match the schema: {problem}", False)
        return wire.read_reply(question, message)

    def _wrong_id(self, id_: int | None, due: int) -> str:
        # No ids in the sentence: one failure must read the same wherever in a run it comes up.
        if id_ is not None and self._first_id <= id_ < due:
            return "answered a trial twice"
        if id_ is not None and due < id_ < self._next_id:
            return "answered out of order"
        return "answered under an id that no trial has"

    def _open(self) -> Session:
        """A fresh process. Raises `Fault`."""
        return Session(self.command, self._options, self.limits, self._checker)

    def _give_up_session(self, fault: Fault) -> None:
        self._failed_in_a_row += 1
        self._messages.clear()
        self._waited = 0.0
        if self._session is not None:
            self._session.kill()
        self._session = None
        if self.command == [PARENT]:  # no other process can answer
            raise SubjectUnusable(f"The subject {self.name} {fault}.")

    def _restart(self) -> None:
        """Start a new process and send it all trials in flight."""
        failed = 0
        while self._session is None:
            self.restarts += 1
            try:
                self._session = self._open()
            except Fault as fault:
                failed += 1
                if failed > self.limits.restarts:
                    self._given_up_entirely = (
                        f"given up: {failed} new processes in a row failed; the last {fault}"
                    )
                    self._answer_waiting()
                    return
        sent = [flight for flight in self._flights if flight.line]
        self._first_id = sent[0].id if sent else self._next_id
        self._session.send(b"".join(flight.line for flight in sent))


@cache
def say_once(line: str) -> None:
    """Write a line on standard error, if there is one."""
    with suppress(OSError, AttributeError):
        sys.stderr.write(line)


def name_program(command: str) -> str:
    """A command as files name it: the words after its program may be secret."""
    program, *others = command_words(command)
    return f"{program} …" if others else command


def command_words(command: str | Sequence[str]) -> list[str]:
    """A command as a list of words; a text is split as a shell would. Raises `SubjectUnusable`."""
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise SubjectUnusable(f"The subject is no command: {error}.") from None
    if not words:
        raise SubjectUnusable("The subject is empty.")
    return words
