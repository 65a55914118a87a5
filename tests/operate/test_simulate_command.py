"""`evenkeel operate simulate` as an operator runs it."""

from __future__ import annotations

import json
import math
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
from pyarrow import parquet

from evenkeel.operate.cli import simulate_command
from evenkeel.operate.simulate import drawing, fanning, ranking, running, scenario_file
from evenkeel.operate.simulate.rest import Rest
from evenkeel.operate.simulate.running import Run, RunJob
from evenkeel.operate.simulate.series import FIGURES, Series, Spread
from evenkeel.reference.balancing.settings import Strategy
from evenkeel.reference.edition import DOCUMENTED
from evenkeel_engine.subjects.base import Errored
from tests import command_line
from tests.command_line import Done
from tests.operate.test_remote import Changed

SCENARIOS = Path(__file__).parent / "scenarios"
SMALL = (SCENARIOS / "small.toml").read_text("utf-8")


def run(*arguments: str) -> Done:
    """The command, of an edition."""
    whose = () if "--edition" in arguments else ("--edition", "DOCUMENTED")
    return command_line.run("operate", "simulate", *arguments, *whose)


def test_strategies_stand_side_by_side(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = run("three-brokers", small(tmp_path), "--out", str(out))
    assert done.returncode == 0, done.stderr
    for strategy in ("overload", "threshold", "uniform", "transfer", "avg"):
        assert done.stdout.count(f"│ {strategy} ") == 4  # two tables for each scenario
    assert widest_row(done) <= 80
    last = "10 runs of 2 scenarios, edition DOCUMENTED; all come to rest"
    assert done.stdout.splitlines()[-1] == last
    assert (out / "three-brokers.png").read_bytes().startswith(b"\x89PNG")
    tables = {name: parquet.read_table(out / f"{name}.parquet") for name in TABLES}
    assert tables["runs"].num_rows == 10
    assert tables["brokers"].num_rows == 5 * (121 * 3 + 6 * 2)
    assert tables["moves"].num_rows == sum(tables["moments"]["moves"].to_pylist()) > 0
    still = tmp_path / "still"
    done = run(small(tmp_path), "--strategy", "none", "--picture", "none", "--out", str(still))
    assert done.returncode == 0
    for name, table in tables.items():
        assert parquet.read_schema(still / f"{name}.parquet") == table.schema
    assert parquet.read_table(still / "moves.parquet").num_rows == 0


TABLES = ("runs", "moments", "brokers", "moves")


def widest_row(done: Done) -> int:
    """How wide the tables are."""
    return max(len(line) for line in done.stdout.splitlines() if line[:1] in "┏┃┡│└")


def test_placements_and_settings_can_be_named() -> None:
    done = run(
        "three-brokers",
        "--strategy=threshold",
        "--placement=round-robin",
        "--placement=least-resource-usage",
        "--set=loadBalancerBrokerThresholdShedderPercentage=50",
        "--format=json",
    )
    runs = json.loads(done.stdout)["runs"]
    assert [found["placement"] for found in runs] == ["round-robin", "least-resource-usage"]
    assert [found["measures"]["unloads"] for found in runs] == [0, 0]
    assert "broker-1 -> ?" in run("three-brokers", "--strategy=threshold", "--rounds").stdout


def test_processes_give_the_same_runs_as_one_process() -> None:
    file = scenario_file.load("three-brokers")
    strategies = (Strategy.THRESHOLD, Strategy.TRANSFER)
    jobs = [
        RunJob(file, running.balancer_for(file, one, None), 7, DOCUMENTED) for one in strategies
    ]
    done: list[RunJob] = []
    assert fanning.run_here(jobs, done.append, 2) == [running.carry_out(job) for job in jobs]
    assert {job.title for job in done} == {job.title for job in jobs}
    assert len(done) == len(jobs)


ENDLESS = Rest(None, 3_600_000, endless=True)


def at(minute: int) -> Rest:
    """Rest from this minute on."""
    return Rest(minute * 60_000, 3_600_000)


def ranked_as(rest: Rest, **measures: object) -> Run:
    """A run of which these measures are known."""
    file = scenario_file.load("three-brokers")
    known = running.carry_out(
        RunJob(file, running.balancer_for(file, Strategy.NONE, None), 1, DOCUMENTED)
    )
    return replace(known, measures=replace(known.measures, **measures), rest=rest)  # type: ignore[arg-type]


def test_runs_are_ranked_by_rest_then_imbalance_then_what_was_moved() -> None:
    restless = ranked_as(ENDLESS, last_deviation=0.0, moved=0.0)
    uneven = ranked_as(at(0), last_deviation=0.2, moved=0.0)
    dear = ranked_as(at(10), last_deviation=0.1, moved=5e8)
    cheap = ranked_as(at(0), last_deviation=0.1001, moved=1e8)
    names = {id(one): index for index, one in enumerate((restless, uneven, dear, cheap))}
    places = ranking.rank_series([Series((one,)) for one in [restless, uneven, dear, cheap, cheap]])
    assert [one.place for one in places] == [1, 1, 3, 4, 5]
    assert [names[id(one.series.runs[0])] for one in places] == [3, 3, 2, 1, 0]
    assert places[2].reason[0] == "rests after 10 min; 500 MB/s moved, thrash 0%"
    assert places[2].reason[1].startswith("std 10.0% at the end, 14.1% on average, 14.1% at worst")
    assert places[4].reason[0] == "moves bundles without end; 0 MB/s moved, thrash 0%"
    assert [one.ahead.partition(": ")[2] for one in places] == [
        "",
        "as even at the end, and moves less (100 < 500 MB/s)",
        "less imbalance at the end (10.0% < 20.0%)",
        "rests",
        "",
    ]


def test_of_several_seeds_there_are_medians_and_ranges() -> None:
    quick, slow = ranked_as(at(1), moved=1e6), ranked_as(at(3))
    series = Series((quick, slow, ranked_as(ENDLESS)))
    assert series.spread_over(FIGURES["rests_after"]) == Spread(3, 1, math.inf)
    assert ranking.describe_rest(series) == "rests in 2 of 3 seeds, after 1 to 3 min"
    assert ranking.explain_ahead(Series((quick, slow, slow)), series) == "rests more often"


def test_seeds_are_put_together_and_strategies_ranked() -> None:
    words = (str(SCENARIOS / "full.toml"), "--strategy=overload", "--strategy=avg")
    done = run(*words, "--seeds=2", "--edition", "PULSAR_4_0")
    assert "medians of 2 seeds" in done.stdout
    assert "≤ " in done.stdout
    runs = "4 runs of 1 scenario, edition PULSAR_4_0"
    last = f"{runs}; not at rest within 1560 min: full/overload in 2 of 2 seeds"
    assert done.stdout.splitlines()[-1] == last
    assert done.stdout.index("  1. avg: ") < done.stdout.index("  2. overload: ")
    assert widest_row(done) <= 80
    of_three = run(*words, "--seeds=3", "--edition", "PULSAR_4_0", "--format", "json")
    data = json.loads(of_three.stdout)
    assert [found["seed"] for found in data["runs"]] == [1, 2, 3, 1, 2, 3]
    [even, uneven] = data["strategies"]
    assert (even["strategy"], even["seeds"], uneven["place"]) == ("avg", 3, 2)
    moves = sorted(one["measures"]["unloads"] for one in data["runs"][:3])
    reported = uneven["figures"]["moves"]
    assert [reported["low"], reported["median"], reported["high"]] == moves
    assert moves[0] < moves[2]
    assert uneven["figures"]["rests_after"]["median"] is None


def unsaid(*words: str) -> Done:
    """The command as it is typed, without a terminal to ask on."""
    return command_line.run("operate", "simulate", *words)


def test_the_edition_is_asked_for_and_not_assumed(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(SMALL)
    done = unsaid(str(path), "--strategy", "none")
    assert done.returncode == 2
    assert "whose cluster is it? Give --edition PULSAR_4_0" in done.stderr
    path.write_text(f'edition = "PULSAR_4_0"\n{SMALL}')
    assert "edition PULSAR_4_0" in unsaid(str(path), "--strategy", "none").stdout
    given = unsaid(str(path), "--strategy", "none", "--edition", "documented")
    assert "edition DOCUMENTED" in given.stdout


def test_at_a_terminal_the_edition_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["4.0", "pulsar_4_0"])
    monkeypatch.setattr(simulate_command, "on_a_terminal", lambda: True)
    monkeypatch.setattr("typer.prompt", lambda *_, **__: next(answers))
    file = replace(scenario_file.load("three-brokers"), edition=None)
    files = [replace(file, name=name) for name in ("a", "b")]
    files.append(replace(file, name="c", edition="DOCUMENTED"))
    found = simulate_command.editions_of(files, None)
    assert {name: edition.name for name, edition in found.items()} == {
        "a": "PULSAR_4_0",
        "b": "PULSAR_4_0",
        "c": "DOCUMENTED",
    }


def small(folder: Path, name: str = "small") -> str:
    """A scenario's file."""
    path = folder / f"{name}.toml"
    path.write_text(SMALL)
    return str(path)


def test_two_files_of_one_name_are_refused_and_one_file_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    one, other = small(tmp_path), small(tmp_path / "other")
    done = run(one, other)
    assert done.returncode == 2
    assert f"{one} and {other} are both called small in tables and pictures" in done.stderr
    done = run(one, one, str(tmp_path / "other" / ".." / "small.toml"), "--strategy", "none")
    last = "1 run of 1 scenario, edition DOCUMENTED; all come to rest"
    assert done.stdout.splitlines()[-1] == last
    assert "ranking" not in done.stdout


def test_names_are_rendered_as_they_are(tmp_path: Path) -> None:
    file = scenario_file.load(small(tmp_path))
    spec = running.balancer_for(file, Strategy.NONE, None)
    made = running.carry_out(RunJob(file, spec, 1, DOCUMENTED))
    [legend] = drawing.figure_of([made]).legends
    assert [text.get_text() for text in legend.get_texts()][:2] == ["_1$", "_2$"]
    drawing.draw([made], tmp_path / "small.svg")
    assert "From $5 to $6 per broker" in (tmp_path / "small.svg").read_text()


def test_many_brokers_are_rows_of_a_map_and_seeds_a_band(tmp_path: Path) -> None:
    path = tmp_path / "many.toml"
    path.write_text(SMALL.replace("count = 2", "count = 12", 1))
    file = scenario_file.load(str(path))
    spec = running.balancer_for(file, Strategy.NONE, None)
    runs = [running.carry_out(RunJob(file, spec, seed, DOCUMENTED, True)) for seed in (1, 2)]
    with warnings.catch_warnings():
        # A layout that failed is a warning.
        warnings.filterwarnings("error", message="constrained_layout")
        drawing.draw(runs, tmp_path / "many.png")
    figure = drawing.figure_of(runs)
    heat, spread, *_ = figure.axes
    assert [label.get_text() for label in heat.get_yticklabels()] == [
        f"_{n}$" for n in range(1, 13)
    ]
    assert len(heat.collections) == len(spread.collections) == 1
    title = figure._suptitle.get_text()  # type: ignore[attr-defined]
    assert title.endswith("comparison of 2 seeds: median and range)")


THREE = Path("operate/simulate/scenarios/three-brokers.toml").read_text("utf-8")


TIRED = Changed(
    {
        "shedding.threshold": lambda known: replace(known, rounds=tuple(() for _ in known.rounds)),
        "shedding.overload": lambda _: Errored("died", False),
    },
    DOCUMENTED,
)


def run_tired(monkeypatch: pytest.MonkeyPatch, *words: str) -> Done:
    """The command with that subject."""
    monkeypatch.setattr(simulate_command, "open_subject", lambda *_: TIRED)
    return run(*words, "--subject", "changed")


def test_violations_are_reported_and_runs_that_were_finished_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "three-brokers.toml"
    path.write_text(THREE.replace("minutes = 120", "minutes = 5"))
    words = (str(path), "--strategy", "threshold")
    done = run_tired(monkeypatch, *words, "--rounds")
    assert done.returncode == 1
    assert "VIOLATED three-brokers/threshold, minute 1: SHD-" in done.stdout
    assert "5 min" in done.stdout
    out = tmp_path / "out"
    stops = (*words, "--strategy", "overload", "--out", str(out), "--format", "json")
    done = run_tired(monkeypatch, *stops)
    reported = "the subject changed did not answer shedding.overload: died."
    sentence = f"three-brokers/overload, minute 1: {reported}"
    assert done.stderr.splitlines()[-1] == f"evenkeel: {sentence}"
    whole = json.loads(done.stdout)
    assert (whole["status"], whole["stopped"]) == (2, sentence)
    first = whole["violations"][0]
    assert (first["run"], first["minute"]) == ("three-brokers/threshold", 1)
    assert first["clause"].startswith("SHD-")
    assert [found["strategy"] for found in whole["runs"]] == ["threshold"]
    assert parquet.read_table(out / "runs.parquet").num_rows == 1
    assert (out / "three-brokers.png").exists()
