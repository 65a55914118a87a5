"""How many messages a shared subscription asks for, and which of its consumers get them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Final

from evenkeel.properties.throttling.trial_parts import Done
from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import permits as reference
from evenkeel.reference.throttling.permits import Shared
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw, seldom_repeated
from evenkeel_engine.kit.judge import monitor, pair_results, require_results
from evenkeel_engine.kit.observations import CommandBroke, CommandRefused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun, fill
from evenkeel_engine.kit.trial import OMITTABLE, Index, Tagged, Within, require, require_within


@dataclass(frozen=True, slots=True)
class Join(Tagged):
    """One more consumer comes, without permits. They are numbered as they come."""


@dataclass(frozen=True, slots=True)
class OfConsumer(Tagged):
    """The common part of commands about one consumer."""

    consumer: Index


@dataclass(frozen=True, slots=True)
class Flow(OfConsumer):
    """The consumer asks for this many more messages; the request is under way to the dispatcher."""

    permits: Annotated[int, Within(1, 2**20 - 1)]


@dataclass(frozen=True, slots=True)
class Count(OfConsumer):
    """The consumer's oldest request that is under way reaches the dispatcher, if there is one."""


@dataclass(frozen=True, slots=True)
class Leave(OfConsumer):
    """The consumer goes; its requests may still be under way."""


@dataclass(frozen=True, slots=True)
class Read(Tagged):
    """The subscription looks, and what it asks for comes, is delivered and acknowledged at once."""


PermitsCommand = Join | Flow | Count | Leave | Read


@dataclass(frozen=True, slots=True)
class PermitsTrial:
    """`throttling.permits`: how much does a shared subscription ask for, and who gets it?

    Every entry is one message, there are always enough of them, and nothing is limited. The number
    of a consumer is taken modulo the number of consumers there have been; before the first one the
    commands about one do nothing. Those about a consumer that left do nothing, but for `count`.
    No command is refused. `chunks`: every message comes in this many chunks, in order, each an
    entry that takes one permit. The rest of a message whose consumer left does not come.
    """

    max_batch: int = field(metadata={"wire": "dispatcherMaxReadBatchSize"})
    commands: tuple[PermitsCommand, ...]
    chunks: Annotated[int, Within(1, 1000)] = field(default=1, metadata=OMITTABLE)

    def __post_init__(self) -> None:
        require_within(self)
        require(0 < self.max_batch < 2**31, "dispatcherMaxReadBatchSize", "must be above 0")


@dataclass(frozen=True, slots=True)
class Sent:
    """The consumer got this many messages; where they come in chunks, this many chunks, of which
    `begun` are first ones.
    """

    consumer: int
    messages: int
    begun: int = field(default=0, metadata=OMITTABLE)


@dataclass(frozen=True, slots=True)
class Looked(Tagged):
    """Answer to `Read`: the entries asked for, 0 if none are, and who got them, by consumer; one
    record each, and none of who got nothing.
    """

    DO: ClassVar[str] = "looked"
    entries: int
    sent: tuple[Sent, ...]


PermitsResult = Looked | Done | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class PermitsAnswer:
    """One result for each command."""

    results: tuple[PermitsResult, ...]


def draw_turn(draw: Draw, consumers: int) -> tuple[PermitsCommand, ...]:
    """A consumer gets permits, goes, or reconnects while its request is under way."""
    sort, consumer = draw.integer(0, 10), draw.integer(0, consumers - 1)
    asks = Flow(consumer, draw.pick((10, 1, 3, 30, 1000)))
    if sort < 4:
        return (asks, Count(consumer))
    if sort < 6:
        return (asks,)
    if sort == 6:
        return (asks, Leave(consumer), Join())
    return ((Count(consumer),), (Leave(consumer),), (Join(),), (Join(),))[sort - 7]


@seldom_repeated("commands")
def permits_trial(draw: Draw) -> PermitsTrial:
    commands: list[PermitsCommand] = [Join() for _ in draw.items(3, 0.6, least=1)]
    for _ in draw.items(24, 0.95):
        consumers = sum(isinstance(command, Join) for command in commands)
        commands += draw_turn(draw, consumers) if draw.chance(0.7) else (Read(),)
    if draw.chance(0.5):  # all of them come back
        again = [turn for one in range(3) for turn in (Leave(one), Join(), Flow(one, 10))]
        commands += [*again, Read()]
    batch, chunked = draw.pick((500, 100, 1000, 5, 1)), draw.chance(0.2)
    return PermitsTrial(batch, tuple(commands), draw.pick((3, 2, 30)) if chunked else 1)


def answer_permits(trial: PermitsTrial, edition: Edition) -> PermitsAnswer:
    shared, results = Shared(), list[PermitsResult]()
    for command in trial.commands:
        if isinstance(command, Read):
            entries = reference.to_read(shared, trial.max_batch)
            shared, given = reference.hand_out(shared, entries, trial.chunks)
            sent = tuple(
                Sent(consumer, got.messages, got.begun if trial.chunks > 1 else 0)
                for consumer, got in sorted(given.items())
            )
            results.append(Looked(entries, sent))
        else:
            shared = carry_out(shared, command, edition)
            results.append(Done())
    return PermitsAnswer(tuple(results))


def carry_out(shared: Shared, command: Join | Flow | Count | Leave, edition: Edition) -> Shared:
    if isinstance(command, Join):
        return reference.join(shared)
    if not shared.consumers:
        return shared
    index = command.consumer % len(shared.consumers)
    match command:
        case Flow(_, permits):
            return reference.flow(shared, index, permits)
        case Count():
            return reference.count(shared, index)
        case Leave():
            return reference.leave(shared, index, edition)


