"""`up`, `status` and `down` of a cluster that a keeper owns."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from evenkeel.operate.cluster import process, state
from evenkeel.operate.cluster.configuration import RequestedCluster
from evenkeel.operate.cluster.errors import ClusterUnusable
from evenkeel.operate.cluster.running import Tell, ask_known_brokers
from evenkeel.operate.cluster.state import State


def up(folder: Path, requested: RequestedCluster, reported: Tell) -> State:
    """Start a cluster that stays. Raises `ClusterUnusable`."""
    process.require_proc()
    if any(process.find_marked(folder)):
        raise ClusterUnusable(
            f"A cluster runs in {folder} already; end it with `evenkeel operate cluster down`."
        )
    folder.mkdir(parents=True, exist_ok=True)
    log = (folder / "keeper.log").open("ab")
    keeper = subprocess.Popen(
        [sys.executable, "-m", "evenkeel.operate.cluster.keeper", str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        start_new_session=True,
        env={**os.environ, process.MARK: str(folder)},
    )
    log.close()
    try:
        return follow_keeper(keeper, folder, requested, reported)
    except BaseException:  # Ctrl-C too: nothing stays
        keeper.terminate()
        keeper.wait()
        process.end_all(folder)
        raise


def follow_keeper(
    keeper: subprocess.Popen[str], folder: Path, requested: RequestedCluster, reported: Tell
) -> State:
    """Follow the keeper until the cluster is ready. Raises `ClusterUnusable`."""
    assert keeper.stdin is not None
    assert keeper.stdout is not None
    keeper.stdin.write(json.dumps(requested.data()) + "\n")
    keeper.stdin.flush()
    for line in keeper.stdout:
        word, _, rest = line.rstrip("\n").partition(" ")
        if word == "said":
            reported(rest)
        elif word == "failed":
            raise ClusterUnusable(rest)
        elif word == "ready":
            keeper.stdin.write("stay\n")
            keeper.stdin.flush()
            return require(folder)
    raise ClusterUnusable(f"The cluster's keeper ended; see {folder / 'keeper.log'}.")


def require(folder: Path) -> State:
    """The state of the cluster that is there. Raises `ClusterUnusable`."""
    if (found := state.read(folder)) is None:
        raise ClusterUnusable(f"There is no cluster in {folder}.")
    return found


def tear_down(folder: Path, keep: bool = False) -> int:
    """End the cluster in this folder, in whatever state; how many processes were ended."""
    process.require_proc()
    found = state.read(folder) if folder.is_dir() else None
    count = 0
    if found is not None and process.still_runs(found.owner):
        count = sum(map(process.still_runs, found.processes.values())) + 1
        if keep:
            process.send(found.owner, signal.SIGKILL)
        else:
            process.send(found.owner, signal.SIGTERM)
        process.wait_end(found.owner, 30)
    count = max(count, process.end_all(folder))
    if not keep:
        shutil.rmtree(folder, ignore_errors=True)
    return count


@dataclass(frozen=True, slots=True)
class Server:
    """What is known of a server now."""

    name: str
    pid: int
    runs: bool
    memory: int
    answers: bool | None
    """Whether a broker answers its admin interface; None for the others."""


def list_servers(found: State) -> list[Server]:
    """All servers of a cluster."""
    brokers = {broker.name: broker for broker in found.brokers}
    return [
        Server(
            name,
            one.pid,
            process.still_runs(one),
            process.measure_memory(one),
            bool(ask_known_brokers(brokers[name], found.requested.token))
            if name in brokers
            else None,
        )
        for name, one in found.processes.items()
    ]
