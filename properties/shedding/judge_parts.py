"""Interpretations of the documents, one of which all rounds of a shedder follow; judges' inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from itertools import pairwise, product
from operator import attrgetter
from typing import Any, Final, Protocol, TypeAlias

from evenkeel.properties.shedding.trial_parts import (
    AveragedBundle,
    ModularRound,
    ReportedBroker,
    SheddingAnswer,
    shared_in,
)
from evenkeel.properties.tolerance import tolerance_of
from evenkeel.properties.usage import in_single, max_usage
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.namespaces import is_monitoring, namespace_of
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Weights
from evenkeel.reference.shedding.cluster import MINUTE, Millis
from evenkeel_engine.kit.approx import Approx, Ternary, add_in_order
from evenkeel_engine.kit.clause import Case, in_full
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.run import Program, Run, Sentence, State

OWN: Final = ("pulsar/", "sla-monitor/")
"""The tenants that are Pulsar's own."""


class Belonging(Enum):
    """How a broker treats bundles that it reports and does not shed.

    In 4.0 a bundle in several reports counts as this broker's. The documents are silent, and only
    one of the brokers serves it: the others may leave it out when they choose bundles, or also when
    they count their own.
    """

    COUNTED = "counted"
    LEFT_OUT = "left out"
    NOT_SERVED = "not served"


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One interpretation of all rounds: what the documents leave open, and departures from
    practice.

    `shared`: how bundles in several reports count. `long_term`: bundles weigh their long-term
    averages (SHD-97). `all_count`: monitoring bundles count towards several (SHD-8). `alone`:
    bundles that are never shed because they are Pulsar's own (SHD-2); `alone_count`: they count
    towards several.
    """

    shared: Belonging = Belonging.COUNTED
    long_term: bool = False
    all_count: bool = False
    alone: frozenset[str] = frozenset()
    alone_count: bool = False


def interpretations_of(case: Case[Any, Any], *, counting: bool = False) -> Iterator[Interpretation]:
    """The interpretations of bundles in several reports that the edition leaves open, if the trial
    has any; then departures from practice, so that their consequences are not reported as
    violations.

    `counting`: whether counting monitoring bundles matters beyond SHD-8 itself.
    """
    if tolerance_of(case.edition).exact:
        yield Interpretation()
        return
    given = case.trial.rounds
    served = frozenset(b for round_ in given for report in round_.brokers for b in report.bundles)
    differ = any(b.long_term != b.short_term for round_ in given for b in round_.bundles)
    clustered = case.edition.clustered_monitors
    monitored = any(is_monitors(bundle, clustered) for bundle in served)
    alone = left_alone(case.observation, served, clustered)
    for all_count, (left, left_count), long_term, shared in product(
        (False, True) if counting and monitored else (False,),
        [(frozenset[str](), False), *([(alone, True), (alone, False)] if alone else ())],
        (False, True) if differ else (False,),
        tuple(Belonging) if any(map(shared_in, given)) else (Belonging.COUNTED,),
    ):
        yield Interpretation(shared, long_term, all_count, left, left_count)


def left_alone(answer: Any, served: AbstractSet[str], clustered: bool) -> frozenset[str]:
    """The bundles of Pulsar's namespaces, but for monitoring ones, of which none is shed."""
    rounds = getattr(answer, "rounds", ())
    shed = {getattr(b, "bundle", b) for round_ in rounds for one in round_ for b in one.bundles}
    going = set(map(namespace_of, shed))
    return frozenset(
        bundle
        for bundle in served
        if bundle.startswith(OWN)
        and not is_monitors(bundle, clustered)
        and namespace_of(bundle) not in going
    )


@lru_cache(4096)
def is_monitors(bundle: str, clustered: bool) -> bool:
    """Whether a bundle belongs to a monitoring namespace, with or without its cluster's name."""
    return is_monitoring(namespace_of(bundle), clustered)


@lru_cache(4096)
def own_bundles(bundles: tuple[str, ...], clustered: bool) -> int:
    """The number of a broker's bundles that are not of monitoring namespaces."""
    return sum(not is_monitors(bundle, clustered) for bundle in bundles)


GRACE: Final = "SHD-3"
GRACE_BY_HABIT: Final = "SHD-101"
"""The clause about grace periods of shedders of which a document names them, and of the others."""

