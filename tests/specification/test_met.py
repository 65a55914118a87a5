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
    for often in ("SELDOM", "RELATED"):
        monkeypatch.setattr(varied, often, 0.0)
    counts = met.count_met(question.name, 20)
    assert counts["TopBundlesTrial.bundles", "99–101 items"] == 0
    assert counts["TopBundlesTrial.bundles", "1 item"] == met.ENOUGH


def test_what_the_checks_refuse_is_no_class() -> None:
    counts = met.count_met("splitting.apply", 20)
    assert "below upper" in [words for place, words in counts if place == "HashRange.lower"]
    assert "above upper" not in [words for place, words in counts if place == "HashRange.lower"]


@pytest.mark.parametrize(
    ("place", "words"),
    [("TopicLoad.topic", "ports of one host"), ("PositionsTrial.positions", "127–129 items")],
)
def test_values_are_related(monkeypatch: pytest.MonkeyPatch, place: str, words: str) -> None:
    found = []
    for often in (0.0, 1.0):
        monkeypatch.setattr(varied, "RELATED", often)
        found.append(met.count_all("splitting.positions", 60)[place, words])
    assert found[0] < found[1]
