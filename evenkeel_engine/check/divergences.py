"""Count answers that differ from the reference without violating a clause.

Where the clauses leave a choice, a subject may differ. A high share of such answers points to a gap
in the clauses.
"""

from __future__ import annotations

from typing import Final

from evenkeel_engine.kit.clause import name_shape
from evenkeel_engine.kit.codec import Json
from evenkeel_engine.kit.question import Observation
from evenkeel_engine.subjects.essence import is_same_json, take_essence
from evenkeel_engine.subjects.wire import observation_to_json

ROUNDING: Final = 1e-9
"""Numbers that are relatively as close as this differ by rounding."""
FIELDS: Final = 4
"""Fields that are named at most."""


def describe_difference(expected: Observation, observed: Observation) -> str:
    """How an observation differs from the expected one, in a few words; empty if it does not."""
    if observed == expected:
        return ""
    mine, right = (take_essence(observation_to_json(one)) for one in (observed, expected))
    if mine == right:
        return ""
    if name_shape(observed) != name_shape(expected) or name_shape(expected) != "answered":
        return f"{name_shape(observed)}, the reference {name_shape(expected)}"
    mine, right = mine["answer"], right["answer"]
    if not isinstance(mine, dict) or not isinstance(right, dict):
        return "another answer" + by_rounding(mine, right)
    names = [name for name in right if name not in mine or mine[name] != right[name]]
    more = f" and {len(names) - FIELDS} more" if len(names) > FIELDS else ""
    return f"{', '.join(names[:FIELDS])}{more}{by_rounding(mine, right)}" or "another answer"


def by_rounding(mine: Json, right: Json) -> str:
    """A remark where two answers differ in the last digits of numbers only."""
    return " (by rounding)" if is_same_json(mine, right, ROUNDING, 0.0) else ""
