"""A subject's own placement in the loop.

A placement is what it is in a broker: the manager's pipeline leaves some candidates, the strategy
chooses among them, and an overloaded choice is followed by a second one among all brokers. The
subject is asked for each of these steps by the question of the chapter *placement* about it, and
the loop continues with its choice. The clauses of every question asked are compared with the
answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from typing import Final, TypeAlias

from evenkeel.operate.simulate import remote_choices
from evenkeel.operate.simulate.subject_calls import SubjectCalls, Wrong
from evenkeel.properties.placement.candidates import trials
from evenkeel.reference.balancing.balancer import Placement
from evenkeel.reference.balancing.leader import View
from evenkeel.reference.balancing.placements import MANAGER, ExtensibleUsage, Modular, held
from evenkeel.reference.balancing.settings import WEIGHTS, Placer
from evenkeel.reference.load.namespaces import namespace_of
from evenkeel.reference.load.usage import max_weighted_usage
from evenkeel.reference.placement.candidates import BrokerReport, PlacementConfig
from evenkeel.reference.placement.filters import Registration
from evenkeel.reference.shedding.cluster import BrokerId, BundleName

PORT: Final = ":8080"
"""Pulsar's brokers are named host:port."""
CANDIDATES: Final = "placement.candidates"
FILTERS: Final = "placement.filters"
Offers: TypeAlias = tuple[list[list[BrokerId]], BrokerId | None]
"""What is offered, each time, and who gets the bundle in the end."""


Pipeline: TypeAlias = Callable[[BundleName, View, Sequence[BrokerId]], Offers]
"""A manager's candidates: every set that is offered, if the strategy chose so before."""


class RemotePlacement:
    """The subject's placement, with the reference's."""

    def __init__(
        self,
        inner: Placement,
        pipeline: Pipeline,
        choose: remote_choices.Choose,
        calls: SubjectCalls,
    ) -> None:
        self._inner, self._pipeline, self._choose, self._calls = inner, pipeline, choose, calls

    def list_allowed(self, bundle: BundleName, view: View) -> tuple[BrokerId, ...]:
        """The subject's choice alone; it is compared with those that the reference allows."""
        self._calls.now = view.now
        allowed = tuple(sorted(self._inner.list_allowed(bundle, view)))
        found = self._pick(bundle, view)
        log = self._calls.log
        log.placements += 1
        log.open += len(allowed) > 1
        if found not in allowed and (allowed or found is not None):
            right = f"one of {', '.join(allowed)}" if allowed else "no broker"
            heard = f"{bundle} is placed at {found or 'no broker'}, must be at {right}"
            self._calls.object("BAL-11", heard)
        return () if found is None else (found,)

    def _pick(self, bundle: BundleName, view: View) -> remote_choices.Choice:
        chosen: list[BrokerId] = []
        while True:
            offers, last = self._pipeline(bundle, view, chosen)
            if len(offers) <= len(chosen):
                return last
            offered = sorted(offers[len(chosen)])
            choice = self._choose(bundle, offered, view) if offered else None
            if choice is None:
                return chosen[-1] if chosen else None
            chosen.append(choice)

    def note_choice(self, bundle: BundleName, broker: BrokerId, view: View) -> None:
        """The subject knows what it chose; the reference's placement is reported."""
        self._inner.note_choice(bundle, broker, view)


# -------------------------------------------------------------------------- the two managers


def modular_pipeline(inner: Modular, calls: SubjectCalls) -> Pipeline:
    """The modular manager's steps, by `placement.candidates`."""
    settings = inner.settings
    config = PlacementConfig(
        MANAGER,
        distribute_evenly=settings.distribute_evenly,
        overloaded_threshold=settings.overloaded_percent,
    )

    def run(bundle: BundleName, view: View, chosen: Sequence[BrokerId]) -> Offers:
        bundles = reported_once(bundle, held(view))
        brokers = tuple(
            trials.ClusterBroker(broker + PORT, report_of(broker, view), bundles[broker], None)
            for broker in view.active
        )
        first, second = (
            tuple(broker + PORT for broker in one) for one in (chosen[:1], chosen[1:2])
        )
        trial = trials.CandidatesTrial(config, False, brokers, (), (), bundle, True, first, second)
        there = set(view.active) & set(view.cluster.brokers)
        return offered_by(calls.ask_judged(CANDIDATES, trial, no_offers(2, there)))

    return run


def report_of(broker: BrokerId, view: View) -> BrokerReport | None:
    """A broker's report: how full it is, as the usage of its processor."""
    if broker not in view.cluster.brokers:
        return None
    usage = max_weighted_usage(view.cluster.brokers[broker].resources, WEIGHTS)
    return BrokerReport(cpu=usage * 100.0, manager=MANAGER)


