"""Theorems: the bound on over-delivery, and that it is reached, for all R, E, B, k and n.

`overdelivery_steps.py` has the proof; THR-49, THR-50, THR-53.
"""

from __future__ import annotations

from random import Random
from typing import Final

import z3

from evenkeel.models.assumptions import Step, case
from evenkeel.models.terms import Model, Scope, Term, number, run
from evenkeel.models.theorem import Mutant, Theorem, Twin
from evenkeel.models.throttling.overdelivery.steps import (
    B,
    E,
    K,
    R,
    excess_rule,
    lowered,
    may_deliver,
    may_issue,
    steps,
    window_steps,
)
from evenkeel.properties.kit.observations import Broke, Refused
from evenkeel.reference.throttling import counter as counters
from evenkeel.reference.throttling import overdelivery
from evenkeel.reference.throttling.counter import Counter
from evenkeel.reference.throttling.overdelivery import Setting


def forgetful_step(scope: Scope) -> Step:
    """If ends of periods forget, two periods still keep the bound."""
    per_period = R + excess_rule(R, E, B, K)
    limits = tuple(z3.And(1 <= x, x <= 4) for x in (R, E, B, K))
    bound = 2 * R + excess_rule(R, E, B, K)
    return Step("two periods", (case("small numbers", *limits),), 2 * per_period <= bound)


def setting_of(model: Model) -> Setting:
    """The setting of a model."""
    return Setting(*(number(model, term) for term in (R, E, B, K)))


def two_bursts(trial: Setting, carries: bool) -> int:
    """What two periods deliver if the burst is tried in both."""
    burst = list(overdelivery.burst(trial))
    schedule = [*burst, overdelivery.Step("tick"), *burst]
    return overdelivery.run_possible(trial, schedule, carries).delivered


def keeps_bound(trial: Setting, answer: int | Refused | Broke) -> bool:
    """Two periods are within their bound."""
    return isinstance(answer, int) and answer <= overdelivery.most_in_periods(trial, 2)


def arguments(random: Random) -> tuple[int, int, int, int]:
    """A small setting."""
    return (
        random.randint(1, 9),
        random.randint(1, 9),
        random.randint(1, 5),
        random.randint(1, 4),
    )


def excess_by_rule(*values: int) -> int:
    """The excess, by the theorem's rule."""
    return int(run(excess_rule, *values))


def excess_in_reference(*values: int) -> int:
    """The excess, by the reference."""
    return overdelivery.excess(Setting(*values))


def end_arguments(random: Random) -> tuple[int, int]:
    """What was taken, and a quota."""
    return random.randint(0, 40), random.randint(1, 12)


def end_in_reference(taken: int, quota: int) -> int:
    """What is taken after a period's end in the reference."""
    return counters.period_ends(Counter(quota, 1, True, taken), 1).taken


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
    """Whether the reference issues a read of so many entries."""
    of = Setting(quota, most, 1, 1)
    begun = overdelivery.Run(Counter(quota, 1, True, taken))
    return possible(of, begun, overdelivery.Step("issue", 0, entries))


def deliver_arguments(random: Random) -> tuple[int, int, int]:
    """The entries of a read, units of one at most, and units."""
    return random.randint(1, 5), random.randint(1, 5), random.randint(0, 30)


def delivers_in_reference(entries: int, batch: int, units: int) -> bool:
    """Whether the reference's read delivers so many units."""
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


TWINS: Final = (
    Twin("may issue", issue_arguments, lambda *v: run(may_issue, *v), issues_in_reference),
    Twin("may deliver", deliver_arguments, lambda *v: run(may_deliver, *v), delivers_in_reference),
    Twin("excess", arguments, excess_by_rule, excess_in_reference),
    Twin("period's end", end_arguments, lambda *v: run(lowered, *v), end_in_reference),
    Twin("attained", arguments, two_periods_by_rule, delivered_in_reference),
)

OVER_DELIVERY: Final = Theorem(
    name="over-delivery",
    chapter="throttling",
    clauses=("THR-49", "THR-53"),
    statement="n whole periods deliver at most n R + M (k B - 1), M = min(E, R), and a schedule "
    "that delivers so much exists.",
    bound="every R, E, B, k, n, by induction over actions, slots and ends of periods",
    steps=steps,
    mutant=Mutant(
        name="forgetting",
        sentence="Two periods of a counter that forgets the excess keep the bound.",
        step=forgetful_step,
        trial=setting_of,
        broken=lambda trial: two_bursts(trial, carries=False),
        right=lambda trial: two_bursts(trial, carries=True),
        promise=keeps_bound,
    ),
    twins=TWINS,
)


def per_second_step(scope: Scope) -> Step:
    """One read at a time without batches delivers at most R in any window of one period."""
    before, after = z3.Ints("before after")
    quota = z3.And(1 <= R, R <= 9, 0 <= before, before <= R, 0 <= after, after <= R)
    alone = case("one read at a time, no batches", quota, E == R, B == 1, K == 1)
    return Step("at most R in any second", (alone,), before + after <= R)


def around_an_end(trial: Setting) -> int:
    """What one window delivers that has a period's end inside."""
    return overdelivery.run_schedule(trial, overdelivery.attaining_window(trial, 1)).delivered


ANY_WINDOW: Final = Theorem(
    name="any-window",
    chapter="throttling",
    clauses=("THR-50",),
    statement="A window of n periods, wherever it begins, delivers at most (n + 1) R + M (k B - 1);"
    " a schedule that delivers so much exists.",
    bound="every R, E, B, k, n, as for over-delivery",
    steps=window_steps,
    mutant=Mutant(
        name="at-most-r-in-any-second",
        sentence="In any window of one period at most R messages are delivered.",
        step=per_second_step,
        trial=setting_of,
        broken=lambda trial: trial.quota,
        right=lambda trial: overdelivery.most_in_window(trial, 1),
        promise=lambda trial, bound: isinstance(bound, int) and around_an_end(trial) <= bound,
    ),
    twins=(
        Twin(
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
