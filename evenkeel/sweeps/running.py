"""Runs sweeps on all cores: the jobs of all of them in one pool, so that no core waits for the last
job of a sweep.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from evenkeel.harness.pool import cores, in_workers
from evenkeel.sweeps.catalogue import SWEEPS
from evenkeel.sweeps.sweep import Found, Outcome, Plan, Sweep


@dataclass(frozen=True, slots=True)
class Task:
    """A job of a sweep."""

    sweep: str
    job: Any


def tasks_of(sweep: Sweep[Any], plan: Plan) -> list[list[Task]]:
    """The groups of a sweep; none where it is left out."""
    if sweep.left_out():
        return []
    return [[Task(sweep.name, job) for job in group] for group in sweep.groups(plan)]


def run_sweeps(
    names: Collection[str], plan: Plan, report: Callable[[str], None] = lambda _: None
) -> Iterator[Found]:
    """What each of these sweeps found, as soon as its last job is done; `report` is called after
    each job with the name of its sweep.
    """
    groups = {name: tasks_of(SWEEPS[name], plan) for name in names}
    left = {name: sum(map(len, of)) for name, of in groups.items()}
    found = {name: Found(SWEEPS[name]) for name in names}
    every = [group for of in groups.values() for group in of]
    yield from (found[name] for name in names if not left[name])
    # Always in processes of their own: some jobs have to be ended, and none may leave traces here.
    for task, outcome in in_workers(done, every, max(1, min(cores(), len(every))), ended):
        found[task.sweep].add(outcome)
        left[task.sweep] -= 1
        report(task.sweep)
        if not left[task.sweep]:
            yield found[task.sweep]


def amount_of(names: Collection[str], plan: Plan) -> int:
    """How many jobs these sweeps have."""
    return sum(len(group) for name in names for group in tasks_of(SWEEPS[name], plan))


def done(task: Task) -> Outcome:
    """The outcome of a job."""
    return SWEEPS[task.sweep].work(task.job)


def ended(task: Task) -> Outcome:
    """The outcome of a job whose process had to be ended."""
    sweep = SWEEPS[task.sweep]
    if sweep.endless is not None:
        return sweep.endless(task.job)
    return Outcome("", 0, (f"{sweep.name}: {task.job} took too long, its process was ended",))
