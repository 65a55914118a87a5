"""What would never end is ended: in a step of Python, and inside one operation."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from functools import partial

import pytest

from evenkeel_engine.check.limits import TooLong, limit_time
from evenkeel_engine.check.pool import run_jobs
from evenkeel_engine.check.worker import Died, Worker

BRIEF = 0.05


def steps(_: int) -> int:
    while True:
        pass


def one_operation(_: int) -> int:
    return 0.5 in range(2**63)


def limited_by(work: Callable[[int], int], number: int) -> int:
    with limit_time(BRIEF):
        return work(number) if number == 1 else os.getpid()


def test_limit_ends_a_loop_and_is_removed_afterwards() -> None:
    with pytest.raises(TooLong):
        limited_by(steps, 1)
    with limit_time(BRIEF):
        pass
    assert sum(range(2_000_000)) > 0


@pytest.mark.parametrize("inherited", [False, True])
def test_a_process_is_ended_and_another_does_the_next_job(inherited: bool) -> None:
    with Worker(partial(limited_by, one_operation), True, inherited) as worker:
        first = worker.do(0)
        assert worker.do(0) == first != os.getpid()
        began = time.perf_counter()
        with pytest.raises(TooLong):
            worker.do(1)
        assert time.perf_counter() - began > BRIEF
        assert worker.do(0) not in (first, os.getpid())


def test_a_loop_of_steps_costs_no_process() -> None:
    with Worker(partial(limited_by, steps), True) as worker:
        first = worker.do(0)
        with pytest.raises(TooLong):
            worker.do(1)
        assert worker.do(0) == first


def fails(how: int) -> int:
    if how < 0:
        os.kill(os.getpid(), -how)
    return 1 // how


def test_other_failures_are_reported() -> None:
    with Worker(fails, True) as worker:
        with pytest.raises(ZeroDivisionError) as raised:
            worker.do(0)
        assert "in fails" in "".join(raised.value.__notes__)
        with pytest.raises(Died, match=f"ended with {-signal.SIGKILL}"):
            worker.do(-signal.SIGKILL)
        assert worker.do(1) == 1


def test_pool_substitutes_results_of_endless_jobs() -> None:
    work = partial(limited_by, one_operation)
    before, ended, after = run_jobs(work, [[0, 1], [2]], lambda _: None, 1, endless=lambda _: -1)
    assert ended == -1
    assert len({before, after, os.getpid()}) == 3
