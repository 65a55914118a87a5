"""A mutant that never leaves one operation is detected; the next of its group is tried as ever."""

from __future__ import annotations

import pytest

from evenkeel_engine.mutation.sampled import find_mutant
from evenkeel_engine.mutation.scoring.score_sampled import detect_mutants

INSIDE = find_mutant("reference/java_text.py:parse:arithmetic:1")
"""The number that is read becomes a fraction, which a range looks for among its numbers."""


@pytest.mark.slow
def test_mutant_inside_one_operation_is_detected() -> None:
    sound = find_mutant("reference/summation.py:ordered_sum:step:0")
    found = detect_mutants([INSIDE, sound], 1, 20, True, lambda _: None)
    assert found[0].outcome.by == "no end"
    assert found[1].outcome.by not in (None, "no end")
