"""`evenkeel operate limits measure`: dispatch limits measured on a cluster, and their bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from evenkeel.operate.cli.cluster_options import (
    BrokerConfOption,
    ManagerOption,
    PulsarOption,
    print_progress,
)
from evenkeel.operate.cluster.configuration import NAME, Manager, RequestedCluster, settings_of
from evenkeel.operate.cluster.running import Cluster, Tell, lend_cluster
from evenkeel.operate.live import throttle
from evenkeel.operate.live.admin import Admin
from evenkeel.operate.live.throttle import Bench, MeasuredLine
from evenkeel.operate.live.throttle_cases import CASES, LimitCase
from evenkeel.operate.recording.recorder import Recorder
from evenkeel.operate.recording.target import target_of_state
from evenkeel_engine.cli.options import Format, FormatOption, Unusable
from evenkeel_engine.cli.output import finish, print_table
from evenkeel_engine.kit.codec import Json

EVERY = 0.5
"""Seconds between two probes of a recording."""
MOST = 40
"""Topics of a recording that are looked up."""


def measure(
    seconds: Annotated[
        float, typer.Option(min=5, max=600, help="Of deliveries, for each case.")
    ] = 15.0,
    only: Annotated[
        list[str] | None, typer.Option("--case", help="Cases whose name holds this.")
    ] = None,
    pulsar: PulsarOption = "4.0.8",
    brokers: Annotated[int, typer.Option(help="How many.")] = 2,
    manager: ManagerOption = Manager.EXTENSIBLE,
    set_: BrokerConfOption = None,
    out: Annotated[Path | None, typer.Option(help="Also record, for `operate trace`.")] = None,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Measure dispatch limits on a running cluster, and their bounds.

    A cluster is started; subscriptions get a backlog and a limit, and what comes is counted.

    For every case and window: what the documents claim, the bound of `operate limits plan`, and
    the most that came. Exit status 1 if something is above its bound, or starves.
    """
    cases = [case for case in CASES if not only or any(word in case.name for word in only)]
    if not cases:
        raise Unusable(f"There is no case {', '.join(only or [])}.")
    requested = RequestedCluster(pulsar, brokers, manager, settings_of(set_ or []))
    reported = print_progress()
    with (
        lend_cluster(requested, reported) as cluster,
        record_if_requested(cluster, cases, out, reported),
    ):
        lines = measure_cases(cluster, cases, seconds, reported)
    tell(lines, format_)


@contextmanager
def record_if_requested(
    cluster: Cluster, cases: Sequence[LimitCase], out: Path | None, reported: Tell
) -> Iterator[None]:
    """A recorder, if one is requested."""
    if out is None:
        yield
        return
    about = {"batch": max(case.batch for case in cases)}
    recorder = Recorder(target_of_state(cluster.state), out, EVERY, [], MOST, about)
    recorder.start()
    try:
        yield
    finally:
        reported(f"{recorder.stop():,} entries in {out}")


def measure_cases(
    cluster: Cluster, cases: Sequence[LimitCase], seconds: float, reported: Tell
) -> list[MeasuredLine]:
    """All cases, in order."""
    admin = Admin(lambda: cluster.state.admin_urls)
    modes = throttle.modes_of(admin, cluster.requested.brokers)
    bench = Bench(cluster.state.service_url, admin, NAME)
    lines: list[MeasuredLine] = []
    try:
        for number, case in enumerate(cases):
            reported(f"case {number + 1} of {len(cases)}: {case.name}")
            lines += bench.measure(case, number, seconds, modes)
    finally:
        bench.close()
    return lines


def tell(lines: list[MeasuredLine], format_: Format) -> None:
    """Print the table, and end."""
    wrong = [line for line in lines if line.verdict in (throttle.ABOVE, throttle.STARVES)]
    if format_ is Format.TEXT:
        columns = (
            *("case", "unit", "#periods", "#documents", "#bound", "#one read"),
            *("#attained", "#held", "#mean of a period", "#longest wait", "#shared", "verdict"),
        )
        rows = [
            (
                *(line.case, line.unit, line.periods, line.claim, line.bound, line.one_read),
                *(line.attained, line.held, line.mean, line.longest_wait),
                *(line.shared, line.verdict),
            )
            for line in lines
        ]
        print_table("dispatch limits", columns, rows)
    over = sum(line.attained > line.claim for line in lines)
    data: dict[str, Json] = {"lines": [{**asdict(line), "verdict": line.verdict} for line in lines]}
    text = (
        f"{len({line.case for line in lines})} cases, {len(lines)} lines: {len(wrong)} do not "
        f"hold; {over} lines are above what the documents claim"
    )
    raise typer.Exit(finish(format_, text, 1 if wrong else 0, data))
