"""The decision: split a segment, merge two, or leave the topic as it is (SCA-13 to SCA-34)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from evenkeel.reference.edition import Edition
from evenkeel.reference.scaling.buckets import Buckets, leaves_room, target
from evenkeel.reference.scaling.layout import Layout, Segment, merge_depth
from evenkeel.reference.scaling.policy import contradicts_itself
from evenkeel.reference.scaling.settings import Rates, ScaleRules
from evenkeel.reference.summation import ordered_sum
from evenkeel_engine.frame.clauses import states

NO_LOAD = Rates()
Pair = tuple[Segment, Segment]


@dataclass(frozen=True, slots=True)
class Report:
    """What was last written about a segment, and when (ms)."""

    rates: Rates
    written: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that a decision depends on: reports by segment, the numbers of consumers of each stream
    subscription, the time and those of the last split and merge (ms; None: there was none).
    """

    layout: Layout
    reports: Mapping[int, Report]
    consumers: tuple[int, ...]
    now: int
    last_split: int | None = None
    last_merge: int | None = None
    buckets: Buckets = field(default_factory=Buckets)

    def rates(self, segment: Segment) -> Rates:
        """The rates that were last written; zeros if none were."""
        report = self.reports.get(segment.number)
        return NO_LOAD if report is None else report.rates


@dataclass(frozen=True, slots=True)
class Decision:
    """The segment to be split, the two to be merged, or those that get this many entry buckets;
    None and (): nothing.
    """

    split: int | None = None
    merge: tuple[int, ...] = ()
    rebucket: tuple[int, ...] = ()
    buckets: int = 0


NOTHING = Decision()


@states("SCA-13", "SCA-14", "SCA-33")
def decide(snapshot: Snapshot, rules: ScaleRules, edition: Edition) -> Decision:
    """Split first, or add entry buckets; merge only if there was nothing of either.

    Source: Pulsar `AutoScalePolicyEvaluator.decide` and
    `ScalableTopicController.resolveAutoScaleConfig` 5.0.0-M1.
    """
    if not rules.enabled or contradicts_itself(rules):
        return NOTHING
    if edition.entry_buckets and (more := more_buckets(snapshot, rules)).rebucket:
        return more
    chosen = to_split(snapshot, rules, edition)
    if chosen is not None:
        blocks = edition.single_hashes_block and chosen.size == 1
        return NOTHING if blocks else Decision(split=chosen.number)
    pair = to_merge(snapshot, rules, edition)
    return NOTHING if pair is None else Decision(merge=(pair[0].number, pair[1].number))


@states("SCA-15", "SCA-17", "SCA-42")
def to_split(snapshot: Snapshot, rules: ScaleRules, edition: Edition) -> Segment | None:
    """The segment to be split: for consumers, else for its load."""
    live = snapshot.layout.live
    if len(live) >= rules.max_segments:
        return None
    if is_cooling(snapshot.now, snapshot.last_split, rules.split_cooldown):
        return None
    divisible = live if edition.single_hashes_chosen else [one for one in live if one.size > 1]
    slow = edition.entry_buckets and is_slow(snapshot)
    if required_segments(snapshot) > len(live) and divisible and not slow:
        return busiest(snapshot, divisible)
    return most_overloaded(snapshot, rules, divisible)


@states("SCA-45")
def is_slow(snapshot: Snapshot) -> bool:
    """Whether even the busiest segment has too few messages for a split for consumers."""
    rate = snapshot.rates(busiest(snapshot, snapshot.layout.live)).msg_rate_in
    return rate < snapshot.buckets.rules.split_floor


@states("SCA-46", "SCA-47", "SCA-48")
def more_buckets(snapshot: Snapshot, rules: ScaleRules) -> Decision:
    """More entry buckets for consumers that no split is made for, if they can share segments.

    Source: Pulsar `AutoScalePolicyEvaluator.tryConsumerScale` 5.0.1.
    """
    live, buckets = snapshot.layout.live, snapshot.buckets
    surplus = required_segments(snapshot) > len(live)
    if not surplus or not (len(live) >= rules.max_segments or is_slow(snapshot)):
        return NOTHING
    sharing = max(buckets.sharing, default=0)
    cooling = is_cooling(snapshot.now, buckets.last_rebucket, buckets.rules.rebucket_cooldown)
    if sharing <= buckets.of(live) or cooling:
        return NOTHING
    enough = target(sharing, len(live), buckets.rules)
    fewer = sorted(one.number for one in live if buckets.of([one]) < enough)
    return Decision(rebucket=tuple(fewer), buckets=enough) if fewer else NOTHING


