"""Which values trials can have, and which of them generated trials have."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenkeel_engine.check import seeded
from evenkeel_engine.kit import varied
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.trial_types import met


def test_a_class_that_no_trial_meets_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    question = QUESTIONS["load.top_bundles"]

    def light(draw: Draw) -> object:
        trial = question.generate(draw)
        return replace(trial, bundles=trial.bundles[:1])

    for module in (met, seeded):
        monkeypatch.setattr(module, "QUESTIONS", {question.name: replace(question, generate=light)})
    monkeypatch.setattr(varied, "SELDOM", 0.0)
    counts = met.count_met(question.name, 20)
    assert counts["TopBundlesTrial.bundles", "over 100 items"] == 0
    assert counts["TopBundlesTrial.bundles", "1 item"] == met.ENOUGH


def test_what_the_checks_refuse_is_no_class() -> None:
    counts = met.count_met("splitting.apply", 20)
    assert "below upper" in [words for place, words in counts if place == "HashRange.lower"]
    assert "above upper" not in [words for place, words in counts if place == "HashRange.lower"]
