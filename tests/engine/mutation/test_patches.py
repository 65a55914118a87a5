"""Mutants written by hand fit the reference: the old lines are there, and the new ones compile."""

from __future__ import annotations

import ast

import pytest

from evenkeel.reference.load import usage
from evenkeel.reference.shedding import threshold
from evenkeel_engine.mutation.patches import WrongPatch, change_of, patch_function, patch_of

FUNCTION = "load.usage:percent_usage"


def change_function(function: str, **keys: object) -> str:
    """A function of the reference after one change."""
    change = change_of({"function": function, **keys})
    return ast.unparse(patch_function(change.source, [change]))


def test_old_lines_have_any_indentation_and_new_ones_get_it() -> None:
    old = "if not resource.limit > 0:\n    return 0.0"
    text = change_function(FUNCTION, old=old, new="if resource.limit < 0:\n    return 1.0")
    assert "    if resource.limit < 0:\n        return 1.0" in text
    assert "if not" not in text


@pytest.mark.parametrize("old", ["return", "return 0.0\nreturn 0.0", "no such line"])
def test_lines_that_are_not_there_are_refused(old: str) -> None:
    with pytest.raises(WrongPatch, match="0 times"):
        change_function(FUNCTION, old=old, new="pass")


def test_lines_that_occur_twice_are_refused() -> None:
    with pytest.raises(WrongPatch, match="2 times"):
        change_function("bundles.topics:partition_index", old="return None", new="pass")


def test_a_function_that_is_not_there_is_refused() -> None:
    with pytest.raises(WrongPatch, match="no function"):
        change_function("load.usage:nothing", body="pass")


def test_an_unknown_key_is_refused() -> None:
    with pytest.raises(TypeError, match="edtion"):
        patch_of("load", {"name": "x", "description": "", "function": FUNCTION, "edtion": "x"})


def test_every_caller_sees_a_patch_and_nothing_is_left_of_it() -> None:
    body = "from math import pi\nreturn pi"
    entry = {"name": "x", "description": "", "function": "load.usage:max_weighted_usage"}
    patch = patch_of("load", {**entry, "body": body})
    before = usage.max_weighted_usage.__code__
    with patch.apply():
        assert vars(threshold)["max_weighted_usage"](None, None) == 3.141592653589793
    assert usage.max_weighted_usage.__code__ is before
