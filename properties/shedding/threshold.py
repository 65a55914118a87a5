"""ThresholdShedder: brokers far above the average usage give bundles away."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache, partial
from itertools import product
from typing import Any, Final, TypeAlias

from evenkeel.properties.load.trial_parts import draw_weighing
from evenkeel.properties.shedding import trial_parts as parts
from evenkeel.properties.shedding.judge_parts import (
    MOVABLE,
    SOLE,
    WEIGHED,
    Broker,
    Interpretation,
    brokers_of,
    heaviest_first,
    interpretations_of,
    may_be_shed,
    memory_weights,
    most_to_go,
    observed_rounds,
    only_what_may_be_shed,
    rounds_program,
    shortest_that_reaches,
    weighed_by_short_term,
)
from evenkeel.properties.tolerance import largest, tolerance_of
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resource, Resources, Weights
from evenkeel.reference.shedding import threshold
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId, Cluster, Decision
from evenkeel.reference.shedding.threshold import LOWER_MARGIN, MARGIN, MEBIBYTE, ThresholdRules
from evenkeel_engine.kit.approx import Approx, Ternary, add_in_order, both, some
from evenkeel_engine.kit.clause import Findings
from evenkeel_engine.kit.draw import Draw, seldom_large
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import AnyCase, advisory_in, not_in, rounds
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Program, Run, Sentence, format_sentence
from evenkeel_engine.kit.search import explain
from evenkeel_engine.kit.trial import require, require_different


@dataclass(frozen=True, slots=True)
class Membership:
    """Before this round (0 is the first) exactly these brokers are reported active. This is an
    event: another one that reports begins a new history then, and continues it.
    """

    round: int
    active: tuple[str, ...]

    def __post_init__(self) -> None:
        require(0 <= self.round < 2**31, "round", "must be 0 or more, below 2^31")
        require_different("active", self.active)


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdTrial(parts.RoundsTrial):
    """`shedding.threshold`: which bundles does ThresholdShedder shed, round after round?

    Rounds are in the order of time. `recently_unloaded` names each bundle once. The cluster of a
    round is the brokers that it lists: one that is missing counts in no average of that round,
    whatever `memberships` says. LOWER_BOUNDARY_THRESHOLD_MARGIN is 0.5.
    """

    config: ThresholdRules
    memberships: tuple[Membership, ...] = ()

    def __post_init__(self) -> None:
        parts.RoundsTrial.__post_init__(self)
        rounds = [membership.round for membership in self.memberships]
        require(rounds == sorted(set(rounds)), "memberships", "must be in the order of rounds")

    def active(self, place: int) -> tuple[str, ...] | None:
        """The brokers reported active before this round; None if nothing is reported."""
        return next((m.active for m in self.memberships if m.round == place), None)


USAGES: Final = (40.0, 10.0, 20.0, 30.0, 80.0, 5.0, 60.0, 0.0, 90.0, 50.0, 140.0, 12.0, 70.0)

NO_WEIGHTS: Final = dict.fromkeys(
    ("cpu_weight", "direct_memory_weight", "bandwidth_in_weight", "bandwidth_out_weight"), 0.0
)


def threshold_trial(draw: Draw) -> ThresholdTrial:
    """A few rounds with brokers about a threshold from the average."""
    trial = draw_trial(draw)
    return lower_trial(draw) if draw.chance(0.06) else trial


def lower_trial(draw: Draw) -> ThresholdTrial:
    """With the lower boundary: one broker is far below the average, and none as far above, so that
    the most loaded one sheds half the threshold's share.
    """
    threshold, count = draw.pick((10, 20, 5)), draw.integer(3, 6)
    low = draw.pick((0.0, 10.0, 30.0))
    high = low + threshold * draw.pick((1.6, 2.0, 2.5))
    reports: list[parts.ReportedBroker] = []
    bundles: list[parts.AveragedBundle] = []
    for number, usage in enumerate((high + draw.pick((0.5, 1.0)), *[high] * (count - 2), low)):
        served = []
        for place in range(draw.pick((2, 5, 20, 40)) if number == 0 else 2):
            traffic = Traffic(10.0, 0.0, draw.pick((1, 2, 3, 5)) * parts.MIB, 0.0)
            served.append(
                parts.AveragedBundle(
                    parts.bundle_at("t/ns", len(bundles) + place), traffic, traffic
                )
            )
        bundles += served
        whole = Traffic(
            10.0 * len(served), 0.0, sum(b.short_term.throughput_in for b in served), 0.0
        )
        names = tuple(one.bundle for one in served)
        resources = Resources(cpu=Resource(usage, 100.0))
        reports.append(parts.ReportedBroker(f"broker-{number + 1}:8080", resources, whole, names))
    config = ThresholdRules(
        threshold_percentage=threshold,
        history=draw.pick((0.9, 0.0)),
        min_throughput=draw.pick((0.0, 0.0, 1.0, 10.0)),
        lower_boundary=True,
    )
    round_ = parts.ModularRound(parts.START, tuple(reports), tuple(bundles), ())
    return ThresholdTrial(config=config, recently_unloaded=(), rounds=(round_,), memberships=())


@seldom_large(0.02)
def draw_trial(draw: Draw, large: bool) -> ThresholdTrial:
    threshold = draw.pick((10, 10, 10, 0, 5, 20, 40))
    config = ThresholdRules(
        grace_minutes=parts.draw_grace(draw),
        **(NO_WEIGHTS if draw.chance(0.03) else parts.draw_weights(draw)),
        threshold_percentage=threshold,
        history=draw.pick((0.9, 0.9, 0.5, 0.0, 1.0, 0.1)),
        min_throughput=draw.pick((10.0, 0.0, 1.0, 10.0, 0.5)),
        lower_boundary=draw.chance(0.5),
    )
    units = parts.Units(100.0, draw.pick((10.0 * parts.MIB, 1.0 * parts.MIB, 100.0 * parts.MIB)))
    builder = parts.ClusterBuilder(
        draw, units, lambda d: parts.percent(d, draw_usage(d)), 0.2, [], []
    )
    rounds = parts.draw_rounds(builder, 5, 6 if draw.chance(0.3) else 4, 5, large)
    if draw.chance(0.1):
        rounds = with_gap(draw, rounds[0])
    unloaded = parts.draw_unloaded(draw, rounds[0], config.grace_minutes)
    memberships = draw_memberships(draw, len(rounds), [b.broker for b in rounds[0].brokers])
    rounds = parts.with_shared(draw, rounds)
    if memberships and draw.chance(0.5):
        memberships = with_more(draw, memberships, len(rounds), rounds[0])
    if weighing := draw_weighing(draw):
        weight: dict[str, Any] = {f"{weighing.name}_weight": weighing.weight}
        config = replace(config, cpu_weight=1.0, **weight)
        rounds = tuple(parts.weigh_round(weighing, round_) for round_ in rounds)
    if not large:
        rounds = parts.seldom_long(draw, rounds)
    return ThresholdTrial(
        config=config, recently_unloaded=unloaded, rounds=rounds, memberships=memberships
    )


def with_gap(draw: Draw, first: parts.ModularRound) -> tuple[parts.ModularRound, ...]:
    """One broker is full, misses a round and is idle afterwards, or the reverse.

    It is not reported as inactive, so its history still counts.
    """
    if not first.brokers:
        return (first,)
    number = draw.integer(0, len(first.brokers) - 1)
    before, after = draw.pick(((90.0, 10.0), (10.0, 90.0)))
    others = [set_usage(reported, 10.0) for reported in first.brokers]
    rounds = []
    for place in range(draw.integer(3, 4)):
        brokers = [*others]
        brokers[number] = set_usage(others[number], after if place else before)
        if place == 1:
            brokers.pop(number)
        at = first.at + place * (30 * MINUTE + 1)
        rounds.append(replace(first, at=at, brokers=tuple(brokers)))
    return tuple(rounds)


def set_usage(reported: parts.ReportedBroker, percentage: float) -> parts.ReportedBroker:
    """The broker with its processor used by this percentage."""
    return replace(reported, resources=Resources(cpu=Resource(percentage, 100.0)))


def draw_usage(draw: Draw) -> float:
    """A round percentage, or any."""
    if draw.chance(0.8):
        return draw.pick(USAGES)
    return float(draw.integer(0, 100)) + draw.pick((0.0, 0.1, 0.5))


def draw_memberships(draw: Draw, rounds: int, brokers: list[str]) -> tuple[Membership, ...]:
    """Sometimes brokers leave and return between two rounds."""
    if rounds < 2 or not draw.chance(0.25):
        return ()
    return (Membership(draw.integer(1, rounds - 1), tuple(draw.sample(brokers, len(brokers)))),)


def with_more(
    draw: Draw, memberships: tuple[Membership, ...], rounds: int, first: parts.ModularRound
) -> tuple[Membership, ...]:
    """The active brokers change again before some later rounds, mostly by a few."""
    brokers = [reported.broker for reported in first.brokers]
    more = [*memberships]
    for place in range(memberships[0].round + 1, rounds):
        if draw.chance(0.6):
            absent = draw.sample(brokers, 2)
            more.append(Membership(place, tuple(b for b in brokers if b not in absent)))
    return tuple(more)


def answer_threshold(trial: ThresholdTrial, edition: Edition) -> parts.SheddingAnswer:
    """The bundles that ThresholdShedder sheds."""
    rules, history = trial.config, threshold.NO_HISTORY

    def decide(place: int, cluster: Cluster) -> Decision:
        nonlocal history
        active = trial.active(place)
        if active is not None:
            history = threshold.forget_departed(history, set(map(BrokerId, active)))
        history, decision = threshold.shed(history, cluster, rules, edition)
        return decision

    return parts.answer_rounds(trial, decide)


def threshold_labels(trial: ThresholdTrial) -> Iterator[str]:
    """The features of the rounds."""
    yield from parts.labels_of_rounds(trial)
    if trial.config.lower_boundary:
        yield "lower boundary"
    if trial.memberships:
        yield "brokers come or go"


Brokers: TypeAlias = Sequence[Broker]
BELOW_BOUNDARY = "for a broker below the boundary"


class LowerBoundary:
    """Shedding on behalf of brokers below the lower boundary, in one round."""

    def __init__(self, rounds: Rounds) -> None:
        self.rounds = rounds
        self.threshold, self.tolerance = rounds.threshold, rounds.tolerance

    def judge(self, run: Run, brokers: Brokers, right: History, wrong: History) -> None:
        """If a broker is below the boundary, the most loaded one sheds."""
        scores = self.rounds.counting(run, brokers, right, wrong, self.outcome)
        boundary = scores.average - self.threshold
        shedding = [broker for broker in brokers if broker.shed]
        highest = self.highest(brokers, scores)
        below = self.is_some_below(brokers, scores, boundary)
        if highest is None or not run.rule(both(below, highest.above(boundary))):
            if any(broker.weights for broker in brokers):
                self.rounds.demand(
                    run,
                    "SHD-87",
                    not shedding,
                    lambda: f"{name_shedders(shedding)} without a broker below {boundary}",
                )
            return
        sources = [
            broker
            for broker, score in zip(brokers, scores.of, strict=True)
            if broker.several and score.may_equal(highest)
        ]
        if not (shedding or self.tolerance.exact) and self.sole_bundle_leads(
            brokers, scores, highest
        ):
            return
        source = sources[run.pick(len(sources))]
        others = [broker for broker in shedding if broker is not source]
        if len(brokers) > 1:
            self.rounds.demand(
                run,
                "SHD-87",
                not others,
                lambda: f"{name_shedders(others)}, but {source.place} is most loaded",
                "source",
            )
        if not others and source.weights:
            self.judge_source(run, source)

    def sole_bundle_leads(self, brokers: Brokers, scores: Scores, highest: Approx) -> bool:
        """Whether the most loaded of all may have one bundle: then document 003 skips it."""
        return any(
            not broker.several and score.at_least(highest) is not False
            for broker, score in zip(brokers, scores.of, strict=True)
        )

    def judge_source(self, run: Run, source: Broker) -> None:
        """need = T · t · 0.5; nothing if that is less than m."""
        need = self.tolerance.as_traffic(source.traffic * self.threshold.value * LOWER_MARGIN)
        if run.rule(self.rounds.is_worth_it(need)):
            self.rounds.sheds(run, source, need, "SHD-88", ("SHD-88", "SHD-88"), BELOW_BOUNDARY)
        else:
            why = object_to_shed(source, too_little(need))
            self.rounds.demand(run, "SHD-83", not source.shed, why)

    def highest(self, brokers: Brokers, scores: Scores) -> Approx | None:
        """The largest score of a broker with several bundles."""
        able = [s for b, s in zip(brokers, scores.of, strict=True) if b.several]
        return max(able, key=lambda score: score.value, default=None)

    def is_some_below(self, brokers: Brokers, scores: Scores, boundary: Approx) -> Ternary:
        """Whether a broker is below the boundary, by its usage of this round or its score."""
        if self.rounds.own.by_usage:
            scores = self.rounds.scores(usages_of(brokers), brokers)
        return some(score.below(boundary) for score in scores.of)

    def outcome(self, brokers: Brokers, scores: Scores) -> object:
        """Whether a broker is below the boundary, and which one is the most loaded."""
        boundary = scores.average - self.threshold
        if (highest := self.highest(brokers, scores)) is None:
            return None
        below = self.is_some_below(brokers, scores, boundary)
        return both(below, highest.above(boundary)), scores.of.index(highest)


History: TypeAlias = Mapping[str, float]
Entries: TypeAlias = frozenset[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of a round: h of every broker, in order, and μ."""

    of: Sequence[Approx]
    average: Approx


