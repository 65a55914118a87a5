"""Making a violating schedule shorter: steps are dropped while it still shows in k of n runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from evenkeel.operate.live.schedule import Schedule, Step

Shows = Callable[[Schedule], bool]


def shows_in(
    schedule: Schedule, run: Callable[[Schedule], tuple[str, ...]], least: int, runs: int
) -> bool:
    """Whether a violation of a kind that was found shows in at least `least` of `runs`.

    No run is made whose result does not matter any more.
    """
    seen = 0
    for done in range(runs):
        if seen >= least or seen + (runs - done) < least:
            break
        seen += bool(set(run(schedule)) & set(schedule.found))
    return seen >= least


def shrink_schedule(schedule: Schedule, shows: Shows, most: int) -> tuple[Schedule, int]:
    """The shortest schedule met, and how many were tried. Halves are dropped first, then less.

    A step that is dropped leaves its pause to the next, so that the others keep their times.
    """
    steps, size, tried = schedule.steps, max(len(schedule.steps) // 2, 1), 0
    while size:
        at = 0
        while at < len(steps) and tried < most:
            shorter = drop_steps(steps, at, at + size)
            tried += 1
            if shorter and shows(schedule.with_steps(shorter)):
                steps = shorter
            else:
                at += size
        size = size // 2 if tried < most else 0
    return schedule.with_steps(steps), tried


def drop_steps(steps: tuple[Step, ...], begin: int, end: int) -> tuple[Step, ...]:
    """The steps but for some, whose pauses go to the next one."""
    dropped = sum(step.wait for step in steps[begin:end])
    rest = steps[end:]
    if rest:
        rest = (replace(rest[0], wait=round(rest[0].wait + dropped, 2)), *rest[1:])
    return (*steps[:begin], *rest)
