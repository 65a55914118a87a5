"""Theorems: the bound on over-delivery, and that it is reached, for all R, E, B, k and n.

`steps.py` has the proof; THR-49, THR-50, THR-53.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Final

import z3

from evenkeel.models.throttling.overdelivery.graphs import carry_excess
from evenkeel.models.throttling.overdelivery.steps import (
    B,
    E,
    K,
    R,
    excess_rule,
    lower_count,
    may_deliver,
    may_issue,
    steps,
    window_steps,
)
from evenkeel.properties.throttling.loop.trials import (
    AdvanceLoop,
    Complete,
    Flow,
    LoopCommand,
    LoopSettings,
    LoopTopic,
    LoopTrial,
    ReadNow,
)
from evenkeel.reference.throttling import overdelivery
from evenkeel.reference.throttling.counter import Counter
from evenkeel.reference.throttling.limiter import Mechanism
from evenkeel.reference.throttling.loop import Entry, LevelRates, Sort
from evenkeel.reference.throttling.overdelivery import Setting
from evenkeel.reference.throttling.rates import DispatchRate
from evenkeel_engine.proofs.assumptions import Assumption, Step, case
from evenkeel_engine.proofs.terms import Model, Scope, Term, number, run
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

SECOND: Final = 1000
"""Milliseconds of a period."""
MANY: Final = 2**20
"""Bytes of one read at most: more than any has here."""


def forgetful_window_step(scope: Scope) -> Step:
    """If ends of periods forget, a window of three periods still keeps the bound."""
    bound = 4 * R + excess_rule(R, E, B, K)
    return Step("three periods", (bursts(),), 3 * burst_rule() <= bound)


def bursts() -> Assumption:
    """Small numbers, and reads that may take the whole quota."""
    limits = (z3.And(1 <= x, x <= 4) for x in (R, E, B, K))
    return case("small numbers, each read for a whole quota", *limits, E == R)


def burst_rule() -> Term:
    """What k reads of a whole quota deliver at once."""
    return K * R * B


def bursts_in(periods: int, model: Model) -> LoopTrial:
    """Topics that share the limit of a model; in each period all read at once."""
    quota, batch, reads = (number(model, term) for term in (R, B, K))
    settings = LoopSettings(
        mechanism=Mechanism.CLASSIC,
        max_batch=quota,
        max_bytes=MANY,
        round_robin=quota,
        precise=False,
        by_entry=False,
        non_backlog=True,
    )
    topic = LoopTopic((Entry(batch, 1),) * (periods * quota), (Sort.SHARED,))
    limit, none = DispatchRate(quota), DispatchRate()
    rates = LevelRates(broker=limit, topic=none, subscription=none)
    all_ = range(reads)
    burst: tuple[LoopCommand, ...] = (
        *map(ReadNow, all_),
        *(Complete(place, False) for place in all_),
    )
    permits = (Flow(place, periods * quota * batch) for place in all_)
    period = (*burst, AdvanceLoop(SECOND))
    return LoopTrial(settings, rates, (topic,) * reads, (*permits, *period * periods))


def arguments(random: Random) -> tuple[int, int, int, int]:
    """A small setting."""
    return (random.randint(1, 9), random.randint(1, 9), random.randint(1, 5), random.randint(1, 4))


def end_arguments(random: Random) -> tuple[int, int]:
    """What was taken, and a quota."""
    return random.randint(0, 40), random.randint(1, 12)


def delivered_in_reference(*values: int) -> int:
    """What the attaining schedule delivers in two periods."""
    of = Setting(*values)
    return overdelivery.run_schedule(of, overdelivery.attaining(of, 2)).delivered


def two_periods_rule(quota: Term, entries: Term, batch: Term, reads: Term) -> Term:
    """The bound for two periods."""
    return 2 * quota + excess_rule(quota, entries, batch, reads)


def two_periods_by_rule(*values: int) -> int:
    """The bound for two periods, executed."""
    return int(run(two_periods_rule, *values))


def issue_arguments(random: Random) -> tuple[int, int, int, int]:
    """A quota, the most entries of a read, what is taken, and the entries of a read."""
    return random.randint(1, 9), random.randint(1, 9), random.randint(0, 9), random.randint(0, 9)


def issues_in_reference(quota: int, most: int, taken: int, entries: int) -> bool:
    """Whether the reference issues a read of `entries` entries."""
    of = Setting(quota, most, 1, 1)
    begun = overdelivery.Run(Counter(quota, 1, True, taken))
    return possible(of, begun, overdelivery.Step("issue", 0, entries))


def delivers_in_reference(entries: int, batch: int, units: int) -> bool:
    """Whether the reference's read delivers `units` units."""
    of = Setting(9, 9, batch, 1)
    begun = overdelivery.Run(Counter(9, 1, True), (overdelivery.UnderWay(entries),))
    return possible(of, begun, overdelivery.Step("deliver", 0, units))


