"""The process that owns a cluster of `evenkeel operate cluster up`.

Run with `python -m evenkeel.operate.cluster.keeper FOLDER`, the requested cluster as JSON on
one line of standard input. It reports progress on standard output, lines of `said TEXT`, then
`ready` or `failed SENTENCE`. It ends the cluster if its input ends before `stay` is read there, on
SIGTERM, and if a server cannot be started. If it is killed, Linux kills its children.
"""

from __future__ import annotations

import json
import os
import select
import sys
import time
from pathlib import Path

from evenkeel.operate.cluster.configuration import RequestedCluster
from evenkeel.operate.cluster.errors import ClusterUnusable
from evenkeel.operate.cluster.process import reap
from evenkeel.operate.cluster.running import Cluster
from evenkeel_engine.stopping import Stopped, stop_in_good_order

TRIES = 2
"""A port may be taken between the choice and the start."""


def tell(text: str) -> None:
    """Send a line to the process that started the cluster, while it reads."""
    try:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise Stopped from None


def send_message(text: str) -> None:
    """Report progress; exit if the reader has left."""
    ready, _, _ = select.select([sys.stdin], [], [], 0)
    if ready and not os.read(sys.stdin.fileno(), 1):
        raise Stopped
    if text:
        tell(f"said {text}")


def start_cluster(folder: Path, requested: RequestedCluster) -> Cluster:
    """A cluster that is ready. Raises `ClusterUnusable`."""
    for left in reversed(range(TRIES)):
        cluster = Cluster(folder, requested, send_message)
        try:
            cluster.up()
            return cluster
        except ClusterUnusable as error:
            cluster.tear_down(keep=not left)
            if not left:
                raise
            send_message(f"again, since: {error}")
        except BaseException:
            cluster.tear_down()
            raise
    raise AssertionError


def keep(cluster: Cluster) -> None:
    """Stay until a signal comes; take note of servers that end."""
    while True:
        time.sleep(1)
        for process in list(cluster.state.processes.values()):
            reap(process)


def main() -> int:
    """Own a cluster."""
    stop_in_good_order()
    folder, requested = Path(sys.argv[1]), RequestedCluster.of(json.loads(sys.stdin.readline()))
    cluster = None
    try:
        cluster = start_cluster(folder, requested)
        tell(f"ready {cluster.state.ready}")
        if sys.stdin.readline() == "stay\n":
            keep(cluster)
    except ClusterUnusable as error:
        tell(f"failed {error}")
        return 2
    except Stopped:
        pass
    finally:
        if cluster is not None:
            cluster.tear_down()
    return 0


if __name__ == "__main__":
    sys.exit(main())
