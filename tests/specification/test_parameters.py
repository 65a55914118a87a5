"""The tables of parameters say what the settings are."""

import pytest

from evenkeel.reference.shedding.threshold import ThresholdRules
from evenkeel_engine.cli import parameters

NAME = "evenkeel.reference.shedding.threshold:ThresholdRules"
HOW = "python -m evenkeel_engine.cli.parameters"


def test_tables_are_current() -> None:
    for path in parameters.list_chapter_files():
        text = path.read_text("utf-8")
        assert parameters.rewrite_tables(text) == text, f"{path.name}: {HOW}"


def test_a_table_has_every_setting_with_its_default() -> None:
    made = parameters.render_table(NAME)
    rules = ThresholdRules()
    assert (
        f"`loadBalancerBrokerThresholdShedderPercentage` | points | {rules.threshold_percentage}"
        in made
    )
    assert "| `lowerBoundarySheddingEnabled` |  | false | 003 |" in made
    assert made.count("\n") == 2 + len(list(parameters.list_settings(NAME)))


def test_text_between_markers_is_replaced() -> None:
    text = f"before\n<!-- parameters {NAME} -->\nof before\n<!-- end -->\nafter\n"
    made = parameters.rewrite_tables(text)
    assert "of before" not in made
    assert made.startswith("before\n<!-- parameters")
    assert made.endswith("|\n<!-- end -->\nafter\n")
    assert parameters.rewrite_tables(made) == made


def test_undescribed_key_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parameters, "read_descriptions", dict)
    with pytest.raises(parameters.BadParameters, match="has nothing about"):
        parameters.render_table(NAME)


def test_class_without_settings_is_refused() -> None:
    with pytest.raises(parameters.BadParameters, match="has no settings"):
        parameters.render_table("evenkeel.reference.shedding.avg:Pair")