def permits_labels(trial: PermitsTrial) -> Iterator[str]:
    joined = sum(isinstance(command, Join) for command in trial.commands)
    yield "several consumers" if joined > 1 else "one consumer, or none"
    if any(isinstance(command, Leave) for command in trial.commands):
        yield "a consumer leaves"
    if trial.chunks > 1:
        yield "messages in chunks"


@dataclass(slots=True)
class Consumer:
    """What a consumer asked for and did not get, and what of it is still under way.

    `rest`: the chunks that it did not get of messages whose first ones it got.
    """

    here: bool = True
    permits: int = 0
    rest: int = 0
    under_way: list[int] = field(default_factory=list)


class PermitsMonitor:
    """The consumers as they follow from commands and answers.

    `left_open`: a consumer left before it had all chunks of a message; who gets the others is open.
    """

    def __init__(self, run: MonitorRun, trial: PermitsTrial) -> None:
        self.run = run
        self.batch = trial.max_batch
        self.chunks = trial.chunks
        self.left_open = False
        self.consumers: list[Consumer] = []

    def here(self) -> list[Consumer]:
        """The consumers that are there."""
        return [consumer for consumer in self.consumers if consumer.here]

    def follow(self, command: PermitsCommand | Looked) -> None:
        """Follow a command that only does something, and judge what a look answers."""
        if isinstance(command, Looked):
            self.judge_look(command)
        if isinstance(command, Join):
            self.consumers.append(Consumer())
        if isinstance(command, Join | Read | Looked) or not self.consumers:
            return
        consumer = self.consumers[command.consumer % len(self.consumers)]
        if isinstance(command, Flow) and consumer.here:
            consumer.permits += command.permits
            consumer.under_way.append(command.permits)
        elif isinstance(command, Count) and consumer.under_way:
            consumer.under_way.pop(0)
        elif isinstance(command, Leave):
            self.left_open = self.left_open or (consumer.here and consumer.rest > 0)
            consumer.here = False

    def judge_look(self, looked: Looked) -> None:
        """Judge how much is asked for, and who gets it."""
        here = self.here()
        permits = sum(consumer.permits for consumer in here)
        counted = permits - sum(sum(consumer.under_way) for consumer in here)
        most, least = min(self.batch, permits), min(self.batch, counted)
        sentence = "{} entries are asked for, and at most {} may be"
        right = looked.entries <= most
        self.run.require("THR-31", right, fill(sentence, looked.entries, most))
        sentence = "{} entries are asked for; the consumers that are there can take {} at least"
        right = looked.entries >= least
        self.run.require("THR-75", right, fill(sentence, looked.entries, least))
        came = sum(sent.messages for sent in looked.sent)
        sentence = "{} entries are asked for, and {} are delivered"
        waits = self.left_open or any(one.rest and not one.permits for one in here)
        right = 0 < came <= looked.entries or (came == 0 and (looked.entries <= 0 or waits))
        self.run.require("THR-60", right, fill(sentence, looked.entries, came))
        if self.chunks > 1 and not self.left_open:
            self.go_on(looked, came)
        for sent in looked.sent:
            self.send(sent)

    def go_on(self, looked: Looked, came: int) -> None:
        """Check that messages that were begun go on before others are."""
        due = sum(min(one.rest, one.permits) for one in self.here())
        due, later = min(looked.entries, due), came - sum(sent.begun for sent in looked.sent)
        sentence = "{} chunks are delivered of messages that were begun, and {} could be"
        self.run.require("THR-94", later >= due, fill(sentence, later, due), "waits")

    def send(self, sent: Sent) -> None:
        """Check that a consumer is there and can take what it gets."""
        known = 0 <= sent.consumer < len(self.consumers)
        consumer = self.consumers[sent.consumer] if known else Consumer(here=False)
        permits = consumer.permits if consumer.here else 0
        sentence = "consumer {} gets {} messages, and can take {}"
        why = fill(sentence, sent.consumer, sent.messages, permits)
        self.run.require("THR-43", 0 < sent.messages <= permits, why)
        consumer.permits -= sent.messages
        if self.chunks > 1 and not self.left_open:
            consumer.rest += sent.begun * self.chunks - sent.messages
            sentence = "consumer {} gets {} chunks of messages that another one began"
            why = fill(sentence, sent.consumer, -consumer.rest)
            right = 0 <= sent.begun <= sent.messages and consumer.rest >= 0
            self.run.require("THR-94", right, why, "another's")


def follow_looks(
    run: MonitorRun,
    clause: str,
    case: Case[Any, Any],
    look: tuple[type, type],
    follow: Callable[[Any], None],
) -> None:
    """Follow all commands, but of the one that answers the answer; `look`: the types of both."""
    for command, result in pair_results(run, clause, case, "the subscription"):
        answers, failed = isinstance(result, look[1]), CommandRefused | CommandBroke
        if answers != isinstance(command, look[0]) or isinstance(result, failed):
            run.require(clause, False, fill("{}: {}", command, result), "failed")
            return
        follow(result if answers else command)


@monitor("throttling.permits", "THR-31", "THR-43", "THR-60", "THR-75", "THR-76", "THR-94")
def judge_permits(run: MonitorRun, case: Case[PermitsTrial, PermitsAnswer]) -> None:
    if case.trial.chunks == 1:  # what 4.0 does with chunks is not modelled
        require_results(run, case, "THR-76")
    follow_looks(run, "THR-60", case, (Read, Looked), PermitsMonitor(run, case.trial).follow)


PERMITS: Final = Question(
    "throttling.permits",
    PermitsTrial,
    PermitsAnswer,
    permits_trial,
    answer_permits,
    permits_labels,
    commands="commands",
)

QUESTIONS: Final = (PERMITS,)
