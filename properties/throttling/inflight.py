"""How much memory the reads under way hold together, and which reads wait for some."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Final

from evenkeel.properties.throttling.trial_parts import MOST, Advance
from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import inflight as reference
from evenkeel.reference.throttling.inflight import InFlight
from evenkeel_engine.frame.replacing import replace
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw, seldom_repeated
from evenkeel_engine.kit.judge import monitor, pair_results
from evenkeel_engine.kit.observations import CommandBroke, CommandRefused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun, fill
from evenkeel_engine.kit.trial import Index, Tagged, Within, require_within


@dataclass(frozen=True, slots=True)
class Ask(Tagged):
    """One more read asks for memory. Reads are numbered as they ask."""

    bytes: Annotated[int, Within(1, 2**50)]


@dataclass(frozen=True, slots=True)
class GiveBack(Tagged):
    """What this read holds is delivered; of one that holds nothing, nothing happens."""

    read: Index


InFlightCommand = Ask | GiveBack | Advance


@dataclass(frozen=True, slots=True)
class InFlightTrial:
    """`throttling.inflight`: which reads get memory, which wait for it, and which fail?

    `limit`: the bytes that reads under way may hold, 0 for any. `queue`: how many may wait.
    `timeout`: how long (ms), 0 for any time. The number of a read is taken modulo the number of
    those that asked; before the first one it means none. No command is refused.
    """

    limit: Annotated[int, Within(0, 2**50)]
    queue: Annotated[int, Within(1, 2**31 - 1)]
    timeout: Annotated[int, Within(0, 10**10)]
    commands: tuple[InFlightCommand, ...]

    def __post_init__(self) -> None:
        require_within(self)


@dataclass(frozen=True, slots=True)
class Turned(Tagged):
    """Answer to each command: the reads that got their memory by it, and those that failed."""

    begun: tuple[int, ...] = ()
    failed: tuple[int, ...] = ()


InFlightResult = Turned | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class InFlightAnswer:
    """One result for each command."""

    results: tuple[InFlightResult, ...]


@seldom_repeated("commands")
def inflight_trial(draw: Draw) -> InFlightTrial:
    limit, timeout = draw.pick((10, 100, 100 * 2**20, 1, 0)), draw.pick((60_000, 100, 60_000, 0))
    sizes = (limit, limit // 2, limit - 1, limit + 1, 2 * limit, limit // 3)
    asks = [Ask(max(1, size)) for size in sizes]
    commands: list[InFlightCommand] = [draw.pick(asks), draw.pick(asks)]
    if draw.chance(0.3):  # one fails before another that could begin
        commands = [asks[1], asks[1], asks[0], Advance(timeout // 2), asks[1], GiveBack(0)]
        commands += [Advance(timeout - timeout // 2), Advance(timeout // 2)]
    for _ in draw.items(MOST, 0.95):
        sort, asked = draw.integer(0, 9), sum(isinstance(one, Ask) for one in commands)
        spans = (timeout // 2, timeout, max(0, timeout - 1), 1, timeout // 3)
        turns = (draw.pick(asks), GiveBack(draw.integer(0, asked - 1)), Advance(draw.pick(spans)))
        commands.append(turns[(sort >= 5) + (sort >= 8)])
    return InFlightTrial(limit, draw.pick((50_000, 1, 2, 5)), timeout, tuple(commands))


def answer_inflight(trial: InFlightTrial, edition: Edition) -> InFlightAnswer:
    flight, results = InFlight(trial.limit, trial.queue, trial.timeout), list[InFlightResult]()
    for command in trial.commands:
        flight = replace(flight, begun=(), failed=())
        match command:
            case Ask(size):
                flight = reference.ask(flight, size)
            case GiveBack(read):
                flight = reference.give_back(flight, read % max(1, flight.asked))
            case Advance(millis):
                flight = reference.advance(flight, millis, edition)
        results.append(Turned(flight.begun, flight.failed))
    return InFlightAnswer(tuple(results))


def inflight_labels(trial: InFlightTrial) -> Iterator[str]:
    yield "limited" if trial.limit else "unlimited"
    if any(isinstance(one, Ask) and one.bytes > trial.limit > 0 for one in trial.commands):
        yield "a read larger than the limit"


@dataclass(slots=True)
class InFlightMonitor:
    """The reads as they follow from commands and answers: what each counts, which are under way
    (`held`), and when the time of those that wait ends (ms).

    `unserved`: in an edition where it matters, a read failed after its time, and no memory was
    given back since.
    """

    run: MonitorRun
    trial: InFlightTrial
    lets_none_begin: bool
    now: int = 0
    unserved: bool = False
    sizes: list[int] = field(default_factory=list)
    held: set[int] = field(default_factory=set)
    waiting: dict[int, float] = field(default_factory=dict)

    def follow(self, command: InFlightCommand, turned: Turned) -> bool:
        """Judge what became of the reads; whether the answer names such as there are."""
        new, named = self.apply(command), turned.begun + turned.failed
        if len(set(named)) < len(named) or not set(named) <= set(self.waiting):
            return False
        self.begin(turned, new)
        if self.trial.limit:
            self.fail(turned.failed, new)
            self.stay(new)
        elif new is not None:
            why = fill("read {} does not begin, and nothing is limited", new)
            self.run.require("THR-96", new in self.held, why)
        return True

    def apply(self, command: InFlightCommand) -> int | None:
        """Follow the command; the read that is new."""
        match command:
            case Ask(size):
                self.unserved = self.unserved and bool(self.waiting)
                self.waiting[len(self.sizes)] = self.now + (self.trial.timeout or float("inf"))
                self.sizes.append(size)
                return len(self.sizes) - 1
            case GiveBack(read):
                read %= max(1, len(self.sizes))
                self.unserved = self.unserved and read not in self.held
                self.held.discard(read)
            case Advance(millis):
                self.now += millis
        return None

    def begin(self, turned: Turned, new: int | None) -> None:
        """Judge reads that begin: their memory, and whether it was their turn."""
        self.held |= set(turned.begun)
        left = set(self.waiting) - set(turned.begun + turned.failed)
        for read in turned.begun if self.trial.limit else ():
            why = fill("reads hold {} bytes too many", -self.free())
            self.run.require("THR-95", self.free() >= 0, why)
            ahead = sorted(other for other in left if other < read)
            if read != new:
                why = fill("read {} begins, and {} waited longer", read, ahead)
                self.run.require("THR-98", not ahead, why)
        for read in turned.begun:
            del self.waiting[read]

    def free(self) -> int:
        """The memory that no read holds."""
        return self.trial.limit - sum(map(self.need, self.held))

    def need(self, read: int) -> int:
        """The memory that it takes: at most all that there is."""
        return min(self.sizes[read], self.trial.limit)

    def fail(self, failed: tuple[int, ...], new: int | None) -> None:
        """Judge reads that fail: they waited their time, or one came and all places were taken."""
        asks, first = new in self.waiting, min((self.waiting[read] for read in failed), default=0)
        for read in sorted(failed):
            if self.waiting[read] > first and read == min(self.waiting):  # one before it failed
                self.require_too_little(read)
            ends, others = self.waiting.pop(read), len(self.waiting)
            full = asks and others >= self.trial.queue
            why = fill("read {} fails {} ms before its time", read, ends - self.now)
            self.run.require("THR-101", (full and read == new) or self.now >= ends, why)
            if self.trial.timeout and self.sizes[read] <= self.trial.limit:
                self.run.require("THR-105", full or self.now >= ends, why)
            self.unserved = self.unserved or (self.lets_none_begin and not full)

    def stay(self, new: int | None) -> None:
        """Judge the reads that go on waiting."""
        if new is not None:
            why = fill("{} reads wait, and {} may", len(self.waiting), self.trial.queue)
            self.run.require("THR-100", len(self.waiting) <= self.trial.queue, why)
        for read, ends in self.waiting.items() if self.trial.timeout else ():
            why = fill("read {} waits at {} ms, and its time ended at {} ms", read, self.now, ends)
            self.run.require("THR-99", self.now <= ends, why)
        if self.waiting:
            self.require_too_little(min(self.waiting))

    def require_too_little(self, read: int) -> None:
        """Require that the read that waits longest does not fit."""
        if not self.unserved:
            why = fill("read {} waits, and its {} bytes are free", read, self.need(read))
            self.run.require("THR-97", self.need(read) > self.free(), why)


CLAUSES: Final = tuple(f"THR-{number}" for number in (*range(95, 102), 105))


@monitor("throttling.inflight", *CLAUSES)
def judge_inflight(run: MonitorRun, case: Case[InFlightTrial, InFlightAnswer]) -> None:
    reads = InFlightMonitor(run, case.trial, case.edition.failed_waits_let_none_begin)
    for command, result in pair_results(run, "THR-95", case, "the limiter"):
        if not isinstance(result, Turned) or not reads.follow(command, result):
            run.require("THR-95", False, fill("{}: {}", command, result), "failed")
            return


INFLIGHT: Final = Question(
    "throttling.inflight",
    InFlightTrial,
    InFlightAnswer,
    inflight_trial,
    answer_inflight,
    inflight_labels,
    commands="commands",
)

QUESTIONS: Final = (INFLIGHT,)
