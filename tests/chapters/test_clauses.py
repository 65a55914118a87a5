"""In every chapter the reference obeys every clause of its edition, and exercises it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings

from evenkeel import spec
from evenkeel.models.catalogue import GRAPHS, THEOREMS
from evenkeel.properties.catalogue import CLAUSES, QUESTIONS, clauses_for
from evenkeel.properties.kit.codec import from_json, to_json
from evenkeel.properties.kit.question import Question, judge
from evenkeel.properties.kit.strategies import strategy
from evenkeel.reference.edition import EDITIONS, Edition
from tests.kills import observed

TRIALS = 1200
FEW = 200
each_question = pytest.mark.parametrize(
    "question", QUESTIONS.values(), ids=lambda question: question.name
)
each_edition = pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)


@each_question
@each_edition
def test_the_reference_obeys_and_exercises_every_clause(
    question: Question[Any, Any], edition: Edition
) -> None:
    clauses = clauses_for(question.name, edition)
    seen: Counter[tuple[str, str]] = Counter()
    for trial, observation in observed(question.name, TRIALS, edition):
        for verdict in judge(question, clauses, trial, observation, edition):
            assert verdict.status in ("holds", "unexercised"), (verdict, trial)
            seen[verdict.clause, verdict.status] += 1
    assert [clause.id for clause in clauses if not seen[clause.id, "holds"]] == []


@each_question
def test_trials_and_answers_survive_json(question: Question[Any, Any]) -> None:
    for edition in EDITIONS.values():
        for trial, answer in observed(question.name, FEW, edition):
            assert from_json(question.trial_type, to_json(trial)) == trial
            if isinstance(answer, question.answer_type):
                assert from_json(question.answer_type, to_json(answer)) == answer


@each_question
def test_generators_run_under_hypothesis(question: Question[Any, Any]) -> None:
    @settings(max_examples=20, derandomize=True, database=None, deadline=None)
    @given(strategy(question.generate))
    def holds(trial: Any) -> None:
        for edition in EDITIONS.values():
            observation = question.observe(trial, edition)
            clauses = clauses_for(question.name, edition)
            for verdict in judge(question, clauses, trial, observation, edition):
                assert verdict.status in ("holds", "unexercised"), verdict

    holds()


def test_every_clause_but_notes_has_something_behind_it() -> None:
    checked = {clause.id for clause in CLAUSES}
    proved = {id_ for theorem in THEOREMS for id_ in theorem.clauses}
    explored = {id_ for graph in GRAPHS for id_ in graph.clauses}
    binding = [entry.id for entry in spec.entries().values() if entry.level != "NOTE"]
    assert [id_ for id_ in binding if id_ not in checked | proved | explored] == []
