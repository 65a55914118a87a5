"""JSON forms: lossless, and errors in bad data are one sentence with the place."""

import json
import math
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar

import pytest

from evenkeel.reference.edition import PULSAR_4_0
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.codec import BadData, from_json, to_json
from evenkeel_engine.kit.question import judge
from evenkeel_engine.kit.trial import OMITTABLE, require


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True, slots=True)
class Stop:
    DO: ClassVar[str] = "stop"


@dataclass(frozen=True, slots=True)
class Go:
    DO: ClassVar[str] = "go"
    far: int


@dataclass(frozen=True, slots=True)
class Thing:
    colour: Colour
    rate: float
    steps: tuple[Stop | Go, ...]
    name: str | None
    limit: int = field(metadata={"wire": "maxLimit"})

    def __post_init__(self) -> None:
        require(self.limit >= 0, "limit", "must not be negative")


THING = Thing(Colour.RED, 0.1 + 0.2, (Go(2**53 + 1), Stop()), None, 3)
FORM: dict[str, Any] = {
    "colour": "red",
    "rate": 0.30000000000000004,
    "steps": [{"do": "go", "far": 9007199254740993}, {"do": "stop"}],
    "name": None,
    "maxLimit": 3,
}


def test_form_and_back() -> None:
    assert to_json(THING) == FORM
    assert from_json(Thing, json.loads(json.dumps(FORM))) == THING


def test_integers_are_numbers_too() -> None:
    thing = from_json(Thing, {**FORM, "rate": 2})
    assert thing.rate == 2.0
    assert type(thing.rate) is float


def nest_lists(depth: int) -> Any:
    data: Any = []
    for _ in range(depth):
        data = [data]
    return data


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"colour": "blue"}, 'colour: must be one of red, not "blue"'),
        ({"rate": "fast"}, 'rate: must be a number, not "fast"'),
        ({"rate": True}, "rate: must be a number, not true"),
        ({"rate": 10**400}, f"rate: must be a number that a double holds, not 1{'0' * 36}..."),
        (
            {"maxLimit": 16**9999},
            "maxLimit: must be a number that a double holds, not a number of too many digits",
        ),
        ({"maxLimit": 1.0}, "maxLimit: must be an integer, not 1.0"),
        ({"maxLimit": -1}, "limit: must not be negative"),
        ({"steps": {}}, "steps: must be an array, not {}"),
        ({"steps": [{"do": "go"}]}, "steps[0].far: is missing"),
        ({"steps": [{"do": "fly"}]}, "steps[0]: must be an object with do one of stop, go"),
        ({"steps": [{"do": "stop", "x": 1}]}, "steps[0].x: is not a field here"),
        ({"name": 5}, "name: must be a text, not 5"),
        ({"rate": None}, "rate: must be a number, not null"),
        ({"name": [False, "\ud800"]}, r'name: must be a text, not [false, "\ud800"]'),
        ({"name": nest_lists(5000)}, "name: must be a text, not what is nested so deeply"),
        ({"other": 5}, "other: is not a field here"),
    ],
)
def test_bad_data_is_placed(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadData) as raised:
        from_json(Thing, {**FORM, **change})
    assert str(raised.value) == sentence


def test_value_without_form_is_refused() -> None:
    with pytest.raises(TypeError):
        to_json([1, 2])
    assert math.isnan(to_json(math.nan))


@dataclass(frozen=True, slots=True)
class Later:
    first: int
    second: str | None = field(default=None, metadata=OMITTABLE)


def test_a_field_that_came_later_may_be_left_out() -> None:
    assert from_json(Later, {"first": 1}) == Later(1)
    assert from_json(Later, {"first": 1, "second": "two"}) == Later(1, "two")
    for bad in ({"second": None}, {"first": 1, "third": 3}, {"first": 1, "second": 2}):
        with pytest.raises(BadData):
            from_json(Later, bad)


def test_a_subject_that_does_not_know_placements_is_judged_by_the_rest() -> None:
    question = QUESTIONS["balancing.strategy"]
    for index in range(60):
        trial = make_trial(question, 3, index)
        sheds = {"modular": "ThresholdShedder", "extensible": "TransferShedder"}[trial.manager]
        answer = from_json(question.answer_type, {"sheds": sheds})
        clauses = clauses_for("balancing.strategy", PULSAR_4_0)
        statuses = {v.clause: v.status for v in judge(question, clauses, trial, answer, PULSAR_4_0)}
        assert {statuses[one] for one in ("PLC-6", "PLC-50", "PLC-51")} == {"unexercised"}