MOVABLE: Final = ("SHD-1", "SHD-2", GRACE, "SHD-4", "SHD-5")
MOVABLE_BY_HABIT: Final = ("SHD-1", "SHD-2", GRACE_BY_HABIT, "SHD-4", "SHD-5")
"""The clauses about what may be shed at all."""

WEIGHED: Final = ("SHD-97",)
"""The clause about what a bundle weighs."""

SHORT, LONG = attrgetter("short_term"), attrgetter("long_term")
"""The averages of a bundle."""

BESIDES_MONITORING: Final = "SHD-8"

SOLE: Final = ("SHD-7", BESIDES_MONITORING)
"""The clauses about a broker's last bundle, where a document names the shedder."""

Measure: TypeAlias = Callable[[Traffic], float]
"""What is measured of traffic."""

Breach: TypeAlias = tuple[str, str, str]
"""A violated clause, a sentence, and a kind."""


@dataclass(frozen=True, slots=True)
class ObservedRound:
    """One round: its number, the shedder's input, and what each broker is to shed.

    `in_grace`: the bundles inside their grace period, and when they were unloaded. `exercised`: the
    clauses about every shedder that some answer would violate; `breaches`: those that this one
    violates. `shared`: the bundles in several reports.
    """

    number: int
    brokers: Mapping[str, ReportedBroker]
    averages: Mapping[str, AveragedBundle]
    in_grace: Mapping[str, Millis]
    shed: Mapping[str, tuple[str, ...]]
    exercised: tuple[str, ...]
    breaches: tuple[Breach, ...]
    shared: frozenset[str]
    interpretation: Interpretation
    edition: Edition

    def is_movable(self, bundle: str, shed: tuple[str, ...] = ()) -> bool:
        """Whether its broker may shed a bundle at all (SHD-2, SHD-3, SHD-5, SHD-101).

        One that is shed within its grace period breaks that clause, and otherwise counts as
        movable: an error about the period is not reported again as its consequences.
        """
        resting = bundle in self.in_grace and bundle not in shed
        return (
            bundle in self.averages
            and not resting
            and not is_monitors(bundle, self.edition.clustered_monitors)
        )

    def weights(self, broker: str, measure: Measure) -> dict[str, float]:
        """What the movable bundles of a broker weigh, by their short-term averages (SHD-97)."""
        return self.weights_by(LONG if self.interpretation.long_term else SHORT, broker, measure)

    def weights_by(
        self, average: Callable[[AveragedBundle], Traffic], broker: str, measure: Measure
    ) -> dict[str, float]:
        """The weights of the movable bundles by these averages."""
        shed = self.shed.get(broker, ())
        return {
            bundle: measure(average(self.averages[bundle]))
            for bundle in self.counting(broker, Belonging.COUNTED)
            if self.is_movable(bundle, shed) and bundle not in self.interpretation.alone
        }

    def list_served(self, broker: str) -> tuple[str, ...]:
        """The bundles that decide whether a broker has several. For a broker that sheds, all that
        it reports: it would not shed a sole bundle, whichever broker serves the others (SHD-7).
        """
        counted = (Belonging.COUNTED, Belonging.LEFT_OUT)
        sheds = bool(self.shed.get(broker))
        bundles = self.counting(broker, *(Belonging if sheds else counted))
        alone = frozenset[str]() if self.interpretation.alone_count else self.interpretation.alone
        return tuple(b for b in bundles if b not in alone) if alone else bundles

    def counting(self, broker: str, *ways: Belonging) -> tuple[str, ...]:
        """The bundles that a broker reports; in other interpretations than `ways`, without those
        that others report too, unless it sheds them.
        """
        bundles = self.brokers[broker].bundles
        if not self.shared or self.interpretation.shared in ways:
            return bundles
        stay = self.shared - {*self.shed.get(broker, ())}
        return tuple(bundle for bundle in bundles if bundle not in stay)


@dataclass(frozen=True, slots=True)
class Broker:
    """One broker in one round. `usage` is a fraction, `traffic` in bytes per second.

    `weights`: what its movable bundles weigh, if it has several bundles.
    """

    name: str
    place: str
    report: ReportedBroker
    usage: float
    traffic: float
    several: bool
    weights: Mapping[str, float]
    shed: tuple[str, ...]


def msg_rate(traffic: Traffic) -> float:
    """Messages per second, in plus out."""
    return traffic.msg_rate_in + traffic.msg_rate_out


def throughput(traffic: Traffic) -> float:
    """Bytes per second, in plus out."""
    return traffic.throughput_in + traffic.throughput_out


