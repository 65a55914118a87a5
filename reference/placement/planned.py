"""AvgShedder as placement: a bundle goes where the shedder planned it.

Source: document 002, "AvgShedder" (it binds shedding and placement together); PIP-364;
AvgShedder.selectBroker 4.0.8.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from evenkeel.reference.edition import Edition
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Breakage


class DividedByNone(Breakage):
    """A broker was to be chosen from no candidates."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """A bundle's statistics as far as they distinguish bundles.

    `rate` in msg/s, `throughput` in bytes/s; `topics` how many topics.
    """

    rate: int = 0
    throughput: int = 0
    topics: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """`bundle` is planned for `broker`; `statistics` are what they were when it was planned.

    `source`: the broker that sheds it.
    """

    bundle: str
    statistics: Statistics
    broker: str
    source: str = ""


Plan = tuple[Entry, ...]


@states("PLC-20", "PLC-21")
def find(plan: Plan, bundle: str, now: Mapping[str, Statistics], edition: Edition) -> int | None:
    """The place of the entry for a bundle.

    In 4.0 a map from the statistics' values, which change while they are in it: an entry is found
    by a bundle whose statistics are now what the entry's were when it was planned, and still are,
    or whose own entry it is.
    """
    for place, entry in enumerate(plan):
        if not edition.plans_keyed_by_value:
            if entry.bundle == bundle:
                return place
        elif entry.statistics == now[bundle] and (
            entry.bundle == bundle or now[entry.bundle] == now[bundle]
        ):
            return place
    return None


@states("PLC-21")
def put(
    plan: Plan,
    bundle: str,
    broker: str,
    source: str,
    now: Mapping[str, Statistics],
    edition: Edition,
) -> Plan:
    """The plan with this bundle of `source` for this broker; an entry that is found is changed."""
    place = find(plan, bundle, now, edition)
    if place is None:
        return (*plan, Entry(bundle, now[bundle], broker, source))
    old = plan[place]
    return (*plan[:place], Entry(old.bundle, old.statistics, broker, source), *plan[place + 1 :])


@states("PLC-21")
def lasting(plan: Plan, ended: bool, edition: Edition) -> Plan:
    """What is left of a plan; `ended`: the round that made it is over."""
    return () if ended and edition.plans_end_with_round else plan


@states("PLC-20")
def find_planned(
    plan: Plan,
    bundle: str,
    candidates: Sequence[str],
    now: Mapping[str, Statistics],
    edition: Edition,
) -> str | None:
    """The planned broker, if it is a candidate."""
    place = find(plan, bundle, now, edition)
    if place is None or plan[place].broker not in candidates:
        return None
    return plan[place].broker


@states("PLC-21")
def suitable(entry: Entry, candidates: Sequence[str], full: Collection[str]) -> tuple[str, ...]:
    """The candidates that a plan leaves where it avoids overloaded brokers, of which `full` are."""
    others = tuple(broker for broker in candidates if broker != entry.source)
    if entry.broker not in candidates:
        return others
    fit = tuple(broker for broker in others if broker not in full)
    return fit if entry.broker in full and fit else (entry.broker,)


@states("PLC-4", "PLC-5", "PLC-20", "PLC-21")
def list_allowed(
    plan: Plan,
    bundle: str,
    candidates: Sequence[str],
    full: Collection[str],
    now: Mapping[str, Statistics],
    edition: Edition,
) -> tuple[str, ...]:
    """The brokers that a bundle may get: the planned one, else any candidate.

    `full`: those that are overloaded.
    """
    place = find(plan, bundle, now, edition)
    if place is not None and edition.plans_avoid_overload:
        return tuple(sorted(suitable(plan[place], candidates, full)))
    chosen = find_planned(plan, bundle, candidates, now, edition)
    if chosen is not None:
        return (chosen,)
    if not candidates and edition.planned_placement_needs_candidates:
        raise DividedByNone(bundle)
    return tuple(sorted(candidates))


@states("PLC-20", "PLC-21")
def settle(
    plan: Plan, bundle: str, chosen: str, now: Mapping[str, Statistics], edition: Edition
) -> Plan:
    """The plan after a bundle was placed.

    A plan is for one move: it has been carried out. In 4.0 the choice is the plan from now on, in
    PULSAR_5_0_1 the plan stays what it was.
    """
    if edition.plans_stay:
        planned = edition.random_choices_planned
        return put(plan, bundle, chosen, "", now, edition) if planned else plan
    return tuple(entry for entry in plan if entry.bundle != bundle)
