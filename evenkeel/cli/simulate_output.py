"""What `evenkeel simulate` prints of runs: tables, violations, the last line, and JSON."""

from __future__ import annotations

from dataclasses import asdict
from itertools import groupby
from typing import Any

from evenkeel.cli.output import line, table
from evenkeel.reference.shedding.cluster import MINUTE, Millis
from evenkeel.simulate.asking import Log, Objection, told
from evenkeel.simulate.ranking import MEGABYTE, ranked
from evenkeel.simulate.running import Run


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
    """One scenario: what was moved and how it ended, a row for each run; every moment if asked for.

    Two tables, since one of all columns is wider than a terminal.
    """
    file = runs[0].job.file
    table(f"{file.name}: {file.title}", MOVED, [moved_row(run) for run in runs])
    table("", BECAME, [became_row(run) for run in runs])
    if rounds:
        for run in runs:
            print_rounds(run)
    print_ranking(runs)
    line(f"source: {file.source}")
    line()


MOVED = (
    "strategy",
    "#moves",
    "#of one/h",
    "#back",
    "#MB/s",
    "#thrashing",
    "#bundle-min\nunserved",
)
BECAME = ("strategy", "steady after", "#highest", "#std, mean", "#std, end", "#max/mean")


def moved_row(run: Run) -> tuple[object, ...]:
    """What a run moved: all moves, those of one bundle within an hour, those back, and so on."""
    measures = run.measures
    return (
        run.title,
        measures.unloads,
        measures.most_unloads,
        measures.returned,
        round(measures.moved / MEGABYTE),
        percent(measures.thrashing),
        f"{measures.unserved / MINUTE:g}",
    )


def became_row(run: Run) -> tuple[object, ...]:
    """How even a run was, and became."""
    measures = run.measures
    return (
        run.title,
        steady_told(run),
        percent(measures.highest),
        percent(measures.mean_deviation),
        percent(measures.last_deviation),
        f"{measures.last_ratio:.2f}",
    )


def print_ranking(runs: list[Run]) -> None:
    """The order of the strategies and its reasons; of a single one there is none."""
    if len(runs) > 1:
        line("ranking, by rest, then imbalance at the end, then throughput moved:")
        for one in ranked(runs):
            line(f"{one.place:3}. {one.run.title}: {one.reason}")


def print_rounds(run: Run) -> None:
    """Every moment of a run, and below it the moves."""
    moments = list(zip(run.readings, run.history.moments, strict=True))
    table(
        f"{run.job.file.name}, {run.title}",
        ("at", "#mean", "#lowest", "#highest", "#std", "#ratio", "#away", "#moves", "#MB/s"),
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
            )
            for one, _ in moments
        ],
    )
    for one, moment in moments:
        for move in moment.moves:
            to = move.destination or "?"
            line(f"{minutes(one.at)}: {move.bundle} {move.source} -> {to}")


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
    places = {id(one.run): one.place for runs_ in by_scenario(runs) for one in ranked(runs_)}
    return {
        "runs": [
            {
                "place": places[id(run)],
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


def by_scenario(runs: list[Run]) -> list[list[Run]]:
    """The runs of each scenario."""
    return [list(group) for _, group in groupby(runs, key=lambda run: run.job.file.name)]


def violation_data(found: Objection) -> dict[str, Any]:
    """What a clause objects to, for programs; no minute: the run as a whole."""
    return {
        "run": found.run,
        "minute": None if found.at is None else found.at / MINUTE,
        "clause": found.clause,
        "departure": found.departure,
        "sentence": found.sentence,
    }
