"""The blocks of a check in several processes, each with a subject of its own.

The results are those of one process: a block's depends on nothing but the block, and they are
merged in the blocks' order.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Final

from evenkeel_engine.check.blocks import Progress
from evenkeel_engine.check.fast_dataclasses import unfreeze
from evenkeel_engine.check.pool import count_cores, in_workers
from evenkeel_engine.check.seeded import Block, run_block
from evenkeel_engine.check.tally import Tally
from evenkeel_engine.content import EDITIONS
from evenkeel_engine.subjects.base import Subject
from evenkeel_engine.subjects.choose import is_reference, open_subject
from evenkeel_engine.subjects.session import Limits

WORTHWHILE: Final = 5_000
"""Trials for which one more process pays: each takes half a second to start."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What each process needs: the subject as it was named, the edition's name, the clauses."""

    subject: str
    edition: str
    limits: Limits
    only: frozenset[str] | None


@dataclass(frozen=True, slots=True)
class BlockJob:
    """A block with its place in the run; without a block the process closes its subject."""

    place: int
    block: Block | None


def count_processes(jobs: int | None, subject: str, trials: int) -> int:
    """How many processes: `jobs`; else all cores for a reference, and one for a program."""
    most = jobs or (count_cores() if is_reference(subject) else 1)
    return max(1, min(most, trials // WORTHWHILE))


def run_in_processes(
    blocks: Sequence[Block], setup: Setup, processes: int, progress: Progress, total: Tally
) -> None:
    """Put all blocks to several subjects; `total` is current. Raises `SubjectUnusable`."""
    groups = [[BlockJob(place, block)] for place, block in enumerate(blocks)]
    found: dict[int, Tally] = {}
    work, last = partial(do_job, setup), BlockJob(-1, None)
    try:
        with closing(in_workers(work, groups, processes, last=last)) as done:
            for job, tally in done:
                found[job.place] = tally
                if job.block is not None:
                    progress(job.block.question, job.block.count)
    finally:
        for place in sorted(found):
            total.merge(found[place])


_opened: dict[Setup, Subject] = {}
"""The subject of this process."""


def do_job(setup: Setup, job: BlockJob) -> Tally:
    """Run a block in a process of its own, or close its subject. Raises `SubjectUnusable`."""
    if job.block is None:
        if setup in _opened:
            _opened.pop(setup).close()
        return Tally()
    edition = EDITIONS[setup.edition]
    if setup not in _opened:
        _opened[setup] = open_subject(setup.subject, edition, setup.limits)
    unfreeze(job.block.question)
    return run_block(job.block, _opened[setup], edition, setup.only)
