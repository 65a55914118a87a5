"""Theorem: what the documents let an overloaded broker shed is enough (SHD-13); in 4.0 it is not.

The rule of the documents is proved to keep the promise. The broken rule is that of 4.0, and what is
executed with the solver's counterexample is the reference of 4.0 itself.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Final

import z3

from evenkeel.models.shedding.trial_parts import SOURCE, round_of
from evenkeel.properties.shedding.overload import OverloadTrial
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.cluster import BrokerReport
from evenkeel.reference.shedding.overload import OverloadRules, amount_to_shed
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis
from evenkeel_engine.proofs.terms import Model, Scope, Term, number, run
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

USAGE, THRESHOLD, TRAFFIC, SHED = z3.Ints("usage threshold traffic shed")
MARGIN: Final = 5
"""Points below the threshold that a broker is to come to."""


def enough(shed: Term, usage: Term, threshold: Term, traffic: Term) -> Term:
    """Whether what is shed comes to the documents' amount."""
    return usage * shed >= traffic * (usage - threshold + MARGIN)


def enough_4_0(shed: Term, usage: Term, threshold: Term, traffic: Term) -> Term:
    """The rule of 4.0: points of usage are taken for a share of the traffic."""
    return 100 * shed >= traffic * (usage - threshold + MARGIN)


def below(shed: Term, usage: Term, threshold: Term, traffic: Term) -> Term:
    """Whether the rest of the traffic is below the threshold, if usage follows traffic."""
    return usage * (traffic - shed) < threshold * traffic


def overload_steps(scope: Scope) -> tuple[Step, ...]:
    """What comes to the amount is enough; all of the traffic does come to it."""
    values = (USAGE, THRESHOLD, TRAFFIC)
    overloaded = hypothesis(
        "an overloaded broker with traffic; the threshold is no less than the margin",
        THRESHOLD >= MARGIN,
        USAGE >= THRESHOLD,
        TRAFFIC >= 1,
    )
    return (
        Step(
            "below",
            (overloaded, case("so much is shed", enough(SHED, *values))),
            below(SHED, *values),
        ),
        Step("possible", (overloaded,), enough(TRAFFIC, *values)),
    )


def overload_mutant(scope: Scope) -> Step:
    """The rule of 4.0, with the fewest bundles of a byte a second each that come to its amount."""
    values = (USAGE, THRESHOLD, TRAFFIC)
    small = (THRESHOLD >= 1, THRESHOLD <= 100, USAGE >= THRESHOLD, USAGE <= 100)
    sized = (TRAFFIC >= 2, TRAFFIC <= 12, SHED >= 1)
    fewest = (enough_4_0(SHED, *values), z3.Not(enough_4_0(SHED - 1, *values)))
    return Step("below", (*small, *sized, *fewest), below(SHED, *values))


def overload_trial(model: Model) -> OverloadTrial:
    """A broker with as many bundles as a model has traffic."""
    loads = [Traffic(throughput_out=1.0)] * number(model, TRAFFIC)
    reported = Traffic(throughput_out=float(len(loads)))
    round_ = round_of({SOURCE: float(number(model, USAGE))}, {SOURCE: reported}, loads)
    config = OverloadRules(overloaded_percent=number(model, THRESHOLD))
    return OverloadTrial(config=config, rounds=(round_,))


def amounts(random: Random) -> tuple[int, int, int, int]:
    """What is shed, usage, threshold, traffic: about the amount, and never it."""
    usage = random.choice((20, 25, 40, 50, 80, 100))
    threshold, traffic = random.randint(MARGIN, usage), random.randint(1, 1000) * 100
    amount = traffic * (usage - threshold + MARGIN) // usage
    return max(amount + random.choice((-1, 2)), 0), usage, threshold, traffic


def enough_documented(shed: int, usage: int, threshold: int, traffic: int) -> bool:
    """Whether it is enough for the reference."""
    report = BrokerReport(traffic=Traffic(throughput_out=float(traffic)))
    rules = OverloadRules(overloaded_percent=threshold)
    return shed >= amount_to_shed(usage / 100, report, rules, DOCUMENTED)


COMES_BELOW: Final = Theorem(
    name="overloaded-brokers-come-below-their-threshold",
    chapter="shedding",
    clauses=("SHD-13",),
    statement="If usage follows traffic, and a broker sheds that share of its traffic which its "
    "points above five below the threshold are of its usage, it comes below the threshold. With "
    "the amount of 4.0 it need not.",
    bound="any usage, threshold of 5 points at least, any traffic, in whole numbers",
    steps=overload_steps,
    mutant=ReferenceMutant(
        broken="PULSAR_4_0",
        sentence="Points of usage are taken for a share of the traffic, as in 4.0.",
        step=overload_mutant,
        trial=overload_trial,
        question="shedding.overload",
    ),
    cross_checks=(
        CrossCheck("whether it is enough", amounts, partial(run, enough), enough_documented),
    ),
)

THEOREMS: Final = (COMES_BELOW,)
