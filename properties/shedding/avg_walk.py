"""Following AvgShedder's rounds by what a subject shed: each pair on its own (SHD-32 to SHD-37).

Where scores are equal, or equal up to rounding, every ranking is right, and so is every pairing
that comes of one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations, product
from math import perm, prod
from typing import Final

from evenkeel.properties.clause import Case
from evenkeel.properties.findings import Findings, OncePerCase
from evenkeel.properties.load.comparing import DOUBLE, SINGLE
from evenkeel.properties.shedding.common_walk import Usages, rounds_of
from evenkeel.properties.shedding.room import scale, usage_precision
from evenkeel.properties.shedding.trials_avg import AvgAnswer, AvgTrial, PlannedShed
from evenkeel.reference.adding import added
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding import avg
from evenkeel.reference.shedding.avg import AvgRules, Gap, Pair
from evenkeel.reference.shedding.cluster import BrokerId, BundleName, Cluster
from evenkeel.reference.shedding.selecting import (
    Measure,
    heaviest_first,
    short_rate,
    short_throughput,
)

AvgCase = Case[AvgTrial, AvgAnswer]
MOST_PAIRINGS = 5040
Pairing = tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class AvgRound:
    """One round: what the shedder was given, its brokers' scores, the pairings, what was shed."""

    number: int
    cluster: Cluster
    scores: Mapping[BrokerId, float]
    pairings: tuple[Pairing, ...]
    shed: tuple[PlannedShed, ...]

    @property
    def valid(self) -> bool:
        """Whether brokers shed only what they may (SHD-1 to SHD-5)."""
        return all(
            BrokerId(entry.broker) in self.cluster.brokers
            and len(set(self.bundles(entry))) == len(entry.bundles)
            and set(self.bundles(entry)) <= self.weights(entry, short_rate).keys()
            for entry in self.shed
        )

    @staticmethod
    def bundles(entry: PlannedShed) -> tuple[BundleName, ...]:
        """The bundles that a broker is to shed."""
        return tuple(BundleName(planned.bundle) for planned in entry.bundles)

    def weights(self, entry: PlannedShed, measure: Measure) -> dict[BundleName, float]:
        """What the broker may shed, with what it weighs."""
        return heaviest_first(self.cluster, self.cluster.brokers[BrokerId(entry.broker)], measure)

    def difference(self, pair: Pair) -> float:
        """In points of the score."""
        return self.scores[pair.fuller] - self.scores[pair.emptier]

    @property
    def near(self) -> float:
        """Differences this near a threshold count as reaching it or not (SHD-30)."""
        return near_of(self.scores)

    def partners(self, source: str) -> list[Pair]:
        """The pairs that this broker may have been the fuller one of."""
        found = {pair for pairing in self.pairings for pair in pairing if pair.fuller == source}
        return sorted(found, key=lambda pair: pair.emptier)


def near_of(scores: Mapping[BrokerId, float]) -> float:
    """What differences of scores may be off by, in points."""
    return SINGLE * scale(scores.values(), avg.POINTS)


def ties_of(
    ranked: Sequence[BrokerId], scores: Mapping[BrokerId, float], room: float
) -> Iterator[range]:
    """The places in a ranking that brokers share whose scores are equal up to so much."""
    first = 0
    for place, (one, next_) in enumerate(pairwise(ranked), start=1):
        if scores[next_] - scores[one] > room:
            yield range(first, place)
            first = place
    if ranked:
        yield range(first, len(ranked))


