"""The theorems about the channel: what they are about, and what refutes them."""

from dataclasses import replace

import pytest

from evenkeel.models.ownership.channel import (
    division_rules,
    half_invariant,
    one_broker_serves,
    one_serves_during_division,
)
from evenkeel.models.ownership.channel.invariant import ACTOR, MESSAGE, OTHER
from evenkeel.models.ownership.records import (
    FREE,
    INIT,
    NEVER,
    OWNED,
    SPLITTING,
    is_record,
)
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.ownership.records import State
from evenkeel_engine.proofs.terms import ANY, SMALL
from evenkeel_engine.proofs.theorem import Status, check_assumptions, check_claim


def test_every_action_of_the_channel_keeps_the_invariant() -> None:
    steps = [step for theorem in one_broker_serves.THEOREMS for step in theorem.steps(ANY)]
    begins, concluded = {"at first"}, {"one at most", "one at most of the registered"}
    names = [step.name for step in steps if step.name not in begins | concluded]
    assert names == [
        "assign",
        "release or transfer",
        "split",
        "own",
        "close",
        "closed, then freed",
        "closed, then assigned",
        "divided",
        "read",
        "stop",
        "lose the session, or crash",
        "return",
        "override",
        "remove",
        "serve on without a session",
    ]


def test_the_division_is_what_the_theorem_needs() -> None:
    """Halves owned by any broker, an active splitter overtaken, a division given up: all
    refuted.
    """
    parent = half_invariant.BEFORE.parent.record
    is_split, forced = parent.state == SPLITTING, (is_record(MESSAGE), MESSAGE.forced)
    by_any_broker = [
        term
        for term in one_serves_during_division.birth()
        if not term.eq(half_invariant.BEFORE.splits(ACTOR))
    ]
    assert len(by_any_broker) == len(one_serves_during_division.birth()) - 1
    over = one_serves_during_division.overridden("parent")
    for after, conditions in (
        (one_serves_during_division.begin(), by_any_broker),
        (over, [*forced, is_split, MESSAGE.state == SPLITTING]),
        (over, [*forced, is_split, MESSAGE.state == FREE]),
    ):
        step = half_invariant.preserved("broken", ANY, after, *conditions)
        assert check_claim(step, 10.0).failure is Status.REFUTED


def test_a_half_may_move_while_its_parent_is_split() -> None:
    """Neither the invariant nor the actions exclude what the theorem is about."""
    parent, half = half_invariant.BEFORE.parent.record, half_invariant.BEFORE.half.record
    serves = half_invariant.BEFORE.serves(OTHER)
    for conditions in (
        (serves, parent.state == SPLITTING, half.state == OWNED, parent.source != OTHER),
        (serves, half_invariant.BEFORE.over, parent.state == INIT),
        (
            *one_serves_during_division.birth(),
            parent.state == SPLITTING,
            parent.source != ACTOR,
            half.version == NEVER,
        ),
    ):
        step = half_invariant.preserved("possible", SMALL, half_invariant.BEFORE, *conditions)
        assert check_assumptions(step, 10.0).failure is None


def test_the_rule_of_overrides_is_what_the_division_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A parent that is freed while it is split, as in 4.0, is no override by the rule."""
    alone = (SPLITTING, 0, 1, 5, False), (1,), 1, True
    assert division_rules.override_by_reference(*alone) is None
    assert division_rules.overriding_fits(*alone)
    freeing = replace(DOCUMENTED, divisions_freed=True)
    monkeypatch.setattr(division_rules, "DOCUMENTED", freeing)
    freed = division_rules.override_by_reference(*alone)
    assert freed is not None
    assert freed.state is State.FREE
    assert not division_rules.overriding_fits(*alone)
