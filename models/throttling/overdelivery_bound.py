"""Theorems: the bound on over-delivery, for all R, E, B, k and n (THR-49, THR-50, THR-55).

One invariant carries it. Let a be what was taken, q what is delivered and not yet charged, and f
the most that reads under way can still deliver. Then `a + q + f ≤ R + M (k B − 1)`: the read that
was issued last found a < R, so with it `a + e B ≤ R + M (B − 1)`, and each of the other k − 1 reads
holds at most M B; every other action moves units from one summand to another, or lowers them.

With `removed` the units that ends of periods have subtracted, deliveries are conserved:
`delivered = a + q + removed − (a + q at the start)`; n aligned periods have n − 1 ends between
them, any window of n periods at most n. The products M B and k M B appear as unknowns of their own
(`batch_of_m`, `others`), with just the facts about them that steps of their own prove.
"""

from __future__ import annotations

from random import Random
from typing import Final

import z3

from evenkeel.models.terms import Model, Scope, Term, number, run
from evenkeel.models.theorem import Mutant, Step, Theorem, Twin
from evenkeel.properties.observations import Broke, Refused
from evenkeel.reference.throttling import counter as counters
from evenkeel.reference.throttling import overdelivery
from evenkeel.reference.throttling.counter import Counter
from evenkeel.reference.throttling.overdelivery import Setting

R, E, M, B, K = z3.Ints("R E M B k")
N = z3.Int("n")
TAKEN, UNCHARGED, FLYING = z3.Ints("taken uncharged flying")
ENTRIES, PART, UNITS = z3.Ints("entries part units")
BATCH_OF_M, OTHERS = z3.Ints("batch_of_m others")
READS = z3.Int("reads")
START, REMOVED, DELIVERED, TICKS = z3.Ints("start removed delivered ticks")


def excess_rule(quota: Term, entries: Term, batch: Term, reads: Term) -> Term:
    """M (k B − 1)."""
    span = z3.If(entries < quota, entries, quota)
    return span * (reads * batch - 1)


def lowered(taken: Term, quota: Term) -> Term:
    """What is taken after a period's end."""
    return z3.If(taken > quota, taken - quota, z3.IntVal(0))


def small(scope: Scope) -> tuple[Term, ...]:
    """In a small scope all numbers are small, so that models are."""
    if scope.limit is None:
        return ()
    everything = (R, E, M, B, K, N, TAKEN, UNCHARGED, FLYING, ENTRIES, READS)
    return tuple(z3.And(0 <= x, x <= 9) for x in everything)


def setting() -> tuple[Term, ...]:
    """R, E, B, k ≥ 1 and M = min(E, R)."""
    least = z3.And(R >= 1, E >= 1, B >= 1, K >= 1)
    return least, z3.If(E < R, M == E, M == R)


def products() -> tuple[Term, ...]:
    """What is used of `batch_of_m` = M B and `others` = (k − 1) M B."""
    return BATCH_OF_M >= M, M >= 1, M <= R, OTHERS >= 0


def bounded(taken: Term, uncharged: Term, flying: Term) -> Term:
    """The invariant: a + q + f ≤ R + M (B − 1) + (k − 1) M B."""
    return taken + uncharged + flying <= R + BATCH_OF_M - M + OTHERS


def invariant() -> tuple[Term, ...]:
    """What holds before every action."""
    return TAKEN >= 0, UNCHARGED >= 0, FLYING >= 0, bounded(TAKEN, UNCHARGED, FLYING)


