"""OverloadShedder: brokers that are too full shed their heaviest bundles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any, Final

from evenkeel.properties.load.trial_parts import draw_weighing
from evenkeel.properties.shedding import trial_parts as parts
from evenkeel.properties.shedding.judge_parts import (
    MOVABLE,
    SOLE,
    WEIGHED,
    Broker,
    Interpretation,
    Measure,
    ObservedRound,
    brokers_of,
    different_weights,
    heaviest_first,
    interpretations_of,
    may_be_shed,
    most_to_go,
    msg_rate,
    observed_rounds,
    only_what_may_be_shed,
    own_bundles,
    rounds_program,
    shortest_that_reaches,
    throughput,
    weighed_by_short_term,
)
from evenkeel.properties.tolerance import tolerance_of
from evenkeel.properties.usage import UNWEIGHTED, is_exact
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.usage import Weights
from evenkeel.reference.shedding import overload
from evenkeel.reference.shedding.overload import MARGIN, OverloadRules
from evenkeel_engine.kit.approx import Approx, Ternary, add_in_order, some
from evenkeel_engine.kit.draw import Draw, seldom_large
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import AnyCase, rounds
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Program, Run, Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class OverloadTrial(parts.RoundsTrial):
    """`shedding.overload`: which bundles does OverloadShedder shed, round after round?

    Rounds are in the order of time. `recently_unloaded` names each bundle once.
    """

    config: OverloadRules


def around(draw: Draw, middle: float) -> float:
    """A percentage at a threshold, close to it, or elsewhere."""
    if draw.integer(0, 5) < 3:
        return max(middle + draw.pick((0.0, 0.1, -0.1, 5.0, -5.0)), 0.0)
    return draw.pick((50.0, 99.9, 10.0, 200.0, 0.0, 95.0))


@seldom_large(0.03)
def overload_trial(draw: Draw, large: bool) -> OverloadTrial:
    """A few rounds with brokers about at the threshold."""
    threshold = draw.pick((85, 53, 50, 10, 0, 100, 59))
    config = OverloadRules(
        overloaded_percent=threshold,
        grace_minutes=parts.draw_grace(draw),
        **parts.draw_weights(draw),
    )
    units = parts.Units(draw.pick((100.0, 1.0)), draw.pick(parts.BYTES))
    builder = parts.ClusterBuilder(
        draw, units, lambda d: parts.percent(d, around(d, threshold)), 0.2, [], []
    )
    rounds = parts.draw_rounds(builder, 4, 3, 6, large)
    unloaded = parts.draw_unloaded(draw, rounds[0], config.grace_minutes)
    rounds = parts.with_shared(draw, rounds)
    if weighing := draw_weighing(draw):
        weight: dict[str, Any] = {f"{weighing.name}_weight": weighing.weight}
        config = replace(config, cpu_weight=1.0, **weight)
        rounds = tuple(parts.weigh_round(weighing, round_) for round_ in rounds)
    if not large:
        rounds = parts.seldom_long(draw, rounds)
    return OverloadTrial(config=config, recently_unloaded=unloaded, rounds=rounds)


def answer_overload(trial: OverloadTrial, edition: Edition) -> parts.SheddingAnswer:
    """The bundles that OverloadShedder sheds."""
    return parts.answer_rounds(
        trial, lambda _, cluster: overload.decide(cluster, trial.config, edition)
    )


@rounds(
    "shedding.overload", *MOVABLE, *SOLE, *WEIGHED, *(f"SHD-{number}" for number in range(10, 17))
)
def judge_overload_shedder(case: AnyCase) -> Iterator[Program]:
    """Judge OverloadShedder, which keeps no state between rounds. The documents leave open which
    memory counts, whether weights apply, and whether bundles weigh their throughput or their
    message rate: one interpretation must explain all rounds.
    """
    ways = different_weights(case, weights_of(case))
    measures = (throughput,) if tolerance_of(case.edition).exact else (throughput, msg_rate)
    for interpretation, measure, weights in product(interpretations_of(case), measures, ways):
        yield rounds_program(case, None, partial(step_of, case, interpretation, weights, measure))


def weights_of(case: AnyCase) -> Iterator[Weights]:
    """The weights by which usages can be computed: those of 4.0, or none; or by document 001 with
    one kind of memory; or by document 002, which names "CPU, network, and memory usage" and no
    weights: with heap memory, or any memory, unweighted.
    """
    unweighted = case.edition.modular_usage_unweighted
    configured: Weights = UNWEIGHTED if unweighted else case.trial.config.weights
    yield configured
    if not tolerance_of(case.edition).exact:
        yield replace(configured, memory=1.0)
        yield replace(configured, direct_memory=0.0)
        yield replace(configured, memory=1.0, direct_memory=0.0)
        for heap, direct in ((0.0, 1.0), (1.0, 0.0), (1.0, 1.0)):
            yield Weights(memory=heap, direct_memory=direct)


def step_of(
    case: AnyCase, interpretation: Interpretation, weights: Weights, measure: Measure
) -> Callable[[Run, int, None], None]:
    return Rounds(case, interpretation, weights, measure).step


class Rounds:
    """The rounds of one case, by one interpretation. `measure`: what bundles weigh (SHD-12)."""

    def __init__(
        self, case: AnyCase, interpretation: Interpretation, weights: Weights, measure: Measure
    ) -> None:
        self.weights, self.measure = weights, measure
        self.edition = case.edition
        self.tolerance = tolerance_of(case.edition)
        self.threshold = Approx(case.trial.config.overloaded_percent / 100.0)
        self.seen = observed_rounds(case, interpretation)
        self.brokers = brokers_of(
            self.seen,
            self.weights,
            case.edition,
            rounded=case.edition.modular_usage_unweighted,
            measure=measure,
        )

    def step(self, run: Run, place: int, state: None) -> None:
        """One round."""
        only_what_may_be_shed(run, self.seen[place], MOVABLE + SOLE)
        for broker in self.brokers[place]:
            run.note("{} at {} of {}", broker.name, broker.usage, self.threshold)
            overloaded = self.is_overloaded(broker)
            if overloaded is False or (broker.weights and not run.rule(overloaded)):
                self.left_alone(run, broker)
            elif broker.weights:
                self.sheds(run, self.seen[place], broker)

    def is_overloaded(self, broker: Broker) -> Ternary:
        """u ≥ τ in 4.0; by the documents τ itself may be taken either way. Usages that no precision
        rounds are known exactly: 49 of 100 is below 49.0000001 %.
        """
        usage, threshold = broker.usage, self.threshold.value
        if usage == threshold and not self.tolerance.exact:
            return None
        overloaded = self.tolerance.as_usage(usage).at_least(self.threshold)
        if overloaded is None and is_exact(broker.report.resources, self.weights):
            return usage >= threshold
        return overloaded

    def state(self, broker: Broker) -> str:
        """A broker's usage and the threshold, for sentences."""
        return f"{broker.place} at {broker.usage} of {self.threshold}"

    def left_alone(self, run: Run, broker: Broker) -> None:
        """A broker whose usage is below the threshold sheds nothing (SHD-10)."""
        if broker.report.bundles:
            run.require(
                "SHD-10",
                not broker.shed,
                lambda: f"{self.state(broker)} sheds {display(broker.shed)}",
            )

    def sheds(self, run: Run, seen: ObservedRound, broker: Broker) -> None:
        """An overloaded broker sheds something (SHD-11), heaviest first (SHD-12), and enough."""
        demand = partial(self.demand, run, broker)
        demand(
            "SHD-11",
            bool(broker.shed),
            lambda: f"{self.state(broker)} sheds nothing of {display(list(broker.weights))}",
        )
        if not broker.shed or not may_be_shed(broker.weights, broker.shed):
            return
        heaviest_first(demand, "SHD-12", broker.place, broker.weights, broker.shed)
        weighed_by_short_term(run, seen, broker.name, broker.shed, self.measure)
        if self.edition.overload_share_of_capacity:
            # need = T · (u − τ + 0.05), in this order of steps
            need = Approx(broker.traffic * (broker.usage - self.threshold.value + MARGIN))
            moved = [broker.weights[bundle] for bundle in broker.shed]
            clauses, movable, known = ("SHD-14", "SHD-15"), len(broker.weights), Approx
            shortest_that_reaches(demand, clauses, broker.place, moved, movable, need, known)
        else:
            self.comes_below(run, seen, broker)

    def demand(
        self,
        run: Run,
        broker: Broker,
        clause: str,
        holds: Ternary,
        why: Sentence = "",
        kind: str = "",
    ) -> None:
        """Require what a clause demands of an overloaded broker. All of it defines the list of 4.0
        (SHD-14), which a broker with one bundle besides monitoring sheds, too (SHD-16).
        """
        run.require(clause, holds, why, kind)
        if clause != "SHD-14":
            run.require("SHD-14", holds, why, kind)
        if own_bundles(broker.report.bundles, self.edition.clustered_monitors) <= 1:
            run.require("SHD-16", holds, why, kind)

    def comes_below(self, run: Run, seen: ObservedRound, broker: Broker) -> None:
        """u · (1 − Σ w(b_i) / T) < τ, or every movable bundle is shed that can be needed."""
        ways = [self.weigh_broker(seen, broker, throughput)]
        if self.measure is not throughput:
            by_rate = self.weigh_broker(seen, broker, self.measure)
            ways += [by_rate] if by_rate.traffic > 0 and any(by_rate.weights.values()) else []
        if broker.traffic <= 0 or broker.usage <= 0:
            return
        if any(self.left(one, min(one.weights.values())).below(self.threshold) for one in ways):
            return  # any one bundle is enough
        marked = [add_in_order(one.weights[bundle] for bundle in one.shed) for one in ways]
        left = [self.left(one, amount) for one, amount in zip(ways, marked, strict=True)]
        everything = any(len(one.shed) >= most_to_go(one, self.edition) for one in ways)
        run.require(
            "SHD-13",
            everything or some(usage.below(self.threshold) for usage in left),
            lambda: (
                f"{broker.place} at {broker.usage} sheds {marked[0]} of {broker.traffic} B/s: "
                f"{left[0]} expected"
            ),
        )

    def weigh_broker(self, seen: ObservedRound, broker: Broker, measure: Measure) -> Broker:
        """The broker with its traffic and its bundles in this measure."""
        weights = seen.weights(broker.name, measure)
        return replace(broker, traffic=measure(broker.report.traffic), weights=weights)

    def left(self, broker: Broker, marked: float) -> Approx:
        """The usage without this traffic, if usage follows traffic."""
        return self.tolerance.as_usage(
            broker.usage * (1 - marked / broker.traffic), max(broker.usage, 1.0)
        )


OVERLOAD: Final = Question(
    "shedding.overload",
    OverloadTrial,
    parts.SheddingAnswer,
    overload_trial,
    answer_overload,
    parts.labels_of_rounds,
    commands="rounds",
    exempt=Exempt(
        unjudged={
            "cpu_weight": "SHD-10: document 002 names no weights",
            "direct_memory_weight": "SHD-10: document 002 names no weights",
            "bandwidth_in_weight": "SHD-10: document 002 names no weights",
            "bandwidth_out_weight": "SHD-10: document 002 names no weights",
        }
    ),
)

QUESTIONS: Final = (OVERLOAD,)
