"""The segments of a scalable topic over days, from an operator's settings and load."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

from evenkeel.operate.plan.nearby import measure_distance, values_near
from evenkeel.properties.scaling.loop import (
    OVER_HOURS,
    LoopAnswer,
    LoopBuckets,
    LoopTrial,
    show_action,
    world_of,
)
from evenkeel.reference.edition import DOCUMENTED, Edition
from evenkeel.reference.scaling import loop
from evenkeel.reference.scaling.deciding import Decision
from evenkeel.reference.scaling.layout import HASHES, Layout, budget_in, initial
from evenkeel.reference.scaling.loop import Load, Phase
from evenkeel.reference.scaling.settings import BucketRules, NewTopicRules, ReportRules, ScaleRules
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.codec import BadData, from_json, to_json
from evenkeel_engine.kit.question import judge
from evenkeel_engine.kit.trial import BadTrial

LOOP: Final = "scaling.loop"
SPLITS: Final = (
    "scalableTopicSplitMsgRateInThreshold",
    "scalableTopicSplitBytesRateInThreshold",
    "scalableTopicSplitMsgRateOutThreshold",
    "scalableTopicSplitBytesRateOutThreshold",
)
MERGES: Final = tuple(key.replace("Split", "Merge") for key in SPLITS)
"""Thresholds, in the order of `Rates.each`."""
CAPS: Final = ("scalableTopicMinSegments", "scalableTopicMaxDagDepth")
BUCKETS: Final = (
    "scalableTopicSplitVsRebucketMinMsgRateInThreshold",
    "scalableTopicEntryBucketBudget",
    "scalableTopicEntryBucketMaxPerSegment",
)
"""Settings that are tried; no times, with which a topic does the same later."""
MOST_CHANGES: Final = 3
"""How many are looked for: each takes many plans."""

R = TypeVar("R")


def list_defaults() -> dict[str, Any]:
    """The settings that a plan depends on, by Pulsar's names."""
    kinds = (ScaleRules(), BucketRules(), NewTopicRules())
    return {key: value for kind in kinds for key, value in to_json(kind).items()}


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a day: minutes, msg/s over the whole topic, the consumers of its largest stream
    subscription and of its largest group of checkpoint consumers, which cannot share a segment.
    """

    minutes: int
    rate: float
    consumers: int = 0
    checkpoint: int = 0

    @property
    def readers(self) -> str:
        """The consumers, as they are given."""
        return f"{self.consumers}:{self.checkpoint}" if self.checkpoint else str(self.consumers)


@dataclass(frozen=True, slots=True)
class LayoutStep:
    """The topic from a minute on: its live segments, their entry buckets together, and what was
    done in this minute: split, merge, rebucket; empty at first.
    """

    minute: int
    segments: int
    buckets: int
    did: str = ""


@dataclass(frozen=True, slots=True)
class StretchRow:
    """What happens in a stretch: segments at its beginning, at most, at its end, when they have
    `buckets` entry buckets together; how often segments were split, merged, got more entry buckets;
    in which of its minutes the last time was (None: nothing happened).
    """

    day: int
    stretch: Stretch
    before: int
    most: int
    after: int
    buckets: int
    splits: int
    merges: int
    rebuckets: int
    last: int | None


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan: its rows, what it breaks of PIP-483 with a sentence each, and what was done when."""

    rows: tuple[StretchRow, ...]
    broken: tuple[tuple[str, str], ...]
    steps: tuple[LayoutStep, ...]

    def count(self, did: str) -> int:
        """How often something was done on all days."""
        return sum(step.did == did for step in self.steps)


@dataclass(frozen=True, slots=True)
class Days:
    """What an operator asks: the parts of a day, how many days, the segments at first, and
    settings other than the defaults, by Pulsar's names.
    """

    stretches: tuple[Stretch, ...]
    days: int
    segments: int
    message_bytes: int
    fan_out: int
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        known = list_defaults()
        for key in self.settings:
            if key not in known:
                raise BadData(key, "is no setting of splits and merges")

    def make_rules(self, kind: type[R]) -> R:
        """The settings of one kind. Raises `BadData`."""
        known = to_json(kind())
        changed = {key: value for key, value in self.settings.items() if key in known}
        return from_json(kind, {**known, **changed})

    def make_trial(self) -> LoopTrial:
        """The same as a trial: load that is spread evenly. Raises `BadData`, `BadTrial`."""
        phases = tuple(
            Phase(one.minutes, (Load(0, HASHES - 1, one.rate),), (one.consumers, one.checkpoint))
            for one in self.stretches
        )
        budget = self.make_rules(NewTopicRules).budget
        return LoopTrial(
            self.make_rules(ScaleRules),
            ReportRules(),
            self.segments,
            phases * self.days,
            self.message_bytes,
            self.fan_out,
            10_000,
            (),
            LoopBuckets(self.make_rules(BucketRules), budget, (True, False)),
        )


