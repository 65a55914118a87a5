"""The second generator: of every question, by other hands, and the reference holds on it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from evenkeel.reference.edition import BASE_EDITIONS, DOCUMENTED, PULSAR_4_0
from evenkeel_engine.check.seeded import Block, make_trial, run_block, trial_seed
from evenkeel_engine.check.shrink import shrink
from evenkeel_engine.cli.places import PLACE, trial_at
from evenkeel_engine.frame.errors import Refusal
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.draw import Generator, ReplayDraw, SeededDraw
from evenkeel_engine.kit.independent import independent_generator, maker
from evenkeel_engine.kit.trial import BadTrial
from evenkeel_engine.subjects.local import ReferenceSubject

OTHER = Generator.INDEPENDENT
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", QUESTIONS)
def test_most_generated_trials_are_valid(name: str) -> None:
    kind, made = QUESTIONS[name].trial_type, 0
    own = maker.maker_of(QUESTIONS[name].chapter)
    for seed in range(20):
        try:
            own(SeededDraw(seed), name, kind).make_part(kind)
        except (BadTrial, Refusal, maker.Unlucky):
            continue
        made += 1
    assert made >= 8


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_reference_holds_on_them(name: str) -> None:
    for edition in BASE_EDITIONS.values():
        tally = run_block(Block(name, 1, 0, 10, OTHER), ReferenceSubject(edition), edition)
        assert dict(tally.failures) == {}
        assert tally.trials[name] == 10


def test_independent_trials_differ_and_are_reproducible() -> None:
    question = QUESTIONS["shedding.threshold"]
    one, again = (make_trial(question, 1, 3, OTHER) for _ in range(2))
    assert one == again
    assert one != make_trial(question, 1, 3)
    # Addresses that were printed before the generator had a word keep their trials.
    for place in ("independent:1:3", f"{(1 << 31) + 1}:3"):
        match = PLACE.fullmatch(f"{question.name}@{place}")
        assert match
        assert trial_at(match)[1] == one
    assert trial_seed(question.name, 1, 3, OTHER) == trial_seed(question.name, (1 << 31) + 1, 3)


def test_a_failure_that_they_find_is_shrunk_like_any_other() -> None:
    question, subject = QUESTIONS["bundles.hash_lookup"], ReferenceSubject(PULSAR_4_0)
    tally = run_block(Block(question.name, 1, 0, 400, OTHER), subject, DOCUMENTED)
    signature, found = next(iter(tally.smallest.items()))
    assert found.place.startswith(f"{question.name}@independent:1:")
    shrunk = shrink(question, 1, found.index, signature, subject, DOCUMENTED, generator=OTHER)
    assert shrunk is not None
    assert shrunk.verdict.signature == signature


SHARED = ("independent_parts", "production")


def test_it_knows_nothing_of_the_other_generators() -> None:
    properties = ROOT / "properties"
    chapters = {*properties.glob("*/independent_parts.py")}
    # It follows segments and consumers by the chapter's own commands.
    chapters.remove(properties / "scaling" / "independent_parts.py")
    assert len(chapters) >= 8
    engine = Path(maker.__file__).parent.glob("*.py")
    for path in (*engine, *(properties / f"{name}.py" for name in SHARED), *chapters):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = node.module if isinstance(node, ast.ImportFrom) else None
            if name and name.startswith("evenkeel.properties"):
                assert name.removeprefix("evenkeel.properties.") in SHARED, path


def test_choices_that_make_no_trial_do_not_end_the_shrinking() -> None:
    question, subject = QUESTIONS["balancing.loop"], ReferenceSubject(PULSAR_4_0)
    with pytest.raises(maker.Unlucky):
        independent_generator(question.name)(ReplayDraw(()))
    tally = run_block(Block(question.name, 1, 0, 100, OTHER), subject, DOCUMENTED)
    signature, found = next(iter(tally.smallest.items()))
    shrunk = shrink(
        question,
        found.seed,
        found.index,
        signature,
        subject,
        DOCUMENTED,
        seconds=1.0,
        generator=OTHER,
    )
    assert shrunk is not None
    assert shrunk.attempts > 1
