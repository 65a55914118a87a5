"""How a worked example is written down, and that it may be wrong."""

from __future__ import annotations

import pytest

from evenkeel_engine.check import worked_examples
from evenkeel_engine.check.worked_examples import Example
from evenkeel_engine.spec import UnknownClause


def test_an_example_may_be_wrong() -> None:
    right = next(one for one in worked_examples.read_shipped() if one.answer == 110)
    wrong = Example(right.clause, right.source, right.function, right.arguments, 111)
    assert wrong.problem().endswith("is 110, not 111")
    refused = Example(right.clause, "", right.function, right.arguments, refused="BadValue")
    assert "not refused with BadValue" in refused.problem()
    true = Example("PLC-10", "", "placement.resource_usage:at_the_edge", ({}, 1, "PULSAR_4_0"), 0)
    assert true.problem().endswith("is false, not 0")
    with pytest.raises(UnknownClause):
        Example("THR-999", "", right.function, right.arguments)


def test_example_may_be_wrong_about_changed_arguments() -> None:
    """What counts is the part that is written down; `{}` and `[]` are empty."""
    before = {"storage": "SystemTopic", "brokers": {}, "now": 10}
    broker = {"name": "b0", "cleanups": {"b1": 10, "b2": 11}}
    arguments = {"world": before, "broker": broker, "edition": "DOCUMENTED"}

    def leaving(cleanups: dict[str, int]) -> Example:
        function = "ownership.channel.upkeep:clean_due"
        leaves = {"broker": {"cleanups": cleanups}}
        return Example("OWN-17", "", function, arguments, leaves=leaves)

    assert leaving({"b2": 11}).problem() == ""
    assert '"cleanups": {"b2": 11}' in leaving({"b2": 12}).problem()
    assert leaving({}).problem() != ""
