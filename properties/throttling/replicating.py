"""Whether a replicator reads all there is, within its limit, its queue and its batches."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Final

from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import replicating as reference
from evenkeel.reference.throttling.replicating import Replicator
from evenkeel_engine.frame.replacing import replace
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw, seldom_repeated
from evenkeel_engine.kit.judge import monitor, pair_results, require_results
from evenkeel_engine.kit.observations import CommandBroke, CommandRefused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun, fill
from evenkeel_engine.kit.trial import Tagged, Within, require

MOST: Final = 2**20
Entries = Annotated[int, Within(1, MOST)]


@dataclass(frozen=True, slots=True)
class Publish(Tagged):
    """Entries of one message are published."""

    entries: Annotated[int, Within(1, 1000)]


@dataclass(frozen=True, slots=True)
class Complete(Tagged):
    """The read under way brings entries, as many as it asked for or as there are; none: it waits.

    It brings none that the other cluster has stored. A read comes back here or in a `rest` alone.
    """


@dataclass(frozen=True, slots=True)
class Fail(Tagged):
    """The read under way fails, unless it waits."""


@dataclass(frozen=True, slots=True)
class Store(Tagged):
    """The other cluster stores entries of the producer's queue, oldest first. Each copy counts as
    one and leaves by itself, also that of an entry that is stored already.
    """

    entries: Entries


@dataclass(frozen=True, slots=True)
class Reject(Tagged):
    """The other cluster does not take the oldest entry of the producer's queue."""


@dataclass(frozen=True, slots=True)
class Limit(Tagged):
    """Messages that may be replicated in a second from now on; 0: any number."""

    messages: Annotated[int, Within(0, MOST)]


@dataclass(frozen=True, slots=True)
class Second(Tagged):
    """A second passes, or longer: all looks that were put off are made, and the quota is whole."""


@dataclass(frozen=True, slots=True)
class Rest(Tagged):
    """Reads come back, all is stored, and seconds pass, until one in which nothing happens.

    The answer leaves out which reads were asked for.
    """


ReplicatingCommand = Publish | Complete | Fail | Store | Reject | Limit | Second | Rest


@dataclass(frozen=True, slots=True)
class ReplicatingTrial:
    """`throttling.replicating`: what does a replicator read, and give the producer of its cluster?

    It is connected, its producer is writable, and there is no limit at first. Before the first
    command it has looked, and waits for entries; they are numbered as they are published. An entry
    that its producer has twice is stored once. No command is refused; one that finds nothing to do
    changes nothing.
    """

    queue: int = field(metadata={"wire": "replicationProducerQueueSize"})
    max_batch: int = field(metadata={"wire": "dispatcherMaxReadBatchSize"})
    commands: tuple[ReplicatingCommand, ...]

    def __post_init__(self) -> None:
        require(0 < self.queue <= MOST, "replicationProducerQueueSize", "must be 1 to 2^20")
        require(0 < self.max_batch <= MOST, "dispatcherMaxReadBatchSize", "must be 1 to 2^20")


@dataclass(frozen=True, slots=True)
class Happened(Tagged):
    """The entries of each read that was asked for, and the entries that the producer was given."""

    asked: tuple[int, ...]
    sent: tuple[int, ...]


ReplicatingResult = Happened | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class ReplicatingAnswer:
    """One result for each command."""

    results: tuple[ReplicatingResult, ...]


def draw_turn(draw: Draw) -> tuple[ReplicatingCommand, ...]:
    """Something is published and read; else time passes, or something fails."""
    sort = draw.integer(0, 11)
    if sort < 3:
        return (Publish(draw.pick((1, 2, 5, 20, 60))), Complete())
    if sort < 5:
        return (Store(draw.pick((1, 2, 10, 1000))), Complete())
    if sort == 5:
        return (Limit(draw.pick((5, 1, 2, 10, 50, 0))),)
    turns: tuple[tuple[ReplicatingCommand, ...], ...] = (
        *((Second(),), (Second(), Complete())),
        *((Reject(),), (Reject(), Complete()), (Fail(), Second()), (Rest(),)),
    )
    return turns[sort - 6]


@seldom_repeated("commands")
def replicating_trial(draw: Draw) -> ReplicatingTrial:
    queue = draw.pick((1000, 1, 2, 5, 10, 11, 100))
    batch = draw.pick((100, 1, 2, 5, 500))
    commands = [one for _ in draw.items(16, 0.93, least=1) for one in draw_turn(draw)]
    return ReplicatingTrial(queue, batch, (*commands, Rest()))


def answer_replicating(trial: ReplicatingTrial, edition: Edition) -> ReplicatingAnswer:
    first = Replicator(trial.queue, trial.max_batch, min(trial.queue, trial.max_batch))
    replicator, results = reference.look(first, edition), list[ReplicatingResult]()
    for command in trial.commands:
        replicator = carry_out(replace(replicator, reads=(), given=()), command, edition)
        reads = () if isinstance(command, Rest) else replicator.reads
        results.append(Happened(reads, replicator.given))
    return ReplicatingAnswer(tuple(results))


