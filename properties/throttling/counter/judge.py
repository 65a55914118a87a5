"""A period counter that carries excess over (THR-22), and the counters of 4.0 (THR-23)."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.clause import Case, in_full
from evenkeel.properties.findings import Findings
from evenkeel.properties.judging.exact import exact
from evenkeel.properties.judging.judge import binds, monitor
from evenkeel.properties.observations import Broke, CommandBroke, CommandRefused, Refused
from evenkeel.properties.throttling.commands import Advance, Done, Look, SetRate
from evenkeel.properties.throttling.counter.trial import (
    Close,
    CounterAnswer,
    CounterCommand,
    CounterTrial,
    Permits,
    Restart,
    Take,
    Taken,
)
from evenkeel.properties.throttling.courses import Courses, times_of


@monitor("throttling.counter", "THR-22", "THR-23")
def counter(case: Case[CounterTrial, CounterAnswer], findings: Findings) -> None:
    """Carrying is judged until the first command of which nothing is promised."""
    exact(findings, "THR-23", case)
    trial, observed = case.trial, case.observation
    promised = trial.carries and trial.rate > 0 and trial.period > 0
    if not promised or not binds("THR-22", case.edition.name):
        return
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(trial.commands):
        findings.check("THR-22", False, "shape", "the counter {}", in_full(observed))
        return
    courses = Courses(trial.rate, trial.period, times_of(trial.commands))
    courses.begin(0, ())
    now = 0
    for command, result in zip(trial.commands, observed.results, strict=True):
        if nothing_promised(command):
            return
        if isinstance(result, CommandRefused | CommandBroke):
            findings.check("THR-22", False, "failed", "{}: {}", command, result)
            return
        if not isinstance(result, ANSWERS[type(command)]):
            findings.check("THR-22", False, "shape", "{} is answered with {}", command, result)
            return
        if isinstance(command, Advance):
            now += command.millis
        follow(courses, command, now)
        if isinstance(result, Permits) and not saw(courses, result.available, now, findings):
            return


ANSWERS: Final[dict[type, type]] = {
    Advance: Done,
    SetRate: Done,
    Restart: Done,
    Take: Taken,
    Look: Permits,
}
"""What answers a command."""


def nothing_promised(command: CounterCommand) -> bool:
    """Whether no clause of the documents speaks of what comes now or later."""
    match command:
        case Close():
            return True
        case Take(permits):
            return permits < 0
        case Restart(rate, period, updated):
            return rate <= 0 or period <= 0 or updated is not None
    return False


def follow(courses: Courses, command: CounterCommand, now: int) -> None:
    """What a command changes. What was taken before a change may count after it, or not."""
    match command:
        case Advance():
            courses.advance(now)
        case Take(permits):
            courses.deliver(permits)
        case SetRate(rate):
            courses.set_rate(rate)
        case Restart(rate, period):
            before = courses.taken()
            courses.rate, courses.period = rate, period
            courses.begin(now, before)
        case _:
            pass


def saw(courses: Courses, left: int, now: int, findings: Findings) -> bool:
    """What is left is what some beginning of periods leaves."""
    if courses.see(left):
        findings.add("THR-22", None)
        return True
    possible = courses.possible()
    kind = "too much" if left > possible[-1] else "too little"
    values = left, now, courses.rate, courses.period, " or ".join(map(str, possible))
    findings.check("THR-22", False, kind, "{} left at {} ms of {} in {} ms: it must be {}", *values)
    return False
