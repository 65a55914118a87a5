"""Following AvgShedder's hit counts by what a subject shed (SHD-30, SHD-31, SHD-38 to SHD-40).

Equal scores, and in `DOCUMENTED` differences at a threshold and hits that led to no move, leave
the counts open: all that are possible are kept, and those that an answer contradicts dropped.
Settings that the documents do not foresee can be read in several ways: one must explain all rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from evenkeel.properties.findings import Findings
from evenkeel.properties.load.comparing import DOUBLE
from evenkeel.properties.shedding.avg_walk import (
    AvgCase,
    AvgRound,
    Pairing,
    avg_rounds,
    budgets_of,
)
from evenkeel.properties.shedding.common_walk import own_bundles
from evenkeel.properties.shedding.trials_avg import PlannedShed
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding import avg
from evenkeel.reference.shedding.avg import AvgRules, Gap, Hits, Pair, Party
from evenkeel.reference.shedding.cluster import BrokerId, BundleLoad, Cluster
from evenkeel.reference.shedding.selecting import has_several_bundles, heaviest_first, short_rate

Counts = frozenset[tuple[Party, Hits]]
MOST_COUNTS = 64
"""More possibilities than this are not followed: the rest of the trial is not judged."""


def is_followed(case: AvgCase) -> bool:
    """Whether no round has so many brokers of equal scores that the walk ends there."""
    return len(avg_rounds(case)) == len(case.trial.rounds)


# ----------------------------------------------------------------------------- documented


NEVER: Final = 2**31
"""A count of hits that no pair comes to."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How hits are counted, where the documents leave that open.

    `rules` has counts of one or more. With `apart` a difference below the low threshold does not
    interrupt the hits of a high threshold that is lower.
    """

    rules: AvgRules
    apart: bool

    def counted(self, before: Hits, low: bool, high: bool) -> Hits | None:
        """The hits with a difference that reaches these thresholds; None: none."""
        if not low and not (self.apart and high):
            return None
        return Hits(before.low + 1 if low else 0, before.high + 1 if high else 0)


def readings(rules: AvgRules) -> Iterator[Reading]:
    """What settings can mean: a count of 0 or less is one hit of its own threshold, or of the
    lower one, or switches its threshold off.
    """
    lows = (rules.low_hits,) if rules.low_hits > 0 else (1, NEVER)
    highs = (rules.high_hits,) if rules.high_hits > 0 else (0, 1, NEVER)
    aparts = (False, True) if rules.low_threshold > rules.high_threshold else (False,)
    for low, high, apart in product(lows, highs, aparts):
        yield Reading(replace(rules, low_hits=low, high_hits=high), apart)


def reaches(difference: float, threshold: int, near: float) -> set[bool]:
    """Whether a difference may be taken for one that reaches a threshold."""
    return {difference - near >= threshold, difference + near >= threshold}


def may_move_nothing(seen: AvgRound, pair: Pair, rules: AvgRules, edition: Edition) -> bool:
    """Whether a pair that has waited long enough may shed nothing for want of a fitting bundle."""
    report = seen.cluster.brokers[pair.fuller]
    if not has_several_bundles(report, edition):
        return True
    live = False
    for measure, (budget, minimum) in budgets_of(seen.cluster, pair, rules).items():
        weights = heaviest_first(seen.cluster, report, measure).values()
        slack = abs(budget) * DOUBLE
        fits = any(0 < weight < budget - slack for weight in weights)
        if budget + slack >= minimum and not fits:
            return True
        live |= budget - slack > minimum
    return not live


def outcomes(
    seen: AvgRound, pair: Pair, hits: Hits | None, acts: bool, rules: AvgRules, edition: Edition
) -> Iterator[tuple[bool, bool, Hits | None]]:
    """What may become of a pair with these hits, which acts or not: whether it sheds, whether that
    is certain to be right whatever else, and the hits that remain.
    """
    if not acts:
        yield False, True, hits
        return
    yield True, True, None
    idle = may_move_nothing(seen, pair, rules, edition)
    yield False, idle, None
    yield False, idle, hits


Option = tuple[tuple[tuple[Pair, Hits], ...], bool]
"""The hits of a pair that remain, none or one entry; whether it is certain to be right."""


class Options:
    """What may become of each pair in a round that sheds what was shed, by its hits before."""

    def __init__(self, seen: AvgRound, reading: Reading, edition: Edition) -> None:
        self._seen, self._reading, self._edition = seen, reading, edition
        self._sources = {entry.broker for entry in seen.shed}
        self._known: dict[tuple[Pair, Hits], tuple[Option, ...]] = {}

    def of(self, pair: Pair, before: Hits) -> tuple[Option, ...]:
        """Worked out once."""
        key = (pair, before)
        if key not in self._known:
            self._known[key] = tuple(dict.fromkeys(self._work_out(pair, before)))
        return self._known[key]

    def _work_out(self, pair: Pair, before: Hits) -> Iterator[Option]:
        shed, rules = pair.fuller in self._sources, self._reading.rules
        difference, near = self._seen.difference(pair), self._seen.near
        for low, high in product(
            reaches(difference, rules.low_threshold, near),
            reaches(difference, rules.high_threshold, near),
        ):
            hits = self._reading.counted(before, low, high)
            acts = low and hits is not None and avg.enough(hits, rules)
            for sheds, certain, left in outcomes(
                self._seen, pair, hits, acts, rules, self._edition
            ):
                if sheds == shed:
                    yield ((pair, left),) if left is not None else (), certain


def documented_counts(
    options: Options, pairing: Pairing, counts: Counts
) -> Iterator[tuple[Counts, bool]]:
    """The counts after a round that sheds what was shed, and whether no pair failed to act."""
    before, none = dict(counts), Hits()
    choices = [options.of(pair, before.get(pair, none)) for pair in pairing]
    for combination in product(*choices):
        left_over = frozenset(entry for left, _ in combination for entry in left)
        yield left_over, all(certain for _, certain in combination)


def walk_documented(case: AvgCase) -> Findings:
    """Pairs act after enough hits in a row, and not before, in some reading of the settings."""
    walks = []
    for reading in readings(case.trial.config.rules):
        findings, explained = walk_reading(case, reading)
        if explained:
            return findings
        walks.append(findings)
    return walks[0]


def walk_reading(case: AvgCase, reading: Reading) -> tuple[Findings, bool]:
    """The same in one reading; and whether that explains what was shed, as far as it goes."""
    findings = Findings()
    possible: set[Counts] = {frozenset()}
    for seen in avg_rounds(case):
        if not seen.valid:
            break
        options = Options(seen, reading, case.edition)
        after = {
            outcome
            for counts in possible
            for pairing in seen.pairings
            for outcome in documented_counts(options, pairing, counts)
        }
        right = {left for left, certain in after if certain}
        sources = sorted(entry.broker for entry in seen.shed)
        place = f"round {seen.number}: {sources or 'nobody'} sheds"
        if len(seen.scores) > 1:
            findings.note("SHD-30", bool(after), f"{place} before enough hits in a row", "early")
        if after:
            sentence = f"{place} although a pair has waited long enough"
            findings.note("SHD-31", bool(right), sentence, "late")
        if not right:
            return findings.unsettled(), False
        if len(right) > MOST_COUNTS:
            return findings.unsettled(), True
        possible = right
    return findings if is_followed(case) else findings.unsettled(), True


# -------------------------------------------------------------------------------- exactly


def weights_shed(seen: AvgRound, entry: PlannedShed) -> list[BundleLoad]:
    """The averages of what a broker sheds, in the order of choice."""
    return [seen.cluster.bundles[bundle] for bundle in seen.bundles(entry)]


def same_moves(
    seen: AvgRound, pairing: Mapping[BrokerId, Pair], rules: AvgRules, edition: Edition
) -> bool:
    """Whether every pair that acts sheds what 4.0 takes, one after the other."""
    for entry in seen.shed:
        pair = pairing[BrokerId(entry.broker)]
        fuller, emptier = (seen.cluster.brokers[b] for b in (pair.fuller, pair.emptier))
        found = avg.dimension_to_move(fuller, emptier, rules)
        if found is None:
            return False
        weigh, _ = found
        expected = avg.shed_by(seen.cluster, pair, rules, edition)
        wanted = [weigh(seen.cluster.bundles[bundle]) for bundle in expected]
        if [weigh(load) for load in weights_shed(seen, entry)] != wanted:
            return False
    return True


def same_plan(seen: AvgRound, acting: list[Pair]) -> bool:
    """Whether destinations are those planned last for a bundle's averages."""
    entries = {entry.broker: entry for entry in seen.shed}
    plan: dict[BundleLoad, str] = {}
    for pair in acting:
        if pair.fuller in entries:
            plan.update(dict.fromkeys(weights_shed(seen, entries[pair.fuller]), pair.emptier))
    return all(
        planned.destination == plan[load]
        for entry in seen.shed
        for planned, load in zip(entry.bundles, weights_shed(seen, entry), strict=True)
    )


