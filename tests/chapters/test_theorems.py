"""Theorems are proved, not vacuous, refuted for a broken rule, and about the reference."""

import re
from functools import cache
from importlib.util import find_spec

import pytest

from evenkeel.models.catalogue import THEOREMS, modules
from evenkeel.models.theorem import Status, Theorem, cross_check, prove

CROSS_CHECKS = 60

proof_of = cache(prove)


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.name)
def test_proved_with_its_mutant_refuted(theorem: Theorem) -> None:
    proof = proof_of(theorem)
    assert [check for check in proof.checks if check.failure is not None] == []
    assert proof.status is Status.PROVED


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.name)
def test_the_mutant_fails_its_trial_and_the_reference_does_not(theorem: Theorem) -> None:
    counter = proof_of(theorem).counter_trial
    assert counter is not None
    assert counter.convincing
    assert counter.broken != counter.right


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.name)
@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_proved_is_what_runs(theorem: Theorem, seed: int) -> None:
    assert theorem.cross_checks
    assert cross_check(theorem, seed, CROSS_CHECKS) == ()


def test_modules_are_named_after_the_reference_and_theorems_by_their_claims() -> None:
    """`models/splitting/due/…` is about `reference/splitting/due.py`; no name is a module's."""
    for module in modules():
        for theorem in getattr(module, "THEOREMS", ()):
            _, _, chapter, component, *_ = module.__name__.split(".")
            assert theorem.chapter == chapter
            assert find_spec(f"evenkeel.reference.{chapter}.{component}") is not None
            assert re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", theorem.name)
            assert theorem.name.replace("-", "_") != component
