"""A worker pool: groups of jobs, each group in one process, so that its jobs share what they
prepare. Scheduling is nondeterministic; the results and their order are not.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from queue import SimpleQueue
from typing import TypeAlias, TypeVar

from evenkeel_engine.check.limits import TooLong
from evenkeel_engine.check.worker import Worker

J = TypeVar("J")
R = TypeVar("R")
Done: TypeAlias = tuple[J, R]


def count_cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_jobs(
    work: Callable[[J], R],
    groups: Sequence[Sequence[J]],
    progress: Callable[[J], None],
    workers: int | None = None,
    endless: Callable[[J], R] | None = None,
) -> list[R]:
    """The result of every job, in the order of groups and jobs; `progress` is called after each.

    `work`, jobs and results are pickled. Jobs are compared by equality. If a job may never
    end, `endless` gives the result of one whose process was ended; none is done here then.
    """
    found: dict[J, R] = {}
    count = min(workers or count_cores(), len(groups))
    separate = count > 1 or (count == 1 and endless is not None)
    here = ((job, work(job)) for group in groups for job in group)
    with closing(in_workers(work, groups, count, endless) if separate else here) as done:
        for job, result in done:
            found[job] = result
            progress(job)
    return [found[job] for group in groups for job in group]


def group_jobs(jobs: Iterable[J], key: Callable[[J], str], most: int = 1000) -> list[list[J]]:
    """Groups of at most `most` jobs of one key, such as their chapter."""
    found: dict[str, list[J]] = {}
    for job in jobs:
        found.setdefault(key(job), []).append(job)
    return [
        group[start : start + most]
        for group in found.values()
        for start in range(0, len(group), most)
    ]


def in_workers(
    work: Callable[[J], R],
    groups: Sequence[Iterable[J]],
    workers: int,
    endless: Callable[[J], R] | None = None,
    last: J | None = None,
) -> Generator[Done[J, R], None, None]:
    """Every worker is a process of its own, and takes the next group when it has done one; each
    does `last` when there is none, to let go of what it opened.

    The processes end with the generator, also in the midst of their jobs.
    """
    waiting = deque(groups)
    done: SimpleQueue[Done[J, R] | BaseException | None] = SimpleQueue()

    processes = [Worker(work, expendable=endless is not None) for _ in range(workers)]

    def worker(process: Worker[J, R]) -> None:
        try:
            with process:
                while (group := take_group(waiting)) is not None:
                    for job in group:
                        try:
                            result = process.do(job)
                        except TooLong:  # it never ended
                            if endless is None:
                                raise
                            result = endless(job)
                        done.put((job, result))
                if last is not None:
                    process.do(last)
            done.put(None)
        except BaseException as error:  # it is raised where the results are read
            waiting.clear()
            done.put(error)

    with ThreadPoolExecutor(workers) as threads:
        running = [threads.submit(worker, process) for process in processes]
        try:
            for _ in running:
                while (one := done.get()) is not None:
                    if isinstance(one, BaseException):
                        raise one
                    yield one
        finally:
            waiting.clear()
            for process in processes:
                process.end()


def take_group(waiting: deque[Iterable[J]]) -> Iterable[J] | None:
    """The next group; None if another worker took the last one."""
    try:
        return waiting.popleft()
    except IndexError:
        return None
