"""Sweeps in worker processes, and what `check --everything` makes of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from evenkeel_engine.check.profile import Profile
from evenkeel_engine.cli import everything
from evenkeel_engine.sweeps import running
from evenkeel_engine.sweeps.catalogue import SWEEPS
from evenkeel_engine.sweeps.running import Task, amount_of, end_task, run_sweeps, tasks_of
from evenkeel_engine.sweeps.sweep import JobOutcome, SweepPlan, Swept
from tests.command_line import run

PLAN = SweepPlan(1, Profile.QUICK)


def test_a_sweep_is_done_when_its_last_job_is(monkeypatch: pytest.MonkeyPatch) -> None:
    every = SWEEPS["cases"].groups(PLAN)
    paths = sorted(every, key=lambda group: sum(path.stat().st_size for path in group))[:2]
    known = {
        "cases": replace(SWEEPS["cases"], groups=lambda _: paths),
        "graphs": replace(SWEEPS["graphs"], left_out=lambda: "no solver"),
    }
    monkeypatch.setattr(running, "SWEEPS", known)
    reported: list[str] = []
    tasks = tasks_of(known, PLAN)
    assert amount_of(tasks) == 2
    left_out, found = run_sweeps(tasks, reported.append)
    assert left_out.line == "graphs left out: no solver"
    assert reported == ["cases", "cases"]
    assert found.failures == []
    assert found.line == f"{found.passed.total()} cases are as stored"


def test_a_job_whose_process_was_ended_fails_unless_it_may_be() -> None:
    job = SWEEPS["sampled mutants"].groups(PLAN)[0][0]
    assert end_task(Task("sampled mutants", job)).passed == 1
    assert "took too long" in end_task(Task("graphs", "locks")).failures[0]


def test_what_needs_frozen_records_comes_first() -> None:
    assert next(iter(SWEEPS.values())).frozen
    needs = [sweep.frozen for sweep in SWEEPS.values()]
    assert needs == sorted(needs, reverse=True)


@pytest.mark.parametrize(
    ("outcome", "status", "said"),
    [
        (JobOutcome("bundles", 3), 0, "all holds in 10 chapters"),
        (JobOutcome("bundles", 0, ("a graph is wrong",)), 1, "VIOLATED in 10 chapters"),
        (JobOutcome("bundles", 0, (), ("a theorem is unknown",)), 2, "unknown in 10 chapters"),
    ],
)
def test_the_command_tells_what_sweeps_found(
    monkeypatch: pytest.MonkeyPatch, outcome: JobOutcome, status: int, said: str
) -> None:
    def found(*_: object) -> Iterator[Swept]:
        one = Swept(SWEEPS["graphs"])
        one.add(outcome)
        yield one

    monkeypatch.setattr(everything, "run_sweeps", found)
    monkeypatch.setattr(everything, "spark_campaign", lambda _: None)
    monkeypatch.setattr(everything, "tasks_of", lambda *_: {})
    result = run("check", "--everything")
    assert result.returncode == status
    last = result.stdout.strip().splitlines()[-1]
    assert last.startswith(said)
    for problem in (*outcome.failures, *outcome.unknown):
        assert problem in result.stdout.splitlines()
    assert "bundles" in result.stdout
