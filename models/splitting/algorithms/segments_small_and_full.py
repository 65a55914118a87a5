"""Theorems: what the greedy walk of `flow_or_qps_equally_divide` makes (SPL-12, SPL-13).

Topics 0 … n - 1 in order of hash have unknown rates and throughputs. `S(i)` is the sum over the
topics before i, by its recurrence, so that the load of the segment [a, b) is S(b) - S(a). The walk
holds the start of the current segment, the next topic, and the load gathered. Loads are real
numbers here; the walk adds doubles, whose rounding the theorem does not see. Topics that no cut
can part are merged before the walk and count as one here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise
from random import Random
from typing import Final

import z3

from evenkeel.models.splitting.trial_parts import flow_trial
from evenkeel.properties.splitting.positions import PositionsTrial
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.splitting.algorithms import Flow, cut_by_flow, flow_cut
from evenkeel.reference.splitting.settings import FlowLimits
from evenkeel_engine.proofs.assumptions import Assumption, Step, case, hypothesis, lemma
from evenkeel_engine.proofs.terms import Model, Scope, Term, evaluate, number, real_sequence
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

MAX_RATE, MAX_BYTES = z3.Reals("max_rate max_bytes")


@dataclass(frozen=True, slots=True)
class Load:
    """Message rate and throughput, of a topic or of several."""

    rate: Term
    throughput: Term

    def plus(self, other: Load) -> Load:
        """Both together."""
        return Load(self.rate + other.rate, self.throughput + other.throughput)

    def equals(self, other: Load) -> Term:
        """The same load."""
        return z3.And(self.rate == other.rate, self.throughput == other.throughput)

    def exceeds(self) -> Term:
        """Above a limit: strictly."""
        return z3.Or(self.rate > MAX_RATE, self.throughput > MAX_BYTES)


@dataclass(frozen=True, slots=True)
class Walk:
    """Whether the bundle is cut before the next topic, and what has been gathered then."""

    cut: Term
    gathered: Load


WalkStep = Callable[[Load, Load], Walk]
"""What has been gathered and the next topic."""


def begin_again(cut: Term, fresh: Load, both: Load) -> Walk:
    """Continue with `fresh` after a cut, else with both."""
    rate = z3.If(cut, fresh.rate, both.rate)
    return Walk(cut, Load(rate, z3.If(cut, fresh.throughput, both.throughput)))


def step_of_walk(gathered: Load, topic: Load) -> Walk:
    """Cut where the next topic would take the load above a limit; it begins the next part."""
    both = gathered.plus(topic)
    return begin_again(both.exceeds(), topic, both)


def forgetful_step(gathered: Load, topic: Load) -> Walk:
    """A broken step: after a cut the walk begins with nothing, not with the topic."""
    both = gathered.plus(topic)
    return begin_again(both.exceeds(), Load(z3.RealVal(0), z3.RealVal(0)), both)


def eager_step(gathered: Load, topic: Load) -> Walk:
    """A broken step: cut also where a limit would be met exactly."""
    both = gathered.plus(topic)
    return begin_again(z3.Or(both.rate >= MAX_RATE, both.throughput >= MAX_BYTES), topic, both)


# ----------------------------------------------------------------------------- the walk

RATES, BYTES = real_sequence("rate"), real_sequence("throughput")
RATE_SUMS, BYTE_SUMS = real_sequence("rates_before"), real_sequence("throughputs_before")
N, START, NEXT = z3.Ints("n start next")
GATHERED: Final = Load(z3.Real("gathered_rate"), z3.Real("gathered_throughput"))


def topic(i: Term) -> Load:
    """The load of one topic."""
    return Load(RATES(i), BYTES(i))


def sum_segment(first: Term, end: Term) -> Load:
    """The load of the topics from `first` up to, not including, `end`."""
    return Load(RATE_SUMS(end) - RATE_SUMS(first), BYTE_SUMS(end) - BYTE_SUMS(first))


def sums(scope: Scope) -> tuple[Term, ...]:
    """What makes `sum_segment` the sum of its topics' loads."""
    return (
        scope.size(N),
        scope.for_all(0, N - 1, lambda i: RATE_SUMS(i + 1) == RATE_SUMS(i) + RATES(i)),
        scope.for_all(0, N - 1, lambda i: BYTE_SUMS(i + 1) == BYTE_SUMS(i) + BYTES(i)),
    )


