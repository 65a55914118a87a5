"""The answers that ThresholdShedder can give in an edition, whatever order its maps are in.

The order of brokers decides the last bits of the average, and which of several equally loaded
brokers sheds for one below the lower boundary. Of equally heavy bundles any may go first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import Final

from evenkeel.properties.paths import some_path
from evenkeel.properties.shedding.rounds import Shed
from evenkeel.properties.shedding.trials_threshold import ThresholdTrial
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding import threshold
from evenkeel.reference.shedding.cluster import BrokerId, BundleName, Cluster, Decision
from evenkeel.reference.shedding.selecting import heaviest_first, short_throughput
from evenkeel.reference.shedding.threshold import History

FEW: Final = 6

Scores = frozenset[tuple[BrokerId, float]]
"""A history as a state of the search."""

Told = tuple[int, Cluster, tuple[Shed, ...]]
"""A round's number, what the shedder was given, and what it shed."""


def orders(cluster: Cluster) -> Iterator[Cluster]:
    """The cluster with its brokers in several orders, the trial's own first."""
    items = list(cluster.brokers.items())
    if all_orders_tried(cluster):
        for order in permutations(items):
            yield replace(cluster, brokers=dict(order))
        return
    for first in range(len(items)):
        yield replace(cluster, brokers=dict(items[first:] + items[:first]))


def all_orders_tried(cluster: Cluster) -> bool:
    """Whether every order is; of many brokers, only every broker comes first once."""
    return len(cluster.brokers) <= FEW


def weights(cluster: Cluster, broker: BrokerId, bundles: tuple[str, ...]) -> tuple[float, ...]:
    """What these bundles of a broker weigh; nothing else can be said of them."""
    movable = heaviest_first(cluster, cluster.brokers[broker], short_throughput)
    return tuple(movable.get(BundleName(bundle), -1.0) for bundle in bundles)


def same(cluster: Cluster, shed: tuple[Shed, ...], right: Decision) -> bool:
    """The same brokers shed bundles of the same weights in the same order, none twice."""
    observed = {BrokerId(entry.broker): entry.bundles for entry in shed if entry.bundles}
    return observed.keys() == right.keys() and all(
        len(set(bundles)) == len(bundles)
        and weights(cluster, broker, bundles) == weights(cluster, broker, right[broker])
        for broker, bundles in observed.items()
    )


@dataclass(slots=True)
class Search:
    """A search for orders that explain all decisions; `deepest` is the round it never got past."""

    trial: ThresholdTrial
    told: list[Told]
    edition: Edition
    deepest: int = 0
    right: Decision = field(default_factory=dict)

    def explains(self) -> bool:
        """Whether the decisions can be made, from no history on."""
        return some_path(frozenset(threshold.NO_HISTORY.items()), self.nexts, len(self.told))

    def nexts(self, place: int, before: Scores) -> Iterator[Scores]:
        """The histories with which a round can end as observed if it begins with this one."""
        history: History = dict(before)
        active = self.trial.active(place)
        if active is not None:
            history = threshold.departed(history, set(map(BrokerId, active)))
        _, cluster, shed = self.told[place]
        rules = self.trial.config.rules
        for number, ordered in enumerate(orders(cluster)):
            after, right = threshold.shed(history, ordered, rules, self.edition)
            if number == 0 and place >= self.deepest:
                self.deepest, self.right = place, right
            if same(cluster, shed, right):
                yield frozenset(after.items())
