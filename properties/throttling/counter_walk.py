"""Following a period counter that carries excess over (THR-22)."""

from __future__ import annotations

from evenkeel.properties.clause import Case, describe
from evenkeel.properties.findings import Findings
from evenkeel.properties.observations import Broke, CommandBroke, CommandRefused, Refused
from evenkeel.properties.throttling.carrying import Courses
from evenkeel.properties.throttling.quota_walk import times_of
from evenkeel.properties.throttling.trials_quota import (
    Advance,
    Close,
    CounterAnswer,
    CounterTrial,
    Permits,
    Restart,
    SetRate,
    Take,
)


def walk_counter(case: Case[CounterTrial, CounterAnswer]) -> Findings:
    """What the answers say until the first command of which nothing is promised."""
    trial, observed, findings = case.trial, case.observation, Findings()
    if not trial.carries or trial.rate <= 0 or trial.period <= 0:
        return findings
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(trial.commands):
        findings.note("THR-22", False, f"the counter {describe(observed)}", "shape")
        return findings
    courses = Courses(trial.rate, trial.period, times_of(trial.commands))
    courses.begin(0, ())
    now = 0
    for command, result in zip(trial.commands, observed.results, strict=True):
        if isinstance(command, SetRate | Restart | Close):
            return findings
        if isinstance(command, Take) and command.permits < 0:
            return findings
        if isinstance(result, CommandRefused | CommandBroke):
            findings.note("THR-22", False, f"{command}: {result}", "failed")
            return findings
        if isinstance(command, Advance):
            now += command.millis
            courses.advance(now)
        elif isinstance(command, Take):
            courses.deliver(command.permits)
        elif isinstance(result, Permits) and not saw(courses, result.available, now, findings):
            return findings
    return findings


def saw(courses: Courses, left: int, now: int, findings: Findings) -> bool:
    """What is left is what some beginning of periods leaves."""
    possible = courses.possible()
    right = courses.see(left)
    findings.note(
        "THR-22",
        right,
        f"{left} left at {now} ms of {courses.rate} in {courses.period} ms: it must be "
        f"{' or '.join(map(str, possible))}",
        "too much" if left > possible[-1] else "too little",
    )
    return right