def plan(asked: Days, edition: Edition) -> Planned:
    """What an edition does over these days. Consumers that share a segment have one each, where
    the edition has entry buckets.
    """
    trial = asked.make_trial()
    world = world_of(trial)
    actions = tuple(loop.run(world, edition))
    clauses = clauses_for(LOOP, DOCUMENTED, frozenset(OVER_HOURS))
    promised = replace(DOCUMENTED, entry_buckets=edition.entry_buckets)
    answer = LoopAnswer(tuple(map(show_action, actions)))
    verdicts = judge(QUESTIONS[LOOP], clauses, trial, answer, promised)
    broken = tuple((one.clause, one.sentence) for one in verdicts if one.failed)
    first = step(0, initial(world.count, budget_in(world.budget, edition)))
    done = (first, *(step(one.minute, one.layout, name_of(one.decision)) for one in actions))
    return Planned(tuple(fill_rows(asked, done)), broken, done)


def step(minute: int, layout: Layout, did: str = "") -> LayoutStep:
    """A topic with this layout."""
    live = layout.live
    return LayoutStep(minute, len(live), sum(one.buckets for one in live), did)


def name_of(decision: Decision) -> str:
    """What is done by a decision."""
    if decision.split is not None:
        return "split"
    return "merge" if decision.merge else "rebucket"


def fill_rows(asked: Days, done: Sequence[LayoutStep]) -> Iterator[StretchRow]:
    """A row for each part of each day."""
    begin, now = 0, done[0]
    for day in range(1, asked.days + 1):
        for stretch in asked.stretches:
            end = begin + stretch.minutes
            inside = [one for one in done[1:] if begin <= one.minute < end]
            every = [now, *inside]
            did = [one.did for one in inside]
            yield StretchRow(
                day,
                stretch,
                now.segments,
                max(one.segments for one in every),
                every[-1].segments,
                every[-1].buckets,
                did.count("split"),
                did.count("merge"),
                did.count("rebucket"),
                inside[-1].minute - begin if inside else None,
            )
            begin, now = end, every[-1]


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one setting with which nothing is broken."""

    key: str
    value: float
    before: float


def find_resting_changes(asked: Days, edition: Edition) -> Iterator[Change]:
    """Changes of one setting with which a topic breaks nothing on these days: of each setting the
    nearest, nearest first.
    """
    before = {**list_defaults(), **asked.settings}
    tried = [*CAPS, find_deciding(SPLITS, asked, before), find_deciding(MERGES, asked, before)]
    tried += BUCKETS if edition.entry_buckets else ()
    changes = [Change(key, to, before[key]) for key in tried for to in values_near(before[key])]
    found = set[str]()
    for one in sorted(changes, key=lambda one: measure_distance(one.value, one.before)):
        if len(found) == MOST_CHANGES:
            return
        settings = {**asked.settings, one.key: one.value}
        if one.key not in found and rests(replace(asked, settings=settings), edition):
            found.add(one.key)
            yield one


def rests(asked: Days, edition: Edition) -> bool:
    """Whether nothing is broken, on the first day, which is sooner done, and on all."""
    try:
        return not any(
            plan(replace(asked, days=days), edition).broken for days in sorted({1, asked.days})
        )
    except (BadData, BadTrial):
        return False


def find_deciding(keys: Sequence[str], asked: Days, settings: Mapping[str, Any]) -> str:
    """Of four thresholds the one that rates reach first: all are in proportion to the messages."""
    size, copies = asked.message_bytes, asked.fan_out
    rates = dict(zip(keys, (1, size, copies, size * copies), strict=True))
    return max(keys, key=lambda key: rates[key] / settings[key] if settings[key] else 0.0)
