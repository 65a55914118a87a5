"""A process that does one job after the other, and a new one where it had to be ended."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from typing import Any, Generic, Self, TypeVar

from evenkeel_engine.check.limits import ENDED_BY, TooLong, may_be_ended
from evenkeel_engine.stopping import STOPPING, block_signals
from evenkeel_engine.subjects.strays import adopt_orphans, end_with_parent

J = TypeVar("J")
R = TypeVar("R")


class Died(Exception):
    """The process of a worker ended in the midst of a job, and not because it took too long."""


class Worker(Generic[J, R]):
    """Does jobs in a separate process, which is started for the first of them.

    Jobs and results are pickled, and so is `work`, unless it is `inherited`: then the process is a
    fork of this one at the first job, if the system has fork (else the jobs are done here). A
    process that is `expendable` is ended if one operation never ends; the next job starts another.
    """

    def __init__(
        self, work: Callable[[J], R], expendable: bool = False, inherited: bool = False
    ) -> None:
        self._work = work
        self._expendable = expendable
        self._here = inherited and "fork" not in get_all_start_methods()
        self._context: Any = get_context("fork" if inherited and not self._here else "spawn")
        self._process: Any = None
        self._end: Connection | None = None
        self._over = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.end()
        self._leave()

    def do(self, job: J) -> R:
        """The result of a job, or what it raises. Raises `TooLong` if its process was ended."""
        if self._here:
            return self._work(job)
        end = self._end or self._start()
        try:
            end.send(job)
            done, result = end.recv()
        except (EOFError, ConnectionError):
            raise self._explain_end() from None
        if done:
            return result  # type: ignore[no-any-return]
        raise result

    def end(self) -> None:
        """End the process in the midst of its job, and start no other; from any thread."""
        self._over = True
        if (process := self._process) is not None:
            process.kill()

    def _start(self) -> Connection:
        mine, theirs = self._context.Pipe()
        process = self._context.Process(
            target=serve, args=(theirs, mine, self._work, self._expendable)
        )
        with block_signals(
            STOPPING
        ):  # what the terminal sends to all is for this process to handle
            process.start()
        theirs.close()
        self._process, self._end = process, mine
        if self._over:  # `end` may have come before there was a process
            process.kill()
        return mine  # type: ignore[no-any-return]

    def _explain_end(self) -> BaseException:
        process = self._process
        self._leave()
        if self._expendable and process.exitcode == ENDED_BY:
            return TooLong("its process was ended: it took too long")
        return Died(f"a worker's process ended with {process.exitcode}")

    def _leave(self) -> None:
        if self._end is not None:
            self._end.close()
            self._process.join()
            self._process = self._end = None


def serve(end: Connection, other: Connection, work: Callable[[Any], Any], expendable: bool) -> None:
    """The process: jobs come and results go, until the other end is closed."""
    other.close()  # a copy of it here would keep the pipe open
    end_with_parent()
    adopt_orphans()
    if expendable:
        may_be_ended()
    with suppress(EOFError, ConnectionError):
        while True:
            end.send(try_job(work, end.recv()))


def try_job(work: Callable[[J], R], job: J) -> tuple[bool, R | BaseException]:
    """Whether a job is done, and its result; or what it raised, with the place."""
    try:
        return True, work(job)
    except BaseException as error:  # it is raised where the result is taken
        error.add_note("".join(traceback.format_exception(error)))
        return False, error
