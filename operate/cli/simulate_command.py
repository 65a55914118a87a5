"""`evenkeel operate simulate`: scenarios under one balancing strategy or several, side by side."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryFile
from typing import Annotated, Any, Final

import typer

from evenkeel.certify.report import conclude
from evenkeel.operate.cli import simulate_output
from evenkeel.operate.simulate import balancers, fanning, remote, running, scenario_file
from evenkeel.operate.simulate.remote import Does, NotOffered
from evenkeel.operate.simulate.running import Run, RunJob
from evenkeel.operate.simulate.scenario_file import ScenarioFile
from evenkeel.operate.simulate.subject_calls import Log, SubjectFailed
from evenkeel.reference.balancing.scenario import BadScenario
from evenkeel.reference.balancing.settings import BalancerSpec, Placer, Strategy
from evenkeel.reference.edition import EDITIONS, PULSAR_4_0, Edition
from evenkeel_engine.campaign.errors import CampaignUnusable
from evenkeel_engine.cli.options import (
    EDITION_NAMES,
    Format,
    FormatOption,
    SeedOption,
    Unusable,
    edition_named,
    refuse_options,
)
from evenkeel_engine.cli.output import finish, print_line, show_progress
from evenkeel_engine.extras import require
from evenkeel_engine.files import parse_toml
from evenkeel_engine.kit.codec import abbreviate
from evenkeel_engine.subjects.choose import open_subject
from evenkeel_engine.subjects.process import SubjectUnusable

FIVE = (Strategy.OVERLOAD, Strategy.THRESHOLD, Strategy.UNIFORM, Strategy.TRANSFER, Strategy.AVG)
UNUSABLE: Final = 2
MOST_SEEDS: Final = 1000
LONG: Final = 80
"""A longer --set is not repeated as a whole."""


UNSAID: Final = (
    "whose cluster is it? Give --edition PULSAR_4_0 (what Pulsar 4.0 does, its defects included) "
    "or --edition DOCUMENTED (what the documents promise), or the scenario a line edition = ..."
)
QUESTION: Final = (
    "Whose cluster is it: PULSAR_4_0 (what Pulsar 4.0 does, its defects included) or DOCUMENTED "
    "(what the documents promise)?"
)


WITH_BALANCERS: Final = ("scenarios", "seed", "set_", "out", "picture", "balancer", "format_")


class Picture(StrEnum):
    """Formats of pictures."""

    PNG = "png"
    SVG = "svg"
    NONE = "none"


def simulate(
    context: typer.Context,
    scenarios: Annotated[
        list[str] | None,
        typer.Argument(help="Scenario files, or names of shipped ones; none: all of those."),
    ] = None,
    strategy: Annotated[
        list[Strategy] | None, typer.Option(help="May be repeated; none: the five of Pulsar.")
    ] = None,
    placement: Annotated[
        list[Placer] | None, typer.Option(help="May be repeated; none: the strategy's usual one.")
    ] = None,
    edition: Annotated[
        str | None,
        typer.Option(
            help="Whose cluster: PULSAR_4_0 is what Pulsar 4.0 does, its defects included, "
            "DOCUMENTED what the documents promise; else as scenario or evenkeel.toml say; "
            "else you are asked.",
            parser=edition_named,
            metavar=EDITION_NAMES,
        ),
    ] = None,
    seed: SeedOption = 1,
    seeds: Annotated[
        int,
        typer.Option(
            min=1, max=MOST_SEEDS, help="Number of seeds from --seed on: median and range."
        ),
    ] = 1,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="KEY=VALUE, a setting by Pulsar's name; may be repeated."),
    ] = None,
    rounds: Annotated[bool, typer.Option("--rounds", help="Print every moment.")] = False,
    out: Annotated[
        Path | None, typer.Option(help="An empty folder for tables (Parquet) and pictures.")
    ] = None,
    picture: Annotated[Picture, typer.Option(help="Pictures in --out.")] = Picture.PNG,
    master: Annotated[
        str | None, typer.Option(help="Run on Spark, e.g. local[*]; else on this machine's cores.")
    ] = None,
    subject: Annotated[
        str | None,
        typer.Option(
            help="Shed and place by this subject (a command that speaks the wire protocol), and "
            "hold every round against the reference; else the reference does both."
        ),
    ] = None,
    subject_does: Annotated[
        Does, typer.Option(help="What --subject does; the reference does the rest.")
    ] = Does.BOTH,
    balancer: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CMD",
            help="In place of strategies: a balancer of any kind, a command that answers "
            "contract.rebalance; may be repeated, to see several side by side.",
        ),
    ] = None,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Run strategies on scenarios in virtual time, from a seed."""
    if out is not None:
        require("pyarrow", "matplotlib")
    if balancer:
        refuse_options(context, "--balancer", WITH_BALANCERS)
        if out is not None:
            make_ready(out)
        kept = (out, picture)
        raise typer.Exit(run_any(scenarios or [], set_ or [], seed, balancer, kept, format_))
    if subject is not None and master is not None:
        raise Unusable("--subject and --master exclude each other.")
    by_seed = scenarios_of(scenarios or [], set_ or [], range(seed, seed + seeds))
    editions = editions_of(by_seed[seed], edition)
    jobs = [
        RunJob(own, balancer, run_seed, editions[own.name], seeds > 1)
        for index, file in enumerate(by_seed[seed])
        for balancer in list_balancers(file, strategy or list(FIVE), placement or [None])
        for run_seed in by_seed
        for own in [by_seed[run_seed][index]]
    ]
    if out is not None:
        make_ready(out)
    log = Log()
    runs, stopped = make_runs(jobs, master, subject, subject_does, log)
    raise typer.Exit(tell(runs, stopped, log, Telling(subject, rounds, out, picture, format_)))