def keep_scores(before: Entries, left: frozenset[str], reporting: Container[str] | None) -> History:
    """The histories without brokers that left or, if `reporting` is given, did not report."""
    return {
        name: score
        for name, score in before
        if name not in left and (reporting is None or name in reporting)
    }


def compare_score(score: Approx, bound: Approx) -> Sentence:
    """A score and the threshold."""
    return lambda: f"its score is {score}, the threshold {bound}"


def too_little(need: Approx) -> Sentence:
    """An amount that is not worth an unload."""
    return lambda: f"{need} B/s are too little"


def object_to_shed(broker: Broker, why: Sentence) -> Sentence:
    """A broker that must not shed does."""
    return lambda: f"{broker.place} sheds {display(broker.shed)}: {format_sentence(why)}"


def name_shedders(shedding: Sequence[Broker]) -> str:
    """The brokers that shed."""
    return f"{', '.join(broker.place for broker in shedding) or 'no broker'} sheds"


def usages_of(brokers: Brokers) -> History:
    """The usages of this round, in place of scores."""
    return {broker.name: broker.usage for broker in brokers}


def by_name(brokers: Brokers, scores: Scores) -> dict[str, Approx]:
    """The score of each broker, for sentences."""
    return {broker.name: score for broker, score in zip(brokers, scores.of, strict=True)}


