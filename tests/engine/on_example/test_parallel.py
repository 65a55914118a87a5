"""A check in several processes gives the results of one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evenkeel_engine.check import parallel
from evenkeel_engine.check.pool import count_cores
from tests.engine.on_example.test_example import naive, run

__all__ = ["naive"]


@pytest.fixture(autouse=True)
def _worthwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "WORTHWHILE", 500)


def check(folder: Path, jobs: int, subject: str) -> dict[str, Any]:
    """What a check of a wrong subject finds, but for the time that it took."""
    asked = ("--jobs", str(jobs), "--subject", subject, "--no-last-failures", "--format", "json")
    data, _ = json.JSONDecoder().raw_decode(run(folder, "check", *asked, status=1))
    return {name: value for name, value in data.items() if name != "seconds"}


@pytest.mark.parametrize("by_wire", [False, True])
def test_the_results_are_those_of_one_process(tmp_path: Path, naive: str, by_wire: bool) -> None:
    subject = naive if by_wire else "reference:HBASE_2_5"
    assert check(tmp_path, 1, subject) == check(tmp_path, 3, subject)


def test_a_subject_that_bears_no_second_one_ends_the_check(tmp_path: Path, naive: str) -> None:
    path = tmp_path / "naive.py"
    path.write_text(f"open({str(tmp_path / 'taken')!r}, 'x')\n{path.read_text()}")
    printed = run(tmp_path, "check", "--jobs", "2", "--subject", naive, status=2)
    assert "exited with status 1" in printed
    assert "verdicts" not in printed


def test_a_command_gets_one_process_unless_more_are_asked_for() -> None:
    assert parallel.count_processes(None, "./mine", 10**6) == 1
    assert parallel.count_processes(4, "./mine", 10**6) == 4
    assert parallel.count_processes(None, "reference", 10**6) == count_cores()
    assert parallel.count_processes(4, "./mine", 600) == 1
