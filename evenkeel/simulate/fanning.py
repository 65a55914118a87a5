"""Many runs: one after the other here, or each as a task of its own on Spark."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from evenkeel.properties.balancing.loop.trial import answer_some
from evenkeel.simulate.running import Job, Run, carry_out, measured, trial_of


def carry_out_all(jobs: Sequence[Job], master: str | None) -> list[Run]:
    """All runs, in the order of the jobs; the same ones wherever they are made.

    Raises `CampaignUnusable` where Spark cannot be had.
    """
    if master is None:
        return [carry_out(job) for job in jobs]
    from evenkeel.campaign.archive import archive_bytes  # noqa: PLC0415 - only Spark needs it
    from evenkeel.campaign.session import open_spark  # noqa: PLC0415 - only Spark needs it

    tasks = [(index, trial_of(job), job.edition.name) for index, job in enumerate(jobs)]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "spark.log"
        with open_spark(master, log, archive_bytes()) as spark:
            histories = dict(spark.run(answer_some, tasks))
    return [measured(job, histories[index]) for index, job in enumerate(jobs)]
