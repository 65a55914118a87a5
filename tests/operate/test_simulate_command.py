"""`evenkeel operate simulate` as an operator runs it."""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from evenkeel.operate.cli import simulate_command
from evenkeel.operate.simulate import drawing, fanning, ranking, running, scenario_file
from evenkeel.operate.simulate.rest import Rest
from evenkeel.operate.simulate.running import Job, Run
from evenkeel.operate.simulate.series import FIGURES, Series, Spread
from evenkeel.properties.shedding.overload import OverloadTrial
from evenkeel.reference.balancing.settings import Strategy
from evenkeel.reference.edition import DOCUMENTED
from evenkeel_engine.subjects.base import Errored, Observed, Reply, Request
from tests import command_line
from tests.command_line import Done


def run(*arguments: str) -> Done:
    """The command, of an edition."""
    whose = () if "--edition" in arguments else ("--edition", "DOCUMENTED")
    return command_line.run("operate", "simulate", *arguments, *whose)


def test_strategies_stand_side_by_side(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = run("three-brokers", "giant-bundle", "--out", str(out))
    assert done.returncode == 0, done.stderr
    for strategy in ("overload", "threshold", "uniform", "transfer", "avg"):
        assert done.stdout.count(f"│ {strategy} ") == 4  # two tables for each scenario
    table = [line for line in done.stdout.splitlines() if line[:1] in "┏┃┡│└"]
    assert max(map(len, table)) <= 80
    last = "10 runs of 2 scenarios, edition DOCUMENTED; all come to rest"
    assert done.stdout.splitlines()[-1] == last
    assert (out / "three-brokers.png").read_bytes().startswith(b"\x89PNG")
    assert parquet.read_table(out / "runs.parquet").num_rows == 10
    moments = parquet.read_table(out / "moments.parquet").to_pylist()
    assert (
        sum(row["moves"] for row in moments) == parquet.read_table(out / "moves.parquet").num_rows
    )
    brokers = parquet.read_table(out / "brokers.parquet")
    assert brokers.num_rows == 5 * (121 * 3 + 241 * 2)


def test_the_same_seed_gives_the_same_result() -> None:
    def once(seed: int) -> object:
        arguments = ("all-overloaded", "--strategy", "overload", "--seed", str(seed))
        done = run(*arguments, "--edition", "PULSAR_4_0", "--format", "json")
        return json.loads(done.stdout)["runs"][0]["measures"]

    assert once(1) == once(1)
    assert once(1) != once(2)


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


def test_processes_give_the_same_runs_as_one_process() -> None:
    file = scenario_file.load("three-brokers")
    strategies = (Strategy.THRESHOLD, Strategy.UNIFORM, Strategy.TRANSFER)
    jobs = [Job(file, running.balancer_for(file, one, None), 7, DOCUMENTED) for one in strategies]
    done: list[Job] = []
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
        Job(file, running.balancer_for(file, Strategy.NONE, None), 1, DOCUMENTED)
    )
    return replace(known, measures=replace(known.measures, **measures), rest=rest)  # type: ignore[arg-type]


def test_runs_are_ranked_by_rest_then_imbalance_then_what_was_moved() -> None:
    restless = ranked_as(ENDLESS, last_deviation=0.0, moved=0.0)
    uneven = ranked_as(at(0), last_deviation=0.2, moved=0.0)
    dear = ranked_as(at(10), last_deviation=0.1, moved=5e8)
    cheap = ranked_as(at(0), last_deviation=0.1001, moved=1e8)
    names = {id(one): index for index, one in enumerate((restless, uneven, dear, cheap))}
    runs = [restless, uneven, dear, cheap, cheap]
    places = ranking.rank_series([Series((one,)) for one in runs])
    assert [one.place for one in places] == [1, 1, 3, 4, 5]
    assert [names[id(one.series.runs[0])] for one in places] == [3, 3, 2, 1, 0]
    assert places[2].reason[0] == "rests after 10 min; 500 MB/s moved, thrash 0%"
    assert places[2].reason[1].startswith("std 10.0% at the end, 14.1% on average, 14.1% at worst")
    assert places[4].reason[0] == "moves bundles without end; 0 MB/s moved, thrash 0%"
    aheads = [one.ahead.partition(": ")[2] for one in places]
    assert aheads == [
        "",
        "as even at the end, and moves less (100 < 500 MB/s)",
        "less imbalance at the end (10.0% < 20.0%)",
        "rests",
        "",
    ]


