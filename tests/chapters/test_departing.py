"""Variants that the documents allow and Pulsar's practice does not: departures, and no error."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from evenkeel.harness.seeded import Block
from evenkeel.harness.severity import Severity
from evenkeel.mutation.catalogue import MUTANTS
from evenkeel.mutation.mutant import Mutant
from evenkeel.mutation.scoring.scope import EVERYTHING
from evenkeel.mutation.scoring.score import BLOCK, failures
from tests.kills import SEED

pytestmark = pytest.mark.slow

TRIALS = 600
IN_THE_LOOP = {"preallocated-rates-left-out": "BAL-27"}
"""Variants of other chapters, and the clause from which a whole run with them departs."""
DEPARTING = {
    "partition-numbers-with-leading-zeros": "BUN-21",
    "a-single-topic-is-split": "SPL-33",
    "one-topic-counts": "SPL-33",
    "another-order-refused": "SPL-77",
    "each-split-by-itself": "SPL-78",
    "children-not-counted": "SPL-78",
    "the-leader-is-capped": "SPL-79",
    "one-topic-is-parted": "SPL-6",
    "owner-needed": "SPL-63",
    "nobody-while-nothing-is-known": "PLC-11",
    "placement-usage-without-weights": "PLC-52",
    "placement-usage-of-every-resource": "PLC-52",
    "preallocated-rates-left-out": "PLC-42",
    "first-of-those-below-the-mean": "PLC-53",
    "a-lone-broker-sheds": "BAL-28",
}
"""By variant: the clause of practice that it departs from."""


def found_of(mutant: Mutant, questions: Iterable[str]) -> set[str]:
    """The clauses that object to it."""
    return {
        shown.check[0]
        for question in questions
        for start in range(0, TRIALS, BLOCK)
        for shown in failures(mutant, Block(question, SEED, start, BLOCK))
    }


@pytest.mark.parametrize("name", DEPARTING)
def test_the_documents_allow_it(name: str) -> None:
    mutant = next(one for one in MUTANTS if one.name == name)
    found = found_of(mutant, EVERYTHING.questions_about(mutant))
    assert DEPARTING[name] in found
    assert [clause for clause in found if not Severity("DOCUMENTED").may(clause)] == []


@pytest.mark.parametrize("name", IN_THE_LOOP)
def test_the_documents_allow_it_in_the_loop(name: str) -> None:
    mutant = next(one for one in MUTANTS if one.name == name)
    assert found_of(mutant, ["balancing.loop"]) == {IN_THE_LOOP[name]}
