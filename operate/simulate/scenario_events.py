"""The events of a scenario file: what happens to which broker, and when."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from evenkeel.operate.simulate.reading import Reader
from evenkeel.operate.simulate.scenario_names import MOST_OF_ONE, brokers_resolved
from evenkeel.reference.balancing import scenario
from evenkeel.reference.balancing.curves import Curve, Replay, scale
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId, BundleName, Millis
from evenkeel_engine.kit.codec import abbreviate

RANGE: Final = re.compile(r"0x([0-9a-f]{1,8})_0x([0-9a-f]{1,8})")


@dataclass(slots=True)
class ServedBundles:
    """The bundles that events can be about, by name: children of splits, too."""

    known: dict[BundleName, scenario.BundleSpec]
    split: set[BundleName] = field(default_factory=set)


def events_of(
    table: Reader, brokers: list[BrokerId], bundles: ServedBundles, end: Millis
) -> list[scenario.Event]:
    """The events of one table; a rolling restart is many."""
    kind, at = table.text("kind"), table.minutes("at")
    if at > end:
        raise table.bad("at", f"must be {end / MINUTE:g} at most, when the run ends")
    if kind not in EVENTS and kind != scenario.Split.DO:
        raise table.bad(
            "kind", f"must be one of {', '.join((*EVENTS, scenario.Split.DO))}, not {kind}"
        )
    found: list[scenario.Event] = []
    if kind == scenario.Split.DO:
        found.append(split(table, at, bundles))
    else:
        found += EVENTS[kind](table, at, brokers)
    table.finish()
    return found


def brokers_of(table: Reader, brokers: list[BrokerId]) -> list[BrokerId]:
    """The brokers that an event is about: one, or those of a range."""
    return brokers_resolved(table, "broker", [table.text("broker")], brokers, "no broker")


def restart_in_turn(table: Reader, at: Millis, brokers: list[BrokerId]) -> list[scenario.Event]:
    """One broker after the other leaves and comes back."""
    every, down = table.minutes("every"), table.minutes("down", 1.0)
    events: list[scenario.Event] = []
    for index, broker in enumerate(brokers):
        leaves = at + index * every
        events += [scenario.Leave(leaves, broker), scenario.Join(leaves + down, broker)]
    return events


def restart(table: Reader, at: Millis, brokers: list[BrokerId]) -> list[scenario.Event]:
    """A broker leaves and comes back."""
    down = table.minutes("down", 1.0)
    pairs = [
        (scenario.Leave(at, one), scenario.Join(at + down, one))
        for one in brokers_of(table, brokers)
    ]
    return [event for pair in pairs for event in pair]


def split(table: Reader, at: Millis, bundles: ServedBundles) -> scenario.Split:
    """A bundle is split into equal parts, each with its share of the traffic."""
    name = BundleName(table.text("bundle"))
    if name not in bundles.known or name in bundles.split:
        wrong = "split already" if name in bundles.split else "no bundle"
        raise table.bad("bundle", f"{abbreviate(name)} is {wrong}")
    parts = table.whole("parts", 2, least=2, most=MOST_OF_ONE)
    namespace, _, cut = name.rpartition("/")
    ends = RANGE.fullmatch(cut)
    low, high = (int(end, 16) for end in ends.groups()) if ends else (0, 0)
    if high - low < parts:
        raise table.bad("parts", f"{abbreviate(name)} cannot be cut into {parts}")
    cuts = [low + (high - low) * number // parts for number in range(parts + 1)]
    parent = bundles.known[name]
    part = replace(
        parent,
        traffic=scale(parent.traffic, 1 / parts),
        curve=part_of(parent.curve, 1 / parts),
        owner=None,
    )
    children = tuple(
        replace(part, name=BundleName(f"{namespace}/{a:#010x}_{b:#010x}"))
        for a, b in pairwise(cuts)
    )
    bundles.split.add(name)
    bundles.known |= {child.name: child for child in children}
    return scenario.Split(at, name, children, table.flag("unload", True))


def part_of(curve: Curve, share: float) -> Curve:
    """The curve of a part of a bundle: only what is replayed has numbers of its own."""
    if not isinstance(curve, Replay):
        return curve
    return Replay(tuple(replace(row, traffic=scale(row.traffic, share)) for row in curve.rows))


Make = Callable[[Reader, Millis, list[BrokerId]], list[scenario.Event]]


def of_each(kind: Callable[..., scenario.Event], *reads: Callable[[Reader], float]) -> Make:
    """An event of each broker that is named, with what else its table must say."""

    def make(table: Reader, at: Millis, brokers: list[BrokerId]) -> list[scenario.Event]:
        more = [read(table) for read in reads]
        return [kind(at, one, *more) for one in brokers_of(table, brokers)]

    return make


def read_lasts(table: Reader) -> Millis:
    """For how long."""
    return table.minutes("lasts")


EVENTS: Final[dict[str, Make]] = {
    "join": of_each(scenario.Join),
    "leave": of_each(scenario.Leave),
    "crash": of_each(scenario.Crash),
    "restart": restart,
    "rolling-restart": restart_in_turn,
    "leader-change": lambda table, at, brokers: [scenario.LeaderChange(at)],
    "slow": of_each(
        scenario.Slow,
        lambda table: table.number("factor", least=scenario.LEAST_SPEED, most=1.0),
        read_lasts,
    ),
    "delay-reports": of_each(scenario.DelayReports, lambda table: table.minutes("by"), read_lasts),
    "lose-reports": of_each(scenario.LoseReports, read_lasts),
}