@lru_cache(1024)
def sums_of(values: tuple[float, ...]) -> tuple[float, ...]:
    """Every sum of these numbers in any order of addition; that of the given order first."""
    reached: dict[int, set[float]] = {0: {0.0}}
    for _ in values:
        after: dict[int, set[float]] = {}
        for done, found in reached.items():
            for place, value in enumerate(values):
                if not done >> place & 1:
                    after.setdefault(done | 1 << place, set()).update(s + value for s in found)
        reached = after
    first = add_in_order(values)
    (found,) = reached.values()
    return first, *sorted(found - {first})


FEW: Final = 6
"""Up to this number of brokers, every order of adding their scores is tried."""

State: TypeAlias = tuple[Entries, Entries]
"""The histories, and those of a balancer that departs from SHD-89 or SHD-90: that enters usages a
second time in an idle round where they enter once, or the reverse."""

MEGABYTE: Final = 1e6
NOTHING: Final[State] = (frozenset(),) * 2


@rounds(
    "shedding.threshold",
    *MOVABLE,
    *SOLE,
    *WEIGHED,
    *(f"SHD-{number}" for number in (*range(80, 91), 99)),
)
def judge_threshold_shedder(case: AnyCase) -> Iterator[Program]:
    """Judge ThresholdShedder, without histories at the start. The documents allow three amounts
    (SHD-85), two treatments of a broker that misses a round and two sorts of usage (SHD-82), and
    two measures for the lower boundary (SHD-87): one combination must explain all rounds.
    """
    return programs(case, NOTHING)