def told_apart(seen: AvgRound, rules: AvgRules) -> Iterator[Pairing]:
    """One pairing of those with the same large gaps, in whatever order the pairs come.

    The order decides only for whom bundles of equal averages are planned in the end.
    """
    known: set[tuple[frozenset[Pair], bool]] = set()
    for pairing in seen.pairings:
        gaps = avg.gaps_of(seen.scores, pairing, rules)
        large = [pair for pair, gap in gaps if gap is not Gap.SMALL]
        sources = {pair.fuller for pair in large}
        possible = all(entry.broker in sources for entry in seen.shed)
        key = (frozenset(large), possible and same_plan(seen, large))
        if key not in known:
            known.add(key)
            yield pairing


def exact_counts(
    seen: AvgRound, pairing: Pairing, possible: Iterable[Counts], rules: AvgRules, edition: Edition
) -> Iterator[Counts]:
    """The hits after a round in which 4.0 would shed what was shed, for each of the hits before
    with which it would.
    """
    gaps = avg.gaps_of(seen.scores, pairing, rules)
    large = [pair for pair, gap in gaps if gap is not Gap.SMALL]
    sources = {entry.broker for entry in seen.shed}
    by_source = {pair.fuller: pair for pair in large}
    if not sources <= by_source.keys():
        return
    if not same_moves(seen, by_source, rules, edition) or not same_plan(seen, large):
        return
    for counts in possible:
        hits = avg.count_round(dict(counts), gaps, edition)
        state, decision = avg.act(avg.State(hits), seen.cluster, large, rules, edition)
        if decision.keys() == sources:
            yield frozenset(state.hits.items())


