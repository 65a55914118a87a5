"""What generated trials meet of what their types allow: all of it, but what is listed here."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from evenkeel.harness import seeded
from evenkeel.harness.seeded import generator_of
from evenkeel.harness.subjects import met
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.properties.kit import varied
from evenkeel.properties.kit.codec import from_json, to_json
from evenkeel.properties.kit.draw import Draw, SeededDraw

LEFT_OUT: tuple[tuple[str, str, str], ...] = ()
"""By question and by place and class: what need not be met, and why."""


def is_left_out(question: str, words: str) -> bool:
    return any(
        re.fullmatch(where, question) and re.fullmatch(what, words) for where, what, _ in LEFT_OUT
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", QUESTIONS)
def test_trials_meet_what_their_types_allow(name: str) -> None:
    never = [
        f"{place}: {words}" for (place, words), count in met.counted(name).items() if not count
    ]
    assert [words for words in never if not is_left_out(name, words)] == []


def test_a_class_that_is_never_drawn_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    question = QUESTIONS["load.top_bundles"]

    def light(draw: Draw) -> object:
        trial = question.generate(draw)
        return replace(trial, bundles=trial.bundles[:1])

    for module in (met, seeded):
        monkeypatch.setattr(module, "QUESTIONS", {question.name: replace(question, generate=light)})
    monkeypatch.setattr(varied, "SELDOM", 0.0)
    counts = met.counted(question.name, 20)
    assert counts["TopBundlesTrial.bundles", "over 100 items"] == 0
    assert counts["TopBundlesTrial.bundles", "1 item"] == met.ENOUGH


def test_what_the_checks_refuse_is_no_class() -> None:
    counts = met.counted("splitting.apply", 20)
    assert "below upper" in [words for place, words in counts if place == "HashRange.lower"]
    assert "above upper" not in [words for place, words in counts if place == "HashRange.lower"]


@pytest.mark.parametrize("name", QUESTIONS)
def test_changed_trials_can_exist(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(varied, "SELDOM", 1.0)
    kind, generate = QUESTIONS[name].trial_type, generator_of(QUESTIONS[name], 1)
    for seed in range(20):
        trial = generate(SeededDraw(seed))
        assert from_json(kind, to_json(trial)) == trial
        assert generate(SeededDraw(seed)) == trial
