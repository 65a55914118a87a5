"""Steps: the bound on over-delivery, for all R, E, B, k and n (THR-49, THR-50, THR-53).

A dispatcher has k slots for reads. What a slot *holds* is the most that its read can still add to
what is charged: e B from when a read of e entries is issued, the units delivered once it has
delivered, 0 from when they are charged. Let a be what was taken, q what is delivered and not yet
charged, f the most that reads under way can still deliver: q + f is what all slots hold.

One invariant carries the bound: `a + q + f ≤ R + M (k B − 1)`. The read that was issued last found
a < R, so with it `a + e B ≤ R + M (B − 1)`, and each of the other k − 1 slots holds at most M B;
every other action moves units from one summand to another, or lowers them.

With `removed` the units that ends of periods have subtracted, deliveries are conserved:
`delivered = a + q + removed − (a + q at the start)`. n aligned periods have n − 1 ends between
them, any window of n periods at most n, and an end removes one quota at most.

That the bound is reached is proved by going through a schedule: single messages up to a whole
quota in each period but the last, and there up to R − M; then k reads of M entries at once, which
all deliver full batches.

The solver multiplies no three unknowns: M B and (k − 1) M B are unknowns of their own
(`batch_of_m`, `others`), of which a step may use only what another step shows of the products.
"""

from __future__ import annotations

from typing import Final

import z3

from evenkeel_engine.proofs.assumptions import Assumption, Step, case, hypothesis, lemma
from evenkeel_engine.proofs.terms import Scope, Term

R, E, M, B, K = z3.Ints("R E M B k")
N = z3.Int("n")
TAKEN, UNCHARGED, FLYING = z3.Ints("taken uncharged flying")
ENTRIES, UNITS = z3.Ints("entries units")
BATCH_OF_M, OTHERS = z3.Ints("batch_of_m others")
SLOTS, SUM, HELD = z3.Ints("slots sum held")
START, REMOVED, DELIVERED, TICKS = z3.Ints("start removed delivered ticks")


def excess_rule(quota: Term, entries: Term, batch: Term, reads: Term) -> Term:
    """M (k B − 1)."""
    span = z3.If(entries < quota, entries, quota)
    return span * (reads * batch - 1)


def lower_count(taken: Term, quota: Term) -> Term:
    """What is taken after a period's end."""
    return z3.If(taken > quota, taken - quota, z3.IntVal(0))


def may_issue(quota: Term, most: Term, taken: Term, entries: Term) -> Term:
    """A read may be issued for no more entries than are left, nor than one read may have."""
    return z3.And(1 <= entries, entries <= most, entries <= quota - taken)


def may_deliver(entries: Term, batch: Term, units: Term) -> Term:
    """A read of `entries` entries may deliver `units` units."""
    return z3.And(entries <= units, units <= entries * batch)


def small(scope: Scope) -> Assumption:
    """In a small scope all numbers are small, so that models are."""
    if scope.limit is None:
        return hypothesis("R, E, B, k and n are at least 1, M = min(E, R)")
    everything = (R, E, M, B, K, N, TAKEN, UNCHARGED, FLYING, ENTRIES, SLOTS)
    return case("", *(z3.And(0 <= x, x <= 9) for x in everything))


SETTING: Final = hypothesis(
    "R, E, B, k and n are at least 1, M = min(E, R)",
    z3.And(R >= 1, E >= 1, B >= 1, K >= 1, N >= 1),
    z3.If(E < R, M == E, M == R),
)

SPAN: Final = lemma("the largest read", M >= 1, M <= R, M <= E)
PRODUCTS: Final = lemma("products", BATCH_OF_M >= M, OTHERS >= 0)

NAMED: Final = hypothesis(
    "M B and (k − 1) M B are what they are called", BATCH_OF_M == M * B, OTHERS == (K - 1) * (M * B)
)


def held_within(held: Term) -> Term:
    """A slot holds at most M B."""
    return z3.And(0 <= held, held <= BATCH_OF_M)


def is_bounded(taken: Term, uncharged: Term, flying: Term) -> Term:
    """The invariant: a + q + f ≤ R + M (B − 1) + (k − 1) M B."""
    return taken + uncharged + flying <= R + BATCH_OF_M - M + OTHERS


def none_negative(taken: Term, uncharged: Term, flying: Term) -> Term:
    """There are no debts."""
    return z3.And(taken >= 0, uncharged >= 0, flying >= 0)


def is_conserved(delivered: Term, taken: Term, uncharged: Term, removed: Term) -> Term:
    """What was delivered since the start is somewhere."""
    return delivered == taken + uncharged + removed - START