def brokers_of(
    rounds: Iterable[ObservedRound],
    weights: Weights,
    edition: Edition,
    rounded: bool = False,
    measure: Measure = throughput,
) -> list[list[Broker]]:
    """The brokers of each round, usages computed once; `rounded`: to single precision at last.
    `measure`: what bundles weigh, their throughput by default.
    """
    usages: dict[int, float] = {}
    tolerance = tolerance_of(edition)

    def usage_of(report: ReportedBroker) -> float:
        if (known := usages.get(id(report))) is None:
            known = max_usage(report.resources, weights, tolerance)
            known = usages[id(report)] = in_single(known) if rounded else known
        return known

    def broker(seen: ObservedRound, name: str, report: ReportedBroker) -> Broker:
        several = has_several(seen.list_served(name), edition, seen.interpretation.all_count)
        return Broker(
            name,
            f"round {seen.number}, {name}",
            report,
            usage_of(report),
            throughput(report.traffic),
            several,
            seen.weights(name, measure) if several else {},
            seen.shed.get(name, ()),
        )

    return [[broker(seen, *entry) for entry in seen.brokers.items()] for seen in rounds]


def memory_weights(case: Case[Any, Any]) -> list[Weights]:
    """The weights by which usages can be computed: the configured ones, or by document 001, which
    has one kind of memory: without direct memory. Heap memory has the weight 0.
    """
    configured: Weights = case.trial.config.weights
    ways = [configured]
    if not tolerance_of(case.edition).exact:
        ways.append(replace(configured, direct_memory=0.0))
    return different_weights(case, ways)


def different_weights(case: Case[Any, Any], ways: Iterable[Weights]) -> list[Weights]:
    """The first of those weights that give the same usages in all reports of a trial."""
    tolerance = tolerance_of(case.edition)
    reports = [report for round_ in case.trial.rounds for report in round_.brokers]
    different: dict[tuple[float, ...], Weights] = {}
    for weights in ways:
        usages = tuple(max_usage(report.resources, weights, tolerance) for report in reports)
        different.setdefault(usages, weights)
    return [*different.values()]


def has_several(bundles: tuple[str, ...], edition: Edition, all_count: bool = False) -> bool:
    """Whether a broker serves at least two bundles. Whether monitoring ones count depends on the
    edition (SHD-7, SHD-8), or on `all_count`, which departs from it.
    """
    all_count = all_count or edition.monitoring_bundles_count
    own = own_bundles(bundles, edition.clustered_monitors)
    return (len(bundles) if all_count else own) > 1


def fault_of(case: Case[Any, Any], answer_type: type = SheddingAnswer) -> str | None:
    """Why an observation does not answer the trial; None if it does."""
    if not isinstance(case.observation, answer_type):
        return f"bundles must be named, but the subject {in_full(case.observation)}"
    answer: Any = case.observation
    if len(answer.rounds) != len(case.trial.rounds):
        return f"{len(answer.rounds)} rounds are answered, not {len(case.trial.rounds)}"
    for round_ in answer.rounds:
        if len({entry.broker for entry in round_}) != len(round_):
            return f"a broker is named twice: {display(round_)}"
    return None


def observed_rounds(
    case: Case[Any, Any],
    interpretation: Interpretation,
    bundles_of: Callable[[Any], tuple[str, ...]] = attrgetter("bundles"),
) -> list[ObservedRound]:
    """Every round of a valid answer; `bundles_of` names the bundles that an entry sheds.

    A bundle shed at t, without failing, is in its grace period until t' − t > g (SHD-3, SHD-101);
    by the documents it may be shed at the last moment, and need not be.
    """
    exact = tolerance_of(case.edition).exact
    answer: Any = case.observation
    grace = case.trial.config.grace_minutes * MINUTE
    unloaded = {unloaded.bundle: unloaded.at for unloaded in case.trial.recently_unloaded}
    found = []
    for number, (given, entries) in enumerate(
        zip(case.trial.rounds, answer.rounds, strict=True), start=1
    ):
        in_grace = {name: at for name, at in unloaded.items() if given.at - at <= grace}
        surely = {name: at for name, at in in_grace.items() if exact or 0 <= given.at - at < grace}
        shed = {entry.broker: bundles_of(entry) for entry in entries}
        found.append(
            observed_round(
                number, given, (in_grace, surely), shed, interpretation, grace, case.edition
            )
        )
        done = (bundle for bundles in shed.values() for bundle in bundles)
        unloaded = in_grace | {name: given.at for name in done if name not in given.failing}
    return found


