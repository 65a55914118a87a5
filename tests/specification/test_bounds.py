"""The bounds of trials: each is documented as it is, and wide enough for production."""

from __future__ import annotations

import re

import pytest

from evenkeel.properties.fields import PRODUCTION
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.fields import members_of
from evenkeel_engine.trial_types import bounds
from evenkeel_engine.trial_types.bounds import PAGE, Path_, records_of

WRITTEN = bounds.on_page(PAGE.read_text(encoding="utf-8"))
STEPPED = "cycles[].now"
"""Times at whole minutes: the next one is not the next number."""
HOW = "run `python -m evenkeel_engine.trial_types.bounds` with the question's name"


def name_of(path: Path_) -> str:
    return ".".join(path).replace(".[]", "[]")


@pytest.mark.parametrize("name", QUESTIONS)
def test_page_matches_bounds_of_trials(name: str) -> None:
    question, written = QUESTIONS[name], WRITTEN.get(name, {})
    seen = {}
    for path, whole in bounds.numbers_in_trials(question):
        tries, _ = bounds.tries_of(question, path)
        if not tries:
            continue
        seen[path] = whole
        assert path in written, (name_of(path), HOW)
        _, *ends = written[path]
        for bound, beyond in zip(ends, (-1, 1), strict=True):
            typed = int if whole else float
            assert any(valid(typed(bound)) for valid in tries), (name_of(path), bound, HOW)
            if abs(bound) < bounds.RUNGS[-1] and name_of(path) != STEPPED:
                # Of numbers with a fraction the next one is too near to tell.
                further = bound + beyond * (1 if whole else max(1.0, abs(bound)))
                held = any(valid(typed(further)) for valid in tries)
                assert not held, (name_of(path), further, HOW)
    assert seen == {path: whole for path, (whole, _, _) in written.items()}, HOW


@pytest.mark.parametrize("question", WRITTEN)
def test_bounds_are_wide_enough_for_production(question: str) -> None:
    defaults = {
        (*path, member.name): member.default
        for record, path in records_of(question)
        for member in members_of(record)
        if member.unit is not None
    }
    for path, (_, least, most) in WRITTEN[question].items():
        name = name_of(path)
        if re.fullmatch(QUESTIONS[question].exempt.world, name):
            continue
        if path in defaults:
            assert least <= defaults[path] <= most, name
            continue
        expected = [(low, high) for form, low, high in PRODUCTION if re.fullmatch(form, name)]
        assert expected, f"add the range of {name} in production to PRODUCTION"
        low, high = expected[0]
        assert least <= low <= high <= most, name