def test_of_several_seeds_there_are_medians_and_ranges() -> None:
    quick, slow = ranked_as(at(1), moved=1e6), ranked_as(at(3))
    never = ranked_as(ENDLESS)
    series = Series((quick, slow, never))
    assert series.spread_over(FIGURES["rests_after"]) == Spread(3, 1, math.inf)
    assert ranking.describe_rest(series) == "rests in 2 of 3 seeds, after 1 to 3 min"
    assert ranking.explain_ahead(Series((quick, slow, slow)), series) == "rests more often"


def test_seeds_are_distinguished_and_put_together() -> None:
    words = ("all-overloaded", "--strategy", "overload", "--strategy", "avg", "--seeds", "3")
    done = run(*words, "--edition", "PULSAR_4_0")
    assert "medians of 3 seeds" in done.stdout
    assert "≤ " in done.stdout
    runs = "6 runs of 1 scenario, edition PULSAR_4_0"
    last = f"{runs}; not at rest within 1560 min: all-overloaded/overload in 3"
    assert done.stdout.splitlines()[-1] == f"{last} of 3 seeds"
    table = [line for line in done.stdout.splitlines() if line[:1] in "┏┃┡│└"]
    assert max(map(len, table)) <= 80
    data = json.loads(run(*words, "--edition", "PULSAR_4_0", "--format", "json").stdout)
    assert [found["seed"] for found in data["runs"]] == [1, 2, 3, 1, 2, 3]
    [even, uneven] = data["strategies"]
    assert (even["strategy"], even["seeds"], uneven["place"]) == ("avg", 3, 2)
    moves = sorted(one["measures"]["unloads"] for one in data["runs"][:3])
    reported = uneven["figures"]["moves"]
    assert [reported["low"], reported["median"], reported["high"]] == moves
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


def test_the_ranking_is_printed_and_in_the_object() -> None:
    words = ("all-overloaded", "--strategy", "overload", "--strategy", "uniform")
    reported = run(*words).stdout
    second = reported.index("  2. overload: is not at rest within")
    assert reported.index("  1. uniform: rests after 0 min") < second
    runs = json.loads(run(*words, "--format", "json").stdout)["runs"]
    assert [found["place"] for found in runs] == [2, 1]
    assert "ranking" not in run("all-overloaded", "--strategy", "uniform").stdout


def test_every_moment_can_be_printed() -> None:
    done = run("three-brokers", "--strategy", "threshold", "--rounds")
    assert "broker-1 -> ?" in done.stdout
    assert "120 min" in done.stdout


SMALL = """
title = "From $5 to $6 per broker"
minutes = 5
[[brokers]]
name = "_{n}$"
count = 2
[[bundles]]
namespace = "t/n"
count = 4
on = ["_1$"]
msg_rate_in = 24000
"""


def small(folder: Path, name: str = "small") -> str:
    """A scenario's file."""
    path = folder / f"{name}.toml"
    path.write_text(SMALL)
    return str(path)


def test_a_short_run_is_continued_until_it_is_known_to_rest(tmp_path: Path) -> None:
    done = run(small(tmp_path), "--strategy", "none", "--strategy", "none")
    last = "edition DOCUMENTED; all come to rest"
    assert done.stdout.splitlines()[-1] == f"1 run of 1 scenario, {last}"


def test_two_files_of_one_name_are_refused_and_one_file_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    one, other = small(tmp_path), small(tmp_path / "other")
    done = run(one, other)
    assert done.returncode == 2
    assert f"{one} and {other} are both called small in tables and pictures" in done.stderr
    done = run(one, one, str(tmp_path / "other" / ".." / "small.toml"), "--strategy", "none")
    assert done.stdout.splitlines()[-1].startswith("1 run of 1 scenario")