def observed_round(
    number: int,
    given: ModularRound,
    grace_of: tuple[Mapping[str, Millis], Mapping[str, Millis]],
    shed: Mapping[str, tuple[str, ...]],
    interpretation: Interpretation,
    grace: Millis,
    edition: Edition,
) -> ObservedRound:
    """One round, with the clauses about every shedder that it exercises and violates. `grace_of`:
    the bundles that may be in their grace period, and those that surely are.
    """
    (in_grace, surely), clustered = grace_of, edition.clustered_monitors
    averages = {entry.bundle: entry for entry in given.bundles}
    return ObservedRound(
        number,
        {report.broker: report for report in given.brokers},
        averages,
        in_grace,
        shed,
        tuple(dict.fromkeys(exercised_in(given, averages, surely, clustered))),
        tuple(breaches_in(number, given, averages, surely, shed, grace, clustered))
        if any(shed)
        else (),
        shared_in(given),
        interpretation,
        edition,
    )


def exercised_in(
    given: ModularRound,
    averages: Mapping[str, AveragedBundle],
    in_grace: Mapping[str, Millis],
    clustered: bool,
) -> Iterator[str]:
    """The clauses about every shedder that some bundle of this round would violate if shed."""
    for report in given.brokers:
        served = report.bundles
        if not served:
            continue
        yield "SHD-1"
        yield "SHD-4"
        own = own_bundles(served, clustered)
        if own < len(served):
            yield "SHD-2"
        if in_grace and not in_grace.keys().isdisjoint(served):
            yield from (GRACE, GRACE_BY_HABIT)
        if not all(map(averages.__contains__, served)):
            yield "SHD-5"
        if len(served) == 1:
            yield "SHD-7"
        if own == 1:
            yield "SHD-8"


def breaches_in(
    number: int,
    given: ModularRound,
    averages: Mapping[str, AveragedBundle],
    in_grace: Mapping[str, Millis],
    shed: Mapping[str, tuple[str, ...]],
    grace: Millis,
    clustered: bool,
) -> Iterator[Breach]:
    """The violations by bundles that are shed and must not be."""
    reports = {report.broker: report.bundles for report in given.brokers}
    for broker, bundles in shed.items():
        if len(set(bundles)) < len(bundles):
            yield "SHD-4", f"round {number}: a bundle twice in {display(bundles)}", ""
        if (served := reports.get(broker)) is None:
            yield "SHD-1", f"round {number}: no broker {broker}", "broker"
            continue
        for bundle in bundles:
            where = f"round {number}: {broker} is to shed {bundle}"
            if bundle not in served:
                yield "SHD-1", f"{where}, which it does not serve", "bundle"
            if is_monitors(bundle, clustered):
                yield "SHD-2", f"{where}, a monitoring bundle", ""
            if bundle in in_grace:
                for clause in (GRACE, GRACE_BY_HABIT):
                    yield clause, f"{where}{too_soon(given.at, in_grace[bundle], grace)}", ""
            if bundle not in averages:
                yield "SHD-5", f"{where}, without load data", ""
        where = f"round {number}: {broker} is to shed {', '.join(bundles)}"
        if bundles and len(served) <= 1:
            yield "SHD-7", f"{where}, its sole bundle", "sole"
        if bundles and own_bundles(served, clustered) <= 1:
            yield "SHD-8", f"{where}, its sole bundle but for monitoring", "sole"


def too_soon(now: Millis, unloaded: Millis, grace: Millis) -> str:
    """The three times of a grace period, for a sentence."""
    ago = f"{now - unloaded} ms before"
    return f" at {now} ms; it was unloaded at {unloaded} ms, {ago}, and the period is {grace} ms"


def only_what_may_be_shed(run: Run, seen: ObservedRound, clauses: tuple[str, ...]) -> None:
    """Require these clauses about every shedder, and the practice that is departed from here."""
    if seen.number == 1:
        if seen.interpretation.long_term:
            run.depart("SHD-97", "what is shed is right by long-term averages, not short-term ones")
        if seen.interpretation.alone:
            kept = display(sorted(seen.interpretation.alone))
            why = f"what is shed is wrong, or else these are left alone, and may go: {kept}"
            run.depart("SHD-2", why, "alone")
        if seen.interpretation.all_count:
            run.depart("SHD-8", "monitoring bundles count towards several", "sole")
    for clause in seen.exercised:
        if clause in clauses:
            run.require(clause, True)
    for clause, sentence, kind in seen.breaches:
        if clause in clauses:
            run.require(clause, False, sentence, kind)


