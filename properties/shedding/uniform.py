"""UniformLoadShedder: the busiest broker sheds a share of its lead over the least busy one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Final

from evenkeel.properties.shedding import trial_parts as parts
from evenkeel.properties.shedding.judge_parts import (
    BESIDES_MONITORING,
    LONG,
    MOVABLE_BY_HABIT,
    WEIGHED,
    Interpretation,
    Measure,
    ObservedRound,
    has_several,
    interpretations_of,
    may_be_shed,
    msg_rate,
    observed_rounds,
    only_what_may_be_shed,
    rounds_program,
    throughput,
)
from evenkeel.properties.tolerance import tolerance_of
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.usage import Resources
from evenkeel.reference.shedding import uniform
from evenkeel.reference.shedding.uniform import (
    ALLOWANCE,
    MOST,
    NEARLY_NOTHING,
    UNLIMITED,
    Dimension,
    UniformRules,
)
from evenkeel_engine.kit.approx import Approx, Ternary, add_in_order
from evenkeel_engine.kit.draw import Draw, seldom_large
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import AnyCase, rounds
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Program, Run


@dataclass(frozen=True, slots=True, kw_only=True)
class UniformTrial(parts.RoundsTrial):
    """`shedding.uniform`: which bundles does UniformLoadShedder shed, round after round?

    Rounds are in the order of time. `recently_unloaded` names each bundle once.
    """

    config: UniformRules


SMALL_RATE: Final = 1e-6
HUGE: Final = 2048.0 * parts.MIB


@seldom_large(0.03)
def uniform_trial(draw: Draw, large: bool) -> UniformTrial:
    """A few rounds with brokers of different traffic."""
    config = UniformRules(
        grace_minutes=parts.draw_grace(draw),
        rate_difference=draw.pick((50.0, 50.0, 0.0, 100.0, 300.0, 10.0, -1.0)),
        throughput_ratio=draw.pick((4.0, 4.0, 2.0, 1.5, 1.1, 0.0, -1.0)),
        share=draw.pick((0.2, 0.2, 0.5, 1.0, 0.0)),
        min_msg_rate=draw.pick((1000, 1000, 0, 100, 2000, -5)),
        min_throughput=draw.pick((parts.MIB, parts.MIB, 0, 10 * parts.MIB)),
        max_bundles=draw.pick((-1, -1, -1, 1, 2, 0, -2)),
    )
    floor = HUGE * 1.5 if draw.chance(0.15) else 0.0
    units = parts.Units(
        draw.pick((1000.0, 100.0, 1.0, 60.0)), draw.pick((*parts.BYTES, HUGE)), floor
    )
    builder = parts.ClusterBuilder(draw, units, lambda d: Resources(), 0.25, [], [])
    rounds = parts.draw_rounds(builder, 3, 4, 6, large)
    if draw.chance(0.04):
        rounds = (nearly_idle(rounds[0]), *rounds[1:])
    if draw.chance(0.08):
        config = replace(config, rate_difference=lead_of(rounds[0]) or config.rate_difference)
    unloaded = parts.draw_unloaded(draw, rounds[0], config.grace_minutes)
    rounds = parts.with_shared(draw, rounds)
    if not large:
        rounds = parts.seldom_long(draw, rounds)
    if draw.chance(0.04):  # generated last, so that all other trials stay the same
        config = replace(config, max_bundles=draw.pick((3, 4, 7)))
    return UniformTrial(config=config, recently_unloaded=unloaded, rounds=rounds)


def lead_of(first: parts.ModularRound) -> float:
    """The busiest broker's lead in percent: a threshold that is reached and not exceeded."""
    rates = [one.traffic.msg_rate_in + one.traffic.msg_rate_out for one in first.brokers]
    least = min(rates, default=0.0)
    return (max(rates) - least) * 100 / least if least > 0 else 0.0


def nearly_idle(first: parts.ModularRound) -> parts.ModularRound:
    """A round in which a broker has just the largest traffic that still counts as none."""
    idle = [
        replace(one, traffic=replace(one.traffic, msg_rate_in=SMALL_RATE, msg_rate_out=0.0))
        for one in first.brokers[:1]
    ]
    return replace(first, brokers=(*idle, *first.brokers[1:]))


def answer_uniform(trial: UniformTrial, edition: Edition) -> parts.SheddingAnswer:
    """The bundles that UniformLoadShedder sheds."""
    return parts.answer_rounds(
        trial, lambda _, cluster: uniform.decide(cluster, trial.config, edition)
    )


DIMENSIONS: Final = (Dimension.MSG_RATE, Dimension.THROUGHPUT)

MEASURES: Final[Mapping[Dimension, Measure]] = {
    Dimension.MSG_RATE: msg_rate,
    Dimension.THROUGHPUT: throughput,
}


