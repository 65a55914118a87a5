"""In which order a leader can have processed the reports of its brokers (LOA-22, LOA-64).

A bundle that several brokers report has one sample of each, in the order of the brokers. That order
is unknown; what is known afterwards of bundles and brokers shows which orders are possible.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from evenkeel.properties.load.averages import AveragesNow
from evenkeel.properties.load.judge_parts import close_traffic, numbers, sums, traffic_within
from evenkeel.reference.load.averages import LONG_TERM_SAMPLES, SHORT_TERM_SAMPLES
from evenkeel.reference.load.leader import BrokerAverages, BundleSample
from evenkeel.reference.load.traffic import Traffic

MOST_TURNS: Final = 20_000
"""At most this many turns of brokers are tried in a trial."""

Reports = Mapping[str, Sequence[BundleSample]]
Averages = dict[str, AveragesNow]
Sums = Mapping[str, BrokerAverages]


class TooManyOrders(Exception):
    """More turns would have to be tried than `MOST_TURNS`."""


@dataclass(slots=True)
class Budget:
    """How many turns may still be tried."""

    turns: int = MOST_TURNS

    def spend(self) -> None:
        """One more is tried. Raises `TooManyOrders`."""
        self.turns -= 1
        if self.turns < 0:
            raise TooManyOrders


def shared_by(reports: Reports) -> tuple[set[str], list[str]]:
    """The bundles in several reports, and the brokers that report one of them."""
    seen: set[str] = set()
    twice: set[str] = set()
    for report in reports.values():
        for sample in report:
            (twice if sample.bundle in seen else seen).add(sample.bundle)
    return twice, [b for b, report in reports.items() if any(s.bundle in twice for s in report)]


def in_some_order(
    known: Averages, reports: Reports, seen: Averages, budget: Budget, sums_of: Sums | None = None
) -> bool:
    """Whether some order of the brokers leads from what was `known` of bundles to what is `seen`,
    and to the sums of each broker if they are given. Raises `TooManyOrders`.
    """
    names = {sample.bundle for report in reports.values() for sample in report}
    if names != seen.keys() or (sums_of is not None and sums_of.keys() != reports.keys()):
        return False
    search = OrderSearch(known, reports, seen, sums_of, budget)
    sharing = frozenset(shared_by(reports)[1])
    return all(search.can_be(broker) for broker in reports) and (
        all(search.turn({}, broker, sharing) is not None for broker in reports.keys() - sharing)
        and search.ends({}, sharing)
    )


@dataclass(slots=True)
class OrderSearch:
    """A search by turns: each broker's turn must lead to its sums, and the last turn of a bundle's
    brokers to what is seen of it.
    """

    known: Averages
    reports: Reports
    seen: Averages
    sums_of: Sums | None
    budget: Budget
    samples: dict[str, dict[str, BundleSample]] = field(init=False)
    """By bundle the sample of each broker."""
    kinds: dict[str, str] = field(init=False)
    """By broker its report and sums: two brokers of the same kind can change places."""
    order: list[str] = field(init=False)
    """The brokers, first those that are the last ones of few bundles by the number of topics."""
    failed: set[Hashable] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.samples, self.kinds = {}, {}
        self.order = sorted(self.reports, key=lambda broker: (self.could_be_last(broker), broker))
        for broker, report in self.reports.items():
            self.kinds[broker] = f"{report} {self.sums_of and self.sums_of[broker]}"
            for sample in report:
                self.samples.setdefault(sample.bundle, {})[broker] = sample

    def can_be(self, broker: str) -> bool:
        """Whether a broker's sums are within those of the least and the largest samples."""
        if self.sums_of is None:
            return True
        values = [[*self.values_of(sample.bundle)] for sample in self.reports[broker]]
        least = sums(Traffic(*map(min, zip(*map(numbers, each), strict=True))) for each in values)
        most = sums(Traffic(*map(max, zip(*map(numbers, each), strict=True))) for each in values)
        mine = self.sums_of[broker]
        return all(traffic_within(least, one, most) for one in (mine.short_term, mine.long_term))

    def values_of(self, bundle: str) -> Iterator[Traffic]:
        """What a bundle's averages are between."""
        if known := self.known.get(bundle):
            yield from (known.short_term, known.long_term)
        yield from (sample.traffic for sample in self.samples[bundle].values())

    def ends(self, now: Averages, waiting: frozenset[str]) -> bool:
        """Whether the brokers that wait can have their turns after those that led to `now`."""
        if not waiting:
            return True
        kinds = sorted(self.kinds[broker] for broker in waiting)
        state = *kinds, *sorted((name, repr(one)) for name, one in now.items())
        if state in self.failed:
            return False
        first = (broker for broker in self.order if broker in waiting)
        for broker in {self.kinds[one]: one for one in first}.values():
            rest = waiting - {broker}
            after = self.turn(now, broker, rest)
            if after is not None and self.ends(after, rest):
                return True
        self.failed.add(state)
        return False

    def could_be_last(self, broker: str) -> int:
        """Of how many bundles the number of topics is seen that this broker reports."""
        report = self.reports[broker]
        return sum(sample.topics == self.seen[sample.bundle].topics for sample in report)

    def turn(self, now: Averages, broker: str, rest: frozenset[str]) -> Averages | None:
        """What is known of the bundles that others still report, after a broker's turn; None if
        what is seen cannot come of it. Raises `TooManyOrders`.
        """
        self.budget.spend()
        after, mine = dict(now), []
        for sample in self.reports[broker]:
            bundle = sample.bundle
            average = with_rounded_sample(now.get(bundle) or self.known.get(bundle), sample)
            mine.append(average)
            later = [one for other, one in self.samples[bundle].items() if other in rest]
            if not may_become(self.seen[bundle], average, later):
                return None
            after[bundle] = average
            if not later:
                del after[bundle]
        return after if self.are_sums(broker, mine) else None

    def are_sums(self, broker: str, averages: Sequence[AveragesNow]) -> bool:
        """Whether a broker's sums are those of these averages, as far as sums are given."""
        if self.sums_of is None:
            return True
        right = self.sums_of[broker]
        short = sums(average.short_term for average in averages)
        long = sums(average.long_term for average in averages)
        return close_traffic(right.short_term, short) and close_traffic(right.long_term, long)


def may_become(seen: AveragesNow, average: AveragesNow, later: Sequence[BundleSample]) -> bool:
    """Whether an average can become what is seen: exactly, if at most one sample is left; else the
    last one must have the number of topics.
    """
    if len(later) > 1:
        return any(sample.topics == seen.topics for sample in later)
    return seen == (with_rounded_sample(average, later[0]) if later else average)


def with_rounded_sample(before: AveragesNow | None, sample: BundleSample) -> AveragesNow:
    """LOA-14 to LOA-16: one more sample, rounded as in 4.0."""
    traffic = sample.traffic
    if before is None:
        return AveragesNow(1, traffic, 1, traffic, sample.topics)
    short, long = before.short_samples, before.long_samples
    return AveragesNow(
        min(short + 1, SHORT_TERM_SAMPLES),
        add_to_mean(before.short_term, traffic, min(short + 1, SHORT_TERM_SAMPLES)),
        min(long + 1, LONG_TERM_SAMPLES),
        add_to_mean(before.long_term, traffic, min(long + 1, LONG_TERM_SAMPLES)),
        sample.topics,
    )


def add_to_mean(old: Traffic, new: Traffic, count: int) -> Traffic:
    """The mean of `count` samples after a new one."""
    return old.combine(new, lambda before, sample: ((count - 1) * before + sample) / count)
