"""The theorems of the chapter *bundles*: proved, not vacuous, with teeth, about the reference."""

from functools import cache

import pytest

from evenkeel.models.bundles.searching import (
    before_insertion,
    bisect_left_round,
    bisect_with,
    found_by,
    pulsar_search_with,
)
from evenkeel.models.catalogue import theorems_of
from evenkeel.models.theorem import Status, Theorem, cross_check, prove
from evenkeel.reference.bundles.ranges import TOP_HASH

THEOREMS = theorems_of({"bundles"})
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
    mutant = theorem.mutant
    assert not mutant.promise(counter.trial, counter.broken)
    assert mutant.promise(counter.trial, counter.right)
    assert counter.broken != counter.right


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.name)
@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_proved_is_what_runs(theorem: Theorem, seed: int) -> None:
    assert theorem.twins
    assert cross_check(theorem, seed, CROSS_CHECKS) == ()


def test_pulsar_names_a_bundle_that_is_not_there_for_the_last_hash() -> None:
    search = pulsar_search_with(before_insertion)
    assert found_by(search, (0, 8, TOP_HASH), TOP_HASH) == 2
    assert found_by(search, (0, 8, TOP_HASH), TOP_HASH - 1) == 1


def test_a_search_that_goes_left_at_a_boundary_is_one_off() -> None:
    assert found_by(bisect_with(bisect_left_round), (0, 8, TOP_HASH), 8) == 0