@dataclass(frozen=True, slots=True)
class Lead:
    """One of the busiest brokers of a dimension in which it may shed.

    `exceeded`: whether the lead exceeds the threshold. `budget`: the share of the lead over a least
    value that counts as 1 where it is 0. `most`: the share of the lead over 0 in that case; equal
    to `budget` otherwise.
    """

    dimension: Dimension
    broker: str
    exceeded: Ternary
    budget: Approx
    most: Approx
    minimum: Approx
    weights: Mapping[str, float]
    several: bool

    @property
    def is_worth_it(self) -> Ternary:
        """Whether the share is worth an unload (SHD-23)."""
        return self.most.at_least(self.minimum)


@rounds(
    "shedding.uniform",
    *MOVABLE_BY_HABIT,
    BESIDES_MONITORING,
    *WEIGHED,
    *(f"SHD-{number}" for number in range(20, 30)),
)
def judge_uniform_load_shedder(case: AnyCase) -> Iterator[Program]:
    """Judge UniformLoadShedder, which keeps no state between rounds."""
    for interpretation in interpretations_of(case):
        yield rounds_program(case, None, partial(step_of, case, interpretation))


def step_of(case: AnyCase, interpretation: Interpretation) -> Callable[[Run, int, None], None]:
    return Rounds(case, interpretation).step