def small_enough(first: Term, end: Term) -> Term:
    """A segment is a single topic, or within both limits."""
    return z3.Or(end - first == 1, z3.Not(sum_segment(first, end).exceeds()))


def invariant(start: Term, next_: Term, gathered: Load) -> Term:
    """The gathered load is the current segment's, which is not empty and small enough."""
    return z3.And(
        z3.And(0 <= start, start < next_, next_ <= N),
        gathered.equals(sum_segment(start, next_)),
        small_enough(start, next_),
    )


INVARIANT: Final = lemma(("start", "next topic"), invariant(START, NEXT, GATHERED))


def flow(scope: Scope) -> Assumption:
    """What both theorems are about."""
    return hypothesis("topics with rates and throughput of 0 or more, summed up", *sums(scope))


def going_on(scope: Scope) -> tuple[Assumption, ...]:
    """The walk has come to a topic."""
    return flow(scope), INVARIANT, case("a further topic", NEXT < N)


def walk_steps(scope: Scope) -> tuple[Step, ...]:
    """The invariant from the first topic to the last."""
    walk = step_of_walk(GATHERED, topic(NEXT))
    one, some = z3.IntVal(1), case("a topic", N >= 1)
    begin = z3.If(walk.cut, NEXT, START)
    return (
        Step("start", (flow(scope), some), invariant(z3.IntVal(0), one, topic(one - 1))),
        Step("next topic", going_on(scope), invariant(begin, NEXT + 1, walk.gathered)),
    )


def small_steps(scope: Scope) -> tuple[Step, ...]:
    """The invariant where a segment ends."""
    cut = case("a cut", step_of_walk(GATHERED, topic(NEXT)).cut)
    at_end = (flow(scope), INVARIANT, case("the last topic", NEXT == N))
    return (
        *walk_steps(scope),
        Step("a closed segment", (*going_on(scope), cut), small_enough(START, NEXT)),
        Step("the last segment", at_end, small_enough(START, N)),
    )


def full_steps(scope: Scope) -> tuple[Step, ...]:
    """The invariant where the walk cuts."""
    cut = case("a cut", step_of_walk(GATHERED, topic(NEXT)).cut)
    longer = sum_segment(START, NEXT + 1)
    return (*walk_steps(scope), Step("no topic more", (*going_on(scope), cut), longer.exceeds()))


# ------------------------------------------------------------------------------- mutants

WHOLE: Final = z3.Ints("rate0 rate1 rate2")
LIMIT: Final = z3.Int("limit")


def three_topics() -> tuple[Term, ...]:
    """Three topics with whole rates and no bytes, and whole limits."""
    rates = [z3.And(0 < rate, rate <= 1000) for rate in WHOLE]
    entry = z3.Sum(WHOLE) >= LIMIT
    return (*rates, 1 <= LIMIT, LIMIT <= 1000, entry, MAX_RATE == z3.ToReal(LIMIT), MAX_BYTES == 1)


def message_load(rate: Term) -> Load:
    """A load of messages without bytes."""
    return Load(z3.ToReal(rate), z3.RealVal(0))


def forgetful_mutant(scope: Scope) -> Step:
    """Two topics that the broken walk leaves together are within the limits."""
    first, second, third = map(message_load, WHOLE)
    walk = forgetful_step(first, second)
    together = (*three_topics(), walk.cut, z3.Not(forgetful_step(walk.gathered, third).cut))
    return Step("small enough", together, z3.Not(second.plus(third).exceeds()))


def eager_mutant(scope: Scope) -> Step:
    """Two topics that the broken walk parts would together exceed a limit."""
    first, second, _ = map(message_load, WHOLE)
    parted = (*three_topics(), eager_step(first, second).cut)
    return Step("no topic more", parted, first.plus(second).exceeds())


