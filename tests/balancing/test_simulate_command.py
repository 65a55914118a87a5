"""`evenkeel simulate` as an operator runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from pyarrow import parquet


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    command = [sys.executable, "-m", "evenkeel", "simulate", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_strategies_stand_side_by_side(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = run("three-brokers", "giant-bundle", "--out", str(out))
    assert done.returncode == 0, done.stderr
    for strategy in ("overload", "threshold", "uniform", "transfer", "avg"):
        assert done.stdout.count(f"│ {strategy} ") == 2
    last = "10 runs of 2 scenarios, edition DOCUMENTED; all became steady"
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


def test_every_moment_can_be_printed() -> None:
    done = run("three-brokers", "--strategy", "threshold", "--rounds")
    assert "broker-1 -> ?" in done.stdout
    assert "120 min" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nothing"], "nothing: cannot be read (No such file or directory); the shipped"),
        (["day", "--strategy", "transfer", "--placement", "round-robin"], "transfer places by"),
        (["day", "--set", "x=1"], "--set: x: is no setting that balancing reads"),
        (["day", "--set", "maxUnloadPercentage"], "--set maxUnloadPercentage: has no value."),
        (["day", "--set", "maxUnloadPercentage=much"], "'much' is no number, true or false."),
        (["three-brokers", "--out", "/dev/null/x"], "--out /dev/null/x: cannot be written"),
    ],
)
def test_bad_options_get_one_sentence(arguments: list[str], sentence: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
