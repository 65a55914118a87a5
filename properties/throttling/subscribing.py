"""How often a consumer may subscribe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Final

from evenkeel.properties.throttling.trial_parts import MILLI, MOST, Advance, Done, draw_millis
from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import subscribing
from evenkeel.reference.throttling.subscribing import SubscribeRate, Subscribing
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw, seldom_repeated
from evenkeel_engine.kit.judge import monitor, pair_results, require_results
from evenkeel_engine.kit.observations import CommandBroke, CommandRefused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun, fill
from evenkeel_engine.kit.trial import Tagged, Within, require


def require_subscribe_rate(place: str, rate: SubscribeRate) -> None:
    for value in (rate.attempts, rate.period):
        require(-(2**31) <= value < 2**31, place, "must consist of 32-bit integers")


@dataclass(frozen=True, slots=True)
class Attempt(Tagged):
    """This consumer tries to subscribe. `compacts`: it is the broker's own, which compacts."""

    consumer: Annotated[int, Within(0, 2**31 - 1)]
    compacts: bool = False


@dataclass(frozen=True, slots=True)
class Reconfigure(Tagged):
    """Another rate takes effect. Earlier attempts count against it, or none does."""

    rate: SubscribeRate

    def __post_init__(self) -> None:
        require_subscribe_rate("rate", self.rate)


SubscribingCommand = Attempt | Advance | Reconfigure


@dataclass(frozen=True, slots=True)
class SubscribingTrial:
    """`throttling.subscribing`: consumers of one topic try to subscribe, again and again."""

    rate: SubscribeRate
    commands: tuple[SubscribingCommand, ...]

    def __post_init__(self) -> None:
        require_subscribe_rate("rate", self.rate)


@dataclass(frozen=True, slots=True)
class Allowed(Tagged):
    """Answer to `Attempt`."""

    allowed: bool


SubscribingResult = Allowed | Done | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class SubscribingAnswer:
    """One result for each command."""

    results: tuple[SubscribingResult, ...]


def draw_subscribe_rate(draw: Draw) -> SubscribeRate:
    attempts = draw.pick((0, -1)) if draw.chance(0.2) else draw.integer(1, 5)
    return SubscribeRate(attempts, draw.pick((30, 1, 10, 0)) if draw.chance(0.3) else 1)


