"""`evenkeel operate record`: what happens in a running cluster, on one time line."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from evenkeel.operate.cli import cluster_options
from evenkeel.operate.recording.recorder import Recorder
from evenkeel.operate.recording.target import require_brokers
from evenkeel_engine.cli.output import err, print_line
from evenkeel_engine.stopping import Stopped


def record(
    out: Annotated[Path, typer.Option(help="The folder for the recording.")],
    service_url: cluster_options.ServiceOption = None,
    admin_url: cluster_options.AdminOption = None,
    zookeeper: cluster_options.ZooKeeperOption = None,
    token_file: cluster_options.TokenOption = None,
    tls_trust_certs: cluster_options.TrustOption = None,
    name: cluster_options.NameOption = "default",
    for_: Annotated[
        str | None, typer.Option("--for", help="90s, 20m, 8h; else until Ctrl-C.")
    ] = None,
    every: Annotated[
        float, typer.Option(min=0.2, max=600, help="Seconds between two probes.")
    ] = 2.0,
    topics: Annotated[
        list[str] | None, typer.Option("--topic", help="Look it up; those seen open are, too.")
    ] = None,
    most: Annotated[
        int, typer.Option("--lookups", min=0, max=1000, help="Topics looked up at most.")
    ] = 20,
    batch: Annotated[
        int | None,
        typer.Option(min=1, help="Messages that a batch has at most; else limits are not judged."),
    ] = None,
) -> None:
    """Record what happens in a running cluster, for `operate trace`.

    Ownership records or nodes, sessions, load reports, who leads, whom every broker names for
    topics, what each has open, and dispatch limits. `evenkeel operate trace DIR` judges it.

    Lookups have unowned bundles assigned; nothing else is changed. It continues after a lost
    connection, and keeps what there is after Ctrl-C.
    """
    seconds = None if for_ is None else cluster_options.seconds_of(for_)
    named = cluster_options.NamedCluster(
        name, service_url, admin_url or [], zookeeper, token_file, tls_trust_certs
    )
    target = cluster_options.target_named(named)
    require_brokers(target)
    recorder = Recorder(target, out, every, topics, most, {"batch": batch} if batch else None)
    recorder.start()
    began = time.monotonic()
    try:
        err.print(f"recording into {out}", markup=False)
        while seconds is None or time.monotonic() - began < seconds:
            time.sleep(0.2)
    except (Stopped, KeyboardInterrupt):
        pass
    print_line(f"{recorder.stop():,} entries in {time.monotonic() - began:.0f} s, in {out}")
