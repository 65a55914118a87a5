"""Who notices a mutant: in the subject alone, and in the reference itself.

The questions are made here, of one function of the reference, with one clause that states the rule
itself and one that asks the reference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from evenkeel import spec
from evenkeel.harness import seeded
from evenkeel.harness.cases import stored
from evenkeel.harness.limits import limited
from evenkeel.mutation.patches import patch_of
from evenkeel.mutation.sampled import mutant_of, named
from evenkeel.mutation.scoring import kept, noticing, reached
from evenkeel.mutation.scoring import smaller as shrinking
from evenkeel.mutation.scoring.noticing import NO_END, Fate, InReference, InSubject, follow
from evenkeel.mutation.scoring.reached import trials
from evenkeel.mutation.scoring.score import NO_ANSWER
from evenkeel.mutation.scoring.score_sampled import in_reference
from evenkeel.mutation.scoring.smaller import smaller
from evenkeel.mutation.sites import all_sites
from evenkeel.properties.kit.clause import Case, Clause
from evenkeel.properties.kit.draw import Draw
from evenkeel.properties.kit.judge import Judge, decision, require_equal
from evenkeel.properties.kit.question import Question
from evenkeel.properties.kit.run import Run
from evenkeel.reference import summation
from evenkeel.reference.edition import Edition

ENTRY = spec.clause("SHD-80")


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
    for module in (noticing, reached, seeded, shrinking):
        monkeypatch.setattr(module, "QUESTIONS", {name: question})
    clauses = (Clause(ENTRY, name, judge.judge),)
    for module in (noticing, reached):
        monkeypatch.setattr(module, "clauses_for", lambda *_: clauses)


@pytest.fixture(autouse=True)
def _nothing_stays() -> Iterator[None]:
    yield
    for kept_ones in (reached.answered, reached.judged, trials):
        kept_ones.cache_clear()


LOST = named("reference/summation.py:ordered_sum:step:0")


def test_what_sound_and_mutated_judges_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "-        total += value" in LOST.description
    asking(monkeypatch, "common.sum", asks_the_reference)
    seen = follow(LOST, InSubject(LOST), 1, 20)
    assert (seen.by, seen.question) == ("SHD-80", "common.sum")
    missed = follow(LOST, InReference(LOST), 1, 20)
    assert missed.by is None
    assert missed.trials == 40
    assert missed.difference is not None
    assert len(missed.difference.trial["values"]) == 1
    assert smaller(LOST, missed.difference, 1).trial == {"values": [1]}


def test_a_judge_that_states_the_rule_notices_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asking(monkeypatch, "common.sum", states_itself)
    seen = follow(LOST, InReference(LOST), 1, 20)
    assert (seen.by, seen.sentence) == ("SHD-80", "has another sum")


def test_a_mutant_that_changes_nothing_differs_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    asking(monkeypatch, "common.sum", states_itself)
    for way in (InSubject, InReference):
        elsewhere = named("reference/java_text.py:parse:constant:0")
        fate = follow(elsewhere, way(elsewhere), 1, 20)
        assert (fate.by, fate.tried, fate.difference) == (None, 0, None)


def outcome(monkeypatch: pytest.MonkeyPatch, body: str) -> list[Fate]:
    """What becomes of the function with this body, in both ways."""
    asking(monkeypatch, "common.sum", states_itself)
    entry = {"name": "x", "description": "", "function": "summation:added", "body": body}
    change = patch_of("common", entry)
    return [follow(change, way(change), 1, 20) for way in (InSubject, InReference)]


def test_one_that_fails_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    for fate in outcome(monkeypatch, "return values[9]"):
        assert (fate.by, fate.sentence) == (NO_ANSWER, "IndexError: tuple index out of range")


def test_one_that_never_ends_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noticing, "limited", lambda _: limited(0.05))
    for fate in outcome(monkeypatch, "\n    while True: pass"):
        assert fate.by == NO_END


@pytest.mark.parametrize(
    "place", ["reference/shedding/threshold.py:is_above:boundary", "reference/load/usage.py:max_w"]
)
def test_a_case_notices_what_no_trial_does(place: str) -> None:
    """The stored cases are as they say, and one of them meets a mutant of what it is about."""
    found = kept.kept_cases()
    assert len(found.items) == len(list(stored()))
    change = next(mutant_of(site) for site in all_sites() if site.name.startswith(place))
    noticed = kept.against(change, found)
    assert noticed is not None
    assert noticed[0].startswith("case ")
    assert found.reached.by([0]) is not None
    assert all(item.problem() == "" for item in found.items[:20])


def test_the_whole_score_in_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    asking(monkeypatch, "common.sum", asks_the_reference)
    nothing = kept.Kept((), reached.Reached(), ())
    for name in ("kept_cases", "kept_examples", "kept_models"):
        monkeypatch.setattr(f"evenkeel.mutation.scoring.score_sampled.{name}", lambda: nothing)
    fate = in_reference(LOST, 1, 100)
    assert (fate.by, fate.trials) == (None, 200)
    assert fate.difference is not None