@seldom_repeated("commands")
def subscribing_trial(draw: Draw) -> SubscribingTrial:
    first = rate = draw_subscribe_rate(draw)
    commands: list[SubscribingCommand] = []
    if draw.chance(0.15):  # one consumer, again and again
        period, most = max(rate.period, 1) * 1000, max(rate.attempts, 0)
        pause = draw.pick((0, 1, 20, period // 12, period // max(2 * most, 2), 3 * period // 2))
        for _ in range(4 * most + 2):
            commands += (Attempt(0), Advance(pause))
    for _ in draw.items(MOST, 0.9):
        sort = draw.integer(0, 9)
        if sort < 6:
            commands.append(Attempt(draw.integer(0, 2)))
        elif sort < 9:
            commands.append(Advance(draw_millis(draw, rate.period)))
        else:
            rate = rate if draw.chance(0.3) else draw_subscribe_rate(draw)
            commands.append(Reconfigure(rate))
    if draw.chance(0.1):
        commands += [Attempt(3, compacts=True)] * draw.integer(1, 6)
    return SubscribingTrial(first, tuple(commands))


def answer_subscribing(trial: SubscribingTrial, edition: Edition) -> SubscribingAnswer:
    state, now = Subscribing(trial.rate), 0
    results: list[SubscribingResult] = []
    for command in trial.commands:
        if isinstance(command, Advance):
            now += command.millis * MILLI
            results.append(Done())
            continue
        state, result = use_subscribing(state, command, now, edition)
        results.append(result)
    return SubscribingAnswer(tuple(results))


def use_subscribing(
    state: Subscribing, command: SubscribingCommand, now: int, edition: Edition
) -> tuple[Subscribing, SubscribingResult]:
    match command:
        case Attempt(consumer, compacts):
            state, allowed = subscribing.attempt(state, consumer, now, edition, compacts=compacts)
            return state, Allowed(allowed)
        case Reconfigure(rate):
            return subscribing.configure(state, rate, now, edition), Done()
        case Advance():
            return state, Done()


def subscribing_labels(trial: SubscribingTrial) -> Iterator[str]:
    yield "limited" if limits(trial.rate) else "unlimited"
    if any(isinstance(command, Reconfigure) for command in trial.commands):
        yield "configured while running"


@dataclass(slots=True)
class Attempts:
    """Attempts allowed at this instant, when (ms) the rate changed last and each consumer tried,
    and its attempts allowed: all, and the times (ms) of those since the rate was set. Without a
    limit they have the times alone.
    """

    rate: SubscribeRate
    now: Counter[int] = field(default_factory=Counter)
    changed: int | None = None
    tried: dict[int, list[int]] = field(default_factory=dict)
    allowed: Counter[int] = field(default_factory=Counter)
    times: dict[int, list[int]] = field(default_factory=dict)


def limits(rate: SubscribeRate) -> bool:
    """Whether there is a limit."""
    return rate.attempts > 0 and rate.period > 0


@monitor("throttling.subscribing", "THR-46", "THR-47", "THR-48", "THR-104")
def judge_subscribing(run: MonitorRun, case: Case[SubscribingTrial, SubscribingAnswer]) -> None:
    require_results(run, case, "THR-48")
    attempts = Attempts(case.trial.rate)
    at = 0
    for command, result in pair_results(run, "THR-46", case, "the limiter"):
        if isinstance(command, Advance) and command.millis:
            at += command.millis
            attempts.now.clear()
        elif isinstance(command, Reconfigure):  # the same rate may count as a change
            attempts = change_rate(attempts, command.rate, at, case.edition)
        elif isinstance(command, Attempt) and command.compacts:
            why = "the reader that compacts the topic is refused"
            run.require(unlimited_by(attempts.rate), result == Allowed(True), why, "own")
            attempts.allowed[command.consumer] += 1  # it may count
            attempts.tried.setdefault(command.consumer, []).append(at)
        elif isinstance(command, Attempt):
            if not case.edition.refill_wraps:
                judge_rest(run, attempts, command.consumer, at, result == Allowed(True))
                in_periods(run, attempts, command.consumer, at, result == Allowed(True))
            attempt(run, attempts, command.consumer, at, result == Allowed(True))


def unlimited_by(rate: SubscribeRate) -> str:
    """The clause by which an attempt that this rate does not limit is allowed."""
    return "THR-46" if rate.attempts > 0 else "THR-104"


def change_rate(attempts: Attempts, rate: SubscribeRate, at: int, edition: Edition) -> Attempts:
    """The attempts after a change: those before it may still count, all or none, those without a
    limit if the new rate's period holds them; in 4.0 none does, with counters all.
    """
    new = rate != attempts.rate and not edition.subscribing_by_counter
    changed, tried = at if new else attempts.changed, attempts.tried
    allowed = Counter[int]() if new and edition.refill_wraps else attempts.allowed
    if not limits(attempts.rate) and not limits(rate):
        return Attempts(rate, Counter(), changed, tried, allowed, attempts.times)
    for consumer, times in attempts.times.items() if not limits(attempts.rate) else ():
        allowed[consumer] += sum(at - time <= rate.period * 1000 for time in times)
    return Attempts(rate, Counter(), changed, tried, allowed)


def judge_rest(run: MonitorRun, attempts: Attempts, consumer: int, at: int, allowed: bool) -> None:
    """Check that a consumer may subscribe that tried less often in two periods than in one it may,
    and without another rate in them; wrapped 64-bit products may lose them.
    """
    rate, tried = attempts.rate, attempts.tried.get(consumer)
    span = 2 * rate.period * 1000
    if not tried or not limits(rate):
        return
    recent = sum(at - time < span for time in tried)
    if recent < rate.attempts and (attempts.changed is None or at - attempts.changed >= span):
        sentence = "consumer {} tried {} ms ago, {} times in two periods, and is refused with {}"
        why = fill(sentence, consumer, at - tried[-1], recent, rate)
        run.require("THR-47", allowed, why, "rested")


def in_periods(run: MonitorRun, attempts: Attempts, consumer: int, at: int, allowed: bool) -> None:
    """Check that less than n periods hold no more attempts than n + 1 may."""
    rate, times = attempts.rate, attempts.times.setdefault(consumer, [])
    if not allowed or not limits(rate):
        return
    times.append(at)
    for count, time in enumerate(reversed(times), 1):
        periods = (at - time) // (rate.period * 1000) + 1
        if count > (periods + 1) * rate.attempts:
            span = "a period" if periods == 1 else f"{periods} periods"
            sentence = "consumer {} was allowed {} attempts in less than {}, with {}"
            why = fill(sentence, consumer, count, span, rate)
            run.require("THR-47", False, why, "period")
            return
    run.require("THR-47", True, "", "period")


def attempt(run: MonitorRun, attempts: Attempts, consumer: int, at: int, allowed: bool) -> None:
    rate, before = attempts.rate, attempts.allowed[consumer]
    attempts.tried.setdefault(consumer, []).append(at)
    if not limits(rate):
        attempts.times.setdefault(consumer, []).append(at)
        why = fill("{} is no limit, and the attempt is refused", rate)
        run.require(unlimited_by(rate), allowed, why)
        return
    attempts.allowed[consumer] += allowed
    if before < rate.attempts:
        sentence = "consumer {} had {} attempts so far, and is refused with {}"
        run.require("THR-47", allowed, fill(sentence, consumer, before, rate), "first")
    attempts.now[consumer] += allowed
    count, sentence = attempts.now[consumer], "{} attempts at one instant, {} in a period"
    run.require("THR-47", count <= rate.attempts, fill(sentence, count, rate.attempts), "too many")


SUBSCRIBING: Final = Question(
    "throttling.subscribing",
    SubscribingTrial,
    SubscribingAnswer,
    subscribing_trial,
    answer_subscribing,
    subscribing_labels,
    commands="commands",
)

QUESTIONS: Final = (SUBSCRIBING,)
