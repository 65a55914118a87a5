"""What detects a mutant: in the subject alone, and in the reference itself.

The questions are built here, of one function of the reference, with one clause that states the rule
itself and one that asks the reference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from evenkeel.reference import summation
from evenkeel.reference.edition import Edition
from evenkeel_engine import spec
from evenkeel_engine.check import seeded
from evenkeel_engine.check.limits import limit_time
from evenkeel_engine.kit.clause import Case, Clause
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.judge import Judge, decision, require_equal
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run
from evenkeel_engine.mutation.patches import patch_of
from evenkeel_engine.mutation.sampled import find_mutant
from evenkeel_engine.mutation.scoring import detection, reached
from evenkeel_engine.mutation.scoring.detection import (
    NO_END,
    Detection,
    InReference,
    InSubject,
    follow,
    shrink_difference,
)
from evenkeel_engine.mutation.scoring.reached import generate_trials
from evenkeel_engine.mutation.scoring.score import NO_ANSWER

ENTRY = spec.find_clause("SHD-80")


@dataclass(frozen=True)
class Values:
    """Some numbers."""

    values: tuple[int, ...]


def draw(draw: Draw) -> Values:
    return Values(tuple(draw.integer(0, 5) for _ in range(draw.integer(1, 4))))


def answer(trial: Values, _: Edition) -> float:
    return summation.ordered_sum(trial.values)


@decision("common.sum", "SHD-80")
def states_itself(run: Run, case: Case[Values, float]) -> None:
    run.require("SHD-80", case.observation == float(sum(case.trial.values)), "has another sum")


@decision("common.sum", "SHD-80")
def asks_the_reference(run: Run, case: Case[Values, float]) -> None:
    require_equal(run, case, "SHD-80", what="the sum")


def asking(monkeypatch: pytest.MonkeyPatch, name: str, judge: Judge) -> None:
    """The only question there is."""
    question = Question(name, Values, float, draw, answer, lambda _: ())
    for module in (detection, reached, seeded):
        monkeypatch.setattr(module, "QUESTIONS", {name: question})
    clauses = (Clause(ENTRY, name, judge.judge),)
    for module in (detection, reached):
        monkeypatch.setattr(module, "clauses_for", lambda *_: clauses)


@pytest.fixture(autouse=True)
def _nothing_stays() -> Iterator[None]:
    yield
    for kept_ones in (reached.answer_block, generate_trials):
        kept_ones.cache_clear()


LOST = find_mutant("reference/summation.py:ordered_sum:step:0")


def test_detection_by_sound_and_mutated_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "-        total += value" in LOST.description
    asking(monkeypatch, "common.sum", asks_the_reference)
    seen = follow(InSubject(LOST), 1, 20)
    assert (seen.by, seen.question) == ("SHD-80", "common.sum")
    missed = follow(InReference(LOST), 1, 20)
    assert missed.by is None
    assert missed.trials == 40
    assert missed.difference is not None
    assert len(missed.difference.trial["values"]) == 1
    assert shrink_difference(LOST, missed.difference, 1).trial == {"values": [1]}


def test_judge_that_states_the_rule_detects_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asking(monkeypatch, "common.sum", states_itself)
    seen = follow(InReference(LOST), 1, 20)
    assert (seen.by, seen.sentence) == ("SHD-80", "has another sum")


def outcomes_of(monkeypatch: pytest.MonkeyPatch, body: str) -> list[Detection]:
    """The outcomes of the function with this body, in both ways."""
    asking(monkeypatch, "common.sum", states_itself)
    entry = {"name": "x", "description": "", "function": "summation:ordered_sum", "body": body}
    change = patch_of("common", entry)
    return [follow(way(change), 1, 20) for way in (InSubject, InReference)]


def test_failing_mutant_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    for outcome in outcomes_of(monkeypatch, "return values[9]"):
        assert (outcome.by, outcome.sentence) == (NO_ANSWER, "IndexError: tuple index out of range")


def test_endless_mutant_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detection, "limit_time", lambda _: limit_time(0.05))
    for outcome in outcomes_of(monkeypatch, "\n    while True: pass"):
        assert outcome.by == NO_END
