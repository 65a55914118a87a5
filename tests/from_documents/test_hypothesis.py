"""A Python balancer under Hypothesis in pytest: a question with commands, and single decisions."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis.stateful import run_state_machine_as_test

from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.codec import to_json
from evenkeel_engine.kit.machine import machine_for, require_obeyed
from evenkeel_engine.kit.question import Observation, Question
from evenkeel_engine.kit.strategies import strategy
from evenkeel_engine.subjects.wire import read_observation
from examples.from_documents.owning.balancer import observe
from examples.from_documents.owning.variants import VARIANTS

FEW = settings(max_examples=20, stateful_step_count=8)
LOCKS = QUESTIONS["ownership.locks"]
LOOKUP = QUESTIONS["bundles.hash_lookup"]


def observed(question: Question[Any, Any], trial: Any) -> Observation:
    """What the balancer, which reads and writes JSON, does."""
    message = {"id": 1, "question": question.name, "trial": to_json(trial)}
    return read_observation(question, observe(VARIANTS["b1"], message))


TestLocks = machine_for(LOCKS, observe=partial(observed, LOCKS)).TestCase
TestLocks.settings = FEW


@FEW
@given(strategy(LOOKUP.generate))
def test_lookup(trial: Any) -> None:
    require_obeyed(LOOKUP, trial, observed(LOOKUP, trial))


def test_a_violation_names_its_clause() -> None:
    def forgetful(trial: Any) -> Observation:
        return observed(LOCKS, replace(trial, commands=trial.commands[:1]))

    unshrunk = settings(FEW, phases=[Phase.generate])

    with pytest.raises(AssertionError, match="OWN"):
        run_state_machine_as_test(machine_for(LOCKS, observe=forgetful), settings=unshrunk)
