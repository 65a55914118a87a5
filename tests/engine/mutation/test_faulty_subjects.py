"""Which faulty subjects there are, and what the command says; that each is violated is a sweep."""

from __future__ import annotations

from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.mutation.faulty_subjects import LATE, subjects_of
from evenkeel_engine.mutation.scoring.score_faulty import (
    FaultyJob,
    Idle,
    faulty_score,
    judge_subjects,
)
from tests.command_line import run

TRIALS = 400


def test_questions_name_subjects_that_there_are() -> None:
    for question in QUESTIONS.values():
        assert {*question.exempt.subjects} <= {one.name for one in subjects_of(question)}


def test_obvious_faulty_subjects_are_violated_in_the_channel() -> None:
    """What the first audit found: a channel that accepts everything and does nothing."""
    stood: list[Idle] = faulty_score(FaultyJob("ownership.channel", "DOCUMENTED", 1, TRIALS))
    detected = {i.subject: i.clause for i in stood}
    for subject in ("does nothing", "ignores Unload", "ignores Split", "ignores ShutDown"):
        assert detected[subject] is not None


def test_subject_that_fails_later_is_detected() -> None:
    """A limiter that charges nothing any more, orders that are not heard: only long trials tell."""
    for question, command in (("throttling.quota", "Consume"), ("ownership.channel", "Unload")):
        name = f"ignores {command} after {LATE} commands"
        subject = next(one for one in subjects_of(QUESTIONS[question]) if one.name == name)
        (found,) = judge_subjects([subject], FaultyJob(question, "DOCUMENTED", 1, TRIALS))
        assert found.clause is not None


def test_the_command_lists_survivors_and_ends_with_the_line() -> None:
    result = run("score", "--idle", "--chapter", "bundles")
    assert result.returncode == 0, result.stdout
    last = result.stdout.strip().splitlines()[-1]
    stored, of = last.split()[0], last.split()[2]
    assert last == f"{stored} of {of} faulty subjects violated"
    assert stored == of
