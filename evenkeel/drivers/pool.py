"""A worker pool: groups of jobs, each group in one process, so that its jobs share what they
prepare. Scheduling is nondeterministic; the results and their order are not.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from queue import SimpleQueue
from typing import TypeAlias, TypeVar

J = TypeVar("J")
R = TypeVar("R")
Done: TypeAlias = tuple[J, R]


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def results(
    work: Callable[[J], R],
    groups: Sequence[Sequence[J]],
    told: Callable[[J], None],
    workers: int | None = None,
) -> list[R]:
    """The result of every job, in the order of groups and jobs; `told` hears of each as it is done.

    `work`, jobs and results are pickled. Jobs are told apart by equality.
    """
    found: dict[J, R] = {}
    wanted = min(workers or cores(), len(groups))
    done = in_workers(work, groups, wanted) if wanted > 1 else here(work, groups)
    for job, result in done:
        found[job] = result
        told(job)
    return [found[job] for group in groups for job in group]


def here(work: Callable[[J], R], groups: Sequence[Sequence[J]]) -> Iterator[Done[J, R]]:
    """One job after the other, in this process."""
    for group in groups:
        for job in group:
            yield job, work(job)


def in_workers(
    work: Callable[[J], R], groups: Sequence[Sequence[J]], workers: int
) -> Iterator[Done[J, R]]:
    """Every worker is a process of its own, and takes the next group when it has done one."""
    waiting = deque(group for group in groups if group)
    done: SimpleQueue[Done[J, R] | BaseException | None] = SimpleQueue()

    def worker() -> None:
        try:
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
                while group := taken(waiting):
                    for job in group:
                        done.put((job, process.submit(work, job).result()))
            done.put(None)
        except BaseException as error:  # it is raised where the results are read
            waiting.clear()
            done.put(error)

    with ThreadPoolExecutor(workers) as threads:
        running = [threads.submit(worker) for _ in range(workers)]
        try:
            for _ in running:
                while (one := done.get()) is not None:
                    if isinstance(one, BaseException):
                        raise one
                    yield one
        finally:
            waiting.clear()


def taken(waiting: deque[Sequence[J]]) -> Sequence[J]:
    """The next group; none where there is none left, which another worker may have seen to."""
    try:
        return waiting.popleft()
    except IndexError:
        return ()
