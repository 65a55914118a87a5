"""Dispatch limiters: one quota of messages and one of bytes, over time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Annotated, Final

from evenkeel.properties.throttling import trial_parts as parts
from evenkeel.properties.throttling.judge_parts import PeriodAlignments, times_of
from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import limiter as limiters
from evenkeel.reference.throttling import rates
from evenkeel.reference.throttling.limiter import EARLIER, Limiter, Mechanism, Publishing
from evenkeel.reference.throttling.rates import DispatchRate, Limits
from evenkeel_engine.frame.errors import Breakage, Refusal
from evenkeel_engine.kit.clause import Case, in_full
from evenkeel_engine.kit.draw import Draw, seldom_repeated
from evenkeel_engine.kit.judge import monitor, require_results
from evenkeel_engine.kit.observations import Broke, CommandBroke, CommandRefused, Refused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun, fill
from evenkeel_engine.kit.trial import Tagged, Within, require


@dataclass(frozen=True, slots=True)
class Consume(Tagged):
    """A delivery is charged."""

    messages: parts.Exact
    bytes: parts.Exact


@dataclass(frozen=True, slots=True)
class Configure(Tagged):
    """Another rate takes effect at once: its limits and its period, also for the running period,
    which may end by it. What was delivered before counts, all or none, or what is in excess then.
    """

    rate: DispatchRate

    def __post_init__(self) -> None:
        parts.require_rate("rate", self.rate)


@dataclass(frozen=True, slots=True)
class Publish(Tagged):
    """The topic's average publish rate, in messages and bytes per second, is another from now on.

    A relative limit has that many more in each of its periods, however long these are.
    """

    messages: Annotated[int, Within(0, 2**52 - 1)]
    bytes: Annotated[int, Within(0, 2**52 - 1)]


QuotaCommand = Consume | parts.Advance | parts.Look | Configure | Publish


@dataclass(frozen=True, slots=True)
class QuotaTrial:
    """`throttling.quota`: one dispatch limiter of a topic, messages and bytes.

    `mechanism` keeps the quotas, if a balancer has several: the period counter
    (`classic`) or the token bucket (`bucket`); or one of Pulsar before 4.0, the counter that
    forgets (`forgetting`) or the bucket of 3.2 (`bucket_3`), never relative and with a period.
    Periods follow each other without a gap, whenever the first begins.
    """

    mechanism: Mechanism
    rate: DispatchRate
    commands: tuple[QuotaCommand, ...]

    def __post_init__(self) -> None:
        parts.require_rate("rate", self.rate)
        if self.mechanism in EARLIER:
            for rate in (self.rate, *(c.rate for c in self.commands if isinstance(c, Configure))):
                require(not rate.relative, "rate", "must not be relative for this mechanism")
                require(rate.period > 0, "rate", "must have a period for this mechanism")


@dataclass(frozen=True, slots=True)
class Left(Tagged):
    """Answer to `look`: what is left of both quotas, -1 without a limit."""

    messages: int
    bytes: int

    @staticmethod
    def of(limits: Limits) -> Left:
        return Left(limits.messages, limits.bytes)


QuotaResult = Left | parts.Done | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class QuotaAnswer:
    """One result for each command."""

    results: tuple[QuotaResult, ...]


MECHANISMS: Final = (Mechanism.CLASSIC, Mechanism.BUCKET)


def draw_quota_command(draw: Draw, rate: DispatchRate) -> QuotaCommand:
    sort = draw.integer(0, 15)
    if sort < 5:
        return Consume(parts.draw_amount(draw, rate.messages), parts.draw_amount(draw, rate.bytes))
    if sort < 9:
        return parts.Look()
    if sort < 13:
        return parts.Advance(parts.draw_millis(draw, rate.period))
    if sort == 13:
        return Publish(draw.integer(0, 20), draw.pick((0, 1000, 2**32)))
    if draw.chance(0.4):
        return Configure(rate)
    return Configure(parts.draw_rate(draw))


def settle_rate(mechanism: Mechanism, rate: DispatchRate) -> DispatchRate:
    if mechanism not in EARLIER:
        return rate
    return replace(rate, period=max(rate.period, 1), relative=False)


@seldom_repeated("commands", 0.04)
def quota_trial(draw: Draw) -> QuotaTrial:
    mechanism = draw.pick(EARLIER) if draw.chance(0.15) else draw.pick(MECHANISMS)
    first = rate = settle_rate(mechanism, parts.draw_rate(draw))
    commands: list[QuotaCommand] = []
    for _ in draw.items(parts.MOST, 0.9):
        command = draw_quota_command(draw, rate)
        if isinstance(command, Configure):
            rate = settle_rate(mechanism, command.rate)
            command = Configure(rate)
        commands.append(command)
    commands.append(parts.Look())
    if mechanism in MECHANISMS and draw.chance(0.08):
        first, commands = following(draw, first)
    return QuotaTrial(mechanism, first, tuple(commands))


def following(draw: Draw, rate: DispatchRate) -> tuple[DispatchRate, list[QuotaCommand]]:
    """A relative limit with deliveries, changes of the publish rate, and time."""
    first = replace(rate, period=max(rate.period, 1), relative=True)
    if draw.chance(0.5):
        return first, flowing(draw, first)
    around = parts.draw_amount(draw, first.messages), parts.draw_amount(draw, first.bytes)
    period = first.period * 1000
    commands: list[QuotaCommand] = [Publish(draw.integer(0, 20), draw.pick((0, 1000, 2**32)))]
    commands += [
        Consume(*around),
        parts.Look(),
        parts.Advance(period + draw.pick((0, 1, -1))),
        parts.Look(),
    ]
    if draw.chance(0.5):
        commands.append(Publish(draw.integer(0, 20), draw.pick((0, 1000, 2**32))))
    return first, [*commands, parts.Advance(period * draw.pick((9, 2, 4)) + 1), parts.Look()]


def flowing(draw: Draw, rate: DispatchRate) -> list[QuotaCommand]:
    """Ten times the limit is delivered at once, and continues at the limit; nine are published."""
    each = tuple(min(max(0, limit), 2**48) for limit in (rate.messages, rate.bytes))
    flow = Consume(*each), parts.Advance(rate.period * 1000)
    commands: list[QuotaCommand] = [Publish(*(9 * limit for limit in each)), parts.Look()]
    commands += [Consume(*(9 * limit for limit in each)), *flow * draw.integer(4, 6)]
    return [*commands, parts.Look()]


def answer_quota(trial: QuotaTrial, edition: Edition) -> QuotaAnswer:
    publishing, now = Publishing(), 0
    limiter = limiters.new(trial.mechanism, trial.rate, publishing, edition)
    results: list[QuotaResult] = []
    for command in trial.commands:
        if isinstance(command, parts.Advance):
            now += command.millis * parts.MILLI
            limiter = limiters.elapse(limiter, now, publishing)
            results.append(parts.Done())
        elif isinstance(command, Publish):
            publishing = Publishing(command.messages, command.bytes)
            results.append(parts.Done())
        else:
            try:
                limiter, result = use_limiter(limiter, command, publishing, now, edition)
            except (Refusal, Breakage) as error:
                result = parts.describe_failure(error)
            results.append(result)
    return QuotaAnswer(tuple(results))


def use_limiter(
    limiter: Limiter,
    command: Consume | parts.Look | Configure,
    publishing: Publishing,
    now: int,
    edition: Edition,
) -> tuple[Limiter, QuotaResult]:
    match command:
        case Consume(messages, size):
            return limiters.consume(limiter, messages, size, now), parts.Done()
        case parts.Look():
            limiter, left = limiters.available(limiter, publishing, now, edition)
            return limiter, Left.of(left)
        case Configure(rate):
            limiter, refusal = limiters.configure(limiter, rate, publishing, now, edition)
            return limiter, parts.Done() if refusal is None else parts.describe_failure(refusal)


def quota_labels(trial: QuotaTrial) -> Iterator[str]:
    yield trial.mechanism.value
    yield "limited" if rates.is_limited(trial.rate) else "unlimited"
    if trial.rate.relative:
        yield "relative to the publish rate"
    if trial.rate.period < 1:
        yield "no period"
    if any(isinstance(command, Configure) for command in trial.commands):
        yield "configured while running"


DIMENSIONS = ("messages", "bytes")

EXACT = {
    Mechanism.CLASSIC: "THR-13",
    Mechanism.BUCKET: "THR-14",
    Mechanism.FORGETTING: "THR-58",
    Mechanism.BUCKET_3: "THR-59",
}


@dataclass(slots=True)
class Following:
    """A relative limit since it was set: the publish rate, since when, its maximum, and its minimum
    since the first charge; each charge with its time (ms), the first with all before it.
    """

    published: int = 0
    since: int = 0
    most: int = 0
    least: int = 0
    charges: list[tuple[int, int]] = field(default_factory=list)

    def begin(self, now: int) -> None:
        """Set a limit."""
        self.since, self.most, self.charges = now, self.published, []

    def publish(self, amount: int, now: int) -> None:
        """Set another publish rate."""
        self.published, self.since = amount, now
        self.most, self.least = max(self.most, amount), min(self.least, amount)

    def charge(self, amount: int, delivered: int, now: int, sure: bool) -> None:
        """Charge a delivery; before one that is sure, nothing is paid off."""
        if self.charges:
            self.charges.append((now, amount))
        elif sure:
            self.charges, self.least = [(now, delivered)], self.published

    def owed(self, limit: int, period: int, now: int) -> int:
        """What is not paid off at most: of all since a charge, a period's share in each period
        that has certainly passed since then.
        """
        total = most = 0
        for at, amount in reversed(self.charges):
            total += amount
            paid = (limit + self.least) * max(0, -(-(now - at) // period) - 3)
            most = max(most, total - paid)
        return most


@dataclass(slots=True)
class Dimension:
    """One dimension of the limiter, as it follows from commands and answers."""

    name: str
    times: tuple[int, ...]
    limit: int = -1
    period: int = 1000
    relative: bool = False
    alignments: PeriodAlignments | None = None
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
        self.limit = getattr(rate, self.name)
        self.relative = rate.relative
        self.period = rate.period * 1000
        self.last_delivery = now
        if self.limit <= 0:
            return
        old, period = self.alignments, max(self.period, 1000)
        before = old.list_carried(self.limit, period) if old else ()
        unknown = self.uncounted or (old is not None and old.open)
        self.alignments = PeriodAlignments(self.limit, period, self.times)
        self.alignments.open = unknown or rate.relative or rate.period < 1
        self.alignments.begin(now, () if unknown else before)
        self.uncounted = False

    def deliver(self, amount: int, now: int, sure: bool) -> None:
        if amount < 0:
            self.give_back(-amount)
        if amount <= 0:
            return
        self.delivered += amount
        self.last_delivery = now
        self.following.charge(amount, self.delivered, now, sure)
        if self.limit <= 0:
            self.uncounted = True
        elif self.alignments is not None:
            self.alignments.deliver(amount)
            self.excess = self.excess or max(self.alignments.ends) > self.limit
            if self.seen is not None:
                self.seen = self.seen[0], max(0, self.seen[1] - amount)
        if not sure:
            self.give_back(amount)

    def give_back(self, amount: int) -> None:
        """Apply an amount that may be given back: no document specifies a negative charge."""
        if self.alignments is not None:
            self.alignments.give_back(amount)
        self.seen = None

    def advance(self, now: int) -> None:
        if self.limit > 0 and self.alignments is not None:
            self.alignments.advance(now)

    def look(self, run: MonitorRun, left: int, now: int) -> None:
        """Check what is left. After a change that failed half-way the limit is unknown."""
        if self.unsettled:
            return
        if self.limit <= 0:
            sentence = "no limit of {}: -1, not {}"
            run.require("THR-8", left == -1, fill(sentence, self.name, left), "limit")
            return
        sentence = "{} {} left: less than 0"
        run.require("THR-8", left >= 0, fill(sentence, left, self.name), "negative")
        if self.relative:
            self.check_following(run, left, now)
        if self.relative or self.alignments is None:
            return
        sentence = "{} {} left of a limit of {}"
        run.require("THR-11", left <= self.limit, fill(sentence, left, self.name, self.limit))
        self.check_unchanged(run, left, now)
        if self.alignments.open:
            self.alignments.learn(left if self.period > 0 else 0)
            return
        periods = -(-self.delivered // self.limit) + 1
        if now - self.last_delivery > periods * self.period:
            sentence = (
                "{} {} left of {} although {} were delivered in all and nothing for more than {} "
                "periods"
            )
            values = left, self.name, self.limit, self.delivered, periods
            run.require("THR-10", left == self.limit, fill(sentence, *values))
        self.check_left(run, self.alignments, left, now)

    def check_unchanged(self, run: MonitorRun, left: int, now: int) -> None:
        """Check that since a look at this moment only charges made a difference (THR-55)."""
        if self.seen is not None and self.seen[0] == now:
            sentence = "{} {} left, where {} are left by the charges since the last look"
            meant = self.seen[1]
            run.require("THR-55", left == meant, fill(sentence, left, self.name, meant), self.name)
        self.seen = now, left

    def check_following(self, run: MonitorRun, left: int, now: int) -> None:
        """Check that a relative limit is the configured one plus the publish rate (THR-67)."""
        if self.period <= 0:
            return
        known = self.following
        least, most = self.limit, self.limit + known.most
        sentence = "{} {} left of a limit of {} and {} published"
        values = left, self.name, self.limit
        run.require("THR-67", left <= most, fill(sentence, *values, known.most), "much")
        if not self.delivered:
            run.require("THR-67", left >= least, fill(sentence, *values, known.most), "none")
        last = max(known.since, known.charges[0][0] if known.charges else now)
        if now - last > 2 * self.period:
            least += known.published
            owed = known.owed(self.limit, self.period, now)
            sentence += ", and {} not paid off at most" if owed else ""
            right = least - owed <= left and (owed > 0 or left <= least)
            why = fill(sentence, *values, known.published, *[owed] * (owed > 0))
            run.require("THR-67", right, why, "flow" if owed else "rest")

    def check_left(
        self, run: MonitorRun, alignments: PeriodAlignments, left: int, now: int
    ) -> None:
        """Check that what is left is possible for some beginning of periods."""
        if alignments.see(left):
            run.require("THR-9", True)
            if self.excess:
                run.require("THR-56", True)
            return
        possible = alignments.possible()
        run.facts = lambda: (f"{self.name}: {alignments}",)
        sentence = "{} {} left at {} ms of {} in {} ms: wherever periods begin, it must be {}"
        kind = f"{self.name}, too {'much' if left > possible[-1] else 'little'}"
        either = " or ".join(map(str, possible))
        values = left, self.name, now, self.limit, self.period, either
        run.require("THR-9", False, fill(sentence, *values), kind)
        if self.excess:
            run.require("THR-56", False, fill(sentence, *values), kind)
        alignments.open = True


def needs_period(rate: DispatchRate) -> bool:
    """Whether a rate has a limit and no period."""
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
def judge_quota(run: MonitorRun, case: Case[QuotaTrial, QuotaAnswer]) -> None:
    trial, observed = case.trial, case.observation
    require_results(run, case, EXACT[trial.mechanism])
    if isinstance(observed, Refused | Broke):
        refusable = needs_period(trial.rate)
        allowed = refusable and isinstance(observed, Refused)
        clause = "THR-12" if refusable else "THR-8"
        run.require(clause, allowed, fill("creating the limiter: {}", in_full(observed)), "made")
        return
    if len(observed.results) != len(trial.commands):
        run.require("THR-8", False, fill("{} results", len(observed.results)), "shape")
        return
    if needs_period(trial.rate):
        run.require("THR-12", True)
    times = times_of(trial.commands)
    dimensions = [Dimension(name, times) for name in DIMENSIONS]
    for dimension in dimensions:
        dimension.configure(trial.rate, 0)
    now = 0
    for command, result in zip(trial.commands, observed.results, strict=True):
        if isinstance(command, parts.Advance):
            now += command.millis
        follow(run, command, result, now, dimensions)
        if isinstance(command, Configure) and isinstance(result, CommandRefused):
            for dimension in dimensions:
                dimension.unsettled |= case.edition.refused_change_sticks


def is_negative(command: object) -> bool:
    """Whether something of a charge is negative: it may be refused, and then has no effect."""
    return isinstance(command, Consume) and min(command.messages, command.bytes) < 0


def follow(
    run: MonitorRun, command: object, result: QuotaResult, now: int, dimensions: list[Dimension]
) -> None:
    failed = isinstance(result, CommandRefused | CommandBroke)
    if isinstance(result, CommandRefused) and is_negative(command):
        return
    if isinstance(command, Configure) and needs_period(command.rate):
        broke = isinstance(result, CommandBroke)
        values = command.rate.period, result
        run.require("THR-12", not broke, fill("a period of {}: {}", *values), "broke")
    elif failed and not any(dimension.unsettled for dimension in dimensions):
        run.require("THR-8", False, fill("{}: {}", type(command).__name__, result), "failed")
    for dimension in dimensions:
        if isinstance(command, parts.Advance):
            dimension.advance(now)
        elif isinstance(command, Consume):
            dimension.deliver(getattr(command, dimension.name), now, not is_negative(command))
        elif isinstance(command, Publish):
            dimension.following.publish(getattr(command, dimension.name), now)
        elif isinstance(command, Configure) and not failed:
            dimension.configure(command.rate, now)
    if isinstance(command, parts.Look) and not failed:
        if not isinstance(result, Left):
            run.require("THR-8", False, fill("a look is answered with {}", result), "shape")
            return
        for dimension in dimensions:
            dimension.look(run, getattr(result, dimension.name), now)


QUOTA: Final = Question(
    "throttling.quota",
    QuotaTrial,
    QuotaAnswer,
    quota_trial,
    answer_quota,
    quota_labels,
    commands="commands",
)

QUESTIONS: Final = (QUOTA,)
