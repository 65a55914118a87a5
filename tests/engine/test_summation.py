"""Trials and answers are the same in every version of Python: none depends on how `sum` rounds."""

from __future__ import annotations

import builtins
import math
from collections.abc import Iterable
from typing import Any

import pytest

from evenkeel.reference.edition import BASE_EDITIONS
from evenkeel.reference.summation import ordered_sum
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.codec import to_json
from evenkeel_engine.kit.question import Question, judge

TRIALS = 20
BEFORE = builtins.sum


def sum_of_3_12(values: Iterable[Any], /, start: Any = 0) -> Any:
    """What `sum` does since Python 3.12: doubles without the loss of rounding."""
    listed = list(values)
    if any(isinstance(value, float) for value in listed):
        return math.fsum([start, *listed])
    return BEFORE(listed, start)


def list_seen(question: Question[Any, Any]) -> list[object]:
    """Trials, the reference's answers and what the clauses say of them."""
    found: list[object] = []
    for index in range(TRIALS):
        trial = make_trial(question, 3, index)
        found.append(to_json(trial))
        for edition in BASE_EDITIONS.values():
            observation = question.observe(trial, edition)
            verdicts = judge(
                question, clauses_for(question.name, edition), trial, observation, edition
            )
            found += [repr(observation), verdicts]
    return found


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=lambda question: question.name)
def test_sums_are_equal_in_all_python_versions(
    question: Question[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = list_seen(question)
    monkeypatch.setattr(builtins, "sum", sum_of_3_12)
    assert list_seen(question) == before


def test_adding_up_rounds_after_each_step() -> None:
    assert ordered_sum([0.1] * 10) == 0.9999999999999999
    assert sum_of_3_12([0.1] * 10) == 1.0
    assert ordered_sum([]) == 0.0
