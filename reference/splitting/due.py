"""Which bundles are due for a split (SPL-31 to SPL-54).

Two rules share the rules. Modular: the leader looks at every broker's latest report and at
long-term averages. Extensible: each broker looks at its own bundles, and waits for several
cycles in a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from evenkeel.reference.bundles.boundaries import bundles_of
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel.reference.edition import Edition
from evenkeel.reference.splitting import algorithms
from evenkeel.reference.splitting.algorithms import MIN_TOPICS
from evenkeel.reference.splitting.settings import MEBIBYTE, SplitRules
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Breakage

LONG_TERM_SAMPLES: Final = 1000


class CycleAborted(Breakage):
    """A position at an end of its bundle made an empty child, and the cycle was lost (SPL-53)."""


class Reason(StrEnum):
    """The threshold that made a bundle due: the first exceeded, in this order (SPL-34, SPL-48).

    `Unknown`: none was asked for (SPL-71).
    """

    TOPICS = "Topics"
    SESSIONS = "Sessions"
    MSG_RATE = "MsgRate"
    BANDWIDTH = "Bandwidth"
    UNKNOWN = "Unknown"


@dataclass(frozen=True, slots=True)
class BundleName:
    """A bundle's full name, taken apart."""

    namespace: str
    range: HashRange

    def __str__(self) -> str:
        return f"{self.namespace}/{self.range.name}"


@dataclass(frozen=True, slots=True)
class Sample:
    """Traffic of a bundle: messages per second and bytes per second, in and out."""

    msg_rate_in: float
    msg_rate_out: float
    throughput_in: float
    throughput_out: float

    @property
    def msg_rate(self) -> float:
        """In plus out."""
        return self.msg_rate_in + self.msg_rate_out

    @property
    def throughput(self) -> float:
        """In plus out."""
        return self.throughput_in + self.throughput_out


@dataclass(frozen=True, slots=True)
class Load:
    """What is known of a bundle: topics, sessions (producers and consumers), traffic."""

    bundle: BundleName
    topics: int
    sessions: int
    sample: Sample


@dataclass(frozen=True, slots=True)
class LongTerm:
    """A running mean over the last samples, at most 1000 of them (SPL-37)."""

    samples: int
    mean: Sample


Averages = Mapping[BundleName, LongTerm]


@states("SPL-38")
def bandwidth_limit(max_bandwidth_mbytes: int, edition: Edition) -> int:
    """The bandwidth threshold in bytes per second; as a 32-bit integer it can wrap."""
    product = max_bandwidth_mbytes * MEBIBYTE
    if edition.bandwidth_limit_wraps:
        return (product + 2**31) % 2**32 - 2**31
    return product


@states("SPL-34", "SPL-41", "SPL-48")
def find_exceeded(load: Load, sample: Sample, rules: SplitRules, edition: Edition) -> Reason | None:
    """The first threshold exceeded, each strictly; sessions only if limited."""
    if load.topics > rules.max_topics:
        return Reason.TOPICS
    if 0 < rules.max_sessions < load.sessions:
        return Reason.SESSIONS
    if sample.msg_rate > rules.max_msg_rate:
        return Reason.MSG_RATE
    if sample.throughput > bandwidth_limit(rules.max_bandwidth_mbytes, edition):
        return Reason.BANDWIDTH
    return None


# ------------------------------------------------------------------------------- modular


@states("SPL-37")
def with_sample(average: LongTerm | None, sample: Sample) -> LongTerm:
    """The running mean with one more sample; the first one is taken as it is.

    Source: Pulsar `TimeAverageMessageData.update` 4.0.8.
    """
    if average is None:
        return LongTerm(1, sample)
    count = min(average.samples + 1, LONG_TERM_SAMPLES)

    def mean(old: float, new: float) -> float:
        return ((count - 1) * old + new) / count

    old = average.mean
    return LongTerm(
        count,
        Sample(
            mean(old.msg_rate_in, sample.msg_rate_in),
            mean(old.msg_rate_out, sample.msg_rate_out),
            mean(old.throughput_in, sample.throughput_in),
            mean(old.throughput_out, sample.throughput_out),
        ),
    )