def possible(of: Setting, begun: overdelivery.Run, step: overdelivery.Step) -> bool:
    """Whether the loop takes the step."""
    try:
        overdelivery.step(begun, of, step)
    except overdelivery.NotPossible:
        return False
    return True


CROSS_CHECKS: Final = (
    CrossCheck("may issue", issue_arguments, lambda *v: run(may_issue, *v), issues_in_reference),
    CrossCheck(
        "may deliver",
        lambda random: (random.randint(1, 5), random.randint(1, 5), random.randint(0, 30)),
        lambda *v: run(may_deliver, *v),
        delivers_in_reference,
    ),
    CrossCheck(
        "excess",
        arguments,
        lambda *values: int(run(excess_rule, *values)),
        lambda *values: overdelivery.excess(Setting(*values)),
    ),
    CrossCheck("period's end", end_arguments, lambda *v: run(lower_count, *v), carry_excess),
    CrossCheck("attained", arguments, two_periods_by_rule, delivered_in_reference),
)

OVER_DELIVERY: Final = Theorem(
    name="over-delivery",
    chapter="throttling",
    clauses=("THR-49", "THR-53"),
    statement="n whole periods deliver at most n R + M (k B - 1), M = min(E, R), and a schedule "
    "that delivers so much exists.",
    bound="every R, E, B, k, n, by induction over actions, slots and ends of periods",
    steps=steps,
    mutant=ReferenceMutant(
        broken="excess-forgotten",
        sentence="Two periods of a counter that forgets the excess keep the bound.",
        step=lambda scope: Step(
            "two periods", (bursts(),), 2 * burst_rule() <= 2 * R + excess_rule(R, E, B, K)
        ),
        trial=partial(bursts_in, 2),
        question="throttling.loop",
    ),
    cross_checks=CROSS_CHECKS,
)


ANY_WINDOW: Final = Theorem(
    name="any-window",
    chapter="throttling",
    clauses=("THR-50",),
    statement="A window of n periods, wherever it begins, delivers at most (n + 1) R + M (k B - 1);"
    " a schedule that delivers so much exists.",
    bound="every R, E, B, k, n, as for over-delivery",
    steps=window_steps,
    mutant=ReferenceMutant(
        broken="excess-forgotten",
        sentence="Three periods of a counter that forgets the excess keep the bound of a window.",
        step=forgetful_window_step,
        trial=partial(bursts_in, 3),
        question="throttling.loop",
    ),
    cross_checks=(
        CrossCheck(
            "attained in a window",
            arguments,
            lambda *v: int(run(two_periods_rule, *v)) + v[0],
            lambda *v: (
                overdelivery.run_schedule(
                    Setting(*v), overdelivery.attaining_window(Setting(*v), 2)
                ).delivered
            ),
        ),
    ),
)

THEOREMS: Final = (OVER_DELIVERY, ANY_WINDOW)
