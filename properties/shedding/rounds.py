"""What trials about modular shedders share: rounds of reports, and what was decided in each.

JSON names are the field names, except for configuration keys, which keep Pulsar's spelling
(`field(metadata={"wire": ...})`). Rates are messages per second, throughput bytes per second,
times milliseconds.

Whatever a subject sheds in a round is unloaded at the round's time and enters its grace period,
unless the round lists it in `failing`. Reports are the trial's: a bundle that was shed may be
served by the same broker in the next round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from evenkeel.properties.names import require_bundle, require_name
from evenkeel.properties.trial import BadTrial, require, require_bounds, require_different
from evenkeel.reference.load.namespaces import is_monitoring, namespace_of
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resource, Resources
from evenkeel.reference.shedding.cluster import Millis
from evenkeel.reference.shedding.settings import GraceRules

EXACT: Final = 2**53


def require_amounts(place: str, *amounts: float) -> None:
    """Amounts as reports can hold them: finite, 0 or more, and whole ones exact as doubles."""
    for amount in amounts:
        if not 0 <= amount < EXACT:
            raise BadTrial(place, "must be 0 or more, below 2^53")


def require_traffic(place: str, traffic: Traffic) -> None:
    """Rates and throughput as they can be."""
    require_amounts(
        place,
        traffic.msg_rate_in,
        traffic.msg_rate_out,
        traffic.throughput_in,
        traffic.throughput_out,
    )


def require_resource(resource: Resource) -> None:
    """A usage that was measured (-1: could not be), a limit that is nothing or not tiny."""
    if not abs(resource.usage) < EXACT:
        raise BadTrial("resources", "usage must be below 2^53")
    if not (resource.limit == 0 or 0.001 <= resource.limit < EXACT):
        raise BadTrial("resources", "a limit must be 0, or 0.001 to 2^53")


@dataclass(frozen=True, slots=True)
class ReportedBroker:
    """A broker's report: usage, traffic, the bundles it serves.

    A usage of -1 could not be measured; a limit is 0, or 0.001 and more.
    """

    broker: str
    resources: Resources
    traffic: Traffic
    bundles: tuple[str, ...]

    def __post_init__(self) -> None:
        require_name("broker", self.broker)
        require_traffic("traffic", self.traffic)
        for resource in (
            self.resources.cpu,
            self.resources.memory,
            self.resources.direct_memory,
            self.resources.bandwidth_in,
            self.resources.bandwidth_out,
        ):
            require_resource(resource)
        for bundle in self.bundles:
            require_bundle("bundles", bundle)
        require_different("bundles", self.bundles)


@dataclass(frozen=True, slots=True)
class AveragedBundle:
    """Averages of a bundle's traffic, over few and over many samples."""

    bundle: str
    short_term: Traffic
    long_term: Traffic

    def __post_init__(self) -> None:
        require_bundle("bundle", self.bundle)
        require_traffic("short_term", self.short_term)
        require_traffic("long_term", self.long_term)


@dataclass(frozen=True, slots=True)
class ModularRound:
    """One shedding round, at `at` (ms): what the leader knows, and which unloads would fail.

    The adapter carries unloads from round to round: what is shed in a round is recently unloaded
    since `at` in the next ones, until its grace period is over. A bundle in `failing` is not,
    because its unload fails; the answer names it all the same.

    A bundle that has just changed its broker can be in several reports, in each once. Bundles
    without averages can be reported, averages of bundles that nobody serves can be known.
    """

    at: Millis
    brokers: tuple[ReportedBroker, ...]
    bundles: tuple[AveragedBundle, ...]
    failing: tuple[str, ...]

    def __post_init__(self) -> None:
        require(0 <= self.at < EXACT, "at", "must be 0 or more, below 2^53")
        require_different("brokers", (reported.broker for reported in self.brokers))
        require_different("bundles", (averages.bundle for averages in self.bundles))


@dataclass(frozen=True, slots=True)
class Unloaded:
    """A bundle that was unloaded before the first round, at `at` (ms)."""

    bundle: str
    at: Millis

    def __post_init__(self) -> None:
        require_bundle("bundle", self.bundle)
        require(0 <= self.at < EXACT, "at", "must be 0 or more, below 2^53")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundsTrial:
    """A shedder's rounds, in the order of time; a trial of a strategy has its own settings."""

    recently_unloaded: tuple[Unloaded, ...] = ()
    rounds: tuple[ModularRound, ...]
    config: GraceRules

    def __post_init__(self) -> None:
        require_bounds(self.config)
        times = [round_.at for round_ in self.rounds]
        require(times == sorted(times), "rounds", "must be in the order of time")
        require_different("recently_unloaded", (gone.bundle for gone in self.recently_unloaded))


@dataclass(frozen=True, slots=True)
class Shed:
    """The bundles that one broker is to shed, in the order in which they were chosen."""

    broker: str
    bundles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SheddingAnswer:
    """For each round the brokers that shed, each named once, in any order."""

    rounds: tuple[tuple[Shed, ...], ...]


def bundles_in(shed: tuple[Shed, ...]) -> Iterator[str]:
    """All bundles that are shed."""
    return (bundle for entry in shed for bundle in entry.bundles)


def shared_in(round_: ModularRound) -> frozenset[str]:
    """The bundles in several reports: one broker has just got them from another."""
    lists = [reported.bundles for reported in round_.brokers]
    if len(set().union(*lists)) == sum(map(len, lists)):
        return frozenset()
    times = Counter(bundle for bundles in lists for bundle in set(bundles))
    return frozenset(bundle for bundle, reports in times.items() if reports > 1)


def misses_a_round(rounds: Iterable[ModularRound]) -> bool:
    """Whether a broker is not there in a round and then is again."""
    there = [{report.broker for report in round_.brokers} for round_ in rounds]
    known, back = set[str](), False
    for before, now in pairwise(there):
        known |= before
        back = back or not (now - before).isdisjoint(known)
    return back


def labels_of_rounds(trial: RoundsTrial) -> Iterator[str]:
    """What the rounds contain."""
    yield "one round" if len(trial.rounds) == 1 else "several rounds"
    if trial.recently_unloaded:
        yield "unloaded before"
    served = {b for round_ in trial.rounds for report in round_.brokers for b in report.bundles}
    if any(is_monitoring(namespace_of(bundle)) for bundle in served):
        yield "monitoring bundles"
    if any(len(report.bundles) == 1 for round_ in trial.rounds for report in round_.brokers):
        yield "a sole bundle"
    if any(map(shared_in, trial.rounds)):
        yield "a bundle in two reports"
