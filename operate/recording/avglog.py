"""Rounds of AvgShedder, by the leader's log: how brokers were ranked, how many rounds in a row each
differed, which pairs were to shed how much, and what was unloaded to whom.

Unlike other strategies of the modular manager it logs every round, also those that move nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from evenkeel.operate.recording import modularlog
from evenkeel.operate.recording.leaderlog import names_in, parse_java_number, time_of
from evenkeel.operate.recording.modularlog import LoggedModular, strip_scheme
from evenkeel.reference.shedding.avg import Hits

_BEGINS: Final = re.compile(r"AvgShedder - sorted broker list:\[([^\]]*)\]")
_HITS: Final = re.compile(
    r"AvgShedder - brokerHitCountForHigh:\{([^}]*)\}, brokerHitCountForLow:\{([^}]*)\}"
)
_PLAN: Final = re.compile(
    r"AvgShedder - broker:\[([^\]]+)\] is planning to shed bundles to broker:\[([^\]]+)\]"
)
_STATS: Final = re.compile(r"scores:([^,\s]+), throughput:([^,\s]+), msgRate:(\S+?)\.? ")
_TO: Final = re.compile(r" to dest broker (\S+)")
LONG: Final = 300_000
"""Milliseconds after a round's beginning in which it has ended: an unload may take a while."""


@dataclass(frozen=True, slots=True)
class Offload:
    """A pair that acts. `stats`: score, throughput and message rate of both, if reported."""

    fuller: str
    emptier: str
    stats: tuple[tuple[float, ...], ...] = ()


@dataclass(slots=True)
class AvgRound(LoggedModular):
    """One round. `hits`: with this round's, before any are spent; None if that was not logged."""

    ranked: tuple[str, ...] = ()
    """From the emptiest to the fullest."""
    hits: dict[str, Hits] | None = None
    offloads: list[Offload] = field(default_factory=list)
    taken_by: dict[str, str] = field(default_factory=dict)
    """Bundle: the broker that it was unloaded to."""

    @property
    def left(self) -> dict[str, Hits]:
        """The hits after the round: those of pairs that acted are spent; where no pair differs
        enough, none is left.
        """
        if not any(broker in (self.hits or {}) for broker in self.ranked):
            return {}
        removed = {end for one in self.offloads for end in (one.fuller, one.emptier)}
        return {broker: one for broker, one in (self.hits or {}).items() if broker not in removed}

    def find_planned(self, broker: str) -> str | None:
        """For whom a broker's bundles were planned."""
        return next((one.emptier for one in self.offloads if one.fuller == broker), None)


def avg_rounds_of(lines: Iterable[tuple[str, str]]) -> list[AvgRound]:
    """The rounds in lines of logs, each with the broker whose log it is in."""
    found: list[AvgRound] = []
    open_: dict[str, AvgRound] = {}
    for broker, line in lines:
        if (at := time_of(line)) is None:
            continue
        if (begins := _BEGINS.search(line)) is not None:
            ranked = tuple(map(strip_scheme, names_in(begins[1])))
            open_[broker] = AvgRound(broker, at, at, strategy="AvgShedder", ranked=ranked)
            found.append(open_[broker])
        elif broker in open_ and at - open_[broker].at <= LONG:
            take(open_[broker], line, at)
    return found


def take(one: AvgRound, line: str, at: int) -> None:
    """What a line adds to a round."""
    if (hits := _HITS.search(line)) is not None:
        high, low = counts_in(hits[1]), counts_in(hits[2])
        one.hits = {name: Hits(low.get(name, 0), high.get(name, 0)) for name in {*low, *high}}
    elif (plan := _PLAN.search(line)) is not None:
        stats = tuple(tuple(map(parse_java_number, found)) for found in _STATS.findall(line))
        one.offloads.append(Offload(strip_scheme(plan[1]), strip_scheme(plan[2]), stats))
    elif (shed := modularlog.SHED.search(line)) is not None and shed[1] == "AvgShedder":
        bundle = modularlog.take(one, shed, at)
        if (to := _TO.search(line)) is not None:
            one.taken_by[bundle] = strip_scheme(to[1].rstrip(".,"))
    else:
        return
    one.until = at


def counts_in(text: str) -> dict[str, int]:
    """What Java prints of a map of counts: a=1, b=2."""
    return {
        strip_scheme(name.strip()): int(count)
        for name, _, count in (part.rpartition("=") for part in text.split(",") if "=" in part)
        if count.strip().isdigit()
    }