def walk_exactly(case: AvgCase) -> Findings:
    """What 4.0 does, whichever of equal scores and equal bundles it meets first."""
    findings, rules = Findings(), case.trial.config.rules
    possible: set[Counts] = {frozenset()}
    for seen in avg_rounds(case):
        if not seen.valid:
            return findings
        after = {
            left
            for pairing in told_apart(seen, rules)
            for left in exact_counts(seen, pairing, possible, rules, case.edition)
        }
        sentence = f"round {seen.number}: 4.0 cannot shed {seen.shed} here" if not after else ""
        if len(seen.scores) > 1:
            findings.note("SHD-38", bool(after), sentence)
        for clause in special_clauses(seen):
            findings.note(clause, bool(after), sentence)
        if not after or len(after) > MOST_COUNTS:
            return findings.unsettled()
        possible = after
    return findings if is_followed(case) else findings.unsettled()


def special_clauses(seen: AvgRound) -> Iterator[str]:
    """The clauses about peculiarities that the round could show."""
    loads = [load for entry in seen.shed for load in weights_shed(seen, entry)]
    if len(seen.shed) > 1 and len(set(loads)) < len(loads):
        yield "SHD-39"
    if any(has_sole_bundle(seen.cluster, pair) for pairs in seen.pairings for pair in pairs):
        yield "SHD-40"


def has_sole_bundle(cluster: Cluster, pair: Pair) -> bool:
    """Whether the fuller of a pair serves one bundle, monitoring bundles aside, that may move."""
    report = cluster.brokers[pair.fuller]
    return own_bundles(report) == 1 and bool(heaviest_first(cluster, report, short_rate))
