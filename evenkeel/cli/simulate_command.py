"""`evenkeel simulate`: scenarios under one balancing strategy or several, side by side."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import typer

from evenkeel.campaign.errors import CampaignUnusable
from evenkeel.cli.options import (
    EditionName,
    EditionOption,
    Format,
    FormatOption,
    SeedOption,
    Unusable,
    edition_of,
)
from evenkeel.cli.output import finish, line, table
from evenkeel.reference.balancing.scenario import BadScenario
from evenkeel.reference.balancing.settings import BalancerSpec, Placer, Strategy
from evenkeel.reference.shedding.cluster import MINUTE, Millis
from evenkeel.simulate import fanning, remote, running, scenario_file
from evenkeel.simulate.asking import Log, SubjectFailed
from evenkeel.simulate.asking import told as told_of
from evenkeel.simulate.reading import BadScenarioFile
from evenkeel.simulate.remote import Does, NotOffered
from evenkeel.simulate.running import Job, Run
from evenkeel.simulate.scenario_file import ScenarioFile
from evenkeel.subjects.choose import open_subject

FIVE = (
    Strategy.OVERLOAD,
    Strategy.THRESHOLD,
    Strategy.UNIFORM,
    Strategy.TRANSFER,
    Strategy.AVG,
)
MEGABYTE = 1_000_000


class Picture(StrEnum):
    """What pictures are drawn as."""

    PNG = "png"
    SVG = "svg"
    NONE = "none"


def simulate(
    scenarios: Annotated[
        list[str] | None,
        typer.Argument(help="Scenario files, or names of shipped ones; none: all of those."),
    ] = None,
    strategy: Annotated[
        list[Strategy] | None,
        typer.Option("--strategy", help="May be repeated; none: the five of Pulsar."),
    ] = None,
    placement: Annotated[
        list[Placer] | None,
        typer.Option("--placement", help="May be repeated; none: the strategy's usual one."),
    ] = None,
    edition: EditionOption = EditionName.DOCUMENTED,
    seed: SeedOption = 1,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="KEY=VALUE, a setting by Pulsar's name; may be repeated."),
    ] = None,
    rounds: Annotated[bool, typer.Option("--rounds", help="Print every moment.")] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="A folder for tables (Parquet) and pictures."),
    ] = None,
    picture: Annotated[Picture, typer.Option("--picture", help="Pictures in --out.")] = Picture.PNG,
    master: Annotated[
        str | None,
        typer.Option("--master", help="Run on Spark, e.g. local[*]; else in this process."),
    ] = None,
    subject: Annotated[
        str | None,
        typer.Option(
            "--subject",
            help="Shed and place by this subject (a command that speaks the wire protocol), and "
            "hold every round against the reference; else the reference does both.",
        ),
    ] = None,
    subject_does: Annotated[
        Does,
        typer.Option("--subject-does", help="What --subject does; the reference does the rest."),
    ] = Does.BOTH,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Run scenarios in virtual time; same scenario and seed, same result."""
    files = loaded(scenarios or [], set_ or [])
    jobs = [
        Job(file, balancer, seed, edition_of(edition))
        for file in files
        for balancer in balancers(file, strategy or list(FIVE), placement or [None])
    ]
    log = Log()
    runs = made(jobs, master, subject, subject_does, log)
    if out is not None:
        keep(runs, out, picture)
    if format_ is Format.TEXT:
        for _, group in groupby(runs, key=lambda run: run.job.file.name):
            print_runs(list(group), rounds)
    told = summary(runs) + (f"; {rounds_told(log, subject)}" if subject else "")
    raise typer.Exit(finish(format_, told, int(bool(log.violations)), as_data(runs)))


def made(
    jobs: list[Job], master: str | None, subject: str | None, does: Does, log: Log
) -> list[Run]:
    """The runs: here, on Spark, or with a subject in the loop. Raises `Unusable`."""
    if subject is None:
        try:
            return fanning.carry_out_all(jobs, master)
        except CampaignUnusable as unusable:
            raise Unusable(str(unusable)) from unusable
    if master is not None:
        raise Unusable("--subject and --master exclude each other.")
    asked = open_subject(subject, jobs[0].edition)
    try:
        return [remote.carry_out(job, asked, log, does) for job in jobs]
    except SubjectFailed as failed:
        raise Unusable(f"{failed}.") from failed
    except NotOffered as less:
        raise Unusable(f"The subject {subject} {less}.") from less
    finally:
        asked.close()


def rounds_told(log: Log, subject: str) -> str:
    """What became of a subject's decisions."""
    for sentence in told_of(log.violations):
        line(f"VIOLATED {sentence}")
    return (
        f"{subject} shed {log.rounds} rounds ({log.allowed} other than the reference's and "
        f"allowed) and placed {log.placements} bundles ({log.open} with several brokers allowed); "
        f"{log.equal} of {log.moments} moments equal to the reference's with the same choices, "
        f"{len(log.violations)} violations"
    )