def judge_after(case: AnyCase, histories: Mapping[str, float]) -> Findings:
    """Judge one round of a recorded cluster, after usages that were seen before."""
    begin = (frozenset(histories.items()),) * 2
    entries, edition = judge_threshold_shedder.entries, case.edition.name
    return explain(programs(case, begin), not_in(entries)(edition), advisory_in(entries)(edition))


class Share(Enum):
    """The share of its traffic that a broker above the threshold sheds (SHD-85)."""

    BELOW_AVERAGE = "h − μ + 0.05"
    OF_ITS_USAGE = "(h − μ + 0.05) / h"
    BELOW_THRESHOLD = "h − μ − t + 0.05"


@dataclass(frozen=True, slots=True)
class ThresholdInterpretation:
    """What the documents leave open of ThresholdShedder.

    `forgetful`: a broker that misses a round loses its history. `by_usage`: a broker's usage, not
    its score, is compared with the lower boundary. `weights`: of the resources in its usage.
    """

    share: Share
    forgetful: bool
    by_usage: bool
    weights: Weights


def programs(case: AnyCase, begin: State) -> Iterator[Program]:
    """One program for each combination of interpretations."""
    for interpretation, own in product(
        interpretations_of(case, counting=True), tuple(own_interpretations_of(case))
    ):
        yield rounds_program(case, begin, partial(step_of, case, interpretation, own))


