"""The theorems about the channel: claims, speed, and what refutes them."""

from dataclasses import replace
from itertools import product

import pytest

from evenkeel.models.ownership import records as records_replaced_in_order
from evenkeel.models.ownership.channel import (
    division_rules,
    half_invariant,
    one_broker_serves,
    one_serves_during_division,
)
from evenkeel.models.ownership.channel import no_newer_record_known as no_newer_record
from evenkeel.models.ownership.channel.invariant import ACTOR, MESSAGE, OTHER
from evenkeel.models.ownership.records import (
    FREE,
    INIT,
    NEVER,
    OWNED,
    SPLITTING,
    STATES,
    accepted_by_reference,
    accepted_by_rule,
    followed_by_reference,
    followed_by_rule,
    is_record,
)
from evenkeel.properties.ownership.channel.trials import ChannelTrial
from evenkeel.properties.ownership.records import ConflictTrial
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.ownership.records import State
from evenkeel_engine.proofs.terms import ANY, SMALL
from evenkeel_engine.proofs.theorem import Status, Theorem, check_assumptions, check_claim, prove

THEOREMS = (
    *records_replaced_in_order.THEOREMS,
    *one_broker_serves.THEOREMS,
    *one_serves_during_division.THEOREMS,
    no_newer_record.COUNTING,
)


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.name)
def test_each_question_takes_milliseconds(theorem: Theorem) -> None:
    proof = prove(theorem)
    assert proof.proved
    assert max(check.milliseconds for check in proof.checks) < 1000


def test_the_rule_equals_the_reference_on_small_records() -> None:
    """A sample of them: without force and with, one version apart and at the same version."""
    records = [
        (state, destination, source, version, forced)
        for state in range(1, len(STATES))
        for destination, source in ((0, 1), (1, 0), (1, 2))
        for version in (1, 2)
        for forced in (False, True)
    ]
    some = records[::7]
    for topic, current, update in product((False, True), some, records[::11]):
        arguments = (topic, current, update)
        assert accepted_by_rule(*arguments) == accepted_by_reference(*arguments), arguments


def test_the_table_equals_the_reference() -> None:
    for topic, before, after in product((False, True), range(7), range(7)):
        assert followed_by_rule(topic, before, after) == followed_by_reference(topic, before, after)


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


def test_counter_models_violate_the_checks() -> None:
    trials = {theorem.name: prove(theorem).counter_trial for theorem in THEOREMS}
    released = trials["channel-asking"]
    assert released is not None
    assert isinstance(released.trial, ConflictTrial)
    current, update = released.trial.current, released.trial.update
    assert current is not None
    assert update is not None
    assert (current.state, update.state) == (State.OWNED, State.RELEASING)
    assert update.source != current.destination
    late = trials["channel-handing-over"]
    assert late is not None
    assert isinstance(late.trial, ConflictTrial)
    assert late.trial.current is not None
    assert late.trial.update is not None
    assert late.trial.update.version <= late.trial.current.version
    removed = trials["channel-losing"]
    assert removed is not None
    assert isinstance(removed.trial, ChannelTrial)


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
