"""What `evenkeel operate simulate` prints of runs: tables, violations, the last line, and JSON."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from itertools import groupby
from typing import Any, Final

from evenkeel.operate.simulate.ranking import Place, rank_series
from evenkeel.operate.simulate.running import Run
from evenkeel.operate.simulate.series import FIGURES, MEGABYTE, Series, series_of
from evenkeel.operate.simulate.subject_calls import Log, list_violations
from evenkeel.reference.shedding.cluster import MINUTE, Millis
from evenkeel_engine.cli.output import print_line, print_table
from evenkeel_engine.text import count_noun

SEVERAL: Final = 2
"""The fewest that can be ranked."""


def format_minutes(time: Millis) -> str:
    """A time in minutes."""
    return f"{time / MINUTE:g} min"


def format_percent(fraction: float) -> str:
    """A fraction as percent."""
    return f"{fraction:.1%}"


def print_runs(runs: list[Run], rounds: bool) -> None:
    """One scenario: what was moved and how it ended, a row for each strategy; moments if asked for.

    Two tables, since one of all columns is wider than a terminal.
    """
    file, series = runs[0].job.file, series_of(runs)
    print_table(f"{file.name}: {file.title}", *fill_columns(series, MOVED))
    print_table("", *fill_columns(series, BECAME))
    if rounds:
        for run in runs:
            print_rounds(run)
    print_ranking(series)
    print_line(f"source: {file.source}")
    print_line()


Shown = Callable[[float], str]


def format_median(value: float) -> str:
    """A number that is mostly whole: a median may lie between two."""
    return f"{value:,.0f}" if value == round(value) else f"{value:,.1f}"


MOVED: Final[dict[str, tuple[str, Shown]]] = {
    "#moves": ("moves", format_median),
    "#of one/h": ("most_of_one", format_median),
    "#back": ("back", format_median),
    "#MB/s": ("moved", lambda value: f"{value:,.0f}"),
    "#thrash": ("thrash", lambda value: f"{value:.0%}"),
    "#orphans": ("orphaned", format_median),
    "#min\nunserved": ("unserved", lambda value: f"{value:,.1f}"),
}
BECAME: Final[dict[str, tuple[str, Shown]]] = {
    "#rests after": ("rests_after", lambda value: f"{value:g} min"),
    "#highest": ("highest", format_percent),
    "#std,\nmean": ("mean_deviation", format_percent),
    "#std,\nworst": ("worst_deviation", format_percent),
    "#std,\nend": ("last_deviation", format_percent),
    "#max/mean,\nend": ("last_ratio", lambda value: f"{value:.2f}"),
}
"""What a column shows of a strategy, and how."""
WORDS: Final = (
    "of one/h: the most moves of one bundle within an hour; back: moves to a broker",
    "that the bundle had left; MB/s: of all that was moved, added up; thrash: how much",
    "of the range of usage brokers went to and fro, 200% is all of it once (BAL-14);",
    "orphans: bundles whose broker went down, each time, which are no moves;",
    "min unserved: minutes of bundles that no broker served; rests after: from",
    "when on nothing moves, however long the run continues (it is continued until its",
    "state recurs); highest: of any broker at any time;",
    "std: standard deviation of the brokers' usage; max/mean: of the fullest broker",
)
SEEDS: Final = "of each figure: the median over the seeds, its least and its largest value"


def fill_columns(
    series: list[Series], shown: dict[str, tuple[str, Shown]]
) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    """Headers and rows of a table, a row for each strategy."""
    rows: list[tuple[object, ...]] = [
        (one.title, *(format_cell(one, name, reported) for name, reported in shown.values()))
        for one in series
    ]
    return ("strategy", *shown), rows


def format_cell(series: Series, name: str, reported: Shown) -> str | tuple[str, ...]:
    """A figure: of several seeds the median, and below it the range.

    They stand below each other, since a terminal is 80 columns wide.
    """
    over = series.spread_over(FIGURES[name])
    never = "never" if all(run.rest.endless for run in series.runs) else "not found"

    def as_text(value: float) -> str:
        return never if math.isinf(value) else reported(value)

    texts = [as_text(value) for value in (over.median, over.low, over.high)]
    return texts[0] if over.low == over.high else (texts[0], f"≥ {texts[1]}", f"≤ {texts[2]}")


def print_words(runs: list[Run]) -> None:
    """What the columns of the tables mean, once."""
    if runs:
        for words in WORDS:
            print_line(words)
        if any(run.job.of_many for run in runs):
            print_line(SEEDS)
        print_line()


def print_ranking(series: list[Series]) -> None:
    """The order of the strategies and its reasons; of a single one there is none."""
    if len(series) < SEVERAL:
        return
    seeds = len(series[0].runs)
    over = f"; medians of {seeds} seeds" if seeds > 1 else ""
    print_line(f"ranking, by rest, then imbalance at the end, then throughput moved{over}:")
    for one in rank_series(series):
        print_line(f"{one.place:3}. {one.series.title}: {one.reason[0]}")
        print_line(f"     {one.reason[1]}")
        if one.ahead:
            print_line(f"     {one.ahead}")


def print_rounds(run: Run) -> None:
    """Every moment of a run, and below it the moves."""
    moments = list(zip(run.readings, run.history.moments, strict=True))
    print_table(
        f"{run.job.file.name}, {run.title}",
        ("at", "#mean", "#lowest", "#highest", "#std", "#ratio", "#away", "#moves", "#MB/s"),
        [
            (
                format_minutes(one.at),
                format_percent(one.mean),
                format_percent(one.lowest),
                format_percent(one.highest),
                format_percent(one.deviation),
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
            print_line(f"{format_minutes(one.at)}: {move.bundle} {move.source} -> {to}")


def print_violations(log: Log) -> None:
    """What clauses object to, a line each."""
    for sentence in list_violations([found for found in log.violations if not found.departure]):
        print_line(f"VIOLATED {sentence}")
    for sentence in list_violations([found for found in log.violations if found.departure]):
        print_line(f"departure: {sentence}")


def names_of(runs: list[Run], all_runs: list[Run]) -> list[str]:
    """The names of runs; of several seeds in how many."""
    many = Counter(f"{run.job.file.name}/{run.title}" for run in all_runs)
    found = Counter(f"{run.job.file.name}/{run.title}" for run in runs)
    return [
        name if many[name] == 1 else f"{name} in {count} of {many[name]} seeds"
        for name, count in found.items()
    ]


def summarize_runs(runs: list[Run]) -> str:
    """The last line."""
    if not runs:
        return "no run was finished"
    names = list(dict.fromkeys(run.job.file.name for run in runs))
    restless = [run for run in runs if run.rests_after is None]
    by_unrest: dict[str, list[Run]] = {}
    for run in restless:
        by_unrest.setdefault(run.rest.unrest.removeprefix("is "), []).append(run)
    parts = [f"{unrest}: {', '.join(names_of(own, runs))}" for unrest, own in by_unrest.items()]
    edition = " and ".join(dict.fromkeys(run.job.edition.name for run in runs))
    rest = "; ".join(parts) or "all come to rest"
    what = f"{count_noun(len(runs), 'run')} of {count_noun(len(names), 'scenario')}"
    return f"{what}, edition {edition}; {rest}"


def tell_subject_decisions(log: Log, subject: str) -> str:
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
    by_scenario = groupby(series_of(runs), key=lambda one: one.scenario)
    places = [place for _, own in by_scenario for place in rank_series(list(own))]
    place_of = {run.job.called: one.place for one in places for run in one.series.runs}
    return {
        "strategies": [strategy_data(one) for one in places],
        "runs": [
            {
                "place": place_of[run.job.called],
                **run.identity,
                "seed": run.job.seed,
                "measures": asdict(run.measures),
                "rest": asdict(run.rest),
            }
            for run in runs
        ],
        "stopped": stopped,
        "violations": [
            {
                "run": found.run,
                "minute": None if found.at is None else found.at / MINUTE,  # the run as a whole
                "clause": found.clause,
                "departure": found.departure,
                "sentence": found.sentence,
            }
            for found in log.violations
        ],
    }


def strategy_data(one: Place) -> dict[str, Any]:
    """A strategy's place and figures over the seeds, for programs; null: never."""
    figures = {}
    for name, figure in FIGURES.items():
        spread = asdict(one.series.spread_over(figure))
        figures[name] = {key: None if math.isinf(v) else v for key, v in spread.items()}
    return {
        "place": one.place,
        **one.series.runs[0].identity,
        "seeds": len(one.series.runs),
        "figures": figures,
    }
