"""A round of AvgShedder: the pairs of brokers, and how much each may move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import perm, prod
from typing import Final, TypeAlias

from evenkeel.properties.shedding.avg.trials import PlannedShed
from evenkeel.properties.shedding.judge_parts import (
    LONG,
    ObservedRound,
    may_be_shed,
    msg_rate,
    own_bundles,
    throughput,
)
from evenkeel.properties.tolerance import Tolerance
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.avg import AvgRules
from evenkeel_engine.kit.approx import Approx, Ternary, add_in_order, every, negate, some
from evenkeel_engine.kit.run import Run, TooMany

MOST_PAIRINGS: Final = 5040
"""With more pairings than this, they are not all tried."""

MOST_ROWS: Final = 7
"""Of more brokers in one group not every row is tried: any is right."""

POINTS: Final = 100.0
"""A score is 100 times the usage."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A fuller broker, the emptier one that it is paired with, and the difference in points."""

    fuller: str
    emptier: str
    difference: Approx


@dataclass(frozen=True, slots=True)
class Amount:
    """What a pair is to move in one dimension, the least that is worth it, and the weights of the
    fuller broker's movable bundles.
    """

    budget: Approx
    least: Approx
    weights: Mapping[str, float]

    def surely_fits(self) -> bool:
        """Whether one of the bundles surely fits."""
        return any(
            weight > 0 and Approx(weight).below(self.budget) is True
            for weight in self.weights.values()
        )


Demand: TypeAlias = tuple[str, Ternary, Callable[[], str]]
"""A clause, whether it holds, and the message if it does not."""

Pairing: TypeAlias = tuple[Pair, ...]

Weigh: TypeAlias = Callable[[Callable[[Traffic], float]], Mapping[str, float]]
"""The weights of bundles, by a measure."""


