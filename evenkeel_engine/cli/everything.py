"""`evenkeel check --everything`: a profile of all there is, and a table of the chapters."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import typer

from evenkeel_engine import spec
from evenkeel_engine.campaign.plan import CampaignPlan
from evenkeel_engine.campaign.run import run_campaign
from evenkeel_engine.check.profile import Profile
from evenkeel_engine.cli.options import Format
from evenkeel_engine.cli.output import err, finish, print_lines, print_table, show_progress
from evenkeel_engine.content import PROMISED
from evenkeel_engine.kit.catalogue import CLAUSES
from evenkeel_engine.sweeps.catalogue import SWEEPS
from evenkeel_engine.sweeps.running import amount_of, run_sweeps, tasks_of
from evenkeel_engine.sweeps.sweep import SweepPlan


@dataclass(slots=True)
class EverythingFound:
    """What passed, by row of the table and chapter, and what did not."""

    plan: SweepPlan
    passed: dict[str, Counter[str]] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)

    def step(self, text: str) -> None:
        """Note and print what a step found."""
        self.lines.append(text)
        err.print(text, markup=False)


def run_everything(seed: int, profile: Profile, format_: Format) -> NoReturn:
    """All sweeps on all cores, each in a line as it is done; and a campaign on Spark."""
    began, whole = time.monotonic(), EverythingFound(SweepPlan(seed, profile))
    tasks = tasks_of(SWEEPS, whole.plan)
    with show_progress("sweeps", amount_of(tasks), "jobs") as advance:
        for found in run_sweeps(tasks, lambda name: advance(name, 1)):
            whole.step(found.line)
            whole.failures += found.failures
            whole.unknown += found.unknown
            whole.passed.setdefault(found.sweep.row, Counter()).update(found.passed)
    spark_campaign(whole)
    problems = [*whole.failures, *whole.unknown]
    if format_ is Format.TEXT:
        clauses = Counter(entry.chapter for entry in spec.read_entries().values())
        checks = Counter(clause.entry.chapter for clause in CLAUSES)
        counts = {"clauses": clauses, "checks": checks, **whole.passed}
        rows = [[name, *(of[chapter] for chapter in spec.CHAPTERS)] for name, of in counts.items()]
        print_table("chapters", ["", *(f"#{chapter}" for chapter in spec.CHAPTERS)], rows)
        print_lines(["", *problems])
    status = 1 if whole.failures else 2 if whole.unknown else 0
    word = {0: "all holds", 1: "VIOLATED", 2: "unknown"}[status]
    said = f": {len(problems)} problems, above" if problems else ""
    text = f"{word} in {len(spec.CHAPTERS)} chapters, {time.monotonic() - began:.0f} s{said}"
    data = {"steps": whole.lines, "failures": whole.failures, "unknown": whole.unknown}
    raise typer.Exit(finish(format_, text, status, data))


def spark_campaign(whole: EverythingFound) -> None:
    """A small campaign, thrown away: a sweep has put its trials, so this is about Spark alone."""
    with tempfile.TemporaryDirectory(prefix="evenkeel-") as folder:
        plan = CampaignPlan(
            trials=whole.plan.amounts.campaign // 4,
            seed=whole.plan.seed,
            out=Path(folder) / "campaign",
            subject="reference",
            edition=PROMISED.name,
            master="local[*]",
            strict=True,
            allow_unexercised=True,  # it is small; that all is exercised, the check has shown
        )
        result = run_campaign(plan, err)
    whole.step(result.summary)
    if result.status == 1:
        whole.failures.append(result.summary)
    elif result.status:
        whole.unknown.append(result.summary)
