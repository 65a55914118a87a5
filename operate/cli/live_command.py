"""`evenkeel operate live`: load, operations and faults on a cluster, judged at rest."""

from __future__ import annotations

import time
from dataclasses import asdict, replace
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Annotated

import typer

from evenkeel.operate.cli import cluster_options
from evenkeel.operate.cluster.configuration import Manager, RequestedCluster, settings_of
from evenkeel.operate.live import schedule as schedules
from evenkeel.operate.live.plans import PLANS, SETTINGS, SETTINGS_OF, Scene, steps_of
from evenkeel.operate.live.run import Result, run, summarize_result
from evenkeel.operate.live.schedule import Load, Schedule
from evenkeel.operate.live.shrink import shows_in, shrink_schedule
from evenkeel_engine.cli.options import Format, FormatOption, SeedOption, Unusable, resolve_name
from evenkeel_engine.cli.output import finish, print_line, print_table
from evenkeel_engine.kit.codec import Json

PIECE = 300.0
"""Seconds of steps in one run; a longer time is several runs, each with a seed of its own."""


def live(
    for_: Annotated[
        str, typer.Option("--for", help="How long: 90s, 20m, 8h; runs of 5 minutes at most.")
    ] = "5m",
    seed: SeedOption = 0,
    plan: Annotated[
        str, typer.Option(help="; ".join(f"{k}: {v[1]}" for k, v in PLANS.items()))
    ] = "everything",
    pulsar: cluster_options.PulsarOption = "4.0.8",
    brokers: Annotated[int, typer.Option(help="How many.")] = 3,
    manager: cluster_options.ManagerOption = Manager.EXTENSIBLE,
    set_: cluster_options.BrokerConfOption = None,
    topics: Annotated[int, typer.Option(min=1, max=200, help="With clients.")] = 8,
    rate: Annotated[int, typer.Option(min=1, max=5000, help="Messages a second, in all.")] = 40,
    out: Annotated[Path | None, typer.Option(help="Where runs are kept.")] = None,
    replay: Annotated[Path | None, typer.Option(help="Play this schedule.json again.")] = None,
    shrink: Annotated[
        str | None, typer.Option(help="With --replay: drop steps while it shows in k/n runs.")
    ] = None,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Load a running cluster, do things to it, and judge it at rest.

    The cluster is started for it, and all that is done comes from the seed.

    At rest every hash must be owned and served once, everything must answer, nothing that was
    acknowledged may be lost, nothing delivered twice without a reason; and `operate trace` must
    not object to the recording. A violated run keeps its schedule, for --replay. Exit status 1 if
    one was.
    """
    folder = out or Path(f"evenkeel-live-{datetime.now():%Y%m%d-%H%M%S}")
    if shrink is not None:
        if replay is None:
            raise Unusable("--shrink needs --replay.")
        shorten(schedules.read(replay), shrink, folder, format_)
    results = []
    if replay is not None:
        results.append(run_in_free_folder(schedules.read(replay), folder))
    else:
        known = resolve_name("There is no plan", plan, PLANS)
        settings = {**SETTINGS, **SETTINGS_OF.get(known, {}), **settings_of(set_ or [])}
        requested = RequestedCluster(pulsar, brokers, manager, settings)
        load = Load(topics, max(rate, topics // 10, 1))
        until = time.monotonic() + cluster_options.seconds_of(for_)
        for number in count():
            left = until - time.monotonic()
            if number and left < PIECE / 5:
                break
            steps = steps_of(known, seed + number, Scene(min(left, PIECE), brokers))
            of = (pulsar, requested.brokers, manager, settings, load, steps)
            results.append(run_in_free_folder(Schedule(known, seed + number, *of), folder))
    tell(results, folder, format_)


def run_in_free_folder(schedule: Schedule, folder: Path) -> Result:
    """One run, in the next folder that is free."""
    place = next(
        path
        for number in count(1)
        if not (path := folder / f"{schedule.plan}-{schedule.seed}-{number}").exists()
    )
    stamp = cluster_options.print_progress(lambda: f"{datetime.now():%H:%M:%S} {place.name}: ")
    return run(schedule, place.absolute(), stamp)


def shorten(schedule: Schedule, requested: str, folder: Path, format_: Format) -> None:
    """Shrink, write the result, and end."""
    least, _, runs = requested.partition("/")
    if not (least.isdecimal() and runs.isdecimal() and 1 <= int(least) <= int(runs) <= 20):
        raise Unusable(f"--shrink {requested} must be k/n, such as 2/3.")
    if not schedule.found:
        raise Unusable("The schedule shows no violation: there is nothing to shrink.")

    def shows(shorter: Schedule) -> bool:
        return shows_in(
            shorter, lambda one_: run_in_free_folder(one_, folder).kinds, int(least), int(runs)
        )

    short, tried = shrink_schedule(schedule, shows, 40)
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / "shrunk.json"
    replace(short, found=schedule.found).write(place)
    text = f"{len(schedule.steps)} steps, now {len(short.steps)}, {tried} tried; {place}"
    raise typer.Exit(finish(format_, text, 0, {"steps": len(short.steps), "file": str(place)}))


def tell(results: list[Result], folder: Path, format_: Format) -> None:
    """Print, and end."""
    rows = [summarize_result(result) for result in results]
    if format_ is Format.TEXT:
        print_table("runs", tuple(rows[0]), [tuple(map(str, row.values())) for row in rows])
        for result in results:
            for violation in result.violations:
                clause = f" ({violation.clause})" if violation.clause else ""
                print_line(f"seed {result.seed}: {violation.kind}{clause}: {violation.sentence}")
    violated = sum(bool(result.violations) for result in results)
    data: dict[str, Json] = {"runs": [asdict(result) for result in results]}
    steps = sum(row["steps"] for row in rows)
    text = (
        f"{len(results)} runs, {steps} steps, {sum(row['messages'] for row in rows):,} messages "
        f"acknowledged, {violated} runs violated; kept in {folder}"
    )
    raise typer.Exit(finish(format_, text, 1 if violated else 0, data))
