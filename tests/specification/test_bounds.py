"""The bounds of trials: each is documented as it is, and wide enough for production."""

from __future__ import annotations

import re

import pytest

from evenkeel.properties.fields import PRODUCTION
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.trial_types import bounds
from evenkeel_engine.trial_types.bounds import PAGE, Path_

WRITTEN = bounds.on_page(PAGE.read_text(encoding="utf-8"))
HOW = "run `python -m evenkeel_engine.trial_types.bounds` with the question's name"


def name_of(path: Path_) -> str:
    return ".".join(path).replace(".[]", "[]")


def fields() -> list[tuple[str, Path_]]:
    return [(question, path) for question, found in WRITTEN.items() for path in found]


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_number_of_a_trial_is_on_the_page(name: str) -> None:
    question = QUESTIONS[name]
    seen = {
        path: whole
        for path, whole in bounds.numbers_in_trials(question)
        if bounds.tries_of(question, path)[0]
    }
    assert seen == {path: whole for path, (whole, _, _) in WRITTEN.get(name, {}).items()}, HOW


@pytest.mark.parametrize("name", WRITTEN)
def test_page_matches_bounds_of_trials(name: str) -> None:
    question = QUESTIONS[name]
    for path, (whole, least, most) in WRITTEN[name].items():
        tries, _ = bounds.tries_of(question, path)
        typed = int if whole else float
        for bound, beyond in ((least, -1), (most, 1)):
            assert any(valid(typed(bound)) for valid in tries), (name_of(path), bound, HOW)
            if abs(bound) < bounds.RUNGS[-1] and not is_stepped(path):
                # Of numbers with a fraction the next one is too near to tell.
                further = bound + beyond * (1 if whole else max(1.0, abs(bound)))
                held = any(valid(typed(further)) for valid in tries)
                assert not held, (name_of(path), further, HOW)


def is_stepped(path: Path_) -> bool:
    """Times at whole minutes: the next one is not the next number."""
    return name_of(path) == "cycles[].now"


@pytest.mark.parametrize(("question", "path"), fields(), ids=str)
def test_a_bound_is_wide_enough_for_production(question: str, path: Path_) -> None:
    name = name_of(path)
    if re.fullmatch(QUESTIONS[question].exempt.world, name):
        return
    _, least, most = WRITTEN[question][path]
    default = default_of(question, path)
    if default is not None:
        assert least <= default <= most
        return
    expected = [(low, high) for form, low, high in PRODUCTION if re.fullmatch(form, name)]
    assert expected, "add the range of this number in production to PRODUCTION"
    low, high = expected[0]
    assert least <= low, f"{name} of {question} begins at {least}"
    assert most >= high, f"{name} of {question} ends at {most}"


def default_of(question: str, path: Path_) -> float | None:
    """Pulsar's default, if the field is a setting."""
    kind = QUESTIONS[question].trial_type
    return bounds.default_at(kind, path)
