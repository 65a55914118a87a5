"""No judge fails on an answer of the right form, however nonsensical: it has a verdict."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any, TypeAlias

import pytest

from evenkeel.reference.edition import BASE_EDITIONS, EDITIONS, Edition
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.codec import BadData
from evenkeel_engine.kit.question import judge
from evenkeel_engine.subjects.essence import observation_of
from evenkeel_engine.subjects.wire import observation_to_json

Json: TypeAlias = Any
TRIALS = 6
CHANGES = 8
CLAUSE = re.compile("[A-Z]+-[0-9]+")
NUMBERS = (0, 1, -1, 2**31 - 1, 2**63 - 1, 0.0, -1.5, 1e308)


def places(data: Json, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something can be changed."""
    yield path
    keys = data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    for key in keys:
        yield from places(data[key], (*path, key))


def change_data(data: Json, path: tuple[Any, ...], random: Random, others: list[Json]) -> Json:
    """The data with something else at one place."""
    if not path:
        return otherwise(data, random, others)
    first, *rest = path
    new = change_data(data[first], tuple(rest), random, others)
    if isinstance(data, dict):
        return {**data, first: new}
    return [*data[:first], new, *data[first + 1 :]]


def otherwise(data: Json, random: Random, others: list[Json]) -> Json:
    """Something else of the same form, mostly."""
    alike = [other for other in others if type(other) is type(data)]
    match data:
        case list():
            return random.choice([[], data[:-1], data[1:], data + data, data[::-1]])
        case bool():
            return not data
        case int() | float():
            return random.choice([data + 1, data - 1, *NUMBERS])
        case str() | dict() if alike:
            return random.choice(alike)
    return None


def wrong_answers(right: Json, random: Random) -> Iterator[Json]:
    """Answers with one or two places changed."""
    every = list(places(right))
    values = [at(right, path) for path in every]
    for _ in range(CHANGES):
        answer = change_data(right, random.choice(every), random, values)
        if random.random() < 0.5:
            answer = change_data(answer, random.choice(list(places(answer))), random, values)
        yield answer


def at(data: Json, path: tuple[Any, ...]) -> Json:
    for key in path:
        data = data[key]
    return data


def failing(name: str, edition: Edition, seed: int, trials: int) -> list[str]:
    """What judges fail with, and signatures that have a number of something."""
    question, clauses, found = QUESTIONS[name], clauses_for(name, edition), []
    random = Random(f"{name} {seed}")
    for index in range(trials):
        trial = make_trial(question, seed, index)
        for wrong in wrong_answers(observation_to_json(question.observe(trial, edition)), random):
            try:
                observation = observation_of(question, wrong)
            except BadData:
                continue  # not of the right form: no judge sees it
            verdicts = judge(question, clauses, trial, observation, edition)
            found += [f"{index}: {v.sentence}" for v in verdicts if v.status == "errored"][:1]
            names = [v.signature for v in verdicts if v.status == "violated"]
            found += [name for name in names if re.search(r"\d", CLAUSE.sub("", name))]
    return found


@pytest.mark.parametrize("edition", BASE_EDITIONS)
@pytest.mark.parametrize("name", QUESTIONS)
def test_judges_have_a_verdict(name: str, edition: str) -> None:
    assert failing(name, EDITIONS[edition], 1, TRIALS) == []


def test_an_observation_that_is_nested_too_deeply_is_none() -> None:
    deep = json.loads('{"answer":' + "[" * 900 + "]" * 900 + "}")
    with pytest.raises(BadData, match="is nested too deeply"):
        observation_of(QUESTIONS["bundles.hash_lookup"], deep)
