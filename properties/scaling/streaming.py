"""What a stream consumer asks of the consumers of its segments (SCA-102 to SCA-110)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Final

from evenkeel.properties.scaling.routing import draw_cuts, require_splits
from evenkeel.reference.edition import Edition
from evenkeel.reference.scaling import streaming as reference
from evenkeel.reference.scaling.streaming import Event, Mode, Positions, Segment, Stream, What
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw, seldom_repeated
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.judge import monitor, pair_results
from evenkeel_engine.kit.observations import CommandBroke, CommandRefused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun, fill
from evenkeel_engine.kit.trial import OMITTABLE, Index, Tagged, Within, require, require_within

SEGMENTS: Final = range(3)
COMMAND_MILLIS: Final = 500  # At most as long a command takes.
ENDED_MILLIS: Final = 30_000  # A drain that is no longer ends in 5.0.1, too.


@dataclass(frozen=True, slots=True)
class Assign(Tagged):
    """The client is sent an assignment: which segments to read alone, and which with others."""

    alone: tuple[int, ...]
    shared: tuple[int, ...]

    def __post_init__(self) -> None:
        require({*self.alone, *self.shared} <= {*SEGMENTS}, "shared", "must name segments 0 to 2")


@dataclass(frozen=True, slots=True)
class Arrive(Tagged):
    """The broker has one more message of this segment for the client."""

    segment: Index


@dataclass(frozen=True, slots=True)
class Acknowledge(Tagged):
    """The application acknowledges the n-th message before the one delivered last, if it exists."""

    back: Index


StreamingCommand = Assign | Arrive | Acknowledge


@dataclass(frozen=True, slots=True)
class StreamingTrial:
    """`scaling.streaming`: what does a stream consumer ask of the consumers of its segments?

    There are three segments, 0 to 2, whose entry buckets begin at 0 and at each of `splits`. One
    that is assigned in both ways is read alone. The number of a message's segment is taken modulo
    3. A segment's messages are numbered from 0. The broker sends each at once, and to a new
    consumer all that are not acknowledged. `delivered`: it is put into the queue of the
    application, at once unless the segment drains. The application takes a message out of the queue
    only when it acknowledges it or one behind it. Each assignment is newer than the one before. All
    that the client does until it waits for others belongs to a command, and takes half a second at
    most. No command is refused. Before each command `pause` milliseconds pass, which belong to it.
    """

    splits: tuple[int, ...]
    commands: tuple[StreamingCommand, ...]
    pause: Annotated[int, Within(0, 60_000)] = field(default=0, metadata=OMITTABLE)

    def __post_init__(self) -> None:
        require_splits(self.splits)
        require_within(self)


@dataclass(frozen=True, slots=True)
class Happened(Tagged):
    """Answer to each command: what was done, in this order. Among segments only that of deliveries
    counts. What is done without a consumer reaches no broker, and does not count.
    """

    events: tuple[Event, ...]


StreamingResult = Happened | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class StreamingAnswer:
    """One result for each command."""

    results: tuple[StreamingResult, ...]


@seldom_repeated("commands")
def streaming_trial(draw: Draw) -> StreamingTrial:
    commands, change = list[StreamingCommand](), draw.pick((0.04, 0.15))
    for at in draw.items(60, 0.95, 1):
        ways = [draw.integer(0, 2) for _ in SEGMENTS]
        alone, shared = (tuple(n for n in SEGMENTS if ways[n] == way) for way in (1, 2))
        arrive, acknowledge = Arrive(draw.integer(0, 2)), Acknowledge(draw.pick((0, 0, 1, 4)))
        sorts: tuple[StreamingCommand, ...] = (Assign(alone, shared), arrive, acknowledge)
        commands.append(sorts[0 if at == 0 or draw.chance(change) else draw.pick((1, 1, 2))])
    pause = draw.pick((60_000, 10_000, 100)) if draw.chance(0.05) else 0
    return StreamingTrial(draw_cuts(draw, ()), tuple(commands), pause)


def answer_streaming(trial: StreamingTrial, edition: Edition) -> StreamingAnswer:
    stream, results = Stream(tuple(Segment() for _ in SEGMENTS)), list[Happened]()
    for command in trial.commands:
        stream.events = []
        reference.wait(stream, trial.pause, edition)
        match command:
            case Assign():
                for number, mode in enumerate(modes_of(trial, command)):
                    reference.assign(stream, number, mode)
            case Arrive(segment):
                stream.segments[segment % 3].arrived += 1
                reference.deliver(stream, segment % 3)
            case Acknowledge(back) if back < len(stream.delivered):
                reference.acknowledge(stream, stream.delivered[-1 - back])
        results.append(Happened(tuple(stream.events)))
    return StreamingAnswer(tuple(results))


def modes_of(trial: StreamingTrial, sent: Assign) -> list[Mode]:
    """How the consumer of each segment is to subscribe."""
    shared = (0, *trial.splits)
    return [() if n in sent.alone else shared if n in sent.shared else None for n in SEGMENTS]


def name_mode(mode: Mode) -> str:
    """The consumer of a segment that is read so, in words."""
    starts = ", ".join(map(str, mode or ()))
    shared = f"one for buckets from {starts}" if mode else "an Exclusive consumer"
    return "no consumer" if mode is None else shared


@dataclass(slots=True)
class Read:
    """A segment as it follows from the answers. `mode`: how its consumer subscribed. `sent`: that
    by which the client reads it, and those sent while a drain lasts: it may apply them one by one.
    """

    mode: Mode = None
    sent: list[Mode] = field(default_factory=lambda: [None])
    drains_for: int = 0
    arrived: int = 0
    delivered: int = 0
    acknowledged: set[int] = field(default_factory=set)

    def is_settled(self) -> bool:
        """Whether its consumer is as assigned."""
        return self.mode is not None and self.sent == [self.mode] * len(self.sent)

    def lacks(self, count: int) -> list[int]:
        """Which of the first messages are not acknowledged."""
        return sorted({*range(count)} - self.acknowledged)


def follow(run: MonitorRun, event: Event, one: Read, position: int | None) -> None:
    """Judge one event; the application asks for acknowledgments up to a position, or for none."""
    segment, last = event.segment, event.message
    match event.what:
        case What.SUBSCRIBED:
            modes = ", ".join(map(name_mode, one.sent))
            sentence = "segment {} gets {}, and has {}; sent was {}"
            why = fill(sentence, segment, name_mode(event.starts), name_mode(one.mode), modes)
            fits = one.mode is None and event.starts in one.sent
            run.require("SCA-102", fits, why)
            one.mode = event.starts
            one.sent = [one.mode, *one.sent[one.sent.index(one.mode) :]] if fits else one.sent
        case What.CLOSED:
            why = fill("segment {} is as assigned, and is closed", segment)
            run.require("SCA-110", not one.is_settled(), why)
            lacks = one.lacks(one.delivered)
            why = fill(
                "segment {} is closed before its messages {} are acknowledged", segment, lacks
            )
            run.require("SCA-109", not lacks, why)
            one.mode = None
        case What.DELIVERED:
            sentence = "message {} of segment {} is delivered, after {} of {} that arrived"
            why = fill(sentence, last, segment, one.delivered, one.arrived)
            fits = one.mode is not None and last == one.delivered < one.arrived
            run.require("SCA-103", fits, why)
            run.require("SCA-109", one.mode in (one.sent[1:] or [one.mode]), why)
            one.delivered += 1
        case _ if one.mode is not None:  # without a consumer it reaches no broker
            whole, last = event.what is What.ACKNOWLEDGED_UP_TO, min(last, one.arrived)
            sentence = "{}: message {} of segment {}, which has {}; {} of its messages may be"
            why = fill(sentence, event.what, last, segment, name_mode(one.mode), position)
            new = {*range(0 if whole else last, last + 1)} - one.acknowledged
            run.require("SCA-108" if one.mode else "SCA-107", whole is not bool(one.mode), why)
            if position is not None:
                run.require("SCA-105", all(message < position for message in new), why)
            one.acknowledged |= new


def judge_end(run: MonitorRun, segments: list[Read], positions: Positions) -> None:
    """Judge what is so after a command."""
    for at, position in enumerate(positions):
        lacks = segments[at].lacks(position)
        why = fill("messages {} of segment {} are not acknowledged", lacks, at)
        run.require("SCA-104", not lacks, why)
    reads = [one for one in segments if one.mode is not None]
    waits = any(not one.is_settled() and one.lacks(one.delivered) for one in reads)
    for at, one in enumerate(segments):
        if not waits:
            one.sent = one.sent[-1:]
            has, must = name_mode(one.mode), name_mode(one.sent[0])
            why = fill("segment {} has {}, and must have {}", at, has, must)
            run.require("SCA-102", one.sent == [one.mode], why)
        if one.is_settled():
            why = fill("{} of {} messages of segment {} come", one.delivered, one.arrived, at)
            run.require("SCA-103", one.delivered == one.arrived, why)


CLAUSES: Final = tuple(f"SCA-{number}" for number in range(102, 111))


@monitor("scaling.streaming", *CLAUSES)
def judge_streaming(run: MonitorRun, case: Case[StreamingTrial, StreamingAnswer]) -> None:
    segments, delivered = [Read() for _ in SEGMENTS], list[Positions]()
    for command, result in pair_results(run, "SCA-102", case, "the client"):
        named = {event.segment for event in getattr(result, "events", ())}
        if not isinstance(result, Happened) or not named <= {*SEGMENTS}:
            run.require("SCA-102", False, fill("{}: {}", command, result), "failed")
            return
        for one in segments:
            waits = one.mode is not None and not one.is_settled()
            one.drains_for = one.drains_for + case.trial.pause + COMMAND_MILLIS if waits else 0
            if case.edition.long_drains_hang and one.drains_for > ENDED_MILLIS:
                return
        positions, before = Positions(), [len(one.acknowledged) for one in segments]
        match command:
            case Assign():
                for one, mode in zip(segments, modes_of(case.trial, command), strict=True):
                    one.sent.append(mode)
            case Arrive(segment):
                segments[segment % 3].arrived += 1
            case Acknowledge(back) if back < len(delivered):
                positions = delivered[-1 - back]
        for event in result.events:
            one = segments[event.segment]
            follow(run, event, one, positions[event.segment] if positions else None)
            if event.what is What.CLOSED and one.lacks(one.delivered):
                return  # nothing is said of what comes again
            if event.what is What.DELIVERED:
                delivered.append(tuple(each.delivered for each in segments))
        if not positions:
            same = before == [len(one.acknowledged) for one in segments]
            run.require("SCA-106", same, fill("{}: {}", command, result))
        judge_end(run, segments, positions)


STREAMING: Final = Question(
    "scaling.streaming",
    StreamingTrial,
    StreamingAnswer,
    streaming_trial,
    answer_streaming,
    commands="commands",
    exempt=Exempt(world=r"commands\[\]\.\(assign\)\.(alone|shared)\[\]|pause"),
)

QUESTIONS: Final = (STREAMING,)
