"""Trials with more rounds than Python's limit of nested calls are judged."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenkeel.reference.edition import PULSAR_4_0
from evenkeel_engine.kit.catalogue import QUESTIONS, find_objections
from evenkeel_engine.stored.cases import find_case

MANY = 1500


@pytest.mark.parametrize(
    "name",
    [
        "a-usage-of-40-is-5-points-above-the-average-or-more-in-another",
        "with-one-hit-needed-load-moves-in-the-second-of-three-rounds",
    ],
)
def test_many_rounds_are_judged(name: str) -> None:
    case = find_case(name)
    assert case is not None
    trial = case.decode_trial()
    trial = replace(trial, rounds=trial.rounds[:1] * MANY)
    observed = QUESTIONS[case.question].observe(trial, PULSAR_4_0)
    assert not find_objections(case.question, PULSAR_4_0, trial, observed)