BUNDLE: Final = HashRange(0, TOP_HASH)


def trial_of(model: Model) -> PositionsTrial:
    """Three topics at the hashes 1000, 2000 and 3000, with the rates and the limit of a model."""
    rates = [(1000 * i, float(number(model, rate))) for i, rate in enumerate(WHOLE, start=1)]
    return flow_trial(BUNDLE, rates, FlowLimits(number(model, LIMIT), 1, 0))


def positions_by(step: WalkStep, flows: Sequence[Flow], limits: FlowLimits) -> tuple[int, ...]:
    """A walk executed on topics in order of hash, with the documented cut between two topics."""
    known = (
        (MAX_RATE, z3.RealVal(limits.max_msg_rate)),
        (MAX_BYTES, z3.RealVal(limits.max_throughput)),
    )
    positions = []
    gathered = load_of(flows[0])
    for left, right in pairwise(flows):
        walk = step(gathered, load_of(right))
        if evaluate(z3.substitute(walk.cut, *known)):
            positions.append(flow_cut(left.hash, right.hash, DOCUMENTED))
        gathered = Load(
            z3.simplify(z3.substitute(walk.gathered.rate, *known)),
            z3.simplify(z3.substitute(walk.gathered.throughput, *known)),
        )
    return tuple(positions)


def load_of(flow: Flow) -> Load:
    """A topic's load as terms: the exact values of its doubles."""
    return Load(
        z3.RealVal(str(Fraction(flow.msg_rate))), z3.RealVal(str(Fraction(flow.throughput)))
    )


def arguments(random: Random) -> tuple[list[Flow], FlowLimits]:
    """Topics with different hashes, with loads that often meet the limits exactly."""
    hashes = sorted(random.sample(range(TOP_HASH), random.randint(1, 6)))
    flows = [
        Flow(
            hash_,
            random.choice((0.0, 250.0, 500.0, 1000.0, 1000.5)),
            random.choice((0.0, 2.0**19, 2.0**20, 2.0**20 + 1)),
        )
        for hash_ in hashes
    ]
    return flows, FlowLimits(random.choice((500, 1000)), random.choice((1, 2)), 10)


CROSS_CHECKS: Final = (
    CrossCheck(
        "cuts of the greedy walk",
        arguments,
        partial(positions_by, step_of_walk),
        lambda flows, limits: cut_by_flow(flows, limits, DOCUMENTED),
    ),
)

BOUND: Final = "any number of topics (loop invariant), any loads and limits, as real numbers"

SEGMENTS_ARE_SMALL_ENOUGH: Final = Theorem(
    name="segments-are-small-enough",
    chapter="splitting",
    clauses=("SPL-12",),
    statement="Every segment that the greedy walk makes, the last one too, is a single topic or "
    "has a rate and a throughput within the limits.",
    bound=BOUND,
    steps=small_steps,
    mutant=ReferenceMutant(
        broken="topic-at-the-cut-not-counted",
        sentence="After a cut, gathering starts with nothing and not with the topic at the cut.",
        step=forgetful_mutant,
        trial=trial_of,
        question="splitting.positions",
    ),
    cross_checks=CROSS_CHECKS,
)

SEGMENTS_ARE_FULL: Final = Theorem(
    name="segments-are-full",
    chapter="splitting",
    clauses=("SPL-13",),
    statement="Wherever the greedy walk cuts, the segment before the cut with the next topic would "
    "exceed a limit: it could not have been longer.",
    bound=BOUND,
    steps=full_steps,
    mutant=ReferenceMutant(
        broken="cut-at-the-limit",
        sentence="The bundle is cut also where the next topic would meet a limit exactly.",
        step=eager_mutant,
        trial=trial_of,
        question="splitting.positions",
    ),
    cross_checks=CROSS_CHECKS,
)

THEOREMS: Final = (SEGMENTS_ARE_SMALL_ENOUGH, SEGMENTS_ARE_FULL)