ACTIONS: Final = ("issue", "deliver", "charge", "period's end")

INVARIANT: Final = lemma(
    ("nothing at first", *ACTIONS),
    none_negative(TAKEN, UNCHARGED, FLYING),
    is_bounded(TAKEN, UNCHARGED, FLYING),
)

CONSERVED: Final = lemma(
    ("counting begins", *ACTIONS), is_conserved(DELIVERED, TAKEN, UNCHARGED, REMOVED)
)

SLOT: Final = lemma(("an idle slot", "a read's slot", "deliveries lower a slot"), held_within(HELD))


def slot_steps(scope: Scope) -> tuple[Step, ...]:
    """What slots hold: each at most M B, so all but one at most (k − 1) M B."""
    issued = case("a read is issued", may_issue(R, E, TAKEN, ENTRIES), TAKEN >= 0)
    narrow = small(scope)
    return (
        Step("the largest read", (narrow, SETTING), z3.And(M >= 1, M <= R, M <= E)),
        Step("products", (narrow, SETTING, NAMED, SPAN), z3.And(BATCH_OF_M >= M, OTHERS >= 0)),
        Step("an idle slot", (PRODUCTS, SPAN), held_within(z3.IntVal(0))),
        Step("a read is no wider", (narrow, SETTING, issued), z3.And(ENTRIES <= M, ENTRIES >= 1)),
        Step(
            "a read's slot",
            (narrow, SETTING, NAMED, lemma("a read is no wider", ENTRIES <= M, ENTRIES >= 1)),
            held_within(ENTRIES * B),
        ),
        Step(
            "deliveries lower a slot",
            (SLOT, case("a read delivers no more than its slot holds", 0 <= UNITS, UNITS <= HELD)),
            held_within(UNITS),
        ),
        Step("no slots", (PRODUCTS, SPAN), z3.IntVal(0) <= z3.IntVal(0) * BATCH_OF_M),
        Step(
            "one slot more",
            (lemma(("no slots", "one slot more"), SUM <= SLOTS * BATCH_OF_M), SLOT),
            SUM + HELD <= (SLOTS + 1) * BATCH_OF_M,
        ),
        Step(
            "all slots but one",
            (
                narrow,
                NAMED,
                case("a read goes into an idle slot of k", SLOTS == K - 1),
                lemma(("no slots", "one slot more"), SUM <= SLOTS * BATCH_OF_M),
                hypothesis("q + f is what the slots hold", UNCHARGED + FLYING == SUM),
            ),
            UNCHARGED + FLYING <= OTHERS,
        ),
        Step(
            "a read's own part",
            (narrow, SETTING, NAMED, issued, lemma("a read is no wider", ENTRIES <= M)),
            TAKEN + ENTRIES * B <= R + BATCH_OF_M - M,
        ),
    )


def action_steps(scope: Scope) -> tuple[Step, ...]:
    """Every action keeps the invariant and conserves what is delivered."""
    asked = ENTRIES * B
    issue = (
        lemma("all slots but one", UNCHARGED + FLYING <= OTHERS),
        lemma("a read's own part", TAKEN + asked <= R + BATCH_OF_M - M),
        lemma("a read's slot", held_within(asked)),
    )
    deliver = case(
        "a read delivers no more than its slot holds", 0 <= UNITS, UNITS <= HELD, HELD <= FLYING
    )
    charge = case("what a read delivered is charged", 0 <= UNITS, UNITS <= UNCHARGED)
    return (
        Step(
            "nothing at first",
            (SETTING, SPAN, PRODUCTS),
            is_preserved(z3.IntVal(0), z3.IntVal(0), z3.IntVal(0)),
        ),
        Step(
            "counting begins",
            (INVARIANT, case("counting begins at any moment", START == TAKEN + UNCHARGED)),
            z3.And(is_conserved(z3.IntVal(0), TAKEN, UNCHARGED, z3.IntVal(0)), START >= 0),
        ),
        Step(
            "issue",
            (PRODUCTS, INVARIANT, CONSERVED, *issue),
            both(TAKEN, UNCHARGED, FLYING + asked, DELIVERED, REMOVED),
        ),
        Step(
            "deliver",
            (PRODUCTS, INVARIANT, CONSERVED, deliver),
            both(TAKEN, UNCHARGED + UNITS, FLYING - HELD, DELIVERED + UNITS, REMOVED),
        ),
        Step(
            "charge",
            (PRODUCTS, INVARIANT, CONSERVED, charge),
            both(TAKEN + UNITS, UNCHARGED - UNITS, FLYING, DELIVERED, REMOVED),
        ),
        Step(
            "period's end",
            (SETTING, PRODUCTS, INVARIANT, CONSERVED),
            both(
                lower_count(TAKEN, R),
                UNCHARGED,
                FLYING,
                DELIVERED,
                REMOVED + (TAKEN - lower_count(TAKEN, R)),
            ),
        ),
    )


