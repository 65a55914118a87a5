"""AvgShedder's plan in the loop: where the bundles that it shed are to go.

Shedder and placement are one object in Pulsar and share the plan. Which entry is found is the
matter of `reference.placement.planned`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from evenkeel.reference.balancing.balancer import Shed
from evenkeel.reference.balancing.leader import View
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.averages import BundleAverages, guess
from evenkeel.reference.placement import planned
from evenkeel.reference.placement.planned import Statistics
from evenkeel.reference.shedding.cluster import BrokerId, BundleName, Millis


@dataclass(frozen=True, slots=True)
class Put:
    """This was planned while bundles had these statistics; `source` sheds the bundle."""

    now: Mapping[str, Statistics]
    bundle: BundleName
    broker: BrokerId
    source: BrokerId


class Plans:
    """The plan of one leader. `puts` are the shedder's moves, in the order of time."""

    def __init__(self, edition: Edition) -> None:
        self._edition = edition
        self._plan: planned.Plan = ()
        self._round: Millis | None = None
        self._numbers: dict[BundleAverages, int] = {}
        self._averages: Mapping[str, BundleAverages] = {}
        self._now: dict[str, Statistics] = {}
        self.puts: list[Put] = []

    def now(self, view: View, bundle: BundleName) -> Mapping[str, Statistics]:
        """What distinguishes bundles now: equal numbers for equal averages, samples included.

        A bundle that is not reported is taken for an unseen one, so all of these are alike.
        Source: ModularLoadManagerImpl.getBundleDataOrDefault, BundleData.equals 4.0.8.
        """
        if view.averages is not self._averages:  # a report has come since the look before
            self._averages = view.averages
            self._now = {name: self._number(known) for name, known in view.averages.items()}
        for name in (bundle, *(entry.bundle for entry in self._plan)):
            if name not in self._now:
                self._now[name] = self._number(guess())
        return self._now

    def _number(self, averages: BundleAverages) -> Statistics:
        return Statistics(rate=self._numbers.setdefault(averages, len(self._numbers)))

    def is_over(self, view: View) -> bool:
        """Whether the round that planned last is over: lookups come before a round."""
        return view.now != self._round

    def moves(
        self, view: View, destinations: Mapping[BundleName, BrokerId], sheds: Iterable[Shed]
    ) -> None:
        """The shedder plans bundles that it sheds; the last broker that sheds one counts."""
        self._plan = planned.lasting(self._plan, True, self._edition)
        self._round = view.now
        sources = {shed.bundle: shed.source for shed in sheds}
        for bundle, broker in destinations.items():
            now, source = self.now(view, bundle), sources.get(bundle, BrokerId(""))
            self._plan = planned.put(self._plan, bundle, broker, source, now, self._edition)
            self.puts.append(Put(now, bundle, broker, source))

    def list_allowed(
        self,
        view: View,
        bundle: BundleName,
        candidates: Sequence[BrokerId],
        full: Collection[BrokerId],
    ) -> tuple[BrokerId, ...]:
        """The planned broker if it is a candidate, else every candidate; `full` are overloaded."""
        self._plan = planned.lasting(self._plan, self.is_over(view), self._edition)
        now = self.now(view, bundle)
        found = planned.list_allowed(self._plan, bundle, candidates, full, now, self._edition)
        return tuple(map(BrokerId, found))

    def settle(self, view: View, bundle: BundleName, broker: BrokerId) -> None:
        """A bundle was placed: its plan is carried out; in 4.0 the choice is the plan."""
        now = self.now(view, bundle)
        self._plan = planned.settle(self._plan, bundle, broker, now, self._edition)