def steps(scope: Scope) -> tuple[Step, ...]:
    """Facts about the products, then every action, then the sum over n periods."""
    narrow = small(scope)
    read = (1 <= ENTRIES, ENTRIES <= E, ENTRIES <= R - TAKEN, TAKEN >= 0, TAKEN < R)
    own_part = (PART <= BATCH_OF_M, TAKEN + PART <= R + BATCH_OF_M - M, PART >= 1)
    others_hold = (UNCHARGED + FLYING <= OTHERS,)
    moved = (0 <= UNITS, UNITS <= FLYING)
    conserved = DELIVERED == TAKEN + UNCHARGED + REMOVED - START
    return (
        Step(
            "a read's own part",
            (*narrow, *setting(), *read, (M - ENTRIES) * (B - 1) >= 0, ENTRIES <= M),
            z3.And(TAKEN + ENTRIES * B <= R + M * (B - 1), ENTRIES * B <= M * B),
        ),
        Step(
            "wider reads weigh more",
            (*narrow, *setting(), ENTRIES >= 1, ENTRIES <= E, ENTRIES <= R),
            z3.And(ENTRIES <= M, (M - ENTRIES) * (B - 1) >= 0),
        ),
        Step(
            "the others' part",
            (*narrow, 0 <= READS, READS <= K - 1, BATCH_OF_M >= 0),
            READS * BATCH_OF_M <= (K - 1) * BATCH_OF_M,
        ),
        Step(
            "issue",
            (*products(), *invariant(), *own_part, *others_hold),
            bounded(TAKEN, UNCHARGED, FLYING + PART),
        ),
        Step(
            "deliver",
            (*products(), *invariant(), *moved, 0 <= PART, PART <= UNITS),
            z3.And(FLYING - UNITS >= 0, bounded(TAKEN, UNCHARGED + PART, FLYING - UNITS)),
        ),
        Step(
            "charge",
            (*products(), *invariant(), 0 <= UNITS, UNITS <= UNCHARGED),
            bounded(TAKEN + UNITS, UNCHARGED - UNITS, FLYING),
        ),
        Step(
            "period's end",
            (*products(), *invariant(), R >= 1),
            z3.And(lowered(TAKEN, R) >= 0, bounded(lowered(TAKEN, R), UNCHARGED, FLYING)),
        ),
        Step(
            "an end removes one quota at most",
            (TAKEN >= 0, R >= 1),
            z3.And(TAKEN - lowered(TAKEN, R) >= 0, TAKEN - lowered(TAKEN, R) <= R),
        ),
        Step(
            "n periods",
            (
                *products(),
                *invariant(),
                conserved,
                START >= 0,
                N >= 1,
                REMOVED <= (N - 1) * R,
            ),
            DELIVERED <= N * R + BATCH_OF_M - M + OTHERS,
        ),
    )


def forgetful_step(scope: Scope) -> Step:
    """If ends of periods forget, two periods still keep the bound."""
    per_period = R + excess_rule(R, E, B, K)
    limits = tuple(z3.And(1 <= x, x <= 4) for x in (R, E, B, K))
    bound = 2 * R + excess_rule(R, E, B, K)
    return Step("two periods", limits, 2 * per_period <= bound)


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
    return counters.period_end(Counter(quota, 1, True, taken)).taken


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


TWINS: Final = (
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
    bound="every R, E, B, k, n; the products M B and (k - 1) M B as unknowns with proved facts",
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


def window_steps(scope: Scope) -> tuple[Step, ...]:
    """A window of n periods sees at most n ends of periods."""
    conserved = DELIVERED == TAKEN + UNCHARGED + REMOVED - START
    return (
        Step(
            "ends in a window",
            (*small(scope), N >= 1, TICKS >= 0, TICKS <= N, REMOVED <= TICKS * R, R >= 1),
            REMOVED <= N * R,
        ),
        Step(
            "any window",
            (*products(), *invariant(), conserved, START >= 0, N >= 1, REMOVED <= N * R),
            DELIVERED <= (N + 1) * R + BATCH_OF_M - M + OTHERS,
        ),
    )


def per_second_step(scope: Scope) -> Step:
    """One read at a time without batches delivers at most R in any window of one period."""
    before, after = z3.Ints("before after")
    quota = z3.And(1 <= R, R <= 9, 0 <= before, before <= R, 0 <= after, after <= R)
    return Step("at most R in any second", (quota, E == R, B == 1, K == 1), before + after <= R)


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
