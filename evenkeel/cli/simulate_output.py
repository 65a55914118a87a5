"""What `evenkeel simulate` prints of runs: tables, violations, the last line, and JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from evenkeel.cli.output import line, table
from evenkeel.reference.shedding.cluster import MINUTE, Millis
from evenkeel.simulate.asking import Log, Objection, told
from evenkeel.simulate.running import Run

MEGABYTE = 1_000_000


def minutes(time: Millis) -> str:
    """A time in minutes."""
    return f"{time / MINUTE:g} min"


def steady_told(run: Run) -> str:
    """From when on a run was steady, or that it never was, or was too short for that."""
    if run.measures.steady_after is not None:
        return minutes(run.measures.steady_after)
    return "too short to say" if run.too_short else "never"


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
            "#unserved, bundle-min",
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
        steady_told(run),
        f"{measures.unserved / MINUTE:g}",
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
            "#bundles unserved",
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


def print_violations(log: Log) -> None:
    """What clauses object to, a line each."""
    errors = [found for found in log.violations if not found.departure]
    for sentence in told(errors):
        line(f"VIOLATED {sentence}")
    for sentence in told([found for found in log.violations if found.departure]):
        line(f"departure: {sentence}")


def summary(runs: list[Run]) -> str:
    """The last line."""
    if not runs:
        return "no run was finished"
    names = list(dict.fromkeys(run.job.file.name for run in runs))
    unsteady = [run for run in runs if run.measures.steady_after is None]
    restless = [f"{run.job.file.name}/{run.title}" for run in unsteady if not run.too_short]
    short = [f"{run.job.file.name}/{run.title}" for run in unsteady if run.too_short]
    parts = [f"never steady: {', '.join(restless)}"] if restless else []
    parts += [f"too short to say whether steady: {', '.join(short)}"] if short else []
    edition = runs[0].job.edition.name
    what = "1 scenario" if len(names) == 1 else f"{len(names)} scenarios"
    steady = "; ".join(parts) or "all became steady"
    return f"{len(runs)} run{'s' * (len(runs) != 1)} of {what}, edition {edition}; {steady}"


def decisions(log: Log, subject: str) -> str:
    """What became of a subject's decisions."""
    departed = sum(found.departure for found in log.violations)
    return (
        f"{subject} shed {log.rounds} rounds ({log.allowed} other than the reference's and "
        f"allowed) and placed {log.placements} bundles ({log.open} with several brokers allowed); "
        f"{log.equal} of {log.moments} moments equal to the reference's with the same choices, "
        f"{len(log.violations) - departed} violations"
        f"{f', {departed} departures' if departed else ''}"
    )


def as_data(runs: list[Run], stopped: str | None, log: Log) -> dict[str, Any]:
    """The runs for programs; `stopped` says why they are not all of them."""
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
        ],
        "stopped": stopped,
        "violations": [violation_data(found) for found in log.violations],
    }


def violation_data(found: Objection) -> dict[str, Any]:
    """What a clause objects to, for programs; no minute: the run as a whole."""
    return {
        "run": found.run,
        "minute": None if found.at is None else found.at / MINUTE,
        "clause": found.clause,
        "departure": found.departure,
        "sentence": found.sentence,
    }
