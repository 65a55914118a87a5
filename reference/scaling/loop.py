"""A topic over hours: load by hash, reports, one evaluation a minute (SCA-37 to SCA-43)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel.reference.scaling import layout as layouts
from evenkeel.reference.scaling.buckets import ONE_EACH, Buckets
from evenkeel.reference.scaling.deciding import NOTHING, Decision, Report, Snapshot, decide
from evenkeel.reference.scaling.layout import HASHES, NO_BUCKETS, Budget, Layout, OneHash, Segment
from evenkeel.reference.scaling.reporting import is_written
from evenkeel.reference.scaling.settings import BucketRules, Rates, ReportRules, ScaleRules
from evenkeel_engine.frame.clauses import states

MINUTE: Final = 60_000


@dataclass(frozen=True, slots=True)
class Load:
    """Messages to the hashes from `start` to `end`: as many for each hash as `rate` msg/s would be
    if they were spread over all hashes.
    """

    start: int
    end: int
    rate: float


@dataclass(frozen=True, slots=True)
class Phase:
    """Minutes in which nothing changes: load, and the consumers of each stream subscription."""

    minutes: int
    loads: tuple[Load, ...]
    consumers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class World:
    """What a topic goes through. `lag`: how old the newest report is at an evaluation (ms, less
    than a minute). `leaders`: minutes at which another broker becomes the controller. `failing`:
    minutes whose evaluation fails. `sharing`: whether the consumers of each subscription can share
    a segment.
    """

    rules: ScaleRules
    reporting: ReportRules
    count: int
    phases: tuple[Phase, ...]
    message_bytes: int = 1000
    fan_out: int = 1
    lag: int = 10_000
    leaders: tuple[int, ...] = ()
    failing: tuple[int, ...] = ()
    budget: Budget = NO_BUCKETS
    bucketing: BucketRules = ONE_EACH
    sharing: tuple[bool, ...] = ()

    def buckets(self, topic: Topic, phase: Phase) -> Buckets:
        """The entry buckets of a topic, and how many consumers can share segments by them."""
        counts = {one.number: one.buckets for one in topic.layout.live}
        pairs = zip(phase.consumers, self.sharing, strict=False)
        sharing = tuple(count for count, can in pairs if can)
        return Buckets(self.bucketing, counts, sharing, topic.last_rebucket)


@dataclass(frozen=True, slots=True)
class Action:
    """What was decided in a minute, and the layout after it."""

    minute: int
    decision: Decision
    layout: Layout


@dataclass(slots=True)
class Topic:
    """The state of a topic: layout, when segments were made, reports, when there was what last."""

    layout: Layout
    made: dict[int, int] = field(default_factory=dict)
    reports: dict[int, Report] = field(default_factory=dict)
    last_split: int | None = None
    last_merge: int | None = None
    last_rebucket: int | None = None


@states("SCA-90")
def run(world: World, edition: Edition) -> Iterator[Action]:
    """Everything that is decided, minute by minute."""
    budget = layouts.budget_in(world.budget, edition)
    topic = Topic(layouts.initial(world.count, budget))
    phases = [phase for phase in world.phases for _ in range(phase.minutes)]
    for minute, phase in enumerate(phases):
        now = minute * MINUTE
        if minute in world.leaders:
            take_over(topic)
        sampled = now - world.lag
        if sampled >= 0:
            report(topic, world, phases[sampled // MINUTE], sampled)
        if minute in world.failing:
            continue
        snapshot = Snapshot(
            topic.layout,
            topic.reports,
            phase.consumers,
            now,
            topic.last_split,
            topic.last_merge,
            world.buckets(topic, phase),
        )
        decision = decide(snapshot, world.rules, edition)
        if decision != NOTHING:
            carry_out(topic, decision, now, budget, edition)
            yield Action(minute, decision, topic.layout)


@states("SCA-38")
def take_over(topic: Topic) -> None:
    """Another controller knows of the last split and merge by the layout alone.

    Source: Pulsar `ScalableTopicController.seedAutoScaleCooldownsFromLayout` 5.0.0-M1.
    """
    topic.last_split = max(made_by(topic, 1), default=None)
    topic.last_merge = max(made_by(topic, 2), default=None)
    topic.last_rebucket = max(made_by(topic, 1, same=True), default=None)


def made_by(topic: Topic, parents: int, same: bool = False) -> Iterator[int]:
    """When segments with this number of parents were made; `same`: as large as a parent, or not."""
    segments = topic.layout.segments
    for number, segment in segments.items():
        sizes = [segments[parent].size for parent in segment.parents]
        if len(sizes) == parents and (segment.size in sizes) == same:
            yield topic.made[number]


@states("SCA-35")
def report(topic: Topic, world: World, phase: Phase, now: int) -> None:
    """Each owner writes the rates of its segment, if they differ enough from what is written."""
    for segment in topic.layout.live:
        rates = rates_of(world, phase.loads, segment)
        known = topic.reports.get(segment.number)
        exists = topic.made.get(segment.number, 0) <= now
        if exists and is_written(None if known is None else known.rates, rates, world.reporting):
            topic.reports[segment.number] = Report(rates, now)


def rates_of(world: World, loads: Sequence[Load], segment: Segment) -> Rates:
    """What a segment has of the load."""
    messages = 0.0
    for load in loads:
        common = min(load.end, segment.end) - max(load.start, segment.start) + 1
        messages += load.rate / HASHES * max(common, 0)
    size, copies = world.message_bytes, world.fan_out
    return Rates(messages, messages * size, messages * copies, messages * size * copies)


@states("SCA-37", "SCA-38", "SCA-47")
def carry_out(topic: Topic, decision: Decision, now: int, budget: Budget, edition: Edition) -> None:
    """Change the layout. A segment of one hash is not divided: then nothing happens."""
    known: Mapping[int, Segment] = topic.layout.segments
    if decision.split is not None:
        try:
            topic.layout = layouts.split(topic.layout, decision.split)
        except OneHash:
            return
        topic.last_split = now
    elif decision.merge:
        first, second = decision.merge
        topic.layout = layouts.merge(topic.layout, first, second, budget)
        topic.last_merge = now
    else:
        for number in decision.rebucket:
            topic.layout = layouts.rebucket(topic.layout, number, decision.buckets, edition)
        topic.last_rebucket = now
    topic.made.update((number, now) for number in topic.layout.segments if number not in known)