@states("SPL-37")
def updated_averages(averages: Averages, loads: Iterable[Load]) -> dict[BundleName, LongTerm]:
    """One more sample for every report of a bundle; bundles no longer reported are forgotten."""
    now: dict[BundleName, LongTerm] = {}
    for load in loads:
        before = now.get(load.bundle) or averages.get(load.bundle)
        now[load.bundle] = with_sample(before, load.sample)
    return now


@states("SPL-33", "SPL-34", "SPL-35")
def modular_candidates(
    loads: Iterable[Load], averages: Averages, rules: SplitRules, edition: Edition
) -> list[BundleName]:
    """The bundles that exceed a threshold and have at least two topics."""
    return [
        load.bundle
        for load in loads
        if load.topics >= MIN_TOPICS
        and find_exceeded(load, averages[load.bundle].mean, rules, edition) is not None
    ]


@states("SPL-35", "SPL-36", "SPL-39", "SPL-75", "SPL-78", "SPL-79")
def modular_due(
    candidates: Iterable[BundleName], counts: Mapping[str, int], max_bundles: int, edition: Edition
) -> list[BundleName]:
    """The candidates that the leader has split, in listing order.

    Never more than bring the namespace to its maximum. A bundle too small to be cut is passed
    over, but may use up a place below the maximum; so may one that is reported again.
    Source: Pulsar `BundleSplitterTask`, `ModularLoadManagerImpl.checkNamespaceBundleSplit` 4.0.8.
    """
    planned: dict[str, int] = {}
    due: list[BundleName] = []
    for bundle in candidates:
        taken = planned.get(bundle.namespace, 0)
        splittable = algorithms.can_split(bundle.range)
        again = bundle in due
        if counts[bundle.namespace] + taken >= max_bundles:
            continue
        if again and not edition.every_report_takes_a_place:
            continue
        if splittable or edition.small_bundles_use_places:
            planned[bundle.namespace] = taken + 1
        if splittable and not again:
            due.append(bundle)
    return due


@states("SPL-31", "SPL-32")
def leader_decides(enabled: bool, leader: bool, known_brokers: int) -> bool:
    """The leader decides automatic splits, and only if there is another broker."""
    return enabled and leader and known_brokers > 1


@states("SPL-35", "SPL-40")
def modular_round(
    averages: Averages,
    loads: Sequence[Load],
    counts: Mapping[str, int],
    rules: SplitRules,
    edition: Edition,
) -> tuple[dict[BundleName, LongTerm], list[BundleName]]:
    """One round of the leader: the averages with this round's samples, and the due bundles."""
    now = updated_averages(averages, loads)
    candidates = modular_candidates(loads, now, rules, edition)
    return now, modular_due(candidates, counts, rules.max_bundles, edition)


@states("SPL-37")
def without_due(averages: Averages, due: Iterable[BundleName]) -> dict[BundleName, LongTerm]:
    """The leader forgets the averages of bundles that it has split."""
    split = set(due)
    return {bundle: average for bundle, average in averages.items() if bundle not in split}


# ---------------------------------------------------------------------------- extensible


@states("SPL-31")
def broker_decides(enabled: bool) -> bool:
    """Every broker decides for its own bundles, if automatic splits are switched on."""
    return enabled


@dataclass(frozen=True, slots=True)
class Candidate:
    """A bundle as its broker sees it in one cycle: its load, whether the broker owns it, and
    where the default split algorithm would cut it (nowhere: empty).
    """

    load: Load
    owned: bool
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """A bundle to be split now, why, and into which children."""

    bundle: BundleName
    reason: Reason
    children: tuple[HashRange, ...]


Hits = Mapping[BundleName, int]