class Rounds:
    """The rounds of one case."""

    def __init__(self, case: AnyCase, interpretation: Interpretation) -> None:
        self.config, self.edition = case.trial.config, case.edition
        self.tolerance = tolerance_of(case.edition)
        self.allowance = ALLOWANCE if case.edition.uniform_allowance else 0
        self.seen = observed_rounds(case, interpretation)
        self.minimum = {
            Dimension.MSG_RATE: self.config.min_msg_rate,
            Dimension.THROUGHPUT: self.config.min_throughput,
        }
        capped = self.edition.uniform_least_is_32_bits
        self.leads = [self.leads_of(seen, capped) for seen in self.seen]

    def step(self, run: Run, place: int, state: None) -> None:
        """One round."""
        seen = self.seen[place]
        only_what_may_be_shed(run, seen, (*MOVABLE_BY_HABIT, BESIDES_MONITORING))
        leads = self.over_the_least(run, seen, self.leads[place])
        for lead in leads:
            run.note(
                "{} leads in {}: budget {}, least to move {}",
                *(lead.broker, lead.dimension, lead.budget, lead.minimum),
            )
        if not leads:
            run.note("no difference is above its threshold")
        shedding = [broker for broker, bundles in seen.shed.items() if bundles]
        self.one_source(run, seen, leads, shedding)
        if shedding:
            self.amounts(run, seen, leads, shedding[0])
        else:
            self.nothing_to_do(run, leads)
        if self.tolerance.exact:
            self.exactly(run, seen, leads, shedding)
        else:
            self.progress(run, seen, leads)

    # The busiest brokers: SHD-20, SHD-28.

    def leads_of(self, seen: ObservedRound, capped: bool) -> list[Lead]:
        """The busiest brokers of each dimension whose threshold is exceeded, or may be."""
        return [
            lead
            for dimension in DIMENSIONS
            if seen.brokers
            for lead in self.leads_in(seen, dimension, capped)
        ]

    def leads_in(self, seen: ObservedRound, dimension: Dimension, capped: bool) -> list[Lead]:
        """Those of one dimension. Up to 10^-6 the least counts as 1, and may count as 0."""
        measure = MEASURES[dimension]
        traffic = {name: measure(report.traffic) for name, report in seen.brokers.items()}
        most, true_least = max(traffic.values()), min(traffic.values())
        least = min(true_least, float(MOST)) if capped else true_least
        nothing = least <= NEARLY_NOTHING
        least = 1.0 if nothing else least
        exceeded = self.exceeds(dimension, most, least, all(map(is_whole, seen.brokers.values())))
        if nothing and not self.tolerance.exact and most > 0:
            exceeded = exceeded or None
        if exceeded is False:
            return []
        budget = self.budget(most - least)
        over_nothing = nothing and not self.tolerance.exact
        minimum = Approx(self.minimum[dimension])
        return [
            Lead(
                dimension,
                name,
                exceeded,
                budget,
                self.budget(most - true_least) if over_nothing else budget,
                minimum,
                seen.weights(name, measure),
                has_several(seen.list_served(name), self.edition),
            )
            for name, amount in traffic.items()
            if amount == most
        ]

    def threshold(self, dimension: Dimension) -> float:
        """θ, in percent of the least for message rates, a ratio for throughput."""
        rate = dimension is Dimension.MSG_RATE
        threshold: float = self.config.rate_difference if rate else self.config.throughput_ratio
        return threshold

    def exceeds(self, dimension: Dimension, most: float, least: float, whole: bool) -> Ternary:
        """(M − m) · 100 / m > θ, or M / m > θ; a θ of 0 or less switches the dimension off, which
        no document says.
        """
        threshold = self.threshold(dimension)
        rate = dimension is Dimension.MSG_RATE
        if threshold <= 0:
            return None if most > least and not self.tolerance.exact else False
        quotient = (most - least) * 100 / least if rate else most / least
        exceeded = self.tolerance.as_traffic(quotient).above(Approx(threshold))
        if exceeded is None and whole:
            # Where nothing is rounded, the order of computation does not matter and the result is
            # exact; but a subject that calculates with the decimals as written has other fractions.
            exactly = Fraction(most) / Fraction(least) - rate
            in_float = (most - least) / least if rate else quotient
            whole_way = Fraction(quotient) == (exactly * 100 if rate else exactly)
            if whole_way and Fraction(in_float) == exactly:
                return exactly * (100 if rate else 1) > Fraction(threshold)
        return exceeded

    def budget(self, lead: float) -> Approx:
        """(M − m) · σ, in 4.0 as a 32-bit integer."""
        share = lead * self.config.share
        return Approx(whole(share)) if self.tolerance.exact else self.tolerance.as_traffic(share)

    def over_the_least(self, run: Run, seen: ObservedRound, leads: list[Lead]) -> list[Lead]:
        """In 4.0 the least is at most 2^31 − 1, which matters where every broker has more."""
        if self.edition.uniform_least_is_32_bits:
            loads = [throughput(report.traffic) for report in seen.brokers.values()]
            if loads and min(loads) > MOST and not run.rule(True, "SHD-28", None, "least 2^31 - 1"):
                return self.leads_of(seen, False)
        return leads

    def one_source(
        self, run: Run, seen: ObservedRound, leads: list[Lead], shedding: Sequence[str]
    ) -> None:
        """One source, one of the busiest in a dimension whose threshold is exceeded."""
        if not seen.brokers:
            return
        busiest = sorted({lead.broker for lead in leads})
        run.require(
            "SHD-20",
            len(shedding) <= 1 and set(shedding) <= set(busiest),
            lambda: f"round {seen.number}: {display(shedding)} shed; allowed: {display(busiest)}",
        )

    # The amount: SHD-21 to SHD-25.

    def amounts(self, run: Run, seen: ObservedRound, leads: list[Lead], source: str) -> None:
        """In some dimension that may exceed its threshold, all that was shed is right."""
        own = [lead for lead in leads if lead.broker == source]
        shed = seen.shed[source]
        if not own or not may_be_shed(own[0].weights, shed):
            return
        self.weighed_by_short_term(run, seen, own, shed)
        lead = own[run.pick(len(own))]
        place = f"round {seen.number}: {source} sheds"
        moved, cap = [lead.weights[bundle] for bundle in shed], self.config.max_bundles
        if cap >= 0 and len(lead.weights) > cap:
            run.require("SHD-24", len(shed) <= cap, f"{place} {len(shed)} bundles of {cap}")
        run.require("SHD-23", lead.is_worth_it, lambda: f"{place} although {too_little(lead)}")
        if min(lead.weights.values()) <= 0:
            run.require("SHD-22", min(moved) > 0, lambda: f"{place} idle bundles: {display(shed)}")
        if (
            self.tolerance.as_traffic(add_in_order(lead.weights.values())).at_most(lead.most)
            is not True
        ):
            total = self.tolerance.as_traffic(add_in_order(moved))
            run.require(
                "SHD-21",
                total.at_most(lead.most),
                lambda: f"{place} {total} of {lead.most} {lead.dimension}",
            )

    def weighed_by_short_term(
        self, run: Run, seen: ObservedRound, own: Sequence[Lead], shed: Sequence[str]
    ) -> None:
        """Exercise SHD-97 where by long-term averages the bundles would be too much."""
        if "SHD-97" in run.disabled or seen.interpretation.long_term:
            return
        for lead in own:
            weights = seen.weights_by(LONG, lead.broker, MEASURES[lead.dimension])
            total = self.tolerance.as_traffic(add_in_order(weights[bundle] for bundle in shed))
            if total.at_most(lead.most) is not False:
                return
        run.require("SHD-97", True)

    def nothing_to_do(self, run: Run, leads: list[Lead]) -> None:
        """Nothing is shed, and nothing may be."""
        if leads and all(lead.is_worth_it is False for lead in leads):
            run.require("SHD-23", True)
        if self.config.max_bundles == 0 and any(lead.is_worth_it for lead in leads):
            run.require("SHD-24", True)

    def progress(self, run: Run, seen: ObservedRound, leads: list[Lead]) -> None:
        """Something is shed where all of a dimension's busiest brokers have something to shed."""
        for dimension in DIMENSIONS:
            here = [lead for lead in leads if lead.dimension is dimension]
            if here and all(map(self.can_shed, here)):
                others = any(lead.exceeded for lead in leads if lead.dimension is not dimension)
                left = min(len(lead.weights) - len(self.list_fitting(lead)) for lead in here)
                alone = "capped" if 0 < self.config.max_bundles <= left else "stuck"
                why = partial(self.explain_stuck, seen, here)
                run.require("SHD-25", any(seen.shed.values()), why, "masked" if others else alone)

    def explain_stuck(self, seen: ObservedRound, leads: Sequence[Lead]) -> str:
        """What could go, and stays."""
        lead, cap = leads[0], self.config.max_bundles
        names, bundle = ", ".join(one.broker for one in leads), self.list_fitting(lead)[0]
        fits = f"{bundle}, {lead.weights[bundle]:.10g} of {lead.budget} {lead.dimension}"
        return f"round {seen.number}: {names} sheds nothing, but may shed {fits}; the cap is {cap}"

    def can_shed(self, lead: Lead) -> bool:
        """Whether something can surely be shed here."""
        cap = self.config.max_bundles
        return bool(
            lead.exceeded
            and lead.several
            and (cap == UNLIMITED or cap > 0)
            and lead.budget.at_least(lead.minimum)
            and self.list_fitting(lead)
        )

    def list_fitting(self, lead: Lead) -> list[str]:
        """The bundles that surely are not too much."""
        measured = {one: self.tolerance.as_traffic(w) for one, w in lead.weights.items() if w > 0}
        return [one for one, weight in measured.items() if weight.at_most(lead.budget)]

    # The list of 4.0: SHD-26, SHD-27, SHD-29.

    def exactly(
        self, run: Run, seen: ObservedRound, leads: list[Lead], shedding: Sequence[str]
    ) -> None:
        """The weights are those that 4.0 chooses, in order; which of equals is open."""
        if not leads:
            return
        first = leads[0].dimension
        masked = [lead for lead in leads if lead.dimension is not first]
        if masked and not run.rule(True, "SHD-27", None, "message rate comes first"):
            first = masked[0].dimension
        here = [lead for lead in leads if lead.dimension is first]
        lead = here[run.pick(len(here))]
        idle = True
        if min(lead.weights.values(), default=1.0) <= 0:
            idle = run.rule(True, "SHD-29", None, "idle bundles go along")
        expected = self.list_taken(lead, idle)
        shed = [seen.shed[name] for name in shedding]
        moved = [lead.weights.get(bundle, -1.0) for bundles in shed for bundle in bundles]
        run.require(
            "SHD-26",
            moved == expected and list(shedding) == [lead.broker] * len(shedding),
            lambda: (
                f"round {seen.number}: must be {lead.broker}: {display(expected)}, "
                f"not {display(seen.shed)}"
            ),
        )

    def list_taken(self, lead: Lead, idle: bool) -> list[float]:
        """left_0 = ⌊(M − m) · σ⌋; b is shed if w(b) ≤ wrap(left + 1000), in PULSAR_4_2 w(b) ≤ left;
        left' = left − ⌊w(b)⌋.
        """
        left, taken = int(lead.budget.value), list[float]()
        if not lead.several or lead.is_worth_it is False:
            return taken
        for weight in sorted(lead.weights.values(), reverse=True):
            if weight <= wrap_int(left + self.allowance) and (weight > 0 or idle):
                taken.append(weight)
                left -= whole(weight)
        cap = self.config.max_bundles
        return taken if cap == UNLIMITED else taken[: max(cap, 0)]


def is_whole(report: parts.ReportedBroker) -> bool:
    """Whether a broker's traffic is in whole messages and bytes."""
    traffic = report.traffic
    rates = traffic.msg_rate_in, traffic.msg_rate_out
    return all(map(float.is_integer, (*rates, traffic.throughput_in, traffic.throughput_out)))


def too_little(lead: Lead) -> str:
    """A share that is not worth an unload."""
    return f"{lead.most} {lead.dimension} are less than {lead.minimum}"


def whole(number: float) -> int:
    """The number without its fraction as a 32-bit integer, 2^31 − 1 at most."""
    return max(-MOST - 1, min(MOST, int(number)))


def wrap_int(number: int) -> int:
    """A sum of 32-bit integers as a 32-bit integer."""
    return (number + 2**31) % 2**32 - 2**31


UNIFORM: Final = Question(
    "shedding.uniform",
    UniformTrial,
    parts.SheddingAnswer,
    uniform_trial,
    answer_uniform,
    parts.labels_of_rounds,
    commands="rounds",
)

QUESTIONS: Final = (UNIFORM,)
