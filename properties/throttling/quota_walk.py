"""Following a limiter's answers command by command (THR-8 to THR-12)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

from evenkeel.properties.clause import Case, Violation, describe
from evenkeel.properties.findings import Findings
from evenkeel.properties.observations import Broke, CommandBroke, CommandRefused, Refused
from evenkeel.properties.throttling.carrying import Courses
from evenkeel.properties.throttling.trials_quota import (
    Advance,
    Configure,
    Consume,
    Left,
    Look,
    QuotaAnswer,
    QuotaResult,
    QuotaTrial,
)
from evenkeel.reference.throttling.rates import DispatchRate, limited

DIMENSIONS = ("messages", "bytes")


@dataclass(slots=True)
class Dimension:
    """One dimension of the limiter as far as it is known."""

    name: str
    times: tuple[int, ...]
    limit: int = -1
    period: int = 1000
    relative: bool = False
    courses: Courses | None = None
    delivered: int = 0
    last_delivery: int = 0
    uncounted: bool = False
    unsettled: bool = False

    def configure(self, rate: DispatchRate, now: int) -> None:
        """Another limit takes effect."""
        self.unsettled = False
        before = self.courses.taken() if self.courses and not self.courses.open else set()
        unknown = self.uncounted or (self.courses is not None and self.courses.open)
        self.limit = getattr(rate, self.name)
        self.relative = rate.relative
        self.period = rate.period * 1000
        self.last_delivery = now
        if self.limit <= 0:
            return
        self.courses = Courses(self.limit, max(self.period, 1000), self.times)
        self.courses.open = unknown or rate.relative or rate.period < 1
        self.courses.begin(now, before)
        self.uncounted = False

    def deliver(self, amount: int, now: int) -> None:
        """A delivery."""
        if amount <= 0:
            return
        self.delivered += amount
        self.last_delivery = now
        if self.limit <= 0:
            self.uncounted = True
        elif self.courses is not None:
            self.courses.deliver(amount)

    def advance(self, now: int) -> None:
        """Time goes on."""
        if self.limit > 0 and self.courses is not None:
            self.courses.advance(now)

    def look(self, left: int, now: int, findings: Findings) -> None:
        """What is left is seen. After a change that failed half-way nobody knows the limit."""
        if self.unsettled:
            return
        if self.limit <= 0:
            findings.note("THR-8", left == -1, f"no limit of {self.name}: -1, not {left}", "limit")
            return
        findings.note("THR-8", left >= 0, f"{left} {self.name} left: less than 0", "negative")
        if self.relative or self.courses is None:
            return
        findings.note(
            "THR-11", left <= self.limit, f"{left} {self.name} left of a limit of {self.limit}"
        )
        if self.courses.open:
            return
        self.paid_off(left, now, findings)
        self.carried(left, now, findings)

    def paid_off(self, left: int, now: int, findings: Findings) -> None:
        """After a long enough rest the whole quota is there."""
        periods = -(-self.delivered // self.limit) + 1
        if now - self.last_delivery > periods * self.period:
            findings.note(
                "THR-10",
                left == self.limit,
                f"{left} {self.name} left of {self.limit} although {self.delivered} were delivered "
                f"in all and nothing for more than {periods} periods",
            )

    def carried(self, left: int, now: int, findings: Findings) -> None:
        """What is left is what some beginning of periods leaves."""
        assert self.courses is not None
        possible = self.courses.possible()
        if self.courses.see(left):
            findings.add("THR-9", None)
            return
        sentence = (
            f"{left} {self.name} left at {now} ms of {self.limit} in {self.period} ms: wherever "
            f"periods begin, it must be {' or '.join(map(str, possible))}"
        )
        kind = f"{self.name}, too {'much' if left > possible[-1] else 'little'}"
        findings.add("THR-9", Violation(sentence, kind))
        self.courses.open = True


def times_of(commands: tuple[object, ...]) -> tuple[int, ...]:
    """The moments, in ms, at which commands are given."""
    steps = (command.millis if isinstance(command, Advance) else 0 for command in commands)
    return tuple(sorted(set(accumulate(steps))))


def walk_quota(case: Case[QuotaTrial, QuotaAnswer]) -> Findings:
    """What the answers say about every clause of the walk."""
    trial, observed, findings = case.trial, case.observation, Findings()
    needs_period = limited(trial.rate) and trial.rate.period <= 0
    if isinstance(observed, Refused | Broke):
        allowed = needs_period and isinstance(observed, Refused)
        clause = "THR-12" if needs_period else "THR-8"
        findings.note(clause, allowed, f"making the limiter: {describe(observed)}", "made")
        return findings
    if len(observed.results) != len(trial.commands):
        findings.note("THR-8", False, f"{len(observed.results)} results", "shape")
        return findings
    if needs_period:
        findings.add("THR-12", None)
    times = times_of(trial.commands)
    dimensions = [Dimension(name, times) for name in DIMENSIONS]
    for dimension in dimensions:
        dimension.configure(trial.rate, 0)
    now = 0
    for command, result in zip(trial.commands, observed.results, strict=True):
        if isinstance(command, Advance):
            now += command.millis
        follow(command, result, now, dimensions, findings)
        if isinstance(command, Configure) and isinstance(result, CommandRefused):
            for dimension in dimensions:
                dimension.unsettled |= case.edition.refused_change_sticks
    return findings


def follow(
    command: object, result: QuotaResult, now: int, dimensions: list[Dimension], findings: Findings
) -> None:
    """One command and its result."""
    failed = isinstance(result, CommandRefused | CommandBroke)
    if isinstance(command, Configure) and limited(command.rate) and command.rate.period <= 0:
        broke = isinstance(result, CommandBroke)
        findings.note("THR-12", not broke, f"a period of {command.rate.period}: {result}", "broke")
    elif failed and not any(dimension.unsettled for dimension in dimensions):
        findings.note("THR-8", False, f"{type(command).__name__}: {result}", "failed")
    for dimension in dimensions:
        if isinstance(command, Advance):
            dimension.advance(now)
        elif isinstance(command, Consume):
            dimension.deliver(getattr(command, dimension.name), now)
        elif isinstance(command, Configure) and not failed:
            dimension.configure(command.rate, now)
    if isinstance(command, Look) and not failed:
        if not isinstance(result, Left):
            findings.note("THR-8", False, f"a look is answered with {result}", "shape")
            return
        for dimension in dimensions:
            dimension.look(getattr(result, dimension.name), now, findings)