def loaded(names: list[str], changes: list[str]) -> list[ScenarioFile]:
    """The scenarios, with settings changed. Raises `Unusable`."""
    try:
        files = [scenario_file.load(name) for name in names or scenario_file.shipped()]
        settings = dict(setting_of(change) for change in changes)
        return [scenario_file.with_changes(file, settings) for file in files]
    except BadScenarioFile as bad:
        raise Unusable(str(bad)) from bad


def setting_of(change: str) -> tuple[str, Any]:
    """KEY=VALUE; the value as TOML has it. Raises `Unusable`."""
    key, found, value = change.partition("=")
    try:
        return key.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError as error:
        told = "has no value" if not found else f"{value!r} is no number, true or false"
        raise Unusable(f"--set {change}: {told}.") from error


def balancers(
    file: ScenarioFile, strategies: Sequence[Strategy], placements: Sequence[Placer | None]
) -> list[BalancerSpec]:
    """Every strategy with every placement that goes with it. Raises `Unusable` if none does."""
    found, refused = [], []
    for strategy in strategies:
        for placement in placements:
            try:
                found.append(running.balancer_for(file, strategy, placement))
            except BadScenario as bad:
                refused.append(bad.reason)
    if not found:
        raise Unusable(f"--placement: {refused[0]}.")
    return found


def keep(runs: list[Run], folder: Path, picture: Picture) -> None:
    """Write tables and pictures. Raises `Unusable`."""
    from evenkeel.simulate import drawing, storing  # noqa: PLC0415 - these load long

    try:
        storing.store(runs, folder)
        if picture is not Picture.NONE:
            for name, group in groupby(runs, key=lambda run: run.job.file.name):
                drawing.draw(list(group), folder / f"{name}.{picture.value}")
    except OSError as error:
        raise Unusable(f"--out {folder}: cannot be written ({error.strerror}).") from error


# ---------------------------------------------------------------------------------- printing


def minutes(time: Millis | None) -> str:
    """A time in minutes, or that there is none."""
    return "never" if time is None else f"{time / MINUTE:g} min"


def percent(fraction: float) -> str:
    """A fraction as percent."""
    return f"{fraction:.1%}"


def print_runs(runs: list[Run], rounds: bool) -> None:
    """One scenario: a row for each run, and every moment if asked for."""
    file = runs[0].job.file
    table(
        f"{file.name}: {file.title}",
        (
            "strategy",
            "#moves",
            "#of one bundle/h",
            "#moved back",
            "#MB/s moved",
            "steady after",
            "#unserved",
            "#highest",
            "#std, mean",
            "#std, end",
            "#max/mean, end",
            "#thrashing",
        ),
        [run_row(run) for run in runs],
    )
    if rounds:
        for run in runs:
            print_rounds(run)
    line(f"source: {file.source}")
    line()


def run_row(run: Run) -> tuple[object, ...]:
    """One run in a row."""
    measures = run.measures
    return (
        run.title,
        measures.unloads,
        measures.most_unloads,
        measures.returned,
        round(measures.moved / MEGABYTE),
        minutes(measures.steady_after),
        minutes(measures.unserved),
        percent(measures.highest),
        percent(measures.mean_deviation),
        percent(measures.last_deviation),
        f"{measures.last_ratio:.2f}",
        percent(measures.thrashing),
    )


def print_rounds(run: Run) -> None:
    """Every moment of a run in which anything is to be told."""
    table(
        f"{run.job.file.name}, {run.title}",
        (
            "at",
            "#mean",
            "#lowest",
            "#highest",
            "#std",
            "#max/mean",
            "#unserved",
            "#moves",
            "#MB/s moved",
            "which",
        ),
        [
            (
                minutes(one.at),
                percent(one.mean),
                percent(one.lowest),
                percent(one.highest),
                percent(one.deviation),
                f"{one.ratio:.2f}",
                one.away,
                one.moves,
                round(one.moved / MEGABYTE),
                ", ".join(
                    f"{move.bundle} {move.source} -> {move.destination or '?'}"
                    for move in moment.moves
                ),
            )
            for one, moment in zip(run.readings, run.history.moments, strict=True)
        ],
    )


def summary(runs: list[Run]) -> str:
    """The last line."""
    names = list(dict.fromkeys(run.job.file.name for run in runs))
    restless = [f"{r.job.file.name}/{r.title}" for r in runs if r.measures.steady_after is None]
    told = f"never steady: {', '.join(restless)}" if restless else "all became steady"
    edition = runs[0].job.edition.name
    what = "1 scenario" if len(names) == 1 else f"{len(names)} scenarios"
    return f"{len(runs)} run{'s' * (len(runs) != 1)} of {what}, edition {edition}; {told}"


def as_data(runs: list[Run]) -> dict[str, Any]:
    """The runs for programs."""
    return {
        "runs": [
            {
                "scenario": run.job.file.name,
                "strategy": run.job.balancer.strategy.value,
                "placement": run.job.balancer.placement.value,
                "edition": run.job.edition.name,
                "seed": run.job.seed,
                "measures": asdict(run.measures),
            }
            for run in runs
        ]
    }
