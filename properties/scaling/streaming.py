"""What a stream consumer asks of the consumers of its segments (SCA-102 to SCA-110)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from evenkeel.properties.scaling.routing import draw_cuts, require_splits
from evenkeel.reference.edition import Edition
from evenkeel.reference.scaling import streaming as reference
from evenkeel.reference.scaling.streaming import Event, Mode, Positions, Segment, Stream, Way, What
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw, seldom_repeated
from evenkeel_engine.kit.judge import monitor, pair_results
from evenkeel_engine.kit.observations import CommandBroke, CommandRefused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun, fill
from evenkeel_engine.kit.trial import Index, Tagged, require


@dataclass(frozen=True, slots=True)
class Assign(Tagged):
    """The client is sent an assignment: the ways of segments 0 and up, others are not assigned."""

    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class Arrive(Tagged):
    """The broker has one more message of this segment for the client."""

    segment: Index


@dataclass(frozen=True, slots=True)
class Acknowledge(Tagged):
    """The application acknowledges the message delivered so many before the last, if it exists."""

    back: Index


StreamingCommand = Assign | Arrive | Acknowledge


@dataclass(frozen=True, slots=True)
class StreamingTrial:
    """`scaling.streaming`: what does a stream consumer ask of the consumers of its segments?

    `splits`: for each segment, where its entry buckets begin but the first. Numbers of segments are
    taken modulo theirs. Each assignment is newer than the one before. A segment's messages are
    numbered from 0. The broker sends one at once if the segment has a consumer; to a new consumer,
    all that are not acknowledged. `delivered`: it is put into the queue of the application, which
    happens at once unless the segment drains. The application takes a message out of the queue only
    when it acknowledges it or one behind it. What the client does until it waits for others is a
    command's result.
    """

    splits: tuple[tuple[int, ...], ...]
    commands: tuple[StreamingCommand, ...]

    def __post_init__(self) -> None:
        require(bool(self.splits), "splits", "must not be empty")
        for one in self.splits:
            require_splits(one)


@dataclass(frozen=True, slots=True)
class Happened(Tagged):
    """Answer to each command: what was done, in this order. That among segments does not count."""

    events: tuple[Event, ...]


StreamingResult = Happened | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class StreamingAnswer:
    """One result for each command."""

    results: tuple[StreamingResult, ...]


@seldom_repeated("commands")
def streaming_trial(draw: Draw) -> StreamingTrial:
    splits = tuple(draw_cuts(draw, ()) for _ in draw.items(4, 0.7, 1))
    commands, change = list[StreamingCommand](), draw.pick((0.04, 0.15))
    for at in draw.items(60, 0.95, 1):
        arrive = Arrive(draw.integer(0, len(splits) - 1))
        acknowledge = Acknowledge(draw.pick((0, 0, 1, 4)))
        ways = tuple(draw.pick((*Way, Way.ALONE, Way.SHARED)) for _ in splits)
        sorts: tuple[StreamingCommand, ...] = (Assign(ways), arrive, acknowledge)
        commands.append(sorts[0 if at == 0 or draw.chance(change) else draw.pick((1, 1, 2))])
    return StreamingTrial(splits, tuple(commands))


def streaming_labels(trial: StreamingTrial) -> Iterator[str]:
    for command in trial.commands:
        yield command.DO


def answer_streaming(trial: StreamingTrial, edition: Edition) -> StreamingAnswer:
    stream, results = Stream(tuple(Segment((0, *one)) for one in trial.splits)), list[Happened]()
    for command in trial.commands:
        stream.events = []
        match command:
            case Assign(ways):
                reference.assign(stream, ways)
            case Arrive(segment):
                number = segment % len(trial.splits)
                stream.segments[number].arrived += 1
                reference.deliver(stream, number)
            case Acknowledge(back) if back < len(stream.delivered):
                reference.acknowledge(stream, stream.delivered[-1 - back])
        results.append(Happened(tuple(stream.events)))
    return StreamingAnswer(tuple(results))


@dataclass(slots=True)
class Read:
    """A segment as it follows from the answers. `mode`: how its consumer subscribed. `sent`: that by
    which the client reads it, and those sent while a drain lasts, which may be applied one by one.
    """

    mode: Mode = None
    sent: list[Mode] = field(default_factory=lambda: [None])
    arrived: int = 0
    delivered: int = 0
    acknowledged: set[int] = field(default_factory=set)

    def is_settled(self) -> bool:
        """Whether its consumer is as assigned."""
        return self.mode is not None and self.sent == [self.mode] * len(self.sent)

    def lacks(self, count: int) -> list[int]:
        """Which of the first messages are not acknowledged."""
        return sorted({*range(count)} - self.acknowledged)


@dataclass(slots=True)
class StreamingMonitor:
    """The stream consumer as it follows from commands and answers; the positions of each message,
    and the command's: up to where it acknowledges each segment, empty if it does not. `unasked`:
    what was acknowledged by no such command.
    """

    run: MonitorRun
    segments: list[Read]
    delivered: list[Positions] = field(default_factory=list)
    up_to: Positions = ()
    unasked: list[Event] = field(default_factory=list)

    def begin(self, command: StreamingCommand, splits: tuple[tuple[int, ...], ...]) -> None:
        """Follow the command."""
        self.up_to = ()
        match command:
            case Assign(ways):
                for at, one in enumerate(self.segments):
                    modes: dict[Way, Mode] = {Way.ALONE: (), Way.SHARED: (0, *splits[at])}
                    one.sent.append(modes.get(ways[at]) if at < len(ways) else None)
            case Arrive(segment):
                self.segments[segment % len(self.segments)].arrived += 1
            case Acknowledge(back) if back < len(self.delivered):
                self.up_to = self.delivered[-1 - back]

    def follow(self, event: Event) -> None:
        """Judge one event."""
        one, drains = self.segments[event.segment], fill("{} before it is drained", event)
        match event.what:
            case What.SUBSCRIBED:
                fits = one.mode is None and event.starts in one.sent
                why = fill("{}, which has {} and was assigned {}", event, one.mode, one.sent)
                self.run.require("SCA-102", fits, why)
                one.mode = event.starts
                if fits:
                    one.sent = [one.mode, *one.sent[one.sent.index(one.mode) :]]
            case What.CLOSED:
                why = fill("{}, which was assigned as it is", event)
                self.run.require("SCA-110", not one.is_settled(), why)
                lacks = one.lacks(one.delivered)
                self.run.require("SCA-109", not lacks, drains)
                one.mode, one.delivered = None, min([*lacks, one.delivered])  # the rest comes again
            case What.DELIVERED:
                fits = one.mode is not None and event.message == one.delivered < one.arrived
                self.run.require("SCA-103", fits, fill("{} after {}", event, one.delivered))
                self.run.require("SCA-109", one.mode in (one.sent[1:] or [one.mode]), drains)
                one.delivered += 1
                self.delivered.append(tuple(each.delivered for each in self.segments))
            case _ if one.mode is not None:
                self.acknowledge(event, one)

    def acknowledge(self, event: Event, one: Read) -> None:
        """Judge an acknowledgment; one without a consumer reaches nothing."""
        whole, why = event.what is What.ACKNOWLEDGED_UP_TO, fill("{} of {}", event, self.up_to)
        self.run.require("SCA-108" if one.mode else "SCA-107", whole is not bool(one.mode), why)
        last = min(event.message, one.arrived)
        new = {*range(0 if whole else last, last + 1)} - one.acknowledged
        if self.up_to:
            most = self.up_to[event.segment]
            self.run.require("SCA-105", all(message < most for message in new), why)
        self.unasked += [event] if new and not self.up_to else []
        one.acknowledged |= new

    def end(self) -> None:
        """Judge what is so after a command."""
        if not self.up_to:
            self.run.require("SCA-106", not self.unasked, fill("{}, unasked", self.unasked))
        for one, position in zip(self.segments, self.up_to, strict=False):
            lacks = one.lacks(min(position, one.delivered))
            self.run.require("SCA-104", not lacks, fill("{} lacks {}", one, lacks))
        waits = any(
            one.mode is not None and not one.is_settled() and one.lacks(one.delivered)
            for one in self.segments
        )
        for one in self.segments:
            if not waits:
                one.sent = one.sent[-1:]
                self.run.require("SCA-102", one.sent == [one.mode], fill("{} remains", one))
            if one.is_settled():
                self.run.require("SCA-103", one.delivered == one.arrived, fill("{} remains", one))


CLAUSES: Final = tuple(f"SCA-{number}" for number in range(102, 111))


@monitor("scaling.streaming", *CLAUSES)
def judge_streaming(run: MonitorRun, case: Case[StreamingTrial, StreamingAnswer]) -> None:
    stream = StreamingMonitor(run, [Read() for _ in case.trial.splits])
    for command, result in pair_results(run, "SCA-102", case, "the client"):
        named = {event.segment for event in getattr(result, "events", ())}
        if not isinstance(result, Happened) or not named <= {*range(len(stream.segments))}:
            run.require("SCA-102", False, fill("{}: {}", command, result), "failed")
            return
        stream.begin(command, case.trial.splits)
        for event in result.events:
            stream.follow(event)
        stream.end()


STREAMING: Final = Question(
    "scaling.streaming",
    StreamingTrial,
    StreamingAnswer,
    streaming_trial,
    answer_streaming,
    streaming_labels,
    commands="commands",
)

QUESTIONS: Final = (STREAMING,)
