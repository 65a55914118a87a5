"""Single answers of balancers written from the documents alone: right ones, and misreadings.

Each line of `answers.jsonl` is a trial, what the balancer observed, and how it read the documents;
`broken` names the clauses that bind and are broken, none where the reading is right. Most were
accused once without reason: of mixtures of the twelve variants' readings, and of three balancers
that two other people wrote, two of them as oddly as the documents allow.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from evenkeel import spec
from evenkeel.harness.subjects.wire import read_observation
from evenkeel.properties.catalogue import QUESTIONS, clauses_for
from evenkeel.properties.kit.codec import from_json
from evenkeel.properties.kit.question import judged
from evenkeel.reference.edition import DOCUMENTED

PATH: Final = Path(__file__).with_name("answers.jsonl")
ANSWERS: Final = [json.loads(line) for line in PATH.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda one: one["reading"].replace(" ", "_"))
def test_the_clauses_that_bind_object_to_misreadings_alone(answer: dict[str, Any]) -> None:
    question = QUESTIONS[answer["question"]]
    trial = from_json(question.trial_type, answer["trial"])
    observation = read_observation(question, answer)
    clauses = clauses_for(question.name, DOCUMENTED, None)
    failed = judged(question, clauses, trial, observation, DOCUMENTED).failed
    binding = {
        one.clause: one.sentence
        for one in failed
        if spec.clause(one.clause).level_in(DOCUMENTED.name) is not spec.Level.SHOULD
    }
    assert sorted(binding) == answer["broken"], binding


def test_right_answers_and_misreadings_are_there() -> None:
    assert {bool(one["broken"]) for one in ANSWERS} == {True, False}
