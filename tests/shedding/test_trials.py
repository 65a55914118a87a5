"""Trials of the chapter that are refused because no subject could answer them as intended."""

from __future__ import annotations

import pytest

from evenkeel.properties.shedding.avg.trials import AvgTrial
from evenkeel.properties.shedding.cycles import CyclesTrial
from evenkeel.properties.shedding.threshold import Membership
from evenkeel.properties.shedding.trial_parts import AveragedBundle, ModularRound
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.avg import AvgRules
from evenkeel.reference.shedding.cluster import BrokerId, BundleName
from evenkeel.reference.shedding.cycling import Cycle, Decided, Outcome
from evenkeel_engine.kit.trial import BadTrial

BUNDLE = BundleName("t/ns/0x00000000_0x00000001")


@pytest.mark.parametrize("name", ["\U0001f600", "\uff21", "\ud800"])
def test_names_that_are_sorted_are_ascii(name: str) -> None:
    """Java sorts by UTF-16 and answers a lone surrogate with a question mark."""
    decided = Decided(BUNDLE, BrokerId(name), None, Outcome.DONE)
    cycle = Cycle(0, True, True, True, 2, (decided,))
    with pytest.raises(BadTrial, match="ASCII"):
        CyclesTrial(30, (cycle,))


def test_the_round_of_a_membership_is_an_int_of_java() -> None:
    Membership(2**31 - 1, ())
    with pytest.raises(BadTrial, match="2\\^31"):
        Membership(2**31, ())


@pytest.mark.parametrize(("long_term", "right"), [(0.0, True), (-0.0, False)])
def test_averages_are_not_negative_zero(long_term: float, right: bool) -> None:
    """Plans are keyed by averages, and in Java -0.0 differs from 0.0."""
    averages = AveragedBundle(BUNDLE, Traffic(), Traffic(long_term, 0.0, 0.0, 0.0))
    rounds = (ModularRound(0, (), (averages,), ()),)
    if right:
        AvgTrial(config=AvgRules(), recently_unloaded=(), rounds=rounds)
        return
    with pytest.raises(BadTrial, match=r"-0\.0"):
        AvgTrial(config=AvgRules(), recently_unloaded=(), rounds=rounds)
