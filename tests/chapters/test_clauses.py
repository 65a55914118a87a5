"""Every generator runs under Hypothesis, and every clause has something behind it.

That the reference obeys every clause is the sweep `clauses`.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from evenkeel.reference.edition import BASE_EDITIONS
from evenkeel_engine import spec
from evenkeel_engine.kit.catalogue import CLAUSES, QUESTIONS, clauses_for
from evenkeel_engine.kit.question import Question, judge
from evenkeel_engine.kit.strategies import strategy
from evenkeel_engine.proofs.catalogue import GRAPHS, THEOREMS

each_question = pytest.mark.parametrize(
    "question", QUESTIONS.values(), ids=lambda question: question.name
)


@each_question
def test_generators_run_under_hypothesis(question: Question[Any, Any]) -> None:
    @settings(max_examples=10)
    @given(strategy(question.generate))
    def holds(trial: Any) -> None:
        for edition in BASE_EDITIONS.values():
            observation = question.observe(trial, edition)
            clauses = clauses_for(question.name, edition)
            for verdict in judge(question, clauses, trial, observation, edition):
                assert verdict.status in ("holds", "unexercised", "declined"), verdict

    holds()


def test_every_clause_but_notes_has_something_behind_it() -> None:
    checked = {clause.id for clause in CLAUSES}
    proved = {id_ for theorem in THEOREMS for id_ in theorem.clauses}
    explored = {id_ for graph in GRAPHS for id_ in graph.clauses}
    binding = [entry.id for entry in spec.read_entries().values() if entry.level != "NOTE"]
    assert [id_ for id_ in binding if id_ not in checked | proved | explored] == []