def own_interpretations_of(case: AnyCase) -> Iterator[ThresholdInterpretation]:
    """The interpretations that the edition leaves open, as far as the trial can tell them apart."""
    is_open = not tolerance_of(case.edition).exact
    misses, lower = parts.misses_a_round(case.trial.rounds), case.trial.config.lower_boundary
    shares = (Share.BELOW_THRESHOLD,) if case.edition.threshold_left_in_place else tuple(Share)
    for weights, forgetful, by_usage, share in product(
        memory_weights(case),
        (False, True) if is_open and misses else (False,),
        (False, True) if is_open and lower else (False,),
        shares,
    ):
        yield ThresholdInterpretation(share, forgetful, by_usage, weights)


def step_of(
    case: AnyCase, interpretation: Interpretation, own: ThresholdInterpretation
) -> Callable[[Run, int, State], State]:
    return Rounds(case, interpretation, own).step


class Rounds:
    """The rounds of one case, by one interpretation."""

    def __init__(
        self, case: AnyCase, interpretation: Interpretation, own: ThresholdInterpretation
    ) -> None:
        self.own = own
        self.trial, self.config = case.trial, case.trial.config
        self.edition = case.edition
        self.tolerance = tolerance_of(case.edition)
        self.threshold = Approx(self.config.threshold_percentage / 100.0)
        self.least = Approx(self.config.min_throughput * MEBIBYTE)
        self.entering = "SHD-90" if self.edition.threshold_steps_twice else "SHD-89"
        self.seen = observed_rounds(case, interpretation)
        self.brokers = brokers_of(self.seen, own.weights, case.edition)
        self.lower = LowerBoundary(self)

    def step(self, run: Run, place: int, before: State) -> State:
        """One round."""
        brokers = self.brokers[place]
        only_what_may_be_shed(run, self.seen[place], MOVABLE + SOLE)
        for broker in brokers:
            if broker.shed and may_be_shed(broker.weights, broker.shed):
                weighed_by_short_term(run, self.seen[place], broker.name, broker.shed)
        left = self.brokers_that_left(run, place, before[0])
        reporting = self.seen[place - 1].brokers if self.own.forgetful and place else None
        right = self.enter_usages(keep_scores(before[0], left, reporting), brokers)
        wrong = right
        if before[1] is not before[0]:
            wrong = self.enter_usages(keep_scores(before[1], left, reporting), brokers)
        if brokers and not self.shed_above_threshold(run, brokers, right, wrong):
            if self.edition.threshold_steps_twice:
                right = self.enter_usages(right, brokers)
            else:
                wrong = self.enter_usages(wrong, brokers)
            self.lower.judge(run, brokers, right, wrong)
        after = frozenset(right.items())
        return after, after if wrong == right else frozenset(wrong.items())

    def demand(
        self, run: Run, clause: str, holds: Ternary, why: Sentence = "", kind: str = ""
    ) -> None:
        """Require what a clause demands. In 4.0 all of it is what 4.0 does, which is SHD-90."""
        run.require(clause, holds, why, kind)
        if clause != "SHD-90":
            run.require("SHD-90", holds, why, kind)

    # Histories: SHD-82, SHD-89, SHD-90.

    def brokers_that_left(self, run: Run, place: int, before: Entries) -> frozenset[str]:
        """The brokers that lose their history, because they are no longer active (SHD-99)."""
        if (active := self.trial.active(place)) is None:
            return frozenset()
        left = frozenset(name for name, _ in before if name not in active)
        back = any(not left.isdisjoint(seen.brokers) for seen in self.seen[place:])
        if back and not self.tolerance.exact and not run.rule(True, "SHD-99"):
            return frozenset()
        return left

    def enter_usages(self, history: History, brokers: Brokers) -> History:
        """h := u where a broker is first seen, then h := h·w + (1 − w)·u."""
        weight, after = self.config.history, dict(history)
        for broker in brokers:
            score, usage = history.get(broker.name), broker.usage
            after[broker.name] = usage if score is None else score * weight + (1 - weight) * usage
        return after

    def scores(self, history: History, brokers: Brokers) -> Scores:
        """h of each broker and μ; where usages are exact, only the order of addition is open."""
        values = [history[broker.name] for broker in brokers]
        whole = largest(values)
        usage = self.tolerance.usage * whole
        order = self.tolerance.order * whole if self.tolerance.exact and len(values) > 2 else 0.0
        average = Approx(add_in_order(values) / len(values), order)
        return Scores([Approx(value, usage) for value in values], average)

    def in_some_order(self, run: Run, brokers: Brokers, scores: Scores) -> Scores:
        """The scores with μ by some order of addition, where its last bits decide."""
        average, count = scores.average, len(brokers)
        if not average.tolerance or count > FEW or self.is_clear(brokers, scores):
            return scores
        sums = sums_of(tuple(score.value for score in scores.of))
        return Scores(scores.of, Approx(sums[run.pick(len(sums))] / count))

    def is_clear(self, brokers: Brokers, scores: Scores) -> bool:
        """Whether comparisons with the average, and with amounts derived from it, are decided."""
        if scores.average.may_equal(Approx(0.0)):
            return False
        bound, boundary = scores.average + self.threshold, scores.average - self.threshold
        for broker, score in zip(brokers, scores.of, strict=True):
            above = score.at_least(bound)
            if above is None or score.below(boundary) is None:
                return False
            if above and broker.weights:
                need = self.compute_need(broker, score, scores.average)
                moved = [broker.weights.get(bundle, 0.0) for bundle in broker.shed]
                amounts = self.least, Approx(add_in_order(moved)), Approx(add_in_order(moved[:-1]))
                if any(need.at_least(amount) is None for amount in amounts):
                    return False
        return True

    def counting(
        self,
        run: Run,
        brokers: Brokers,
        right: History,
        wrong: History,
        shown: Callable[[Brokers, Scores], object],
    ) -> Scores:
        """The scores of the right histories. Exercises the clauses about histories that matter."""
        scores = self.scores(right, brokers)
        if wrong is not right:
            other = self.scores(wrong, brokers)
            differ = shown(brokers, scores) != shown(brokers, other)
            if differ and not run.rule(True, self.entering, None, "usages enter once a round"):
                return other
        return self.in_some_order(run, brokers, scores)

    # Above the threshold: SHD-80, SHD-81, SHD-83, SHD-85, SHD-86.

    def shed_above_threshold(
        self, run: Run, brokers: Brokers, right: History, wrong: History
    ) -> bool:
        """Whether the round is over: brokers above the threshold shed, or no other has to."""
        scores = self.counting(run, brokers, right, wrong, self.above)
        if self.all_idle(run, brokers, scores):
            return True
        scores = self.by_history(run, brokers, scores)
        bound = scores.average + self.threshold
        run.note("scores {}; average {}, bound {}", by_name(brokers, scores), scores.average, bound)
        left_alone: list[tuple[Broker, str, Sentence]] = []
        acting = spared = False
        for broker, score in zip(brokers, scores.of, strict=True):
            why, above = compare_score(score, bound), score.at_least(bound)
            if above is False or (broker.weights and not run.rule(above)):
                left_alone.append((broker, "SHD-80", why))
                continue
            if not broker.weights:  # a broker that sheds anyway breaks SHD-2, SHD-5, SHD-7 or SHD-8
                acting = acting or bool(broker.shed)
                continue
            need = self.compute_need(broker, score, scores.average)
            run.note("{} is to shed {} B/s, of {}", broker.name, need, broker.traffic)
            if not run.rule(self.is_worth_it(need)):
                left_alone.append((broker, "SHD-83", too_little(need)))
                continue
            must = bool(broker.shed) or self.has_to_go(broker, need)
            acting, spared = acting or must, spared or not must
            self.sheds(run, broker, need, "SHD-81", ("SHD-85", "SHD-86"), why)
        if not acting and self.config.lower_boundary and not (spared and run.pick(2)):
            return False
        for broker, clause, why in left_alone:
            if broker.report.bundles:
                self.demand(run, clause, not broker.shed, object_to_shed(broker, why))
        return True

    def above(self, brokers: Brokers, scores: Scores) -> object:
        """Which of the brokers that can shed are above the threshold."""
        bound = scores.average + self.threshold
        return [
            score.at_least(bound)
            for broker, score in zip(brokers, scores.of, strict=True)
            if broker.weights
        ]

    def by_history(self, run: Run, brokers: Brokers, scores: Scores) -> Scores:
        """The same scores. Where usages alone would decide otherwise, SHD-82 is exercised."""
        usages = usages_of(brokers)
        if all(usages[b.name] == s.value for b, s in zip(brokers, scores.of, strict=True)):
            return scores
        other = self.scores(usages, brokers)
        if self.above(brokers, scores) == self.above(brokers, other):
            return scores
        return scores if run.rule(True, "SHD-82", None, "histories count, not usages") else other

    def all_idle(self, run: Run, brokers: Brokers, scores: Scores) -> bool:
        """Whether the average is 0: then no broker sheds in 4.0, and elsewhere none has to."""
        shed = [broker.place for broker in brokers if broker.shed]
        if self.tolerance.exact:
            if scores.average.value == 0:
                self.demand(
                    run,
                    "SHD-90",
                    not shed,
                    lambda: f"{display(shed)} shed, although the average is 0",
                )
                return True
            return False
        return not shed and abs(scores.average.value) <= scores.of[0].tolerance

    def compute_need(self, broker: Broker, score: Approx, average: Approx) -> Approx:
        """T · (h − μ + 0.05), or that divided by h, by document 002; T · (h − μ − t + 0.05) by
        document 003 and in 4.0.
        """
        share = score - average
        if self.own.share is Share.BELOW_THRESHOLD:
            share = share - self.threshold
        share = share + Approx(MARGIN)
        if self.own.share is Share.OF_ITS_USAGE and score.above(Approx(0.0)):
            share = share.over(score)
        return self.as_traffic(share.times(broker.traffic))

    def is_worth_it(self, need: Approx) -> Ternary:
        """Whether an amount is worth an unload; by the documents m counts 10^6 or 2^20 bytes."""
        enough = need.at_least(self.least)
        if enough is False and not self.tolerance.exact:
            in_decimal = need.at_least(self.least.times(MEGABYTE / MEBIBYTE))
            return False if in_decimal is False else None
        return enough

    def as_traffic(self, amount: Approx) -> Approx:
        """A computed amount of traffic, with its tolerance."""
        return amount.widen(self.tolerance.as_traffic(amount.value).tolerance)

    def most(self, broker: Broker) -> int | None:
        """The number of its bundles that can be needed; None in 4.0, which does not ask."""
        return None if self.tolerance.exact else most_to_go(broker, self.edition)

    def has_to_go(self, broker: Broker, need: Approx) -> bool:
        """Whether something must be shed. By the documents nothing is enough where nothing is
        needed, or nothing but idle bundles can go; 4.0 sheds one bundle anyway.
        """
        return self.tolerance.exact or (self.most(broker) != 0 and bool(need.above(Approx(0.0))))

    def sheds(
        self,
        run: Run,
        broker: Broker,
        need: Approx,
        at_all: str,
        amount: tuple[str, str],
        why: Sentence,
    ) -> None:
        """A broker sheds: something, heaviest first, and the right amount."""
        if broker.shed or self.has_to_go(broker, need):
            self.demand(
                run,
                at_all,
                bool(broker.shed),
                lambda: f"{broker.place} sheds nothing: {format_sentence(why)}",
            )
        if broker.shed and may_be_shed(broker.weights, broker.shed):
            demand = partial(self.demand, run)
            moved = [broker.weights[bundle] for bundle in broker.shed]
            heaviest_first(demand, "SHD-84", broker.place, broker.weights, broker.shed)
            movable, known = len(broker.weights), self.tolerance.as_traffic
            most = self.most(broker)
            shortest_that_reaches(demand, amount, broker.place, moved, movable, need, known, most)


THRESHOLD: Final = Question(
    "shedding.threshold",
    ThresholdTrial,
    parts.SheddingAnswer,
    threshold_trial,
    answer_threshold,
    threshold_labels,
    commands="rounds",
    exempt=Exempt(unjudged={"direct_memory_weight": "LOA-3: direct memory may count or not"}),
)

QUESTIONS: Final = (THRESHOLD,)
