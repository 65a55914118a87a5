"""`evenkeel operate limits plan` as an operator runs it."""

import json
from pathlib import Path

from evenkeel.reference.throttling import overdelivery
from tests import command_line
from tests.command_line import Done


def run(*arguments: str) -> Done:
    """The command."""
    return command_line.run("operate", "limits", "plan", *arguments)


def test_the_worst_case_is_shown() -> None:
    done = run("--messages", "10", "--batch", "6")
    assert done.returncode == 0
    assert "all issued while 10 of the quota are left" in done.stdout
    bucket, counter, average = done.stdout.splitlines()[-1].split("; ")
    assert (
        bucket == "bucket: at worst 141 messages in some 1 s (14.1 times the limit), an upper bound"
    )
    assert counter.startswith("counter: at worst 130 messages in some 1 s (13.0 times the limit)")
    assert counter.endswith("a schedule reaches it")
    assert average == "on average the limit"


def test_the_default_of_4_0_comes_first_and_is_the_bound_of_its_clause() -> None:
    done = run("--messages", "10", "--batch", "2", "--read-batch", "9", "--format", "json")
    bounds = json.loads(done.stdout)["bounds"]
    assert [one["limiter"] for one in bounds] == ["bucket", "counter"]
    setting = overdelivery.Setting(10, 9, 2, 2)
    for row in bounds[0]["rows"]:
        assert row["window"] == overdelivery.most_of_bucket(setting, row["periods"])
    for row in bounds[1]["rows"]:
        assert row["window"] == overdelivery.most_in_window(setting, row["periods"])


def test_one_limiter_can_be_named() -> None:
    reported = run("--messages", "10", "--limiter", "counter").stdout
    assert "bucket" not in reported


def test_json_has_the_numbers() -> None:
    done = run(
        "--bytes",
        "1000",
        "--entry-bytes",
        "300",
        "--reads",
        "1",
        "--limiter",
        "counter",
        "--format",
        "json",
    )
    rows = json.loads(done.stdout)["bounds"][0]["rows"]
    assert rows[0] == {"periods": 1, "limit": 1000, "aligned": 1299, "window": 2299}


def test_a_plot_is_written(tmp_path: Path) -> None:
    path = tmp_path / "worst.png"
    assert run("--messages", "10", "--plot", str(path)).returncode == 0
    assert path.read_bytes().startswith(b"\x89PNG")