def run_any(
    names: list[str],
    changes: list[str],
    seed: int,
    commands: list[str],
    kept: tuple[Path | None, Picture],
    format_: Format,
) -> int:
    """Run balancers of any kind on scenarios; the exit status."""
    [files] = scenarios_of(names, changes, range(seed, seed + 1)).values()
    played: list[balancers.Played] = []
    found = balancers.run_balancers(files, commands, played)
    if format_ is Format.TEXT:
        for file in files:
            if left_out := balancers.list_left_out(file):
                print_line(f"{file.name}: without {', '.join(left_out)}")
            for one in found:
                if unknown := balancers.list_unknown(file, one.promises.knows):
                    what = f"{one.name} does not know {', '.join(unknown)}"
                    print_line(f"{file.name}: {what}, and was asked without")
    folder, picture = kept
    if folder is not None and picture is not Picture.NONE:
        from evenkeel.operate.simulate import balancer_picture  # noqa: PLC0415 - loads long

        for file in files:
            of_file = [one for one in played if one.file is file]
            try:
                balancer_picture.draw(of_file, folder / f"{file.name}.{picture.value}")
            except OSError as error:
                raise Unusable(explain_unwritten(folder, error)) from error
    words = f"come to rest and violate nothing, {len(files)} scenarios"
    return conclude(found, "balancers", words, format_, ranked=True)


def editions_of(files: Sequence[ScenarioFile], given: str | None) -> dict[str, Edition]:
    """The edition of each scenario: the one given, or its own, or one that is asked for once.

    No edition is right for all: `DOCUMENTED` is a balancer that no cluster runs, and what Pulsar
    4.0 does is no promise. Raises `Unusable`.
    """
    without = [file.name for file in files if file.edition is None]
    other = ask_for_edition(without[0]) if without and given is None else given
    return {file.name: EDITIONS[str(given or file.edition or other)] for file in files}


