"""Rename brokers and bundles in a trial, to expose answers that depend on their names.

Hash maps go through names in an order of their own. An answer that depends on it changes when
names are swapped, and a reference that got it right by luck no longer does.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from evenkeel.properties.kit.codec import BadData, Json, from_json, to_json
from evenkeel.properties.kit.question import Question
from evenkeel.properties.kit.trial import BadTrial, is_broker, is_full_name

BROKERS: Final = {"broker", "brokers", "candidates"}
"""The fields that hold brokers' names where these are no `host:port`."""


def relabelled(question: Question[Any, Any], trial: Any, rng: Random, most: int) -> Iterator[Any]:
    """Up to `most` versions of a trial; none where it names too little, or needs its names."""
    data = to_json(trial)
    named = sorted(set(texts_in(data, "")))
    brokers = sorted({text for field, text in named if field in BROKERS or is_broker(text)})
    bundles = sorted({text for _, text in named if is_full_name(text)})
    if len(brokers) < 2 and len(bundles) < 2:
        return
    for _ in range(most):
        swapped = {**shuffled(brokers, rng), **shuffled(bundles, rng)}
        try:
            other = from_json(question.trial_type, renamed(data, swapped))
        except (BadData, BadTrial):  # these names are ordered, or belong to their places
            continue
        if other != trial:
            yield other


def texts_in(data: Json, field: str) -> Iterator[tuple[str, str]]:
    """All texts that are values, each with the field that it is in."""
    if isinstance(data, str):
        yield field, data
    elif isinstance(data, list):
        for item in data:
            yield from texts_in(item, field)
    elif isinstance(data, dict):
        for name, item in data.items():
            yield from texts_in(item, name)


def shuffled(names: list[str], rng: Random) -> dict[str, str]:
    """Each name with another's, or its own."""
    return dict(zip(names, rng.sample(names, len(names)), strict=True))


def renamed(data: Json, names: dict[str, str]) -> Json:
    """The data with these values replaced."""
    if isinstance(data, str):
        return names.get(data, data)
    if isinstance(data, list):
        return [renamed(item, names) for item in data]
    if isinstance(data, dict):
        return {key: renamed(item, names) for key, item in data.items()}
    return data
