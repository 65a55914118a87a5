"""`evenkeel operate cluster`: a Pulsar cluster on loopback, up and down."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from evenkeel.operate.cli.cluster_options import (
    ManagerOption,
    NameOption,
    folder_of,
    print_progress,
)
from evenkeel.operate.cluster import control
from evenkeel.operate.cluster.configuration import Manager, RequestedCluster, settings_of
from evenkeel.operate.cluster.running import last_words
from evenkeel.operate.cluster.state import State
from evenkeel_engine.cli.options import Format, FormatOption, Unusable
from evenkeel_engine.cli.output import finish, print_line, print_table
from evenkeel_engine.kit.codec import Json

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def cluster() -> None:
    """Start a Pulsar cluster on this machine's loopback, and end it."""


@app.command()
def up(
    pulsar: Annotated[
        str, typer.Option(help="Pulsar's version; fetched through Maven once.")
    ] = "4.0.8",
    brokers: Annotated[int, typer.Option(help="How many.")] = 3,
    manager: ManagerOption = Manager.EXTENSIBLE,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="key=value for broker.conf; may be repeated.")
    ] = None,
    name: NameOption = "default",
    format_: FormatOption = Format.TEXT,
) -> None:
    """Start ZooKeeper, a bookie and brokers on 127.0.0.1; ready when every broker answers.

    Ports are chosen free. Three brokers take about 1 GB at first and at most 3. If this command is
    ended before the cluster is ready, nothing of it stays; then `evenkeel operate cluster down`
    ends it.
    """
    requested = RequestedCluster(pulsar, brokers, manager, settings_of(set_ or []))
    tell(control.up(folder_of(name), requested, print_progress()), format_)


@app.command()
def status(name: NameOption = "default", format_: FormatOption = Format.TEXT) -> None:
    """Tell which servers run, where, and how much memory they have."""
    tell(control.require(folder_of(name)), format_)


@app.command()
def logs(
    server: Annotated[str | None, typer.Argument(help="zookeeper, bookie, broker-1 …")] = None,
    lines: Annotated[int, typer.Option(min=1, max=100_000, help="How many.")] = 20,
    name: NameOption = "default",
) -> None:
    """Show the end of a server's log, or where all of them are."""
    found = control.require(folder_of(name))
    places = {place.stem: place for place in sorted((found.folder / "logs").glob("*.log"))}
    if server is None:
        for place in places.values():
            print_line(str(place))
        return
    if server not in places:
        raise Unusable(f"There is no server {server}; there are {', '.join(places)}.")
    print_line(last_words(places[server], lines).rstrip())


@app.command()
def down(
    name: NameOption = "default",
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep its folder, with logs and data.")
    ] = False,
) -> None:
    """End a cluster, in whatever state it is; nothing of it stays."""
    folder = folder_of(name)
    ended = control.tear_down(folder, keep)
    kept = f"; kept in {folder}" if keep and folder.is_dir() else ""
    print_line(f"{ended} processes ended{kept}" if ended else f"no cluster ran{kept}")


def tell(found: State, format_: Format) -> None:
    """Print a cluster, and end: status 0 if all its servers run and answer, else 1."""
    servers = control.list_servers(found)
    web = {broker.name: broker for broker in found.brokers}
    if format_ is Format.TEXT:
        rows = []
        for one in servers:
            words = "runs" if one.runs else "has ended"
            if one.runs and one.answers is False:
                words = "does not answer"
            urls = (
                (web[one.name].admin_url, web[one.name].service_url)
                if one.name in web
                else ("", "")
            )
            rows.append((one.name, one.pid, words, f"{one.memory / 2**20:,.0f}", *urls))
        columns = ("server", "#process", "state", "#MiB", "admin", "service")
        print_table(
            f"Pulsar {found.requested.version}, {found.requested.manager.value}", columns, rows
        )
        if found.started:
            print_line(f"--service-url {found.service_url}")
            print_line(f"--admin-url {found.admin_urls[0]}")
    good = all(one.runs and one.answers is not False for one in servers) and bool(found.started)
    memory = sum(one.memory for one in servers)
    data: dict[str, Json] = {
        **found.data(),
        "service_url": found.service_url if found.started else None,
        "admin_url": found.admin_urls[0] if found.started else None,
        "memory": memory,
        "servers": [asdict(one) for one in servers],
    }
    ready = "" if found.ready is None else f"; it was ready after {found.ready} s"
    summary = f"{len(servers)} servers, {memory / 2**20:,.0f} MiB{ready}"
    raise typer.Exit(finish(format_, summary, 0 if good else 1, data))
