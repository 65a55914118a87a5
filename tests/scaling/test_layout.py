"""Balancers that number segments in their own way are judged by their own numbers."""

from __future__ import annotations

import pytest

from evenkeel.properties.scaling.layout import Layout, LayoutAnswer, LayoutTrial
from evenkeel.properties.scaling.trial_parts import HASHES, Split
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.scaling.layout import Segment
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.question import judge

QUESTION = QUESTIONS["scaling.layout"]
LAST = HASHES - 1
ONE, OTHER = 40, 30
"""What the halves of the first split are called: the lower one has the higher number."""


def violated(first_epoch: int = 1, cut: int = 49_152) -> set[str]:
    """The clauses broken by two splits, of the whole and of its upper half, which is cut here."""
    whole = Segment(0, 0, LAST, True, (), (OTHER, ONE), 1, 0, first_epoch)
    low = Segment(ONE, 0, HASHES // 2 - 1, False, (0,), (), 1, first_epoch)
    high = Segment(OTHER, HASHES // 2, LAST, False, (0,), (), 1, first_epoch)
    cut_up = Segment(OTHER, HASHES // 2, LAST, True, (0,), (41, 42), 1, first_epoch, 2)
    pieces = (
        Segment(41, HASHES // 2, cut - 1, False, (OTHER,), (), 1, 2),
        Segment(42, cut, LAST, False, (OTHER,), (), 1, 2),
    )
    results = (
        Layout((whole, high, low), (0, 0, 0), first_epoch),
        Layout((whole, cut_up, low, *pieces), (0,) * 5, 2),
    )
    trial = LayoutTrial(1, (Split(0), Split(OTHER)))
    clauses, answer = clauses_for(QUESTION.name, DOCUMENTED), LayoutAnswer(results)
    return {one.clause for one in judge(QUESTION, clauses, trial, answer, DOCUMENTED) if one.failed}


def test_other_numbers_depart_from_practice_alone() -> None:
    assert violated() == {"SCA-9"}


@pytest.mark.parametrize(
    ("wrong", "clause"), [({"cut": 40_960}, "SCA-3"), ({"first_epoch": 0}, "SCA-68")]
)
def test_what_else_is_wrong_next_to_other_numbers_is_found(
    wrong: dict[str, int], clause: str
) -> None:
    assert {"SCA-9", clause} <= violated(**wrong)
