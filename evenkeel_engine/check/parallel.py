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
from evenkeel_engine.subjects.choose import hold_subject, is_reference, let_go
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


CLOSE: Final = Block("", 0, 0, 0)
"""In place of a block: the process closes its subject."""


def count_processes(jobs: int | None, subject: str, trials: int) -> int:
    """How many processes: `jobs`; else all cores for a reference, and one for a program."""
    most = jobs or (count_cores() if is_reference(subject) else 1)
    return max(1, min(most, trials // WORTHWHILE))


def run_in_processes(
    blocks: Sequence[Block], setup: Setup, processes: int, progress: Progress, total: Tally
) -> None:
    """Put all blocks to several subjects; `total` is current. Raises `SubjectUnusable`."""
    found: dict[Block, Tally] = {}
    groups = [[block] for block in blocks]
    try:
        with closing(in_workers(partial(do_block, setup), groups, processes, last=CLOSE)) as done:
            for block, tally in done:
                found[block] = tally
                progress(block.question, block.count)
    finally:
        for block in filter(found.__contains__, blocks):
            total.merge(found[block])


def do_block(setup: Setup, block: Block) -> Tally:
    """Run a block in a process of its own, or close its subject. Raises `SubjectUnusable`."""
    if block == CLOSE:
        let_go()
        return Tally()
    unfreeze(block.question)
    subject = hold_subject(setup.subject, setup.edition, setup.limits)
    return run_block(block, subject, EDITIONS[setup.edition], setup.only)
