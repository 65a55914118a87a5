"""Trials that could not exist, or that no subject could answer as intended, are refused.

`refused_trials.json` has a possible trial by question, and changes of it: `says` is in the sentence
that refuses the trial, null where it is possible, too. Each of the `values` takes the place of "$".
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.codec import BadData, from_json

TABLE = json.loads(Path(__file__).with_name("refused_trials.json").read_text("utf-8"))
POSSIBLE = TABLE["possible"]


def fill_in(data: Any, value: object) -> Any:
    """The data with this value in place of "$"."""
    if isinstance(data, dict):
        return {key: fill_in(item, value) for key, item in data.items()}
    if isinstance(data, list):
        return [fill_in(item, value) for item in data]
    return value if data == "$" else data


def list_changes() -> Iterator[tuple[str, dict[str, Any], str | None]]:
    """Question, what is different in its trial, and what is said of it."""
    yield from ((question, {}, None) for question in POSSIBLE)
    for row in TABLE["changes"]:
        for value in row.get("values", [""]):
            yield row["question"], fill_in(row["change"], value), row["says"]


@pytest.mark.parametrize(("question", "change", "says"), [*list_changes()])
def test_a_trial_is_possible_or_refused(
    question: str, change: dict[str, Any], says: str | None
) -> None:
    data, kind = POSSIBLE[question] | change, QUESTIONS[question].trial_type
    if says is None:
        from_json(kind, data)
        return
    with pytest.raises(BadData) as refused:
        from_json(kind, data)
    assert says in str(refused.value)
