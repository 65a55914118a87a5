"""A limiter's answers, command by command: THR-8 to THR-14, THR-55 to THR-59 and THR-67."""

from __future__ import annotations

from dataclasses import dataclass, field

from evenkeel.properties.clause import Case, in_full
from evenkeel.properties.findings import Findings
from evenkeel.properties.judging.exact import exact
from evenkeel.properties.judging.judge import monitor
from evenkeel.properties.observations import Broke, CommandBroke, CommandRefused, Refused
from evenkeel.properties.throttling.commands import Advance, Look
from evenkeel.properties.throttling.courses import Courses, times_of
from evenkeel.properties.throttling.limiter.trial import (
    Configure,
    Consume,
    Left,
    Publish,
    QuotaAnswer,
    QuotaResult,
    QuotaTrial,
)
from evenkeel.reference.throttling.limiter import Mechanism
from evenkeel.reference.throttling.rates import DispatchRate

DIMENSIONS = ("messages", "bytes")
EXACT = {
    Mechanism.CLASSIC: "THR-13",
    Mechanism.BUCKET: "THR-14",
    Mechanism.FORGETTING: "THR-58",
    Mechanism.BUCKET_3: "THR-59",
}


@dataclass(slots=True)
class Following:
    """What is published, since when, and the most since the limit was set; whether something was
    delivered since then.
    """

    published: int = 0
    since: int = 0
    most: int = 0
    charged: bool = False

    def begin(self, now: int) -> None:
        """A limit is set."""
        self.since, self.most, self.charged = now, self.published, False

    def publish(self, amount: int, now: int) -> None:
        """Another publish rate."""
        self.published, self.since, self.most = amount, now, max(self.most, amount)


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
    excess: bool = False
    seen: tuple[int, int] | None = None
    following: Following = field(default_factory=Following)

    def configure(self, rate: DispatchRate, now: int) -> None:
        self.unsettled, self.seen = False, None
        self.following.begin(now)
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
        if amount < 0:
            self.give_back(-amount)
        if amount <= 0:
            return
        self.delivered += amount
        self.last_delivery = now
        self.following.charged = True
        if self.limit <= 0:
            self.uncounted = True
        elif self.courses is not None:
            self.courses.deliver(amount)
            self.excess = self.excess or max(self.courses.ends) > self.limit
            if self.seen is not None:
                self.seen = self.seen[0], max(0, self.seen[1] - amount)

    def give_back(self, amount: int) -> None:
        """A charge of less than nothing: no document says what it does. Perhaps it gives back."""
        if self.courses is not None:
            self.courses.give_back(amount)
        self.seen = None

    def advance(self, now: int) -> None:
        if self.limit > 0 and self.courses is not None:
            self.courses.advance(now)

    def look(self, left: int, now: int, findings: Findings) -> None:
        """What is left is seen. After a change that failed half-way nobody knows the limit."""
        if self.unsettled:
            return
        if self.limit <= 0:
            sentence = "no limit of {}: -1, not {}"
            findings.check("THR-8", left == -1, "limit", sentence, self.name, left)
            return
        sentence = "{} {} left: less than 0"
        findings.check("THR-8", left >= 0, "negative", sentence, left, self.name)
        if self.relative:
            self.followed(left, now, findings)
        if self.relative or self.courses is None:
            return
        sentence = "{} {} left of a limit of {}"
        findings.check("THR-11", left <= self.limit, "", sentence, left, self.name, self.limit)
        if self.courses.open:
            return
        periods = -(-self.delivered // self.limit) + 1
        if now - self.last_delivery > periods * self.period:
            sentence = (
                "{} {} left of {} although {} were delivered in all and nothing for more than {} "
                "periods"
            )
            values = left, self.name, self.limit, self.delivered, periods
            findings.check("THR-10", left == self.limit, "", sentence, *values)
        self.carried(self.courses, left, now, findings)
        if self.seen is not None and self.seen[0] == now:
            sentence = "{} {} left, where by what was charged since the last look there are {}"
            meant = self.seen[1]
            findings.check("THR-55", left == meant, self.name, sentence, left, self.name, meant)
        self.seen = now, left

    def followed(self, left: int, now: int, findings: Findings) -> None:
        """A relative limit is the configured one and what is published (THR-67)."""
        if self.period <= 0:
            return
        known = self.following
        most = self.limit + known.most
        sentence = "{} {} left of a limit of {} and {} published"
        values = left, self.name, self.limit
        findings.check("THR-67", left <= most, "much", sentence, *values, known.most)
        periods = -(-self.delivered // self.limit) + 2
        quiet = now - max(self.last_delivery, known.since) > periods * self.period
        if known.charged and quiet:
            right = left == self.limit + known.published
            findings.check("THR-67", right, "rest", sentence, *values, known.published)

    def carried(self, courses: Courses, left: int, now: int, findings: Findings) -> None:
        """What is left is what some beginning of periods leaves."""
        if courses.see(left):
            findings.add("THR-9", None)
            if self.excess:
                findings.add("THR-56", None)
            return
        possible = courses.possible()
        sentence = "{} {} left at {} ms of {} in {} ms: wherever periods begin, it must be {}"
        kind = f"{self.name}, too {'much' if left > possible[-1] else 'little'}"
        either = " or ".join(map(str, possible))
        values = left, self.name, now, self.limit, self.period, either
        findings.check("THR-9", False, kind, sentence, *values)
        if self.excess:
            findings.check("THR-56", False, kind, sentence, *values)
        courses.open = True


def needs_period(rate: DispatchRate) -> bool:
    """It limits something, and has no period in which."""
    return (rate.messages > 0 or rate.bytes > 0) and rate.period <= 0


@monitor(
    "throttling.quota",
    "THR-8",
    "THR-9",
    "THR-10",
    "THR-11",
    "THR-12",
    "THR-55",
    "THR-56",
    "THR-67",
    *EXACT.values(),
)
def quota(case: Case[QuotaTrial, QuotaAnswer], findings: Findings) -> None:
    trial, observed = case.trial, case.observation
    exact(findings, EXACT[trial.mechanism], case)
    if isinstance(observed, Refused | Broke):
        refusable = needs_period(trial.rate)
        allowed = refusable and isinstance(observed, Refused)
        clause = "THR-12" if refusable else "THR-8"
        findings.check(clause, allowed, "made", "making the limiter: {}", in_full(observed))
        return
    if len(observed.results) != len(trial.commands):
        findings.check("THR-8", False, "shape", "{} results", len(observed.results))
        return
    if needs_period(trial.rate):
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


def is_negative(command: object) -> bool:
    """Whether less than nothing is to be charged: that may be refused, and then nothing is."""
    return isinstance(command, Consume) and min(command.messages, command.bytes) < 0


def follow(
    command: object, result: QuotaResult, now: int, dimensions: list[Dimension], findings: Findings
) -> None:
    failed = isinstance(result, CommandRefused | CommandBroke)
    if isinstance(result, CommandRefused) and is_negative(command):
        return
    if isinstance(command, Configure) and needs_period(command.rate):
        broke = isinstance(result, CommandBroke)
        values = command.rate.period, result
        findings.check("THR-12", not broke, "broke", "a period of {}: {}", *values)
    elif failed and not any(dimension.unsettled for dimension in dimensions):
        findings.check("THR-8", False, "failed", "{}: {}", type(command).__name__, result)
    for dimension in dimensions:
        if isinstance(command, Advance):
            dimension.advance(now)
        elif isinstance(command, Consume):
            dimension.deliver(getattr(command, dimension.name), now)
        elif isinstance(command, Publish):
            dimension.following.publish(getattr(command, dimension.name), now)
        elif isinstance(command, Configure) and not failed:
            dimension.configure(command.rate, now)
    if isinstance(command, Look) and not failed:
        if not isinstance(result, Left):
            findings.check("THR-8", False, "shape", "a look is answered with {}", result)
            return
        for dimension in dimensions:
            dimension.look(getattr(result, dimension.name), now, findings)
