"""Many runs: each in one of several processes here, or as a task of its own on Spark."""

from __future__ import annotations

import gc
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from evenkeel.operate.simulate.rest import carried_out_all
from evenkeel.operate.simulate.running import Run, RunJob, carry_out, measure_run, trial_of
from evenkeel_engine.check.fast_dataclasses import unfreeze
from evenkeel_engine.check.pool import run_jobs

RECORDS: Final = 200_000
"""Records that are made before Python looks for some that refer to each other in a circle. None
do, and a run makes and keeps so large a number that looking took half of its time.
"""

NEEDED: Final = {
    "evenkeel.operate": ("__init__.py",),
    "evenkeel.operate.simulate": ("__init__.py", "rest.py"),
}
"""Files of this folder that a worker on Spark needs."""

ReportJob = Callable[[RunJob], None]
"""Called with a job when its run is made."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """A job that is distinguished from others by its number: a scenario has no hash."""

    number: int
    job: RunJob = field(compare=False)


def make_run(numbered: Numbered) -> Run:
    """One run, in a process that makes runs and nothing else: so its records may be cheap."""
    unfreeze()
    gc.set_threshold(RECORDS)
    return carry_out(numbered.job)


def run_here(jobs: Sequence[RunJob], reported: ReportJob, workers: int | None = None) -> list[Run]:
    """All runs, each in the next process that is free; a single one in this process."""
    numbered = [Numbered(*one) for one in enumerate(jobs)]
    runs = run_jobs(make_run, [[one] for one in numbered], lambda one: reported(one.job), workers)
    return [replace(run, job=job) for run, job in zip(runs, jobs, strict=True)]


def carry_out_all(jobs: Sequence[RunJob], master: str | None, reported: ReportJob) -> list[Run]:
    """All runs, in the order of the jobs; the same ones wherever they are made.

    Raises `CampaignUnusable` where Spark cannot be had.
    """
    if master is None:
        return run_here(jobs, reported)
    from evenkeel_engine.campaign.archive import PARTS, archive_bytes  # noqa: PLC0415 - only Spark needs it
    from evenkeel_engine.campaign.session import open_spark  # noqa: PLC0415 - only Spark needs it

    tasks = [(index, trial_of(job), job.edition.name) for index, job in enumerate(jobs)]
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "spark.log"
        with open_spark(master, log, archive_bytes({**PARTS, **NEEDED})) as spark:
            for index, history, rest in spark.run(carried_out_all, tasks):
                found[index] = history, rest
                reported(jobs[index])
    return [measure_run(job, *found[index]) for index, job in enumerate(jobs)]
