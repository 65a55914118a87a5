"""The frame of theorems says proved only where everything is in order."""

from dataclasses import replace

import pytest
import z3

from evenkeel.properties.bundles.lookup import HashLookupTrial
from evenkeel_engine import spec
from evenkeel_engine.proofs.assumptions import (
    Step,
    case,
    find_unproved,
    hypothesis,
    inductive,
    instances,
    lemma,
)
from evenkeel_engine.proofs.terms import ANY, SMALL, Scope, evaluate, half, make_list, run
from evenkeel_engine.proofs.theorem import (
    CrossCheck,
    ReferenceMutant,
    Status,
    Theorem,
    cross_check,
    prove,
)

X = z3.Int("x")


def half_is_smaller(scope: Scope) -> tuple[Step, ...]:
    return (Step("smaller", (case("any", X > 0),), X / 2 < X),)


def rounded_up(scope: Scope) -> Step:
    return Step("smaller", (X > 0,), (X + 1) / 2 < X)


MUTANT = ReferenceMutant(
    "lookup-below",
    "Halves are rounded up.",
    rounded_up,
    lambda model: HashLookupTrial((0, 0x80000000, 0xFFFFFFFF), 0x80000000),
    "bundles.hash_lookup",
)
CHECK = CrossCheck(
    "half", lambda random: (random.randrange(99),), lambda x: run(half, x), lambda x: x // 2
)
THEOREM = Theorem(
    "half", "bundles", ("BUN-10",), "x // 2 < x", "all", half_is_smaller, MUTANT, (CHECK,)
)


def test_a_true_theorem_is_proved() -> None:
    proof = prove(THEOREM)
    assert proof.status is Status.PROVED
    assert proof.proved
    assert [check.kind for check in proof.checks] == ["claim", "assumptions", "mutant"]
    assert proof.counter_trial is not None
    assert proof.counter_trial.convincing
    assert proof.milliseconds > 0


def test_a_false_claim_is_refuted_with_its_model() -> None:
    proof = prove(replace(THEOREM, steps=lambda scope: (Step("smaller", (), X / 2 < X),)))
    assert proof.status is Status.REFUTED
    assert proof.checks[0].detail.startswith("[x = ")


def test_contradictory_assumptions_are_vacuous() -> None:
    vacuous = replace(
        THEOREM, steps=lambda scope: (Step("smaller", (case("any", X > 0, X < 0),), X == 7),)
    )
    assert prove(vacuous).status is Status.VACUOUS


def test_a_mutant_that_is_right_survives() -> None:
    right = replace(MUTANT, step=lambda scope: half_is_smaller(scope)[0])
    assert prove(replace(THEOREM, mutant=right)).status is Status.MUTANT_SURVIVED


@pytest.mark.parametrize("broken", ["DOCUMENTED", "divide-top"])
def test_a_mutant_of_the_reference_survives_where_no_clause_objects(broken: str) -> None:
    proof = prove(replace(THEOREM, mutant=replace(MUTANT, broken=broken)))
    assert proof.status is Status.MUTANT_SURVIVED
    assert proof.counter_trial is not None
    assert not proof.counter_trial.convincing


def test_unanswered_step_is_unknown() -> None:
    x, y, z = z3.Ints("a b c")
    fermat = z3.Not(x * x * x * x * x + y * y * y * y * y == z * z * z * z * z)
    hard = replace(
        THEOREM, steps=lambda scope: (Step("hard", (case("any", x > 9, y > x, z > y),), fermat),)
    )
    assert prove(hard, timeout=0.05).status is Status.UNKNOWN


def test_clauses_must_exist() -> None:
    with pytest.raises(spec.UnknownClause):
        replace(THEOREM, clauses=("BUN-9999",))


def test_cross_check_shows_where_a_rule_differs() -> None:
    assert cross_check(THEOREM, seed=1, count=50) == ()
    wrong = replace(THEOREM, cross_checks=(replace(CHECK, reference=lambda x: (x + 1) // 2),))
    mismatches = cross_check(wrong, seed=1, count=50)
    assert mismatches
    assert all(mismatch.arguments[0] % 2 == 1 for mismatch in mismatches)
    assert mismatches == cross_check(wrong, seed=1, count=50)


def test_small_quantifiers_are_finite() -> None:
    values = make_list([3, 1, 4])
    assert evaluate(SMALL.for_pairs(0, z3.IntVal(2), lambda i, j: values(i) < values(j))) is False
    assert evaluate(SMALL.for_all(0, z3.IntVal(2), lambda i: values(i) > 0)) is True
    assert z3.is_quantifier(ANY.for_all(0, X, lambda i: values(i) > 0))
    assert not z3.is_quantifier(SMALL.for_all(0, X, lambda i: values(i) > 0))


N = z3.Int("n")
SUMS = lemma(("none", "one more"), X <= N * 3)


def prove_sum(*assumptions: object) -> tuple[Step, ...]:
    """A sum of n numbers of at most 3, by induction."""
    return (
        Step("none", (), z3.IntVal(0) <= z3.IntVal(0) * 3),
        Step("one more", assumptions, X + 3 <= (N + 1) * 3),
    )


def test_what_other_steps_claim_is_shown() -> None:
    assert find_unproved(prove_sum(SUMS)) == []
    always = Step("always", (), X <= N)
    assert find_unproved((always, Step("used", (lemma("always", X + 1 <= N * 2),), X > 0))) == []
    other = Step("used", (lemma("always", X == N),), X > 0)
    assert find_unproved((always, other)) == ["used: step 'always' does not claim (x == n,)"]


def test_an_assumption_without_a_reason_is_found() -> None:
    assert find_unproved(prove_sum(X <= N * 3)) == ["one more: why is x <= n*3 assumed?"]


def test_what_a_step_does_not_claim_is_found() -> None:
    wrong, *_ = find_unproved(prove_sum(lemma(("none", "one more"), X < N * 3)))
    assert wrong.startswith("one more: step 'none' does not claim")


def test_a_step_that_is_not_there_is_found() -> None:
    assert "one more: there is no step 'two'" in find_unproved(prove_sum(lemma("two", X <= N)))


def test_an_induction_without_a_beginning_is_found() -> None:
    alone = prove_sum(lemma(("one more",), X <= N * 3))[1:]
    assert find_unproved(alone) == ["one more: rests on itself"]


def test_an_invariant_of_any_holds_of_each() -> None:
    serves = z3.Function("serves", z3.IntSort(), z3.BoolSort())
    a, b = z3.Ints("a b")
    begins = Step("at first", (), z3.Implies(z3.BoolVal(False), a > 0))
    rule = z3.Implies(serves(a), a > 0)
    of_both = instances(rule, z3.Implies(serves(a), a > 0), z3.Implies(serves(b), b > 0))
    kept = Step("keeps", (of_both,), z3.Implies(z3.And(serves(a), a > 1), a > 0))
    assert find_unproved(inductive((begins, kept))) == []
    other = instances(rule, z3.Implies(serves(b), a > 0))
    assert find_unproved(inductive((begins, Step("keeps", (other,), rule)))) != []


def test_hypotheses_are_printed() -> None:
    about = replace(
        THEOREM,
        steps=lambda scope: (Step("smaller", (hypothesis("x is positive", X > 0),), X / 2 < X),),
    )
    assert prove(about).hypotheses == ("x is positive",)
    assert prove(about).proved


def test_a_theorem_that_rests_on_nothing_shown_is_not_proved() -> None:
    bare = replace(THEOREM, steps=lambda scope: (Step("smaller", (X > 0,), X / 2 < X),))
    assert prove(bare).status is Status.UNPROVED
