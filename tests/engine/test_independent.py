"""The second generator: of every question, by other hands, and the reference holds on it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from evenkeel.reference.edition import BASE_EDITIONS, DOCUMENTED, PULSAR_4_0
from evenkeel_engine.check.seeded import Block, make_trial, run_block
from evenkeel_engine.check.shrink import shrink
from evenkeel_engine.frame.errors import Refusal
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.draw import INDEPENDENT, ReplayDraw, SeededDraw
from evenkeel_engine.kit.independent import independent_generator, maker
from evenkeel_engine.kit.independent.maker import Maker
from evenkeel_engine.kit.trial import BadTrial
from evenkeel_engine.subjects.local import ReferenceSubject

SEED = INDEPENDENT + 1


@pytest.mark.parametrize("name", QUESTIONS)
def test_most_generated_trials_are_valid(name: str) -> None:
    kind, made = QUESTIONS[name].trial_type, 0
    for seed in range(20):
        try:
            Maker(SeededDraw(seed), name, kind).part(kind)
        except (BadTrial, Refusal, maker.Unlucky):
            continue
        made += 1
    assert made >= 8


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_reference_holds_on_them(name: str) -> None:
    for edition in BASE_EDITIONS.values():
        tally = run_block(Block(name, SEED, 0, 10), ReferenceSubject(edition), edition)
        assert dict(tally.failures) == {}
        assert tally.trials[name] == 10


def test_independent_trials_differ_and_are_reproducible() -> None:
    question = QUESTIONS["shedding.threshold"]
    one, again = (make_trial(question, SEED, 3) for _ in range(2))
    assert one == again
    assert one != make_trial(question, 1, 3)


def test_a_failure_that_they_find_is_shrunk_like_any_other() -> None:
    question, subject = QUESTIONS["bundles.hash_lookup"], ReferenceSubject(PULSAR_4_0)
    tally = run_block(Block(question.name, SEED, 0, 400), subject, DOCUMENTED)
    signature, found = next(iter(tally.smallest.items()))
    assert found.place.startswith(f"{question.name}@{SEED}:")
    shrunk = shrink(question, found.seed, found.index, signature, subject, DOCUMENTED)
    assert shrunk is not None
    assert shrunk.verdict.signature == signature


KNOWN = {"catalogue", "kit.codec", "kit.draw", "kit.independent", "kit.trial"}


def test_it_knows_nothing_of_the_other_generators() -> None:
    folder = Path(maker.__file__).parent
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                parts = node.module.split(".")
                assert "generator" not in node.module
                assert "judge" not in node.module
                if parts[:2] == ["evenkeel", "properties"] and len(parts) > 2:
                    assert ".".join(parts[2:4]) in KNOWN, path
    assert independent_generator("bundles.range") is independent_generator("bundles.range")


def test_choices_that_make_no_trial_do_not_end_the_shrinking() -> None:
    question, subject = QUESTIONS["balancing.loop"], ReferenceSubject(PULSAR_4_0)
    with pytest.raises(maker.Unlucky):
        independent_generator(question.name)(ReplayDraw(()))
    tally = run_block(Block(question.name, SEED, 0, 100), subject, DOCUMENTED)
    signature, found = next(iter(tally.smallest.items()))
    shrunk = shrink(question, found.seed, found.index, signature, subject, DOCUMENTED, seconds=1.0)
    assert shrunk is not None
    assert shrunk.attempts > 1
