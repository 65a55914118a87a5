"""`evenkeel operate limits plan` as an operator runs it. Theorems and graphs hold its bounds."""

import json
from functools import partial
from pathlib import Path

import pytest

from evenkeel.operate.plan import planning
from evenkeel.operate.plan.planning import RequestedLimit
from evenkeel.reference.throttling import overdelivery
from evenkeel.reference.throttling.overdelivery import Setting
from tests import command_line

run = partial(command_line.run, "operate", "limits", "plan")


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
    for row in bounds[0]["rows"]:
        assert row["window"] == overdelivery.most_of_bucket(Setting(10, 9, 2, 2), row["periods"])


def test_one_limiter_can_be_named_and_bytes_be_limited() -> None:
    words = ("--bytes", "1000", "--entry-bytes", "300", "--reads", "1", "--limiter", "counter")
    ((bound),) = json.loads(run(*words, "--format", "json").stdout)["bounds"]
    assert bound["rows"][0] == {"periods": 1, "limit": 1000, "aligned": 1299, "window": 2299}


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_a_plot_is_written(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"worst.{suffix}"
    assert run("--messages", "10", "--plot", str(path)).returncode == 0
    assert path.stat().st_size > 5_000


def ask_limit(messages: int = 10, entries: int = 100, **values: int) -> RequestedLimit:
    """Messages a second in batches of six, read one and a replay at once, with changes."""
    reads, partitions = values.get("reads", 2), values.get("partitions", 1)
    by_entry = bool(values.get("by_entry"))
    return RequestedLimit(
        messages, None, 1, 6, 100, 100, entries, reads, partitions, by_entry, precise=False
    )


@pytest.mark.parametrize(("messages", "entries", "reads"), [(10, 3, 2), (3, 10, 1), (1, 1, 3)])
def test_a_plot_shows_what_the_schedule_does(messages: int, entries: int, reads: int) -> None:
    plan, setting = ask_limit(messages, entries, reads=reads), Setting(messages, entries, 6, reads)
    run_ = overdelivery.run_schedule(setting, list(overdelivery.burst(setting)))
    shown = planning.compute_timeline(plan, 6)
    assert shown[0] == run_.delivered
    assert sum(shown) <= overdelivery.most_in_periods(setting, 6)


def test_partitions_multiply_and_entries_are_shown_in_both_units() -> None:
    (messages,) = planning.all_bounds(ask_limit(partitions=4))
    assert (messages.rows[0].limit, messages.rows[0].aligned) == (40, 480)
    entries, in_messages = planning.all_bounds(ask_limit(by_entry=True, reads=1))
    assert (entries.unit, entries.rows[0].aligned) == ("entries", 10)
    assert (in_messages.unit, in_messages.rows[0].aligned) == ("messages", 60)
