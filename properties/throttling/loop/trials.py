"""The commands of `throttling.loop`; a list of them is one interleaving.

`subscription`, `topic` and `entry` may be any number from 0 on: they are taken modulo the number of
items.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Annotated, ClassVar, Final

from evenkeel.properties.throttling.trial_parts import require_rate
from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import loop
from evenkeel.reference.throttling.limiter import Mechanism
from evenkeel.reference.throttling.loop import (
    Broker,
    Entry,
    Event,
    Idle,
    LevelRates,
    LoopConfig,
    Sort,
    Step,
)
from evenkeel.reference.throttling.rates import UNLIMITED, DispatchRate, Level
from evenkeel.reference.throttling.reading import REREAD_MILLIS
from evenkeel_engine.frame.errors import Breakage, Refusal
from evenkeel_engine.kit.draw import Draw, seldom_repeated
from evenkeel_engine.kit.observations import CommandBroke, CommandRefused
from evenkeel_engine.kit.trial import Index, Tagged, Within, require

LARGEST = 2**31


def require_index(place: str, value: int) -> None:
    """Indices are taken modulo the number of items."""
    require(0 <= value < LARGEST, place, "must be 0 or more, below 2^31")


def require_entries(place: str, entries: tuple[Entry, ...]) -> None:
    """Every entry holds a message and a byte at least."""
    for index, entry in enumerate(entries):
        where = f"{place}[{index}]"
        require(0 < entry.messages < 2**20, where, "messages must be above 0 and below 2^20")
        require(0 < entry.bytes < 2**30, where, "bytes must be above 0 and below 2^30")


def require_loop_rate(place: str, rate: DispatchRate) -> None:
    """A rate with a period that lasts, not relative to what is published."""
    require_rate(place, rate)
    require(rate.period > 0, place, "the period must be above 0")
    require(not rate.relative, place, "must not be relative")


@dataclass(frozen=True, slots=True)
class OfSubscription(Tagged):
    """The common part of commands about one subscription."""

    subscription: Index


@dataclass(frozen=True, slots=True)
class Flow(OfSubscription):
    """The consumer can take this many more messages."""

    permits: Annotated[int, Within(1, 2**20 - 1)]


@dataclass(frozen=True, slots=True)
class ReadNow(OfSubscription):
    """The subscription checks its quotas and, if it can, issues a read to storage.

    Messages to be delivered again come first (a replay read, which may run next to a normal one).
    Shared subscriptions alone have replay reads; an exclusive one reads on from the first entry
    that is to come again.
    """

    DO: ClassVar[str] = "read"


@dataclass(frozen=True, slots=True)
class Complete(OfSubscription):
    """The outstanding read (`replay`: the outstanding replay read) comes back and is delivered; of
    two, the first.

    Shared subscriptions charge it at once. A read comes back here alone, even if it waits while
    entries are published. If it is over without a delivery, it is reported as `ignored`; a read of
    which nothing is reported stays outstanding.
    """

    replay: bool


@dataclass(frozen=True, slots=True)
class Written(OfSubscription):
    """Exclusive: the connection has written the oldest delivery, which is charged; or has failed.
    A read is over when it comes back: none waits for this.
    """

    succeeded: bool


@dataclass(frozen=True, slots=True)
class Redeliver(OfSubscription):
    """The consumer asks for an entry again; that gives no permits."""

    entry: Index


@dataclass(frozen=True, slots=True)
class Acknowledge(OfSubscription):
    """The consumer acknowledges all entries up to the first that must be delivered again, those
    that are being written among them.
    """


@dataclass(frozen=True, slots=True)
class Seek(OfSubscription):
    """The subscription continues at another entry (or at the end); reads under way are lost.

    Its consumer stays, with the permits it has. All entries before that one are acknowledged from
    now on, and no others. What is being written is not lost, and is charged once it was.
    """

    entry: Index


@dataclass(frozen=True, slots=True)
class ChangeConsumer(OfSubscription):
    """Another consumer replaces the present one; unacknowledged entries are delivered again."""


@dataclass(frozen=True, slots=True)
class SetActive(OfSubscription):
    """The storage sets its flag for a subscription that keeps up with what is published.

    By the documents the entries determine whether there is a backlog, when a read is asked for;
    4.0 uses the flag alone. At first it is not set.
    """

    active: bool


@dataclass(frozen=True, slots=True)
class PublishEntries(Tagged):
    """More entries are stored."""

    DO: ClassVar[str] = "publish"
    topic: int
    entries: tuple[Entry, ...]

    def __post_init__(self) -> None:
        require_index("topic", self.topic)
        require_entries("entries", self.entries)


@dataclass(frozen=True, slots=True)
class ConfigureLevel(Tagged):
    """Another rate takes effect: for the broker, or for all its topics or subscriptions."""

    DO: ClassVar[str] = "configure"
    level: Level
    rate: DispatchRate

    def __post_init__(self) -> None:
        require_loop_rate("rate", self.rate)


@dataclass(frozen=True, slots=True)
class AdvanceLoop(Tagged):
    """Time passes; if a period ends and a second look is due at one instant, the period ends
    first. A look that is due at the very end is made in it. Each look in it is reported, as
    `blocked` or `ignored` if nothing is read.
    """

    DO: ClassVar[str] = "advance"
    millis: Annotated[int, Within(0, 10**8)]


SubscriptionCommand = (
    Flow
    | ReadNow
    | Complete
    | Written
    | Redeliver
    | Acknowledge
    | Seek
    | ChangeConsumer
    | SetActive
)

LoopCommand = SubscriptionCommand | PublishEntries | ConfigureLevel | AdvanceLoop


@dataclass(frozen=True, slots=True)
class LoopSettings:
    """The configuration of the broker, and the mechanism of its quotas.

    Of a read, a shared subscription may dispatch only `dispatcherMaxRoundRobinBatchSize` entries,
    and the others in later reads.
    """

    mechanism: Mechanism
    max_batch: int = field(metadata={"wire": "dispatcherMaxReadBatchSize"})
    max_bytes: int = field(metadata={"wire": "dispatcherMaxReadSizeBytes"})
    round_robin: int = field(metadata={"wire": "dispatcherMaxRoundRobinBatchSize"})
    precise: bool = field(metadata={"wire": "preciseDispatcherFlowControl"})
    by_entry: bool = field(metadata={"wire": "dispatchThrottlingOnBatchMessageEnabled"})
    non_backlog: bool = field(metadata={"wire": "dispatchThrottlingOnNonBacklogConsumerEnabled"})

    def __post_init__(self) -> None:
        require(0 < self.max_batch < LARGEST, "dispatcherMaxReadBatchSize", "must be above 0")
        require(0 < self.max_bytes < LARGEST, "dispatcherMaxReadSizeBytes", "must be above 0")
        require(
            0 < self.round_robin < LARGEST, "dispatcherMaxRoundRobinBatchSize", "must be above 0"
        )


@dataclass(frozen=True, slots=True)
class LoopTopic:
    """A topic with its backlog, oldest entry first, and its subscriptions, which start there.

    Whether a backlog counts as published where the average size of entries is asked for is left
    open.
    """

    entries: tuple[Entry, ...]
    subscriptions: tuple[Sort, ...]

    def __post_init__(self) -> None:
        require_entries("entries", self.entries)
        require(len(self.subscriptions) > 0, "subscriptions", "must have at least one")


@dataclass(frozen=True, slots=True)
class LoopTrial:
    """`throttling.loop`: what is read, delivered and charged, command after command?

    Subscriptions are numbered through all topics. Consumers have no permits at first. Every topic
    and every subscription has a quota of its own; the broker's is shared by all.

    Commands may name a subscription or a topic beyond the last: its number is taken modulo their
    number. Events name a subscription by its own number. An entry that is requested again is taken
    modulo the stored ones, that of a seek modulo one more, which is the end of the topic.
    """

    settings: LoopSettings
    rates: LevelRates
    topics: tuple[LoopTopic, ...]
    commands: tuple[LoopCommand, ...]

    def __post_init__(self) -> None:
        for level in Level:
            require_loop_rate(f"rates.{level.value}", getattr(self.rates, level.value))
        require(len(self.topics) > 0, "topics", "must have at least one")

    @property
    def subscriptions(self) -> int:
        return sum(len(topic.subscriptions) for topic in self.topics)


@dataclass(frozen=True, slots=True)
class ReadIssued(Tagged):
    """A read of this many entries was issued, of at most `quota_bytes` bytes (one in any case)."""

    subscription: int
    replay: bool
    entries: int
    quota_bytes: int


@dataclass(frozen=True, slots=True)
class Blocked(Tagged):
    """A quota was used up: no read. The next look is at `reread_at`, in ms since the beginning.

    A subscription that waits for it may set another for earlier, in its place, but not for later.
    """

    subscription: int
    reread_at: int


@dataclass(frozen=True, slots=True)
class Delivered(Tagged):
    """Entries, one at least, by index in their topic, went to the consumer; `again`: as a replay.

    All that one completed read brings to it is one event, and is charged as one delivery.
    """

    subscription: int
    again: bool
    entries: tuple[int, ...]
    messages: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Charged(Tagged):
    """These levels' quotas were charged: `units` messages (entries, if entries are counted).

    One charge may name all levels, or each level may have its own; a level without a limit need
    not be named. A charge comes after its delivery, and names one level at least.
    """

    subscription: int
    levels: tuple[Level, ...]
    units: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Ignored(Tagged):
    """Nothing was read or delivered, with the reason."""

    subscription: int
    reason: Idle


LoopEvent = ReadIssued | Blocked | Delivered | Charged | Ignored


@dataclass(frozen=True, slots=True)
class SeenEvents(Tagged):
    """The events of a command, in order; none, if it only changed something."""

    DO: ClassVar[str] = "seen"
    events: tuple[LoopEvent, ...]


LoopResult = SeenEvents | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class LoopAnswer:
    """One result for each command."""

    results: tuple[LoopResult, ...]


MEGABYTES: Final = 5 * 1024 * 1024


def draw_entries(draw: Draw, most: int) -> tuple[Entry, ...]:
    messages, size = draw.pick((1, 1, 6, 2, 10)), draw.pick((100, 10, 1000))
    entries = []
    for _ in draw.items(most, 0.9):
        if draw.chance(0.1):
            messages, size = draw.integer(1, 12), draw.integer(1, 2000)
        entries.append(Entry(messages, size))
    return tuple(entries)


def draw_level(draw: Draw, limited: float) -> DispatchRate:
    if not draw.chance(limited):
        return DispatchRate()
    messages = draw.integer(1, 12) if not draw.chance(0.2) else UNLIMITED
    size = draw.pick((100, 250, 1000, 150)) if draw.chance(0.3) else UNLIMITED
    return DispatchRate(messages, size, draw.pick((1, 1, 2)))


def draw_settings(draw: Draw) -> LoopSettings:
    return LoopSettings(
        mechanism=Mechanism.BUCKET if draw.chance(0.4) else Mechanism.CLASSIC,
        max_batch=draw.pick((100, 3, 1, 10)),
        max_bytes=MEGABYTES if not draw.chance(0.1) else draw.pick((1000, 1)),
        round_robin=draw.pick((20, 2, 1)),
        precise=draw.chance(0.25),
        by_entry=draw.chance(0.2),
        non_backlog=not draw.chance(0.2),
    )


def draw_turn(draw: Draw, sorts: tuple[Sort, ...]) -> tuple[ReadNow, *tuple[LoopCommand, ...]]:
    subscription = draw.integer(0, len(sorts) - 1)
    turn = (ReadNow(subscription), Complete(subscription, False))
    return turn if sorts[subscription] is Sort.SHARED else (*turn, Written(subscription, True))


def draw_rush(draw: Draw, sorts: tuple[Sort, ...]) -> list[LoopCommand]:
    subscription = draw.integer(0, len(sorts) - 1)
    turn: list[LoopCommand] = [ReadNow(subscription), Complete(subscription, False)]
    if sorts[subscription] is Sort.EXCLUSIVE:
        turn.append(Written(subscription, True))
    commands: list[LoopCommand] = []
    for _ in draw.items(12, 0.9, least=3):
        commands.extend(turn)
        if draw.chance(0.15):
            commands.append(AdvanceLoop(REREAD_MILLIS))
    return commands


SORTS: Final = (Sort.SHARED, Sort.EXCLUSIVE)


def precise_trial(draw: Draw) -> LoopTrial:
    """One subscription of equal batches, in precise mode."""
    batch, sorts = draw.integer(2, 8), (draw.pick(SORTS),)
    settings = replace(
        draw_settings(draw),
        precise=True,
        by_entry=False,
        non_backlog=not draw.chance(0.1),
        max_batch=draw.pick((100, 100, 3)),
        max_bytes=MEGABYTES,
    )
    limit = DispatchRate(draw.integer(batch, 3 * batch), UNLIMITED, 1)
    topic = LoopTopic((Entry(batch, 100),) * 40, sorts)
    commands = (Flow(0, 1000), *draw_rush(draw, sorts))
    return LoopTrial(settings, limited_at(2, limit), (topic,), commands)


def replaying_trial(draw: Draw) -> LoopTrial:
    """A shared subscription with a limit of bytes about as large as an entry or two, whose entries
    are requested again: replays must be counted like first reads.
    """
    size = draw.pick((100, 10, 1000))
    settings = replace(draw_settings(draw), non_backlog=True, max_bytes=MEGABYTES)
    tight = DispatchRate(UNLIMITED, draw.pick((1, 2, 3)) * size + draw.pick((0, -1, 1)), 1)
    rates = limited_at(draw.pick((0, 1, 2)), tight)
    topic = LoopTopic((Entry(draw.pick((1, 3)), size),) * 12, (Sort.SHARED,))
    commands: list[LoopCommand] = [Flow(0, draw.pick((1000, 4)))]
    for _ in draw.items(10, 0.9, least=2):
        commands += (ReadNow(0), Complete(0, False))
        commands += (Redeliver(0, draw.integer(0, 3)) for _ in draw.items(4, 0.6))
        if draw.chance(0.5):
            commands.append(AdvanceLoop(REREAD_MILLIS))
        commands += (ReadNow(0), Complete(0, True))
    return LoopTrial(settings, rates, (topic,), tuple(commands))


def limited_at(level: int, limit: DispatchRate) -> LevelRates:
    return LevelRates(*(limit if place == level else DispatchRate() for place in range(3)))


def redelivery_trial(draw: Draw) -> LoopTrial:
    """Entries are read to the end; then some are requested again."""
    sort, count = draw.pick(SORTS), draw.integer(2, 6)
    settings = replace(draw_settings(draw), max_batch=draw.pick((100, 1, 2)), max_bytes=MEGABYTES)
    topic = LoopTopic((Entry(1, 10),) * count, (sort,))
    roomy = draw.pick((UNLIMITED, 1000, 6))
    rates = limited_at(draw.integer(0, 2), DispatchRate(roomy, UNLIMITED, 1))
    commands: list[LoopCommand] = [Flow(0, 1000)]
    reads = -(-count // min(settings.max_batch, count))
    for _ in range(reads if not draw.chance(0.3) else 1):
        commands += draw_turn(draw, (sort,))
    if draw.chance(0.3):
        commands.append(Acknowledge(0))
        commands.append(PublishEntries(0, (Entry(1, 10),) * 2))
        commands += draw_turn(draw, (sort,))
    for _ in draw.items(3, 0.4, least=1):
        commands.append(draw_return(draw, count))
        commands.append(AdvanceLoop(draw.pick((0, 2)) * REREAD_MILLIS))
        commands.append(Flow(0, 1000))
        commands.append(ReadNow(0))
        commands += [Complete(0, replay) for replay in (True, False) if sort is Sort.SHARED]
        if sort is Sort.EXCLUSIVE:
            commands += (Complete(0, False), Written(0, True))
    return LoopTrial(settings, rates, (topic,), tuple(commands))


def interrupted_trial(draw: Draw) -> LoopTrial:
    """Entries are requested again, or lost with their consumer, or a seek follows, while a read or
    another request is outstanding; then all is read on to the end.
    """
    sort, count = draw.pick((Sort.SHARED, Sort.SHARED, Sort.EXCLUSIVE)), draw.integer(1, 5)
    settings = replace(
        draw_settings(draw),
        max_batch=draw.pick((100, 2)),
        max_bytes=MEGABYTES,
        non_backlog=not draw.chance(0.1),
    )
    topic = LoopTopic((Entry(1, 10),) * count, (sort,))
    turn = (ReadNow(0), Complete(0, False), Written(0, True))
    commands: list[LoopCommand] = [Flow(0, 1000), *turn]
    if draw.chance(0.7):
        commands += turn * 2
    if draw.chance(0.3):
        commands.append(Acknowledge(0))
    for _ in draw.items(4, 0.6, least=1):
        if draw.chance(0.6):
            commands.append(ReadNow(0))
        commands.append(draw_return(draw, count))
    if draw.chance(0.3):
        commands.append(Redeliver(0, draw.integer(0, count - 1)))
        commands.append(Seek(0, draw.integer(0, count)))
    commands.append(Flow(0, 1000))
    if draw.chance(0.5):
        commands.append(ReadNow(0))
    if draw.chance(0.3):
        commands.append(PublishEntries(0, (Entry(1, 10),)))
    for _ in range(draw.integer(1, 4)):
        commands += (Complete(0, False), Complete(0, True), Written(0, True), ReadNow(0))
    commands += (Complete(0, True), Complete(0, False))
    rates = limited_at(draw.integer(0, 2), DispatchRate(draw.pick((UNLIMITED, 1000)), UNLIMITED, 1))
    return LoopTrial(settings, rates, (topic,), tuple(commands))


def successor_trial(draw: Draw) -> LoopTrial:
    """A consumer asks for entries again and goes: before they are read, or during their replay."""
    count = draw.integer(2, 5)
    batch = draw.pick((100, count - 1))
    settings = replace(draw_settings(draw), max_batch=batch, max_bytes=MEGABYTES, non_backlog=True)
    topic = LoopTopic((Entry(1, 10),) * count, (draw.pick((Sort.SHARED, Sort.SHARED, *SORTS)),))
    turn = (ReadNow(0), Complete(0, False), Written(0, True))
    commands: list[LoopCommand] = [Flow(0, 1000), *turn]
    for _ in draw.items(2, 0.5, least=1):
        commands.append(Redeliver(0, draw.integer(0, count - 1)))
    if draw.chance(0.5):
        commands.append(ReadNow(0))
    commands += (ChangeConsumer(0), Flow(0, 1000))
    for _ in range(3):
        commands += (Complete(0, True), *turn)
    rates = limited_at(draw.integer(0, 2), DispatchRate(draw.pick((UNLIMITED, 1000)), UNLIMITED, 1))
    return LoopTrial(settings, rates, (topic,), tuple(commands))


def draw_return(draw: Draw, count: int) -> LoopCommand:
    sort = draw.integer(0, 2)
    if sort == 0:
        return Seek(0, draw.integer(0, count))
    return Redeliver(0, draw.integer(0, count - 1)) if sort == 1 else ChangeConsumer(0)


def reconfigured_trial(draw: Draw) -> LoopTrial:
    """The limit is raised or lowered more than once, and used up each time."""
    sort, level = draw.pick(SORTS), draw.integer(0, 2)
    settings = replace(draw_settings(draw), non_backlog=True, precise=False, max_bytes=MEGABYTES)
    topic = LoopTopic((Entry(1, 10),) * 60, (sort,))
    commands: list[LoopCommand] = [Flow(0, 1000)]
    for _ in draw.items(4, 0.7, least=2):
        rate = DispatchRate(draw.pick((1, 3, 9, 20)), UNLIMITED, 1)
        commands.append(ConfigureLevel(tuple(Level)[level], rate))
        commands.append(AdvanceLoop(20 * REREAD_MILLIS))
        commands += (Complete(0, False), Written(0, True))
        for _ in range(draw.integer(1, 4)):
            commands += draw_turn(draw, (sort,))
    rates = limited_at(level, DispatchRate(5, UNLIMITED, 1))
    return LoopTrial(settings, rates, (topic,), tuple(commands))


def exempt_trial(draw: Draw) -> LoopTrial:
    """With limits for backlogs only, a subscription that keeps up reads on with its quota
    used up.
    """
    sort, count = draw.pick(SORTS), draw.integer(1, 3)
    settings = replace(draw_settings(draw), non_backlog=False, max_batch=100, max_bytes=MEGABYTES)
    topic = LoopTopic((Entry(draw.pick((1, 6)), 10),) * count, (sort,))
    commands: list[LoopCommand] = [Flow(0, 1000)]
    active = SetActive(0, not draw.chance(0.2))
    for _ in draw.items(4, 0.6, least=1):
        commands += draw_turn(draw, (sort,))
        commands += (Acknowledge(0), active, ReadNow(0))
        if draw.chance(0.7):
            commands.append(PublishEntries(0, (Entry(1, 10),) * draw.integer(1, 3)))
            commands += (Complete(0, False), Written(0, True))
    rates = limited_at(draw.integer(0, 2), DispatchRate(count, UNLIMITED, 1))
    return LoopTrial(settings, rates, (topic,), tuple(commands))


def lasting_trial(draw: Draw) -> LoopTrial:
    """A limit that is used up repeatedly, for many periods, with enough entries: it must still be
    observed and charged at the end.
    """
    sorts = tuple(draw.pick(SORTS) for _ in draw.items(2, 0.3, least=1))
    settings = replace(
        draw_settings(draw),
        non_backlog=True,
        precise=False,
        max_batch=draw.pick((100, 1, 2)),
        max_bytes=MEGABYTES,
    )
    batch = draw.pick((1, 1, 3))
    limit = DispatchRate(draw.integer(1, 3) * batch, UNLIMITED, 1)
    if draw.chance(0.3):
        limit = DispatchRate(UNLIMITED, draw.integer(1, 3) * 100, 1)
    commands: list[LoopCommand] = [Flow(number, 1000) for number in range(len(sorts))]
    for _ in range(draw.pick((20, 30, 45))):
        for _ in range(draw.pick((2, 1, 3))):
            commands += draw_turn(draw, sorts)
        commands.append(AdvanceLoop(draw.pick((1, 1, 0)) * REREAD_MILLIS))
    topic = LoopTopic((Entry(batch, 100),) * 200, sorts)
    return LoopTrial(settings, limited_at(draw.integer(0, 2), limit), (topic,), tuple(commands))


def short_trial(draw: Draw) -> LoopTrial:
    """A shared consumer has permits for a part of what is read; then all is read to the end."""
    batch, count = draw.pick((1, 2, 6)), draw.integer(2, 8)
    settings = replace(draw_settings(draw), max_bytes=MEGABYTES)
    topic = LoopTopic((Entry(batch, 10),) * count, (Sort.SHARED,))
    turn = (ReadNow(0), Complete(0, True), Complete(0, False))
    commands = draw_late_return(draw, batch, count) if draw.chance(0.4) else []
    for _ in draw.items(3, 0.6, least=1):
        commands += (Flow(0, draw.pick((1, 2, batch, batch * count))), *turn)
        if draw.chance(0.2):
            commands.append(PublishEntries(0, (Entry(batch, 10),)))
    commands.append(Flow(0, 1000))
    for _ in range(draw.pick((count + 4, 3))):
        commands += turn
    rates = limited_at(draw.integer(0, 2), DispatchRate(draw.pick((UNLIMITED, 1000)), UNLIMITED, 1))
    return LoopTrial(settings, rates, (topic,), tuple(commands))


def draw_late_return(draw: Draw, batch: int, count: int) -> list[LoopCommand]:
    """A normal read waits for new entries, and comes back after a replay took the permits; during
    which an earlier entry may be asked for again.
    """
    commands: list[LoopCommand] = [Flow(0, batch * count + 1), ReadNow(0), Complete(0, False)]
    commands += (ReadNow(0), Redeliver(0, 1), ReadNow(0))
    if draw.chance(0.5):
        commands.append(Redeliver(0, 0))
    commands += (Complete(0, True), PublishEntries(0, (Entry(batch, 10),)), Complete(0, False))
    return commands


def average_trial(draw: Draw) -> LoopTrial:
    """In precise mode one message, and many batches one by one: what is read next is by these."""
    batch, sort = draw.integer(4, 10), draw.pick(SORTS)
    settings = replace(
        draw_settings(draw), precise=True, by_entry=False, max_batch=100, max_bytes=MEGABYTES
    )
    topic = LoopTopic((Entry(1, 10), *(Entry(batch, 10),) * 140), (sort,))
    commands: list[LoopCommand] = []
    for permits in (1, 1, *(batch,) * 99, batch * draw.integer(2, 4)):
        commands += (Flow(0, permits), *draw_turn(draw, (sort,)))
    return LoopTrial(settings, limited_at(0, DispatchRate()), (topic,), tuple(commands))


STORIES: Final[tuple[Callable[[Draw], LoopTrial], ...]] = (
    precise_trial,
    replaying_trial,
    redelivery_trial,
    interrupted_trial,
    reconfigured_trial,
    exempt_trial,
)

MOST: Final = 24


def draw_topic(draw: Draw, most: int) -> LoopTopic:
    entries = draw_entries(draw, most)
    sorts = tuple(draw.pick((Sort.SHARED, Sort.EXCLUSIVE)) for _ in draw.items(3, 0.35, least=1))
    return LoopTopic(entries, sorts)


def draw_outside(draw: Draw, subscription: int) -> LoopCommand:
    sort = draw.integer(0, 9)
    if sort < 2:
        return Redeliver(subscription, draw.integer(0, 6))
    if sort == 2:
        return Acknowledge(subscription)
    if sort == 3:
        return Seek(subscription, draw.integer(0, 6))
    if sort == 4:
        return ChangeConsumer(subscription)
    if sort == 5:
        return SetActive(subscription, not draw.chance(0.4))
    if sort == 6:
        return PublishEntries(draw.integer(0, 2), draw_entries(draw, 5))
    if sort < 9:
        return ConfigureLevel(draw.pick(tuple(Level)), draw_level(draw, 0.7))
    return Flow(subscription, draw.pick((1, 5)))


def draw_command(draw: Draw, sorts: tuple[Sort, ...], asked: list[int]) -> LoopCommand:
    subscription = draw.integer(0, len(sorts) - 1)
    sort = draw.integer(0, 15)
    if sort < 5:
        asked.append(subscription)
        return ReadNow(subscription)
    if sort < 10:
        replay = sorts[subscription] is Sort.SHARED and draw.chance(0.2)
        return Complete(asked.pop() if asked and not draw.chance(0.1) else subscription, replay)
    if sort == 10:
        exclusive = [i for i, sort in enumerate(sorts) if sort is Sort.EXCLUSIVE]
        if exclusive:
            return Written(draw.pick(exclusive), not draw.chance(0.1))
    if sort < 13:
        return AdvanceLoop(max(0, REREAD_MILLIS + draw.pick((0, 0, -1, 1, REREAD_MILLIS))))
    if sort == 13:
        return Flow(subscription, draw.pick((1000, 10)))
    return draw_outside(draw, subscription)


def draw_keeping_up(draw: Draw, sorts: tuple[Sort, ...]) -> list[LoopCommand]:
    commands: list[LoopCommand] = []
    for _ in draw.items(MOST, 0.9, least=2):
        turn = draw_turn(draw, sorts)
        commands.extend((*turn, Acknowledge(turn[0].subscription), turn[0]))
        if draw.chance(0.3):
            commands.append(PublishEntries(draw.integer(0, 2), draw_entries(draw, 3)))
        if draw.chance(0.3):
            commands.append(AdvanceLoop(REREAD_MILLIS))
    return commands


def draw_commands(draw: Draw, sorts: tuple[Sort, ...], keeps_up: bool) -> list[LoopCommand]:
    commands: list[LoopCommand] = []
    asked: list[int] = []
    for subscription in range(len(sorts)):
        if not draw.chance(0.05):
            commands.append(Flow(subscription, draw.pick((1000, 1000, 10, 3))))
    if keeps_up:
        return [*commands, *draw_keeping_up(draw, sorts)]
    if draw.chance(0.15):
        return [*commands, *draw_rush(draw, sorts)]
    for _ in draw.items(MOST, 0.92):
        if draw.chance(0.25):
            commands.extend(draw_turn(draw, sorts))
        else:
            commands.append(draw_command(draw, sorts, asked))
    return commands


@seldom_repeated("commands", 0.03)
def loop_trial(draw: Draw) -> LoopTrial:
    trial = loop_or_scenario(draw)
    if draw.chance(0.012):
        return lasting_trial(draw)
    if draw.chance(0.02):
        return successor_trial(draw)
    if draw.chance(0.02):
        return short_trial(draw)
    return average_trial(draw) if draw.chance(0.006) else trial


def loop_or_scenario(draw: Draw) -> LoopTrial:
    if draw.chance(0.2):
        return draw.pick(STORIES)(draw)
    settings = draw_settings(draw)
    keeps_up = not settings.non_backlog and draw.chance(0.3)
    rates = LevelRates(draw_level(draw, 0.25), draw_level(draw, 0.6), draw_level(draw, 0.4))
    most = 3 if keeps_up else 30
    topics = tuple(draw_topic(draw, most) for _ in draw.items(3, 0.3, least=1))
    sorts = tuple(sort for topic in topics for sort in topic.subscriptions)
    return LoopTrial(settings, rates, topics, tuple(draw_commands(draw, sorts, keeps_up)))


def config_of(trial: LoopTrial) -> LoopConfig:
    settings = trial.settings
    return LoopConfig(
        settings.mechanism,
        settings.max_batch,
        settings.max_bytes,
        settings.round_robin,
        settings.precise,
        settings.by_entry,
        settings.non_backlog,
    )


def answer_loop(trial: LoopTrial, edition: Edition) -> LoopAnswer:
    topics = [(topic.entries, topic.subscriptions) for topic in trial.topics]
    broker = loop.start(config_of(trial), trial.rates, topics, edition)
    results: list[LoopResult] = []
    for command in trial.commands:
        try:
            broker, events = carry_out(broker, command, edition)
        except Refusal as refusal:
            results.append(CommandRefused(type(refusal).__name__))
        except Breakage as breakage:
            results.append(CommandBroke(type(breakage).__name__))
        else:
            results.append(SeenEvents(tuple(state_event(event) for event in events)))
    return LoopAnswer(tuple(results))


def carry_out(broker: Broker, command: LoopCommand, edition: Edition) -> Step:
    match command:
        case AdvanceLoop(millis):
            return loop.advance(broker, millis, edition)
        case ConfigureLevel(level, rate):
            return loop.configure(broker, level, rate, edition), ()
        case PublishEntries(topic, entries):
            return loop.publish(broker, topic % len(broker.topics), entries), ()
        case _:
            index = command.subscription % len(broker.subscriptions)
            return of_subscription(broker, index, command, edition)


def of_subscription(
    broker: Broker, index: int, command: SubscriptionCommand, edition: Edition
) -> Step:
    stored = len(broker.topics[broker.subscriptions[index].topic].entries)
    match command:
        case ReadNow():
            return loop.read(broker, index, edition)
        case Complete(_, replay):
            return loop.complete(broker, index, replay, edition)
        case Written(_, succeeded):
            return loop.end_writing(broker, index, succeeded, edition)
        case Flow(_, permits):
            return loop.flow(broker, index, permits), ()
        case Redeliver(_, entry):
            return loop.redeliver(broker, index, entry % max(1, stored)), ()
        case Acknowledge():
            return loop.acknowledge(broker, index), ()
        case Seek(_, entry):
            return loop.seek(broker, index, entry % (stored + 1)), ()
        case ChangeConsumer():
            return loop.change_consumer(broker, index, edition), ()
        case SetActive(_, active):
            return loop.set_active(broker, index, active), ()


def state_event(event: Event) -> LoopEvent:
    match event:
        case loop.ReadIssued(subscription, replay, entries, quota_bytes):
            return ReadIssued(subscription, replay, entries, quota_bytes)
        case loop.NoQuota(subscription, reread_at):
            return Blocked(subscription, reread_at)
        case loop.Delivered(subscription, again, entries, messages, size):
            return Delivered(subscription, again, entries, messages, size)
        case loop.Charged(subscription, levels, units, size):
            return Charged(subscription, levels, units, size)
        case loop.Ignored(subscription, reason):
            return Ignored(subscription, reason)


def loop_labels(trial: LoopTrial) -> Iterator[str]:
    yield trial.settings.mechanism.value
    yield "one subscription" if trial.subscriptions == 1 else "several subscriptions"
    if len(trial.topics) > 1:
        yield "several topics"
    if trial.settings.precise:
        yield "precise"
    if trial.settings.by_entry:
        yield "entries counted"
    reads = [c for c in trial.commands if isinstance(c, ReadNow | Complete)]
    if any(isinstance(a, ReadNow) and isinstance(b, ReadNow) for a, b in pairwise(reads)):
        yield "reads overlap"
    for kind, label in (
        (Redeliver, "redelivery"),
        (Seek, "seek"),
        (ChangeConsumer, "consumer change"),
        (ConfigureLevel, "configured while running"),
    ):
        if any(isinstance(command, kind) for command in trial.commands):
            yield label