def carry_out(replicator: Replicator, command: ReplicatingCommand, edition: Edition) -> Replicator:
    match command:
        case Publish(entries):
            return replace(replicator, published=replicator.published + entries)
        case Complete():
            return reference.complete(replicator, edition)
        case Fail():
            return reference.fail(replicator, edition)
        case Store(entries):
            for _ in range(min(entries, len(replicator.queued))):
                replicator = reference.end_oldest(replicator, True, edition)
            return replicator
        case Reject():
            queued = replicator.queued
            return reference.end_oldest(replicator, False, edition) if queued else replicator
        case Limit(messages):
            return reference.limit(replicator, messages)
        case Second():
            return reference.pass_second(replicator, edition)
        case Rest():
            return reference.rest(replicator, edition)


@dataclass(slots=True)
class ReplicatingMonitor:
    """What the producer has and the other cluster stored, by commands and answers alone.

    `waiting`: no entry before it waits; `coming`: entries that the last read may still bring;
    `reading`: it certainly may; `spent` of `allowed`: what was sent in this second, and may be.
    """

    run: MonitorRun
    trial: ReplicatingTrial
    coming: int
    published: int = 0
    queued: list[int] = field(default_factory=list)
    stored: set[int] = field(default_factory=set)
    waiting: int = 0
    limit: int = 0
    reading: bool = False
    spent: int = 0
    allowed: int = 0

    def follow(self, command: ReplicatingCommand, happened: Happened) -> None:
        """Follow a command, and judge what happened."""
        match command:
            case Publish(entries):
                self.published += entries
            case Store(entries):
                self.stored |= set(self.queued[:entries])
                del self.queued[:entries]
            case Reject():
                self.waiting = min([self.waiting, *self.queued[:1]])
                del self.queued[:1]
            case Limit(messages):
                self.limit = messages
                self.begin()
            case Second():
                self.begin()
        if isinstance(command, Complete | Fail | Reject | Rest):
            self.reading = False
        for entry in happened.sent:
            self.send(entry, isinstance(command, Rest))
        if isinstance(command, Rest):
            self.judge_rest()
        else:
            self.coming = 0 if happened.sent else self.coming
            self.ask(happened.asked)

    def begin(self) -> None:
        """A second begins, or the limit is another: a read under way still comes whole."""
        self.spent, self.allowed = 0, max(self.limit, self.coming)

    def send(self, entry: int, rests: bool) -> None:
        """Check that an entry is there, is the next one, and fits limit and queue."""
        waiting = self.first_waiting()
        why = fill("entry {} is sent, and entry {} waits", entry, waiting)
        self.run.require("THR-88", 0 <= entry <= waiting and entry < self.published, why)
        self.queued.append(entry)
        if rests:
            return
        why = fill("{} entries are in a queue of {}", len(self.queued), self.trial.queue)
        self.run.require("THR-90", len(self.queued) <= self.trial.queue, why)
        self.spent += 1
        why = fill("{} messages in a second, and {} may be", self.spent, self.allowed)
        if self.limit:
            self.run.require("THR-89", self.spent <= self.allowed, why)

    def first_waiting(self) -> int:
        """The first entry that is neither stored nor in the queue."""
        while self.waiting in self.stored or self.waiting in self.queued:
            self.waiting += 1
        return self.waiting

    def judge_rest(self) -> None:
        """Judge what is left once nothing happens any more, and all that was sent is stored."""
        self.stored |= set(self.queued)
        self.queued.clear()
        left = self.first_waiting()
        why = fill("entry {} is never replicated", left)
        self.run.require("THR-87", left >= self.published, why)
        self.coming = max(self.coming, self.limit or self.trial.queue)
        self.begin()

    def ask(self, asked: tuple[int, ...]) -> None:
        """Judge the reads that are asked for."""
        for entries in asked:
            right = not self.reading and 0 < entries <= self.trial.max_batch
            sentence = "a read of {} entries is asked for; {} is under way, and a batch has {}"
            words = entries, "one" if self.reading else "none", self.trial.max_batch
            self.run.require("THR-91", right, fill(sentence, *words))
            self.coming, self.reading = entries, True


@monitor("throttling.replicating", "THR-87", "THR-88", "THR-89", "THR-90", "THR-91", "THR-92")
def judge_replicating(run: MonitorRun, case: Case[ReplicatingTrial, ReplicatingAnswer]) -> None:
    require_results(run, case, "THR-92")
    world = ReplicatingMonitor(run, case.trial, case.trial.queue)
    for command, result in pair_results(run, "THR-87", case, "the replicator"):
        if not isinstance(result, Happened):
            run.require("THR-87", False, fill("{}: {}", command, result), "failed")
            return
        world.follow(command, result)


REPLICATING: Final = Question(
    "throttling.replicating",
    ReplicatingTrial,
    ReplicatingAnswer,
    replicating_trial,
    answer_replicating,
    commands="commands",
)

QUESTIONS: Final = (REPLICATING,)
