"""Runs sweeps on all cores: the jobs of all of them in one pool, so that no core waits for the last
job of a sweep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, TypeAlias

from evenkeel_engine.check.fast_dataclasses import unfreeze
from evenkeel_engine.check.pool import count_cores, in_workers
from evenkeel_engine.sweeps.catalogue import SWEEPS
from evenkeel_engine.sweeps.sweep import JobOutcome, SweepPlan, Swept


@dataclass(frozen=True, slots=True)
class Task:
    """A job of a sweep."""

    sweep: str
    job: Any


Tasks: TypeAlias = Mapping[str, Sequence[Sequence[Task]]]
"""By sweep the groups of its tasks; none where it is left out."""


def tasks_of(names: Iterable[str], plan: SweepPlan) -> Tasks:
    """The tasks of these sweeps."""
    return {
        name: [[Task(name, job) for job in group] for group in SWEEPS[name].groups(plan)]
        if not SWEEPS[name].left_out()
        else []
        for name in names
    }


def amount_of(tasks: Tasks) -> int:
    """How many there are."""
    return sum(len(group) for groups in tasks.values() for group in groups)


def run_sweeps(tasks: Tasks, report: Callable[[str], None] = lambda _: None) -> Iterator[Swept]:
    """What each sweep found, as soon as it is done; `report` is given each task's sweep."""
    left = {name: sum(map(len, groups)) for name, groups in tasks.items()}
    found = {name: Swept(SWEEPS[name]) for name in tasks}
    every = [group for groups in tasks.values() for group in groups]
    yield from (found[name] for name in tasks if not left[name])
    # Always in processes of their own: some jobs have to be ended, and none may leave traces here.
    with closing(
        in_workers(run_task, every, max(1, min(count_cores(), len(every))), end_task)
    ) as outcomes:
        for task, outcome in outcomes:
            found[task.sweep].add(outcome)
            left[task.sweep] -= 1
            report(task.sweep)
            if not left[task.sweep]:
                yield found[task.sweep]


def run_task(task: Task) -> JobOutcome:
    """The outcome of a job. The first one that need not have frozen records ends them for this
    process; groups are taken in order, so that no job that needs them comes later.
    """
    sweep = SWEEPS[task.sweep]
    if not sweep.frozen:
        unfreeze()
    return sweep.work(task.job)


def end_task(task: Task) -> JobOutcome:
    """The outcome of a job whose process had to be ended."""
    sweep = SWEEPS[task.sweep]
    if sweep.endless is not None:
        return sweep.endless(task.job)
    return JobOutcome("", 0, (f"{sweep.name}: {task.job} took too long, its process was ended",))