def on_a_terminal() -> bool:
    """Whether a question can be shown and answered."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def ask_for_edition(name: str) -> str:
    """The answer at the terminal. Raises `Unusable` where there is none."""
    if not on_a_terminal():
        raise Unusable(f"{name}: {UNSAID}")
    while True:
        answer = typer.prompt(QUESTION, default=PULSAR_4_0.name, err=True)
        try:
            return edition_named(answer)
        except Unusable as unusable:
            typer.echo(str(unusable), err=True)


@dataclass(frozen=True, slots=True)
class Telling:
    """How results are reported, and where they are kept."""

    subject: str | None
    rounds: bool
    out: Path | None
    picture: Picture
    format: Format


def make_runs(
    jobs: list[RunJob], master: str | None, subject: str | None, does: Does, log: Log
) -> tuple[list[Run], str | None]:
    """The runs: here, on Spark, or with a subject in the loop; and why they are not all of them.

    Raises `Unusable`.
    """
    with show_progress("simulate", len(jobs), "runs") as advance:

        def done(job: RunJob) -> None:
            advance(job.called, 1)

        if subject is not None:
            return made_with(jobs, subject, does, log, done)
        try:
            return fanning.carry_out_all(jobs, master, done), None
        except CampaignUnusable as unusable:
            raise Unusable(str(unusable)) from unusable


def made_with(
    jobs: list[RunJob], subject: str, does: Does, log: Log, done: fanning.ReportJob
) -> tuple[list[Run], str | None]:
    """The runs with a subject in the loop, in order: there is one subject."""
    if len(editions := dict.fromkeys(job.edition.name for job in jobs)) > 1:
        reported = f"{' and '.join(editions)}, and --subject is of one; give --edition"
        raise Unusable(f"The scenarios are of {reported}.")
    asked = open_subject(subject, jobs[0].edition)
    runs: list[Run] = []
    try:
        for job in jobs:
            runs.append(remote.carry_out(job, asked, log, does))
            done(job)
    except SubjectFailed as failed:
        return runs, f"{str(failed).rstrip('.')}."
    except NotOffered as less:
        return runs, f"The subject {subject} {less}."
    except SubjectUnusable as unusable:
        return runs, str(unusable)
    finally:
        asked.close()
    return runs, None


def tell(runs: list[Run], stopped: str | None, log: Log, telling: Telling) -> int:
    """Print and keep the runs that were finished. The exit status.

    Raises `Unusable` where that are not all of them, or where they cannot be kept.
    """
    if telling.format is Format.TEXT:
        for _, group in groupby(runs, key=lambda run: run.job.file.name):
            simulate_output.print_runs(list(group), telling.rounds)
        simulate_output.print_words(runs)
        simulate_output.print_violations(log)
    if telling.out is not None and runs:
        stopped = keep(runs, telling.out, telling.picture) or stopped
    status = UNUSABLE if stopped else int(any(not found.departure for found in log.violations))
    if runs or log.violations:
        reported = simulate_output.summarize_runs(runs)
        if telling.subject:
            reported = f"{reported}; {simulate_output.tell_subject_decisions(log, telling.subject)}"
        finish(telling.format, reported, status, simulate_output.as_data(runs, stopped, log))
    if stopped:
        raise Unusable(stopped)
    return status


def scenarios_of(
    names: list[str], changes: list[str], seeds: Sequence[int]
) -> dict[int, list[ScenarioFile]]:
    """The scenarios under each seed: they differ only if something in them is sampled.

    Raises `Unusable`.
    """
    requested = scenario_file.drop_repeated(names or scenario_file.list_shipped())
    settings = dict(setting_of(change) for change in changes)
    first = [load_scenario(name, settings, seeds[0]) for name in requested]
    called: dict[str, str] = {}
    for name, file in zip(requested, first, strict=True):
        if (other := called.setdefault(file.name, name)) != name:
            reported = f"are both called {file.name} in tables and pictures; rename one of them"
            raise Unusable(f"{other} and {name} {reported}.")
    pairs = list(zip(requested, first, strict=True))
    return {
        seed: [
            load_scenario(name, settings, seed) if file.sampled and seed != seeds[0] else file
            for name, file in pairs
        ]
        for seed in seeds
    }


def load_scenario(name: str, settings: dict[str, Any], seed: int) -> ScenarioFile:
    """A scenario under a seed, with settings changed. Raises `BadScenarioFile`."""
    return scenario_file.with_changes(scenario_file.load(name, seed), settings)


def setting_of(change: str) -> tuple[str, Any]:
    """KEY=VALUE; the value as TOML has it. Raises `Unusable`."""
    key, found, value = change.partition("=")
    try:
        return key.strip(), parse_toml(f"value = {value}")["value"]
    except ValueError as error:
        reported = (
            "has no value" if not found else f"{abbreviate(value)} is no number, true or false"
        )
        raise Unusable(f"--set {change if len(change) <= LONG else key}: {reported}.") from error


def list_balancers(
    file: ScenarioFile, strategies: Sequence[Strategy], placements: Sequence[Placer | None]
) -> list[BalancerSpec]:
    """Every strategy with every placement that goes with it. Raises `Unusable` if none does."""
    found, refused = [], []
    for strategy in dict.fromkeys(strategies):
        for placement in dict.fromkeys(placements):
            try:
                found.append(running.balancer_for(file, strategy, placement))
            except BadScenario as bad:
                refused.append(bad.reason)
    if not found:
        raise Unusable(f"--placement: {refused[0]}.")
    return found


def make_ready(folder: Path) -> None:
    """Make the folder for the results before the long work. Raises `Unusable`.

    As with a campaign, whatever is in it already stays as it is: it must be empty.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise Unusable(f"--out {folder}: is not empty; choose another folder.")
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise Unusable(explain_unwritten(folder, error)) from error


def explain_unwritten(folder: Path, error: OSError) -> str:
    """That results cannot be written."""
    return f"--out {folder}: cannot be written ({error.strerror or error})."


def keep(runs: list[Run], folder: Path, picture: Picture) -> str | None:
    """Write tables and pictures; why that cannot be done."""
    from evenkeel.operate.simulate import drawing, storing  # noqa: PLC0415 - these load long

    try:
        storing.store(runs, folder)
        if picture is not Picture.NONE:
            for name, group in groupby(runs, key=lambda run: run.job.file.name):
                drawing.draw(list(group), folder / f"{name}.{picture.value}")
    except OSError as error:
        return explain_unwritten(folder, error)
    return None
