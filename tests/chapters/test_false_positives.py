"""Past false positives stay fixed: the trials on which a clause once flagged the reference."""

import json
from pathlib import Path

import pytest

from evenkeel.properties.catalogue import QUESTIONS, clauses_for
from evenkeel.properties.kit.codec import from_json
from evenkeel.properties.kit.question import judge
from evenkeel.reference.edition import EDITIONS

FILES = sorted((Path(__file__).parent / "false_positives").glob("*.json"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_past_false_positives_stay_fixed(file: Path) -> None:
    told = json.loads(file.read_text(encoding="utf-8"))
    question, edition = QUESTIONS[told["question"]], EDITIONS[told["edition"]]
    trial = from_json(question.trial_type, told["trial"])
    observation = question.observe(trial, edition)
    clauses = clauses_for(question.name, edition)
    verdicts = judge(question, clauses, trial, observation, edition)
    assert verdicts
    assert {verdict.status for verdict in verdicts} <= {"holds", "unexercised"}