def test_tables_have_the_same_columns_whatever_the_runs(tmp_path: Path) -> None:
    moved, still = tmp_path / "moved", tmp_path / "still"
    for out, name, strategy in (
        (moved, "three-brokers", "threshold"),
        (still, small(tmp_path), "none"),
    ):
        words = (name, "--strategy", strategy, "--picture", "none", "--out", str(out))
        assert run(*words).returncode == 0
    for name in ("runs", "moments", "brokers", "moves"):
        schemas = [parquet.read_schema(out / f"{name}.parquet") for out in (moved, still)]
        assert schemas[0] == schemas[1]
    assert parquet.read_table(moved / "moves.parquet").num_rows > 0
    assert parquet.read_table(still / "moves.parquet").num_rows == 0


def test_names_are_rendered_as_they_are(tmp_path: Path) -> None:
    file = scenario_file.load(small(tmp_path))
    spec = running.balancer_for(file, Strategy.NONE, None)
    made = running.carry_out(Job(file, spec, 1, DOCUMENTED))
    [legend] = drawing.figure_of([made]).legends
    assert [text.get_text() for text in legend.get_texts()][:2] == ["_1$", "_2$"]
    drawing.draw([made], tmp_path / "small.svg")
    assert "From $5 to $6 per broker" in (tmp_path / "small.svg").read_text()


def test_many_brokers_are_rows_of_a_map_and_seeds_a_band(tmp_path: Path) -> None:
    path = tmp_path / "many.toml"
    path.write_text(SMALL.replace("count = 2", "count = 12", 1))
    file = scenario_file.load(str(path))
    spec = running.balancer_for(file, Strategy.NONE, None)
    runs = [running.carry_out(Job(file, spec, seed, DOCUMENTED, True)) for seed in (1, 2)]
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


class Tired:
    """Sheds nothing under ThresholdShedder, and dies when it is asked about OverloadShedder."""

    name = "tired"
    questions = None

    def replies(self, asks: Iterable[Request]) -> Iterator[tuple[Request, Reply]]:
        for ask in asks:
            known: Any = ask.question.observe(ask.trial, DOCUMENTED)
            if isinstance(ask.trial, OverloadTrial):
                yield ask, Errored("died", False)
            elif ask.question.name == "shedding.threshold":
                yield ask, Observed(replace(known, rounds=tuple(() for _ in known.rounds)))
            else:
                yield ask, Observed(known)

    def close(self) -> None:
        """Nothing is open."""


def asked(monkeypatch: pytest.MonkeyPatch, *words: str) -> Done:
    """The command with that subject."""
    monkeypatch.setattr(simulate_command, "open_subject", lambda *_: Tired())
    return run(*words, "--subject", "tired")


def test_violations_are_in_the_object(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("three-brokers", "--strategy", "threshold")
    whole = json.loads(asked(monkeypatch, *words, "--format", "json").stdout)
    assert whole["status"] == 1
    assert whole["stopped"] is None
    first = whole["violations"][0]
    assert (first["run"], first["minute"]) == ("three-brokers/threshold", 1)
    assert first["clause"].startswith("SHD-")
    reported = asked(monkeypatch, *words).stdout
    assert f"VIOLATED three-brokers/threshold, minute 1: {first['clause']}: " in reported


def test_runs_that_were_finished_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ("three-brokers", "--strategy", "threshold", "--strategy", "overload")
    done = asked(monkeypatch, *words, "--out", str(out), "--format", "json")
    reported = "the subject tired did not answer shedding.overload: died."
    sentence = f"three-brokers/overload, minute 1: {reported}"
    assert done.stderr.splitlines()[-1] == f"evenkeel: {sentence}"
    whole = json.loads(done.stdout)
    assert (whole["status"], whole["stopped"]) == (2, sentence)
    assert [found["strategy"] for found in whole["runs"]] == ["threshold"]
    assert parquet.read_table(out / "runs.parquet").num_rows == 1
    assert (out / "three-brokers.png").exists()