def rounds_program(
    case: Case[Any, Any],
    begin: State,
    step_of: Callable[[], Callable[[Run, int, Any], State]],
    answer_type: type = SheddingAnswer,
) -> Program:
    """A judge's program with a step for each round; an invalid answer violates SHD-1.

    `step_of` returns the step for a valid answer.
    """
    if (fault := fault_of(case, answer_type)) is None:
        return Program(begin, len(case.trial.rounds), step_of())

    def step(run: Run, place: int, state: State) -> State:
        run.require("SHD-1", False, fault, "shape")
        return state

    return Program(begin, 1, step)


class Demand(Protocol):
    """`Run.require`, or a judge's replacement of it."""

    def __call__(self, clause: str, holds: Ternary, why: Sentence = "", kind: str = "") -> None:
        """Demand that something holds."""


def may_be_shed(weights: Mapping[str, float], shed: Sequence[str]) -> bool:
    """Whether all are movable and none is named twice; otherwise SHD-1 to SHD-5 report it."""
    return len(set(shed)) == len(shed) and weights.keys() >= set(shed)


def heaviest_first(
    demand: Demand, clause: str, place: str, weights: Mapping[str, float], shed: Sequence[str]
) -> None:
    """w(b_1) ≥ w(b_2) ≥ … ≥ w(b_n) ≥ w(b) for every movable b that stays."""
    if len(weights) < 2:
        return
    moved = [weights[bundle] for bundle in shed]
    left = heaviest_left(weights, shed)
    demand(clause, is_falling(moved, left), lambda: f"{place} sheds {display(moved)}, keeps {left}")


def heaviest_left(weights: Mapping[str, float], shed: Sequence[str]) -> float:
    """The weight of the heaviest movable bundle that stays; 0 if none does."""
    return max((weight for bundle, weight in weights.items() if bundle not in shed), default=0.0)


def is_falling(moved: Sequence[float], left: float) -> bool:
    """Whether these weights are in falling order, and no heavier one stays."""
    return left <= moved[-1] and all(before >= after for before, after in pairwise(moved))


def weighed_by_short_term(
    run: Run, seen: ObservedRound, broker: str, shed: Sequence[str], measure: Measure = throughput
) -> None:
    """Exercise SHD-97 where by long-term averages the bundles would not go heaviest first."""
    if {"SHD-97"} & (run.exercised.keys() | run.disabled) or seen.interpretation.long_term:
        return
    weights = seen.weights_by(LONG, broker, measure)
    if not is_falling([weights[bundle] for bundle in shed], heaviest_left(weights, shed)):
        run.require("SHD-97", True)


def shortest_that_reaches(
    demand: Demand,
    clauses: tuple[str, str],
    place: str,
    moved: Sequence[float],
    movable: int,
    need: Approx,
    known: Callable[[float], Approx],
    most: int | None = None,
) -> None:
    """Require that the amount is reached, or all is shed; and not without the last bundle.

    `moved`: the weights of what is shed; `known` gives the precision of their sum; `most`: the
    number of movable bundles that can be needed at all. The first of `clauses` demands that it is
    enough, the second that it is not too much.
    """
    enough, spare = clauses
    if movable < 2:
        return
    everything = len(moved) >= (movable if most is None else most)
    reached = everything or known(add_in_order(moved)).at_least(need)
    demand(
        enough,
        reached,
        lambda: f"{place} sheds {display(moved)} for {need} B/s: not enough",
        "amount",
    )
    less = len(moved) > 1 and known(add_in_order(moved[:-1])).at_least(need)
    if less or not everything:
        demand(
            spare,
            None if less is None else not less,
            lambda: f"{place} sheds {display(moved)} for {need} B/s: less would do",
            "amount",
        )


def most_to_go(broker: Broker, edition: Edition) -> int:
    """The number of its bundles that can be needed, whatever the amount, by the documents: not
    those without traffic, nor the last one where nothing but monitoring would be left.
    """
    own = own_bundles(broker.report.bundles, edition.clustered_monitors)
    busy = sum(weight > 0 for weight in broker.weights.values())
    return busy - 1 if own <= len(broker.weights) and busy > 1 else busy