@states("SCA-17", "SCA-18")
def is_cooling(now: int, last: int | None, cooldown: int) -> bool:
    """Whether the last one is less than the cool-down (s) ago."""
    return last is not None and now - last < cooldown * 1000


@states("SCA-19")
def required_segments(snapshot: Snapshot) -> int:
    """What the subscription with the most consumers needs."""
    return max(snapshot.consumers, default=0)


@states("SCA-20", "SCA-32", "SCA-33")
def busiest(snapshot: Snapshot, segments: Sequence[Segment]) -> Segment:
    """The one with the most messages in; of several the one with the lowest number."""
    return min(segments, key=lambda one: (-snapshot.rates(one).msg_rate_in, one.number))


@states("SCA-21", "SCA-22", "SCA-23", "SCA-32", "SCA-33")
def most_overloaded(
    snapshot: Snapshot, rules: ScaleRules, segments: Sequence[Segment]
) -> Segment | None:
    """Of the segments above a threshold the one that is furthest above one of its own."""
    scores = [(overload(snapshot.rates(one), rules), one) for one in segments]
    above = [(score, one) for score, one in scores if score > 1.0]
    return max(above, key=lambda found: found[0])[1] if above else None


@states("SCA-21", "SCA-23")
def overload(rates: Rates, rules: ScaleRules) -> float:
    """The largest ratio of a rate to its threshold; above 1 is overloaded."""
    return max(rate / limit for rate, limit in zip(rates.each, rules.split_above, strict=True))


@states("SCA-16", "SCA-18", "SCA-27", "SCA-28", "SCA-29")
def to_merge(snapshot: Snapshot, rules: ScaleRules, edition: Edition) -> Pair | None:
    """The coldest pair that may be merged."""
    if len(snapshot.layout.live) <= rules.min_segments:
        return None
    if is_cooling(snapshot.now, snapshot.last_merge, rules.merge_cooldown):
        return None
    pairs = list(mergeable(snapshot, rules, edition))
    return min(pairs, key=lambda pair: warmth(snapshot, pair)) if pairs else None


@states("SCA-24", "SCA-26", "SCA-30", "SCA-31", "SCA-40", "SCA-41", "SCA-43")
def mergeable(snapshot: Snapshot, rules: ScaleRules, edition: Edition) -> Iterator[Pair]:
    """The pairs of neighbours that are cold and below the cap on merges."""
    layout, live = snapshot.layout, snapshot.layout.live
    for pair in pairwise(live):
        if (
            all(is_cold(snapshot, one, rules) for one in pair)
            and fits(snapshot, live, pair, edition)
            and all(merge_depth(layout, one.number, edition) < rules.max_depth for one in pair)
            and (edition.merges_ignore_sums or stays_below(snapshot, pair, rules))
        ):
            yield pair


@states("SCA-30", "SCA-31", "SCA-40", "SCA-44")
def fits(snapshot: Snapshot, live: Sequence[Segment], pair: Pair, edition: Edition) -> bool:
    """Whether consumers can do without the pair."""
    consumers = required_segments(snapshot)
    if edition.entry_buckets:
        return leaves_room(snapshot.buckets, live, pair, consumers)
    return edition.merges_ignore_consumers or consumers < len(live)


@states("SCA-24", "SCA-25", "SCA-34")
def is_cold(snapshot: Snapshot, segment: Segment, rules: ScaleRules) -> bool:
    """Whether a report exists, is old enough, and is below every threshold."""
    report = snapshot.reports.get(segment.number)
    if report is None or snapshot.now - report.written < rules.merge_window * 1000:
        return False
    each = zip(report.rates.each, rules.merge_below, strict=True)
    return all(rate < limit for rate, limit in each)


@states("SCA-30", "SCA-39")
def stays_below(snapshot: Snapshot, pair: Pair, rules: ScaleRules) -> bool:
    """Whether the rates of both together are not above what a segment is split for."""
    together = snapshot.rates(pair[0]) + snapshot.rates(pair[1])
    return overload(together, rules) <= 1.0


@states("SCA-28", "SCA-29")
def warmth(snapshot: Snapshot, pair: Pair) -> float:
    """All rates of both, messages and bytes added up."""
    return ordered_sum([ordered_sum(snapshot.rates(one).each) for one in pair])
