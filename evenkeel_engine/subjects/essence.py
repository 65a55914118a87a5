"""Observations in their wire form, compared without the wording of refusals and failures."""

from __future__ import annotations

import math
from typing import Any, Final

from evenkeel_engine.kit.codec import BadData, Json
from evenkeel_engine.kit.defaults import complete_data
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.question import AnyQuestion, Observation
from evenkeel_engine.subjects.wire import observation_to_json, read_observation

_WORDED: Final = {"do", "reason", "detail"}
"""The fields of a refusal or failure: that of a trial, or that of one command."""
TOLERANCE: Final = 1e-6
"""Two doubles that differ by at most this share of the larger, or of 1, are the same: the
documents leave open in which precision usages are computed, and no answer is wrong for that."""
_SHAPES: Final = {"refused": Refused, "broke": Broke}


def take_essence(data: Json) -> Json:
    """An observation in its wire form without the wording of refusals and failures.

    Subjects word those in their own way; that there was one is what counts. An essence is its own.
    """
    if isinstance(data, list):
        return [take_essence(item) for item in data]
    if not isinstance(data, dict):
        return data
    if set(data) <= _WORDED:
        return {name: value for name, value in data.items() if name == "do"}
    return {
        name: value not in (None, False)
        if name == "broke" and not isinstance(value, dict)
        else take_essence(value)
        for name, value in data.items()
    }


def is_same_json(
    one: Json, other: Json, relative: float = TOLERANCE, absolute: float = TOLERANCE
) -> bool:
    """Whether two JSON values are the same, doubles to within the tolerance."""
    within = relative, absolute
    if isinstance(one, dict):
        same = isinstance(other, dict) and one.keys() == other.keys()
        return same and all(is_same_json(it, other[key], *within) for key, it in one.items())
    if isinstance(one, list):
        same = isinstance(other, list) and len(one) == len(other)
        return same and all(is_same_json(*pair, *within) for pair in zip(one, other, strict=True))
    if isinstance(one, float) or isinstance(other, float):
        numbers = all(type(value) in (int, float) for value in (one, other))
        return numbers and math.isclose(one, other, rel_tol=relative, abs_tol=absolute)
    return type(one) is type(other) and bool(one == other)


def take_core(observation: Observation) -> Json:
    """What counts of an observation, in its wire form."""
    return take_essence(observation_to_json(observation))


def same_observation(one: Observation, other: Observation) -> bool:
    """Whether two observations differ at most in the wording of refusals and failures."""
    return one == other or bool(take_core(one) == take_core(other))


def observation_of(question: AnyQuestion, data: Json) -> Observation:
    """The observation in its wire form, or of which only the essence is known. Raises `BadData`."""
    if not isinstance(data, dict) or len(data) != 1:
        raise BadData("", "must be an object with one of answer, refused, broke")
    try:
        data = _with_words(data)
    except RecursionError:  # the decoder nests deeper than a function of Python's
        raise BadData("", "is nested too deeply") from None
    return read_observation(question, on_observation(question, data, complete_data))


def _with_words(data: Json, key: str = "") -> Json:
    """An essence in wire form again: with empty texts where texts are required."""
    if isinstance(data, list):
        return [_with_words(item) for item in data]
    if key == "broke" and isinstance(data, bool):
        return "something" if data else None
    if not isinstance(data, dict):
        return data
    if key in _SHAPES and set(data) <= {"detail"}:
        return {"reason": "", **data}
    if data in ({"do": "refused"}, {"do": "broke"}):  # of one command: these have a reason only
        return {**data, "reason": ""}
    return {name: _with_words(value, name) for name, value in data.items()}


def on_observation(question: AnyQuestion, data: Json, change: Any) -> Json:
    """`complete_data` or `trim_data` of an observation in its wire form."""
    if not isinstance(data, dict):
        return data
    kinds = {"answer": question.answer_type, **_SHAPES}
    return {name: change(kinds.get(name), value) for name, value in data.items()}
