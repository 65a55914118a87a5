"""Variants that the documents allow and Pulsar's practice does not: departures, and no error."""

from __future__ import annotations

import pytest

from evenkeel.drivers.binding import Binding
from evenkeel.drivers.score import BLOCK, failures, questions_about
from evenkeel.drivers.seeded import Block
from evenkeel.properties.catalogue import MUTANTS
from tests.kills import SEED

pytestmark = pytest.mark.slow

TRIALS = 600
DEPARTING = {
    "a-single-topic-is-split": "SPL-33",
    "one-topic-counts": "SPL-33",
    "placement-usage-without-weights": "PLC-52",
    "placement-usage-of-every-resource": "PLC-52",
    "preallocated-rates-left-out": "PLC-42",
    "first-of-those-below-the-mean": "PLC-53",
    "a-lone-broker-sheds": "BAL-28",
}
"""By variant: the clause of practice that it departs from."""


@pytest.mark.parametrize("name", DEPARTING)
def test_the_documents_allow_it(name: str) -> None:
    mutant = next(one for one in MUTANTS if one.name == name)
    binding = Binding("DOCUMENTED")
    found = {
        shown.check[0]
        for question in questions_about(mutant)
        for start in range(0, TRIALS, BLOCK)
        for shown in failures(mutant, Block(question, SEED, start, BLOCK))
    }
    assert DEPARTING[name] in found
    assert [clause for clause in found if not binding.may(clause)] == []