def extensible_pipeline(calls: SubjectCalls) -> Pipeline:
    """The extensible manager's filters, by `placement.filters`."""
    config = PlacementConfig(MANAGER)

    def run(bundle: BundleName, view: View, chosen: Sequence[BrokerId]) -> Offers:
        owned: dict[BrokerId, list[BundleName]] = {broker: [] for broker in view.active}
        for name, owner in view.owners.items():
            owned.setdefault(owner, []).append(name)
        registered = Registration(manager=MANAGER)
        brokers = tuple(
            trials.RegisteredBroker(broker + PORT, registered, tuple(owned[broker]), None)
            for broker in view.active
        )
        prefers = tuple(broker + PORT for broker in chosen[:1])
        trial = trials.FiltersTrial(config, False, brokers, (), (), bundle, True, (), prefers)
        return offered_by(calls.ask_judged(FILTERS, trial, no_offers(1, set(view.active))))

    return run


def known_pipeline(inner: Modular) -> Pipeline:
    """The reference's modular manager, for a subject that has strategies alone."""

    def run(bundle: BundleName, view: View, chosen: Sequence[BrokerId]) -> Offers:
        left, everybody = inner.candidates(bundle, view)
        offers = [list(left)] if left else []
        reported = chosen and chosen[0] in view.cluster.brokers
        if reported and inner.is_overloaded(chosen[0], view):
            offers.append(list(everybody))
        return offers, chosen[-1] if chosen else None

    return run


def offer_every_broker(bundle: BundleName, view: View, chosen: Sequence[BrokerId]) -> Offers:
    """The reference's extensible manager, which has nothing to filter by here."""
    return [list(view.active)], chosen[-1] if chosen else None


def reported_once(
    placed: BundleName, bundles: dict[BrokerId, tuple[BundleName, ...]]
) -> dict[BrokerId, tuple[str, ...]]:
    """The bundles that count for each broker, none of them twice.

    An old report may name a bundle that another broker has by now, or the one to be placed. It
    counts for the namespace anyway, and gets a name that no other has.
    """
    known: set[str] = {placed, *(name for names in bundles.values() for name in names)}
    heard: set[str] = {placed}
    found: dict[BrokerId, tuple[str, ...]] = {}
    for broker, names in bundles.items():
        mine = []
        for name in names:
            other: str = name
            while other in heard or (other != name and other in known):
                number = len(heard) + len(known)
                known.add(other)
                other = f"{namespace_of(name)}/{number:#010x}_{number + 1:#010x}"
            heard.add(other)
            mine.append(other)
        found[broker] = tuple(mine)
    return found


def no_offers(most: int, there: Set[BrokerId]) -> Wrong:
    """Why these are no offers to choose from: at most `most`, of brokers that are there."""

    def wrong(answer: trials.CandidatesAnswer) -> str | None:
        if len(answer.offers) > most:
            return f"has {len(answer.offers)} offers, must have {most} at most"
        for offer in answer.offers:
            names = [strip_name(name) for name in offer]
            if len(set(names)) < len(names):
                return "offers a broker twice"
            for name in names:
                if name not in there:
                    return f"offers {name}, which is no broker that is there"
        chosen = None if answer.chosen is None else strip_name(answer.chosen)
        if chosen is not None and chosen not in there:
            return f"chooses {chosen}, which is no broker that is there"
        return None

    return wrong


def offered_by(answer: trials.CandidatesAnswer | None) -> Offers:
    """An answer about candidates, in the scenario's names; nothing for one of no use."""
    if answer is None:
        return [], None
    offers = [[strip_name(name) for name in offer] for offer in answer.offers]
    return offers, None if answer.chosen is None else strip_name(answer.chosen)


def strip_name(name: str) -> BrokerId:
    """The scenario's name of a broker."""
    return BrokerId(name.removesuffix(PORT))


# ------------------------------------------------------------------------------------ hiring


def questions_of(placer: Placer, transfers: bool) -> tuple[str, str]:
    """The questions about the strategy and about the candidates before it."""
    if transfers:
        return remote_choices.EXTENSIBLE, FILTERS
    return STRATEGIES[placer], CANDIDATES


STRATEGIES: Final = {
    Placer.MESSAGE_RATE: remote_choices.RATE,
    Placer.RESOURCE_USAGE: remote_choices.USAGE,
    Placer.ROUND_ROBIN: remote_choices.ROUND_ROBIN,
    Placer.AVG: remote_choices.AVG,
}


def remote_placement(inner: Placement, calls: SubjectCalls) -> Placement:
    """The subject's placement; candidates are the reference's if the subject has none."""
    strategy = remote_choices.strategy_of(inner, calls)
    pipeline: Pipeline
    if isinstance(inner, ExtensibleUsage):
        pipeline = extensible_pipeline(calls) if calls.offers(FILTERS) else offer_every_broker
    elif isinstance(inner, Modular):
        whole = calls.offers(CANDIDATES)
        pipeline = modular_pipeline(inner, calls) if whole else known_pipeline(inner)
    else:
        raise TypeError(f"{type(inner).__name__} is no placement that a subject can be asked for")
    return RemotePlacement(inner, pipeline, strategy, calls)
