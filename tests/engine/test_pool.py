"""Work on all cores gives what work on one gives; what is skipped could show nothing."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from evenkeel_engine.check.pool import run_jobs
from evenkeel_engine.check.worker import Died, Worker
from tests.processes import ends

pytestmark = pytest.mark.slow

GROUPS = [[5, 0, 3], [], [4], [2, 9]]


def half_of_twelve(number: int) -> float:
    return 6 / number


def process_of(_: int) -> int:
    return os.getpid()


@pytest.mark.parametrize("amount", [1, 2, 5])
def test_results_come_in_the_order_of_the_jobs(amount: int) -> None:
    finished: list[int] = []
    assert run_jobs(str, GROUPS, finished.append, amount) == list("503429")
    assert sorted(finished) == [0, 2, 3, 4, 5, 9]


@pytest.mark.parametrize("amount", [1, 2])
def test_a_job_that_fails_fails_the_work(amount: int) -> None:
    with pytest.raises(ZeroDivisionError):
        run_jobs(half_of_twelve, GROUPS, lambda _: None, amount)


def refuse_wait(_: float) -> None:
    raise InterruptedError


@pytest.mark.parametrize("endless", [None, str])
def test_the_processes_end_in_the_midst_of_their_jobs(endless: Callable[[float], Any]) -> None:
    """Whatever ends the work, such as a signal while the progress is shown (M1)."""
    began = time.monotonic()
    with pytest.raises(InterruptedError):
        run_jobs(time.sleep, [[0.1, 61], [60], [62, 63]], refuse_wait, 2, endless)
    assert time.monotonic() - began < 20
    assert multiprocessing.active_children() == []


def test_a_worker_that_is_left_by_an_exception_ends() -> None:
    began, worker = time.monotonic(), Worker(time.sleep, inherited=True)
    threading.Timer(0.2, worker.end).start()
    with pytest.raises(Died):
        worker.do(60)
    with pytest.raises(InterruptedError), worker:
        refuse_wait(0)
    assert time.monotonic() - began < 20
    assert multiprocessing.active_children() == []


def show_process(seconds: float) -> None:
    sys.stdout.write(f"{os.getpid()}\n")
    sys.stdout.flush()
    time.sleep(seconds)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere they end when their jobs do")
def test_the_processes_end_with_one_that_is_killed() -> None:
    code = "from tests.engine.test_pool import *; run_jobs(show_process, [[61], [62]], print, 2)"
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        numbers = [int(parent.stdout.readline()) for _ in range(2)]
        parent.kill()
    assert all(map(ends, numbers))


def test_a_group_stays_in_one_process_which_is_not_this_one() -> None:
    first, second, third, *_ = run_jobs(process_of, [[1, 2, 3], [4], [5]], lambda _: None, 2)
    assert first == second == third != os.getpid()