@states("SPL-33", "SPL-41", "SPL-42", "SPL-49", "SPL-71", "SPL-76", "SPL-81", "SPL-84")
def hits_after(
    hits: Hits, candidate: Candidate, rules: SplitRules, edition: Edition
) -> tuple[int, Reason | None]:
    """The bundle's hit count with this cycle, and the threshold it exceeds.

    A cycle without a reason ends the row. So does one in which the bundle cannot be split by
    this broker at all, except where the edition leaves the count alone. An edition may split for
    no reason where 0 hits are more than the threshold.
    """
    load = candidate.load
    before = hits.get(load.bundle, 0)
    if not (
        load.topics >= MIN_TOPICS and candidate.owned and algorithms.can_split(load.bundle.range)
    ):
        return (before if edition.hits_survive_gaps else 0), None
    reason = find_exceeded(load, load.sample, rules, edition)
    if reason is not None:
        return before + 1, reason
    needs_none = edition.negative_threshold_needs_no_reason and rules.hit_count_threshold < 0
    return 0, Reason.UNKNOWN if needs_none else None


@states("SPL-45", "SPL-50")
def blocked_by_splitting(
    bundle: BundleName, splitting: Iterable[BundleName], edition: Edition
) -> bool:
    """Whether a bundle that is being split now shares an end with this one."""
    for other in splitting:
        shares_end = (
            other.range.lower == bundle.range.lower or other.range.upper == bundle.range.upper
        )
        same = other.namespace == bundle.namespace
        prefix = edition.splitting_guard_by_prefix and str(other).startswith(bundle.namespace)
        if shares_end and (same or prefix):
            return True
    return False


@states("SPL-46", "SPL-47", "SPL-52", "SPL-53", "SPL-54", "SPL-78")
def usable_children(candidate: Candidate, room: int, edition: Edition) -> tuple[HashRange, ...]:
    """The children that the candidate's positions make; none where it cannot be split.

    `room` is how many bundles the namespace may still gain: more positions are left for later.
    Editions may use one position only, cut at the last hash, or raise `CycleAborted` for an empty
    child.
    """
    range_, positions = candidate.load.bundle.range, sorted(set(candidate.positions))
    if not positions or (edition.extensible_one_cut and len(candidate.positions) != 1):
        return ()
    if edition.cut_at_last_hash and positions == [TOP_HASH] == [range_.upper]:
        return (range_, HashRange(TOP_HASH, TOP_HASH))
    if not all(range_.lower < position < range_.upper for position in positions):
        if edition.bad_cut_aborts_cycle:
            raise CycleAborted(f"a position is no place inside {range_}")
        return ()
    return bundles_of((range_.lower, *positions[:room], range_.upper))


@states("SPL-36", "SPL-40", "SPL-43", "SPL-44", "SPL-48", "SPL-51", "SPL-53", "SPL-78")
def extensible_cycle(
    hits: Hits,
    candidates: Sequence[Candidate],
    counts: Mapping[str, int],
    splitting: Sequence[BundleName],
    rules: SplitRules,
    edition: Edition,
) -> tuple[dict[BundleName, int], list[Decision], CycleAborted | None]:
    """One cycle of one broker: hit counts afterwards, decisions, why it was aborted.

    Candidates are taken in listing order until the cap of the cycle is reached.
    Source: Pulsar `DefaultNamespaceBundleSplitStrategyImpl.findBundlesToSplit` 4.0.8.
    """
    names = {candidate.load.bundle for candidate in candidates}
    hits_now = {bundle: count for bundle, count in hits.items() if bundle in names}
    decisions: list[Decision] = []
    added: dict[str, int] = {}
    none_allowed = rules.max_splits_per_cycle <= 0 and not edition.cycle_cap_zero_is_unlimited
    for candidate in candidates:
        bundle = candidate.load.bundle
        hits_now[bundle], reason = hits_after(hits_now, candidate, rules, edition)
        if reason is None or hits_now[bundle] <= rules.hit_count_threshold or none_allowed:
            continue
        planned = added.get(bundle.namespace, 0)
        room = rules.max_bundles - counts[bundle.namespace] - planned
        if room <= 0 or blocked_by_splitting(bundle, splitting, edition):
            continue
        try:
            children = usable_children(candidate, room, edition)
        except CycleAborted as abortion:
            return hits_now, [], abortion
        if not children:
            continue
        decisions.append(Decision(bundle, reason, children))
        added[bundle.namespace] = planned + len(children) - 1
        hits_now[bundle] = 0
        if len(decisions) == rules.max_splits_per_cycle:
            break
    return hits_now, decisions, None
