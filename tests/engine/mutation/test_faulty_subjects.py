"""Which faulty subjects there are, and what the command says; that each is violated is a sweep."""

from __future__ import annotations

from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.mutation.faulty_subjects import subjects_of
from tests.command_line import run


def test_questions_name_subjects_that_there_are() -> None:
    for question in QUESTIONS.values():
        assert {*question.exempt.subjects} <= {one.name for one in subjects_of(question)}


def test_the_command_lists_survivors_and_ends_with_the_line() -> None:
    result = run("score", "--idle", "--chapter", "bundles")
    assert result.returncode == 0, result.stdout
    last = result.stdout.strip().splitlines()[-1]
    stored, of = last.split()[0], last.split()[2]
    assert last == f"{stored} of {of} faulty subjects violated"
    assert stored == of