def is_preserved(taken: Term, uncharged: Term, flying: Term) -> Term:
    """Both parts of the invariant."""
    return z3.And(none_negative(taken, uncharged, flying), is_bounded(taken, uncharged, flying))


def both(taken: Term, uncharged: Term, flying: Term, delivered: Term, removed: Term) -> Term:
    """The invariant, and deliveries conserved."""
    return z3.And(
        none_negative(taken, uncharged, flying),
        is_bounded(taken, uncharged, flying),
        is_conserved(delivered, taken, uncharged, removed),
    )


def removal_steps(scope: Scope) -> tuple[Step, ...]:
    """An end of a period removes one quota at most, so j of them at most j R."""
    ended = case("a period ends", TAKEN >= 0)
    so_far = lemma(("no end yet", "one end more"), REMOVED <= TICKS * R)
    removes = TAKEN - lower_count(TAKEN, R)
    return (
        Step("an end removes one quota at most", (SETTING, ended), removes <= R),
        Step("no end yet", (SETTING,), z3.IntVal(0) <= z3.IntVal(0) * R),
        Step(
            "one end more",
            (SETTING, so_far, lemma("an end removes one quota at most", removes <= R)),
            REMOVED + removes <= (TICKS + 1) * R,
        ),
    )


def upper_steps(scope: Scope, ends: Term, quotas: Term, name: str) -> tuple[Step, ...]:
    """`ends` ends of periods between `quotas` quotas."""
    counted = hypothesis(f"{name} see no more ends of periods", TICKS >= 0, TICKS <= ends)
    return (
        Step(
            "ends",
            (
                small(scope),
                SETTING,
                counted,
                lemma(("no end yet", "one end more"), REMOVED <= TICKS * R),
            ),
            REMOVED <= ends * R,
        ),
        Step(
            "the bound",
            (
                small(scope),
                SETTING,
                NAMED,
                INVARIANT,
                CONSERVED,
                lemma("counting begins", START >= 0),
                lemma("ends", REMOVED <= ends * R),
            ),
            DELIVERED <= quotas * R + M * (K * B - 1),
        ),
    )


def attaining_steps(scope: Scope, quotas: Term) -> tuple[Step, ...]:
    """A schedule that reaches the bound, for every R, E, B, k and n."""
    narrow = small(scope)
    single = case("single messages up to a limit within the quota", 0 <= TAKEN, TAKEN < R)
    idle = case("all slots are idle but those of the burst", 0 <= SLOTS, SLOTS < K)
    rest = case("all but M of the quota is taken", TAKEN == R - M)
    return (
        Step(
            "a single message",
            (narrow, SETTING, single),
            z3.And(
                may_issue(R, E, TAKEN, z3.IntVal(1)),
                may_deliver(z3.IntVal(1), B, z3.IntVal(1)),
                TAKEN + 1 <= R,
            ),
        ),
        Step("a quota is forgiven", (SETTING,), lower_count(R, R) == 0),
        Step(
            "the burst",
            (narrow, SETTING, SPAN, idle, rest),
            z3.And(may_issue(R, E, TAKEN, M), SLOTS + 1 <= K, may_deliver(M, B, M * B)),
        ),
        Step(
            "what it delivers",
            (narrow, SETTING, case("whole quotas, then R − M, then k full reads", rest.terms[0])),
            (quotas - 1) * R + TAKEN + K * (M * B) == quotas * R + excess_rule(R, E, B, K),
        ),
    )


def steps(scope: Scope) -> tuple[Step, ...]:
    """What slots hold, every action, the sum over n aligned periods, and a schedule."""
    return (
        *slot_steps(scope),
        *action_steps(scope),
        *removal_steps(scope),
        *upper_steps(scope, N - 1, N, "n aligned periods"),
        *attaining_steps(scope, N),
    )


def window_steps(scope: Scope) -> tuple[Step, ...]:
    """A window of n periods sees at most n ends of periods."""
    return (
        *slot_steps(scope),
        *action_steps(scope),
        *removal_steps(scope),
        *upper_steps(scope, N, N + 1, "a window of n periods"),
        *attaining_steps(scope, N + 1),
    )