class Places:
    """The brokers from the emptiest to the fullest; those in one group are equally full.

    `points`: the difference from which the order of two brokers that follow one another is certain.
    It makes groups of brokers whose scores are not the same; `spread` is how far those of one group
    differ at most.
    """

    def __init__(self, scores: Mapping[str, float], near: float, points: float = 0.0) -> None:
        self.scores, self.near, self.points = scores, near, points
        self.ranked = sorted(scores, key=lambda broker: scores[broker])
        self.group = [0] * min(1, len(scores))
        for one, next_ in pairwise(self.ranked):
            apart = scores[next_] - scores[one]
            self.group.append(self.group[-1] + (apart >= points if points else apart > near))
        self.members = [self.members_of(number) for number in sorted(set(self.group))]
        ends = [(scores[found[0]], scores[found[-1]]) for found in self.members] if points else []
        self.spread = max((most - least for least, most in ends), default=0.0)
        self._pairings: dict[int, list[Pairing]] = {}

    def members_of(self, group: int) -> list[str]:
        """The brokers of a group, the emptiest first."""
        return [one for one, number in zip(self.ranked, self.group, strict=True) if number == group]

    def pairings(self, least: int) -> list[Pairing]:
        """The fullest with the emptiest, the next with the next, as long as the brokers at these
        places may differ by `least`; the middle one of an odd number is paired with itself. Raises
        `TooMany`.
        """
        if least not in self._pairings:
            self._pairings[least] = list(self.orders(least))
        return self._pairings[least]

    def orders(self, least: int) -> Iterator[Pairing]:
        """The same, computed as they are asked for. Raises `TooMany`."""
        scores, ranked, slack = self.scores, self.ranked, 3 * self.near + 2 * self.spread
        large = [
            place
            for place in range((len(ranked) + 1) // 2)
            if scores[ranked[-1 - place]] - scores[ranked[place]] >= least - slack
        ]
        self.refuse_too_many(large)
        left: dict[int, tuple[str, ...]] = {}
        for broker, number in zip(ranked, self.group, strict=True):
            left[number] = (*left.get(number, ()), broker)
        found = self.ways(large, left)
        return self.as_ranked(found, large, least) if self.points else found

    def as_ranked(
        self, ways: Iterable[Pairing], places: Sequence[int], least: int
    ) -> Iterator[Pairing]:
        """The pairs that differ by `least`, each assignment once, of those that some ranking has in
        which no broker is `points` emptier than the one before it.
        """
        seen = set[Pairing]()
        last = len(self.ranked) - 1
        for way in ways:
            kept = tuple(pair for pair in way if pair.difference.value >= least)
            if kept not in seen:
                seats = {last - n: pair.fuller for n, pair in zip(places, way, strict=True)}
                seats |= {n: pair.emptier for n, pair in zip(places, way, strict=True)}
                if self.is_ranking(seats):
                    seen.add(kept)
                    yield kept

    def is_ranking(self, seats: Mapping[int, str]) -> bool:
        """Whether a ranking has these brokers at these places."""
        begin = 0
        for found in self.members:
            seated = [seats.get(begin + place) for place in range(len(found))]
            begin += len(found)
            narrow = self.scores[found[-1]] - self.scores[found[0]] < self.points
            if narrow or len(found) > MOST_ROWS:
                continue
            if not self.is_row(None, seated, frozenset(found)):
                return False
        return True

    def is_row(
        self, before: str | None, seated: Sequence[str | None], left: frozenset[str]
    ) -> bool:
        """Whether the rest of a group can follow, none `points` emptier than the one before it."""
        scores = self.scores
        return not seated or any(
            self.is_row(one, seated[1:], left - {one})
            for one in left
            if seated[0] in (None, one)
            and one not in seated[1:]
            and (before is None or scores[one] - scores[before] > -self.points)
        )

    def refuse_too_many(self, large: Sequence[int]) -> None:
        """Raise `TooMany` if equally full brokers have too many orders at these places."""
        last = len(self.group) - 1
        chosen = [self.group[place] for place in {*large, *(last - place for place in large)}]
        ways = (perm(self.group.count(one), chosen.count(one)) for one in set(chosen))
        if prod(ways) > MOST_PAIRINGS:
            raise TooMany

    def ways(self, places: Sequence[int], left: Mapping[int, tuple[str, ...]]) -> Iterator[Pairing]:
        """Every assignment of the remaining brokers to these places and the opposite ones."""
        if not places:
            yield ()
            return
        place, *others = places
        opposite = len(self.ranked) - 1 - place
        for fuller in left[self.group[opposite]]:
            rest = without(left, self.group[opposite], fuller)
            emptier_ones = (fuller,) if place == opposite else rest[self.group[place]]
            for emptier in emptier_ones:
                difference = Approx(self.scores[fuller] - self.scores[emptier], self.near)
                pair = Pair(fuller, emptier, difference)
                for more in self.ways(others, without(rest, self.group[place], emptier)):
                    yield (pair, *more)


def without(
    left: Mapping[int, tuple[str, ...]], group: int, broker: str
) -> dict[int, tuple[str, ...]]:
    """The remaining brokers when one of a group is taken."""
    return {**left, group: tuple(one for one in left[group] if one != broker)}


class AvgRound:
    """One round: input, what was shed, scores, places, and the amounts of pairs."""

    def __init__(
        self,
        seen: ObservedRound,
        entries: Sequence[PlannedShed],
        places: Places,
        config: AvgRules,
        tolerance: Tolerance,
    ) -> None:
        self.seen, self.config, self.tolerance = seen, config, tolerance
        self.name = f"round {seen.number}"
        self.targets = {
            entry.broker: {planned.bundle: planned.destination for planned in entry.bundles}
            for entry in entries
        }
        self.places = places
        self.sources = frozenset(broker for broker, shed in seen.shed.items() if shed)
        targets = {broker: {*named.values()} for broker, named in self.targets.items()}
        self.destinations = frozenset().union(*targets.values())
        # A bundle that two brokers shed, since both report it, has one plan: for which partner is
        # open.
        shed_by = Counter(bundle for named in self.targets.values() for bundle in named)
        self.targets_of = {
            broker: {to for bundle, to in named.items() if shed_by[bundle] == 1 or to is None}
            for broker, named in self.targets.items()
        }
        self.sole_targets = {b: next(iter(to)) for b, to in self.targets_of.items() if len(to) == 1}
        self.shed_elsewhere = shed_by.keys()
        self._pairings: dict[int, Sequence[Pairing]] = {}
        self._amounts: dict[tuple[str, str], tuple[Amount, Amount]] = {}
        self._ways: dict[tuple[str, str], Sequence[Sequence[Demand]]] = {}
        self._never_by_long_term: dict[tuple[str, str], bool] = {}

    # Pairs: SHD-32.

    def pairings(self, least: int) -> Sequence[Pairing]:
        """The pairs whose difference may reach `least`: one way for each ranking of equally full
        brokers, of equivalent ones one. A broker that sheds to one broker alone is paired with it
        if possible. Raises `TooMany`.
        """
        if least not in self._pairings:
            found = self.places.pairings(least)
            if not self.places.points:
                found = list({frozenset(way): way for way in found}.values())
            self._pairings[least] = [way for way in found if self.is_to_targets(way)] or found
        return self._pairings[least]

    def is_widest(self, pair: Pair) -> bool:
        """Whether the brokers are the fullest and the emptiest, or as full as these."""
        scores, ranked, near = self.places.scores, self.places.ranked, self.places.near
        lead = scores[ranked[-1]] - scores[ranked[0]]
        return lead - (scores[pair.fuller] - scores[pair.emptier]) <= 2 * near

    def is_of_one_pair(self) -> bool:
        """Whether none but one of the fullest brokers sheds."""
        group = dict(zip(self.places.ranked, self.places.group, strict=True))
        return len(self.sources) <= 1 and all(
            group[broker] == self.places.group[-1] for broker in self.sources if broker in group
        )

    def is_to_targets(self, pairing: Pairing) -> bool:
        """Whether each broker that sheds to one broker alone is paired with it."""
        return all(
            self.sole_targets[pair.fuller] == pair.emptier
            for pair in pairing
            if pair.fuller in self.sole_targets
        )

    # Amounts: SHD-33, SHD-35, SHD-36, SHD-41.

    def amounts(self, pair: Pair) -> tuple[Amount, Amount]:
        """The amounts to move of the message rate, and of the throughput."""
        ends = pair.fuller, pair.emptier
        if ends not in self._amounts:
            self._amounts[ends] = self.amounts_by(partial(self.seen.weights, pair.fuller), pair)
        return self._amounts[ends]

    def amounts_by(self, weights: Weigh, pair: Pair) -> tuple[Amount, Amount]:
        """The same, for these weights of the fuller broker's movable bundles."""
        fuller, emptier = (self.seen.brokers[b].traffic for b in (pair.fuller, pair.emptier))
        return (
            Amount(
                self.budget(msg_rate(fuller), msg_rate(emptier)),
                Approx(self.config.min_msg_rate),
                weights(msg_rate),
            ),
            Amount(
                self.budget(throughput(fuller), throughput(emptier)),
                Approx(self.config.min_throughput),
                weights(throughput),
            ),
        )

    def budget(self, fuller: float, emptier: float) -> Approx:
        """The share of the difference."""
        return self.tolerance.as_traffic((fuller - emptier) * self.config.share)

    def must_shed(self, pair: Pair, all_count: bool) -> bool:
        """Whether a pair that acts surely has something to move: the fuller broker serves several
        bundles, and in either dimension something fits (SHD-31).
        """
        served = self.seen.list_served(pair.fuller)
        if (
            len(served) if all_count else own_bundles(served, self.seen.edition.clustered_monitors)
        ) < 2:
            return False
        worth = [a for a in self.amounts(pair) if a.budget.at_least(a.least) is not False]
        surely = any(amount.budget.above(amount.least) is True for amount in worth)
        return surely and all(amount.surely_fits() for amount in worth)

    def right_amount(self, run: Run, pair: Pair) -> None:
        """What the fuller broker sheds is right in one of the two dimensions."""
        if not (ways := self.ways(pair)):
            return
        if "SHD-97" not in run.disabled and self.never_by_long_term(pair):
            run.require("SHD-97", True)
        place = f"{self.name}: {pair.fuller} sheds {', '.join(self.seen.shed[pair.fuller])}"
        for clause, holds, why in ways[run.pick(len(ways))]:
            run.require(clause, holds, partial(message, place, why))

    def ways(self, pair: Pair) -> Sequence[Sequence[Demand]]:
        """The demands on what the fuller broker sheds, if they are met; else for each dimension
        that may be moved. None are made of what may not be shed. The same in all runs, of which the
        search for the clauses to blame makes thousands.
        """
        ends = pair.fuller, pair.emptier
        if ends not in self._ways:
            amounts: Sequence[Amount] = self.amounts(pair)
            shed = self.seen.shed[pair.fuller]
            if not shed or not may_be_shed(amounts[0].weights, shed):
                amounts = ()
            worth = [a for a in amounts if a.budget.above(a.least) is not False]
            # If all of it weighs 0, another dimension was moved, or idle bundles in this one.
            moved = [
                amount
                for amount in amounts
                if any(amount.weights[one] > 0 for one in shed) or amount in worth
            ]
            ways = [self.demands(a, shed) for a in (moved if worth else amounts)]
            right = [way for way in ways if every(holds for _, holds, _ in way) is not False]
            self._ways[ends] = right[:1] or ways
        return self._ways[ends]

    def never_by_long_term(self, pair: Pair) -> bool:
        """Whether by long-term averages this cannot have been shed: there SHD-97 is exercised."""
        if self.seen.interpretation.long_term:
            return False
        ends = pair.fuller, pair.emptier
        if ends not in self._never_by_long_term:
            shed = self.seen.shed[pair.fuller]
            long = self.amounts_by(partial(self.seen.weights_by, LONG, pair.fuller), pair)
            self._never_by_long_term[ends] = all(
                any(holds is False for _, holds, _ in self.demands(amount, shed)) for amount in long
            )
        return self._never_by_long_term[ends]

    def demands(self, amount: Amount, shed: Sequence[str]) -> list[Demand]:
        """The requirements if this is the dimension that is moved."""
        budget, moved = amount.budget, [amount.weights[bundle] for bundle in shed]
        total = self.tolerance.as_sum(add_in_order(moved))
        left = budget - total
        more = some(
            weight > 0 and Approx(weight).below(left)
            for bundle, weight in amount.weights.items()
            if bundle not in shed
        )
        if not self.tolerance.exact and self.shed_elsewhere & amount.weights.keys() - set(shed):
            more = None  # what another broker sheds that reports it, too, may count as moved
        if budget.at_least(amount.least) is False:
            more = None  # nothing has to be moved (SHD-36), so no more either
        within: Ternary = total.at_most(budget)
        if not any(moved) and not self.tolerance.exact:
            within = True
        if within is None and Approx(add_in_order(amount.weights.values())).above(budget):
            within = True  # all of it, as far as can be known, where more could have been shed
        nearest = within
        if within is False and not self.tolerance.exact:
            lightest = min(weight for weight in moved if weight > 0)
            nearest = total.at_most(budget + self.tolerance.as_sum(lightest / 2))
        return [
            ("SHD-36", budget.at_least(amount.least), lambda: f"although {budget} is too little"),
            ("SHD-35", min(moved) > 0, lambda: "which has no traffic"),
            ("SHD-33", nearest, lambda: f"of {total}, more than {budget}"),
            ("SHD-100", within, lambda: f"of {total}, a little more than {budget}"),
            ("SHD-41", negate(more), lambda: f"but more fits into {budget}"),
        ]


def message(place: str, why: Callable[[], str]) -> str:
    """What is wrong with a demand, and where."""
    return f"{place} {why()}"