def large_places(
    ranked: Sequence[BrokerId], scores: Mapping[BrokerId, float], rules: AvgRules
) -> set[int]:
    """The places in a ranking whose pair may hit a threshold, whoever stands there."""
    near = near_of(scores)
    return {
        place
        for low in range((len(ranked) + 1) // 2)
        if scores[ranked[-1 - low]] - scores[ranked[low]] >= rules.low_threshold - 3 * near
        for place in (low, len(ranked) - 1 - low)
    }


def pairings_of(
    scores: Mapping[BrokerId, float], rules: AvgRules, edition: Edition
) -> tuple[Pairing, ...]:
    """The pairings that come of all rankings; one of those that differ in small gaps only.

    Who of equals stands where matters only at places whose pair may hit a threshold. None at all
    where there are too many pairings.
    """
    ranked = avg.ranking(scores)
    large = large_places(ranked, scores, rules)
    room = usage_precision(edition) * scale(scores.values(), avg.POINTS)
    ties = [(places, [*large.intersection(places)]) for places in ties_of(ranked, scores, room)]
    if prod(perm(len(places), len(here)) for places, here in ties) > MOST_PAIRINGS:
        return ()
    orders = product(*(orders_of(ranked, places, here) for places, here in ties))
    return tuple(
        tuple(avg.pairs_of([broker for order in chosen for broker in order])) for chosen in orders
    )


def orders_of(
    ranked: Sequence[BrokerId], places: range, large: Sequence[int]
) -> Iterator[list[BrokerId]]:
    """The equals at these places, in every order that differs at a large one."""
    equals = ranked[places.start : places.stop]
    for chosen in permutations(equals, len(large)):
        others = iter([broker for broker in equals if broker not in chosen])
        standing = dict(zip(large, chosen, strict=True))
        yield [standing.get(place) or next(others) for place in places]


def follow_pairs(case: AvgCase) -> list[AvgRound]:
    """Each round of a trial, up to one with too many brokers of equal scores to be followed."""
    rules, seen = case.trial.config.rules, list[AvgRound]()
    usages = Usages(rules.weights)
    known: dict[tuple[tuple[BrokerId, float], ...], tuple[Pairing, ...]] = {}
    for number, cluster, _ in rounds_of(case):
        assert isinstance(case.observation, AvgAnswer)
        scores = {
            broker: usages.of(report) * avg.POINTS for broker, report in cluster.brokers.items()
        }
        key = tuple(scores.items())
        if key not in known:
            known[key] = pairings_of(scores, rules, case.edition)
        if not known[key]:
            return seen
        shed = case.observation.rounds[number - 1]
        seen.append(AvgRound(number, cluster, scores, known[key], shed))
    return seen


avg_rounds: Final = OncePerCase(follow_pairs)


def budgets_of(cluster: Cluster, pair: Pair, rules: AvgRules) -> dict[Measure, tuple[float, int]]:
    """What a pair is to move in each dimension, and the least that is worth it."""
    fuller, emptier = cluster.brokers[pair.fuller].traffic, cluster.brokers[pair.emptier].traffic
    rate = avg.traffic_budget(fuller.msg_rate, emptier.msg_rate, rules)
    throughput = avg.traffic_budget(fuller.throughput, emptier.throughput, rules)
    return {
        short_rate: (rate, rules.min_msg_rate),
        short_throughput: (throughput, rules.min_throughput),
    }


@dataclass(frozen=True, slots=True)
class Move:
    """What a subject moved of a pair, in one dimension in which that could be right."""

    budget: float
    minimum: int
    moved: list[float]
    kept: list[float]

    @property
    def left(self) -> float:
        """What is left of the budget."""
        return self.budget - added(self.moved)

    @property
    def slack(self) -> float:
        """What rounding may make of it."""
        return abs(self.budget) * DOUBLE


def moves_of(seen: AvgRound, entry: PlannedShed, rules: AvgRules) -> list[Move]:
    """What a broker sheds, for every possible partner and in both dimensions."""
    shed, moves = seen.bundles(entry), []
    for pair in seen.partners(entry.broker):
        for measure, (budget, minimum) in budgets_of(seen.cluster, pair, rules).items():
            weights = seen.weights(entry, measure)
            moved = [weights[bundle] for bundle in shed]
            kept = [weight for bundle, weight in weights.items() if bundle not in shed]
            moves.append(Move(budget, minimum, moved, kept))
    return moves


def walk_pairs(case: AvgCase) -> Findings:
    """What the answers say about every clause about a pair."""
    findings, rules = Findings(), case.trial.config.rules
    for seen in avg_rounds(case):
        sources = {entry.broker for entry in seen.shed}
        targets = {planned.destination for entry in seen.shed for planned in entry.bundles}
        if seen.shed:
            both = sorted(sources & {target for target in targets if target is not None})
            sentence = f"round {seen.number}: {both} shed and are to receive"
            findings.note("SHD-37", not both, sentence)
        for entry in seen.shed if seen.valid else ():
            judge_pair(findings, seen, entry, rules)
            judge_amounts(findings, seen, entry, rules)
    return findings


def judge_pair(findings: Findings, seen: AvgRound, entry: PlannedShed, rules: AvgRules) -> None:
    """The broker is the fuller one of a pair that differs enough; one partner gets everything."""
    pairs = [
        pair
        for pair in seen.partners(entry.broker)
        if avg.gap_of(seen.difference(pair) + seen.near, rules) is not Gap.SMALL
    ]
    place = f"round {seen.number}: {entry.broker}"
    findings.note("SHD-32", bool(pairs), f"{place} sheds, but is not the fuller of a pair", "pair")
    targets = {planned.destination for planned in entry.bundles}
    expected = {pair.emptier for pair in pairs}
    sentence = f"{place} sheds to {sorted(targets, key=str)}, must be one of {sorted(expected)}"
    one = len(targets) == 1 and bool(targets & expected)
    findings.note("SHD-34", one, sentence)


def judge_amounts(findings: Findings, seen: AvgRound, entry: PlannedShed, rules: AvgRules) -> None:
    """Some possible move in which all that was shed is right."""
    moves = moves_of(seen, entry, rules)
    if not moves:
        return
    place = f"round {seen.number}: {entry.broker} sheds {', '.join(seen.bundles(entry))}"
    budgets = sorted({move.budget for move in moves})
    worth = [move for move in moves if move.budget + move.slack >= move.minimum]
    findings.note("SHD-36", bool(worth), f"{place} although {budgets} are too little")
    busy = [move for move in worth or moves if min(move.moved, default=1) > 0]
    findings.note("SHD-35", bool(busy), f"{place}, which has no traffic")
    within = [move for move in busy or worth or moves if move.left >= -move.slack]
    findings.note("SHD-33", bool(within), f"{place}, more than any of {budgets}")
    if worth and busy and within:
        full = not all(fits_more(move) for move in within)
        findings.note("SHD-41", full, f"{place}, but more fits into {budgets}")


def fits_more(move: Move) -> bool:
    """Whether a bundle that stays would have fitted beyond doubt."""
    return any(0 < weight < move.left - move.slack for weight in move.kept)
