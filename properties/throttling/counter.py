"""Period counters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Final

from evenkeel.properties.throttling.judge_parts import PeriodAlignments, times_of
from evenkeel.properties.throttling.trial_parts import (
    EXACT,
    MILLI,
    MOST,
    Advance,
    Done,
    Exact,
    Look,
    SetRate,
    describe_failure,
    draw_amount,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import counter as counters
from evenkeel.reference.throttling.counter import Counter
from evenkeel_engine.frame.errors import Refusal
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw, seldom_repeated
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.judge import is_must, monitor, pair_results, require_results
from evenkeel_engine.kit.observations import CommandBroke, CommandRefused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun, fill
from evenkeel_engine.kit.trial import Tagged, Within, require


@dataclass(frozen=True, slots=True)
class Take(Tagged):
    """Take permits."""

    permits: Exact


@dataclass(frozen=True, slots=True)
class Restart(Tagged):
    """Another rate and period (ms); `updated`: the rate from each end of a period on."""

    rate: Annotated[int, Within(0, EXACT - 1)]
    period: Annotated[int, Within(0, 2**40 - 1)]
    updated: Exact | None = None


@dataclass(frozen=True, slots=True)
class Close(Tagged):
    """The counter is no longer needed."""


CounterCommand = Take | Advance | Look | SetRate | Restart | Close

MOST_PERIODS: Final = 10**7
"""At most this many periods end in one advance: a subject with a timer ends each of them."""


@dataclass(frozen=True, slots=True)
class CounterTrial:
    """`throttling.counter`: a number of permits in each period (ms).

    `carries`: an excess counts against later periods (as dispatch limits need it); else a request
    for more than is left is refused. In one advance at most 10,000,000 periods end. Periods follow
    each other without a gap, whenever the first begins.
    """

    carries: bool
    rate: int
    period: int
    commands: tuple[CounterCommand, ...]

    def __post_init__(self) -> None:
        require(-EXACT < self.rate < EXACT, "rate", "must be below 2^53")
        require(-(2**40) < self.period < 2**40, "period", "must be below 2^40")
        period = self.period
        for place, command in enumerate(self.commands):
            if isinstance(command, Restart):
                period = command.period
            if isinstance(command, Advance):
                few = command.millis <= MOST_PERIODS * max(period, 1)
                require(few, f"commands[{place}].millis", f"must be {MOST_PERIODS} periods at most")


@dataclass(frozen=True, slots=True)
class Taken(Tagged):
    """Answer to `take`. Of a counter that carries: whether anything is left afterwards; the permits
    count as taken in either case. Of another: whether they were taken.
    """

    granted: bool


@dataclass(frozen=True, slots=True)
class Permits(Tagged):
    """Answer to `look`: 0 if something is owed."""

    available: int


CounterResult = Taken | Permits | Done | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class CounterAnswer:
    """One result for each command."""

    results: tuple[CounterResult, ...]


def draw_counter_command(draw: Draw, rate: int, millis: int) -> CounterCommand:
    sort = draw.integer(0, 15)
    if sort < 6:
        return Take(draw_amount(draw, rate))
    if sort < 9:
        return Look()
    if sort < 13:
        step = draw.integer(0, 4)
        lengths = (millis, millis - 1, millis + 1, draw.integer(0, millis), millis * 3)
        return Advance(max(0, lengths[step]))
    if sort == 13:
        return SetRate(draw.integer(1, 20))
    if sort == 14:
        return Restart(
            max(rate, 1) if draw.chance(0.4) else draw.integer(1, 20),
            draw.pick((millis, 1000, 10, 0)),
            draw.pick((None, 0, 7, 100)),
        )
    return Close() if draw.chance(0.3) else Look()


@seldom_repeated("commands")
def counter_trial(draw: Draw) -> CounterTrial:
    """Commands to a counter; seldom many (decided last)."""
    trial = draw_trial(draw)
    return lasting_trial(draw) if draw.chance(0.02) else trial


def lasting_trial(draw: Draw) -> CounterTrial:
    """Only commands after which a counter is still judged."""
    first = rate = draw.integer(1, 20)
    first_period = period = draw.pick((1000, 10))
    commands: list[CounterCommand] = []
    for _ in draw.items(60, 0.97, least=20):
        command = draw_counter_command(draw, rate, period)
        if isinstance(command, Restart):
            rate, period = max(command.rate, 1), max(command.period, 1)
            command = Restart(rate, period, None)
        elif isinstance(command, SetRate):
            rate = command.rate
        elif isinstance(command, Close) or (isinstance(command, Take) and command.permits < 0):
            command = Look()
        commands.append(command)
    return CounterTrial(True, first, first_period, (*commands, Look()))


def draw_trial(draw: Draw) -> CounterTrial:
    carries = not draw.chance(0.3)
    first = rate = draw.pick((0, -1)) if draw.chance(0.02) else draw.integer(1, 20)
    first_period = period = (
        draw.pick((0, -5)) if draw.chance(0.02) else draw.pick((1000, 10, 60_000))
    )
    commands: list[CounterCommand] = []
    for _ in draw.items(MOST, 0.9):
        command = draw_counter_command(draw, rate, max(period, 1))
        commands.append(command)
        if isinstance(command, Restart):
            rate, period = command.rate, command.period
        elif isinstance(command, SetRate):
            rate = command.rate
    commands.append(Look())
    return CounterTrial(carries, first, first_period, tuple(commands))


def answer_counter(trial: CounterTrial, edition: Edition) -> CounterAnswer:
    now, updated = 0, None
    counter = counters.new(trial.rate, trial.period * MILLI, trial.carries)
    results: list[CounterResult] = []
    for command in trial.commands:
        if isinstance(command, Advance):
            now += command.millis * MILLI
            counter = counters.elapse(counter, now, updated)
            results.append(Done())
            continue
        if isinstance(command, Restart):
            updated = command.updated
        try:
            counter, result = use_counter(counter, command, now)
        except Refusal as refusal:
            result = describe_failure(refusal)
        results.append(result)
    return CounterAnswer(tuple(results))


def use_counter(
    counter: Counter, command: CounterCommand, now: int
) -> tuple[Counter, CounterResult]:
    match command:
        case Take(permits):
            counter, granted = counters.take(counter, permits, now)
            return counter, Taken(granted)
        case SetRate(rate):
            return counters.set_rate(counter, rate), Done()
        case Restart(rate, period, _):
            counter, refusal = counters.restart(counter, rate, period * MILLI, now)
            return counter, Done() if refusal is None else describe_failure(refusal)
        case Close():
            return counters.close(counter), Done()
        case Look() | Advance():
            return counter, Permits(counters.available(counter))


def counter_labels(trial: CounterTrial) -> Iterator[str]:
    yield "carries excess" if trial.carries else "refuses excess"
    if any(isinstance(command, Restart) for command in trial.commands):
        yield "restarted"
    if any(isinstance(command, Close) for command in trial.commands):
        yield "closed"


@monitor("throttling.counter", "THR-22", "THR-23")
def judge_counter(run: MonitorRun, case: Case[CounterTrial, CounterAnswer]) -> None:
    """Judge a counter; carrying until the first command after which nothing is specified."""
    require_results(run, case, "THR-23")
    trial = case.trial
    promised = trial.carries and trial.rate > 0 and trial.period > 0
    if not promised or not is_must("THR-22", case.edition.name):
        return
    alignments = PeriodAlignments(trial.rate, trial.period, times_of(trial.commands))
    alignments.begin(0, ())
    run.facts = lambda: (str(alignments),)
    now = 0
    for command, result in pair_results(run, "THR-22", case, "the counter"):
        if nothing_promised(command):
            return
        if command == Take(0) and isinstance(result, CommandRefused):
            continue
        if isinstance(result, CommandRefused | CommandBroke):
            run.require("THR-22", False, fill("{}: {}", command, result), "failed")
            return
        if not isinstance(result, ANSWERS[type(command)]):
            run.require("THR-22", False, fill("{} is answered with {}", command, result), "shape")
            return
        if isinstance(command, Advance):
            now += command.millis
        follow(alignments, command, now)
        if isinstance(result, Permits) and not saw(run, alignments, result.available, now):
            return


ANSWERS: Final[dict[type, type]] = {
    Advance: Done,
    SetRate: Done,
    Restart: Done,
    Take: Taken,
    Look: Permits,
}
"""The answer's type by the command's."""


def nothing_promised(command: CounterCommand) -> bool:
    """Whether no clause of the documents covers this command or later ones."""
    match command:
        case Close():
            return True
        case Take(permits):
            return permits < 0
        case Restart(rate, period, updated):
            return rate <= 0 or period <= 0 or updated is not None
    return False


def follow(alignments: PeriodAlignments, command: CounterCommand, now: int) -> None:
    """Apply a command. Permits taken before a change may count after it, or not."""
    match command:
        case Advance():
            alignments.advance(now)
        case Take(permits):
            alignments.deliver(permits)
        case SetRate(rate):
            change(alignments, rate, alignments.period, now)
        case Restart(rate, period):
            change(alignments, rate, period, now)
        case _:
            pass


def change(alignments: PeriodAlignments, rate: int, period: int, now: int) -> None:
    """Another rate: a new period may begin at any time."""
    before = set(alignments.ends)
    alignments.rate, alignments.period = rate, period
    alignments.begin(now, before)


def saw(run: MonitorRun, alignments: PeriodAlignments, left: int, now: int) -> bool:
    """Check that what is left is possible for some beginning of periods."""
    if alignments.see(left):
        run.require("THR-22", True)
        return True
    possible = alignments.possible()
    kind = "too much" if left > possible[-1] else "too little"
    values = left, now, alignments.rate, alignments.period, " or ".join(map(str, possible))
    run.require(
        "THR-22", False, fill("{} left at {} ms of {} in {} ms: it must be {}", *values), kind
    )
    return False


COUNTER: Final = Question(
    "throttling.counter",
    CounterTrial,
    CounterAnswer,
    counter_trial,
    answer_counter,
    counter_labels,
    commands="commands",
    exempt=Exempt(
        subjects={
            "ignores Close": (
                "The documents do not cover a counter that is no longer used; 4.0 is judged by "
                "THR-23."
            )
        }
    ),
)

QUESTIONS: Final = (COUNTER,)
