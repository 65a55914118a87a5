"""Balancers that the documents allow depart from practice, and violate no MUST."""

from __future__ import annotations

import pytest

from evenkeel.properties.bundles.boundaries import BoundariesAnswer, BoundariesTrial
from evenkeel.reference.bundles.ranges import TOP_HASH
from evenkeel.reference.edition import DOCUMENTED
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.observations import Span
from evenkeel_engine.kit.question import judge

UNORDERED = (0, TOP_HASH, 7, 7)
ORDERED = (Span(0, 7, False), Span(7, TOP_HASH, True))


def broken(spans: tuple[Span, ...]) -> set[str]:
    question = QUESTIONS["bundles.boundaries"]
    clauses = clauses_for(question.name, DOCUMENTED)
    trial, answer = BoundariesTrial(UNORDERED), BoundariesAnswer(spans)
    verdicts = judge(question, clauses, trial, answer, DOCUMENTED)
    return {one.clause for one in verdicts if one.failed}


def test_boundaries_may_be_sorted() -> None:
    assert broken(ORDERED) == {"BUN-22"}


@pytest.mark.parametrize("spans", [(), ORDERED[:1], (Span(0, TOP_HASH, True),)])
def test_sorted_boundaries_are_judged_as_sorted(spans: tuple[Span, ...]) -> None:
    assert "BUN-10" in broken(spans)
