"""Processes by id and start time, so that no other process is ever taken for one of ours."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from evenkeel.operate.cluster import launch
from evenkeel.operate.cluster.errors import ClusterUnusable

PROC: Final = Path("/proc")
MARK: Final = "EVENKEEL_CLUSTER"
"""In the environment of every server: the folder of its cluster."""


@dataclass(frozen=True, slots=True)
class Process:
    """A process: its id, and when it started in ticks of the machine, which no other shares."""

    pid: int
    started: int


def require_proc() -> None:
    """Processes are distinguished by /proc. Raises `ClusterUnusable`."""
    if not (PROC / "self" / "stat").is_file():
        raise ClusterUnusable("A cluster is started on Linux only: there is no /proc here.")


def start(
    command: Sequence[str], log: Path, environment: Mapping[str, str], cluster: Path
) -> Process:
    """Start a server in a process group of its own. It ends with this process.

    Call it from the main thread: Linux ends children with the thread that started them.
    """
    whole = [sys.executable, "-I", "-S", launch.__file__, str(os.getpid()), *command]
    with log.open("ab") as file:
        opened = subprocess.Popen(
            whole,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            env={**environment, MARK: str(cluster)},
            cwd=cluster,
            start_new_session=True,
        )
    started = start_time(opened.pid)
    return Process(opened.pid, -1 if started is None else started)


def stat_of(pid: int) -> list[str] | None:
    """The fields of /proc/PID/stat from the state on; None if there is no such process."""
    try:
        text = (PROC / str(pid) / "stat").read_text()
    except OSError:
        return None
    return text.rpartition(")")[2].split()


def start_time(pid: int) -> int | None:
    """When a process started; None if it does not run (a zombie does not)."""
    fields = stat_of(pid)
    return int(fields[19]) if fields and fields[0] not in "ZX" else None


def still_runs(process: Process) -> bool:
    """Whether it still is this process that has the id."""
    return start_time(process.pid) == process.started


def reap(process: Process) -> None:
    """Take note of a child's end, so that it leaves no zombie."""
    with suppress(ChildProcessError, ProcessLookupError):
        os.waitpid(process.pid, os.WNOHANG)


def send(process: Process, number: signal.Signals) -> None:
    """Send a signal to its group, if it still is this process."""
    if still_runs(process):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)


def wait_end(process: Process, seconds: float) -> bool:
    """Whether it ended in this time."""
    until = time.monotonic() + seconds
    while still_runs(process):
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
        reap(process)
    reap(process)
    return True


def find_marked(cluster: Path) -> Iterator[Process]:
    """All processes whose environment names this cluster, no matter what started them."""
    requested = f"{MARK}={cluster}".encode()
    for place in PROC.iterdir():
        if place.name.isdecimal():
            try:
                environment = (place / "environ").read_bytes().split(b"\0")
            except OSError:
                continue  # another user's, or gone
            started = start_time(int(place.name))
            if requested in environment and started is not None:
                yield Process(int(place.name), started)


def end_all(cluster: Path) -> int:
    """Kill all others of this cluster; how many there were. Raises `ClusterUnusable`.

    It looks until none is found: a process that is executing a program shows no environment.
    """
    ended = 0
    while found := [process for process in find_marked(cluster) if process.pid != os.getpid()]:
        for process in found:
            send(process, signal.SIGKILL)
        for process in found:
            if not wait_end(process, 10):
                raise ClusterUnusable(f"Process {process.pid} of the cluster does not end.")
        ended += len(found)
    return ended


def measure_memory(process: Process) -> int:
    """Bytes of memory that it has, shared pages divided among those who share them."""
    try:
        text = (PROC / str(process.pid) / "smaps_rollup").read_text()
    except OSError:
        return 0
    for line in text.splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0
