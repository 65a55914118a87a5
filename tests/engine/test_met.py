"""What generated trials meet of what their types allow: all of it, but what is listed here."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from evenkeel_engine.check import seeded
from evenkeel_engine.check.seeded import generator_of
from evenkeel_engine.kit import varied
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.codec import from_json, to_json
from evenkeel_engine.kit.draw import Draw, SeededDraw
from evenkeel_engine.trial_types import met

LEFT_OUT: tuple[tuple[str, str, str], ...] = (
    (
        r".*",
        r"\w+\.(at|now|updated_at|by|lasts|until|begin|end|peak|step|steps|session|reconnect"
        r"|transfer|shedding|round|millis): (0|1|negative|from 2\^31|equal to \w+|above \w+)",
        "of times, order and distance count; what is about a limit draws it and its neighbours",
    ),
    (
        r"ownership\.channel|throttling\.loop",
        r"\w+\.commands: (Assign|Flow) in the last third, .*",
        "a trial begins with them: without an owner, or without permits, nothing happens",
    ),
    (
        r"ownership\.channel",
        r"\w+\.commands: LoseSession in the last third, .*",
        "mostly what follows is observed; two in five are late",
    ),
    (
        r"scaling\.assignment",
        r"\w+\.commands: Connect in the last third, .*",
        "a trial begins with them: without a consumer nothing is assigned",
    ),
    (
        r"scaling\.loop",
        r"(Scale|Bucket)Rules\..*",
        "`scaling.decision` has each threshold at its bounds",
    ),
    (
        r"scaling\.policy",
        r"Scale(Rules|Policy)\..*",
        "settings are taken over as they are; `scaling.decision` has each threshold at its bounds",
    ),
    (
        r"scaling\.decision",
        r"ScaleRules\.\w+RateOut\w+: equal to scalableTopicMerge\w+RateIn\w+",
        "thresholds for rates out and in are never compared",
    ),
    (
        r"scaling\.decision",
        r"ScaleRules\.\w+Bytes\w+: 1",
        "a threshold of one byte in a second decides as any other above 0",
    ),
    (
        r"balancing\.loop",
        r"Settings\..*",
        "the questions of the strategies have each setting at its bounds",
    ),
    (
        r"balancing\.loop",
        r"(BrokerSpec|Drift|Spike|Slow)\.\w+: (0|whole|with a fraction|1|negative)",
        "capacities and factors are round, so that sums are exact",
    ),
    (r"balancing\.loop", r"Split\.children: .*", "a bundle is split in halves"),
    (
        r"balancing\.loop",
        r"Scenario\.brokers: 1 item",
        "others join or leave, so that one is alone for some rounds",
    ),
    (
        r"splitting\.unloading|placement\.candidates",
        r"\w+\.brokers: empty",
        "there is no broker to be asked",
    ),
    (
        r"splitting\.due_extensible",
        r"BundleLoad\.broker: one begins another",
        "a broker looks at what it serves itself",
    ),
    (
        r"placement\.least_long_term_message_rate",
        r"RateReport\.preallocated: 1",
        "20 and more, so that they decide",
    ),
    (
        r".*",
        r"\w+\.(manager|domain|selector|\w*[aA]lgorithms?): .*",
        "one of a few names, compared as a whole",
    ),
    (
        r".*",
        r"\w+\.(isolated|anti_affine|grouped|failing|splitting|recent_\w+|recently_unloaded"
        r"|active|excluded|prefers|prefers_then|admits|policies|groups|secondary|primary|preallocated"
        r"|counts|supportedNamespaceBundleSplitAlgorithms): "
        r"(.* items|an item twice|empty|not ASCII|one begins another)",
        "a set in which others' names are looked up, or of which few count",
    ),
    (
        r".*",
        r"(Join|Leave|Leaves|Slow|DelayReports|LoseReports|Crash|Split|Active|Update|Propose|Decided"
        r"|LastUnload)\.(broker|brokers|bundle): (not ASCII|one begins another|over 100 items)",
        "names what another field of the trial lists, where it is met",
    ),
)
"""By question and by place and class: what need not be met, and why."""


def is_left_out(question: str, words: str) -> bool:
    return any(
        re.fullmatch(where, question) and re.fullmatch(what, words) for where, what, _ in LEFT_OUT
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", QUESTIONS)
def test_trials_meet_what_their_types_allow(name: str) -> None:
    never = [
        one
        for one, count in met.counted(name).items()
        if not count and not is_left_out(name, ": ".join(one))
    ]
    assert set(never) - met.met_later(name, never) == set()


def test_a_class_that_no_trial_meets_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
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
