"""The list of surviving mutants; the sweep `listed mutants` checks that nothing detects them."""

from __future__ import annotations

from evenkeel_engine.cli.score_command import survivors as counted
from evenkeel_engine.mutation.equivalents import equivalents, survivors
from evenkeel_engine.mutation.sampled import named
from evenkeel_engine.mutation.scoring.detection import Outcome
from evenkeel_engine.mutation.scoring.score_sampled import SampledScore
from evenkeel_engine.mutation.sites import site_named

LISTED = list(survivors().values())


def test_survivors_are_as_they_are_listed() -> None:
    assert LISTED
    for listed in LISTED:
        assert site_named(listed.name).change == listed.change
        assert len(listed.reason) > 20
        assert listed.name not in equivalents()


def test_only_a_survivor_that_is_not_listed_counts() -> None:
    missed = Outcome(None, "", "", 1, 1, None)
    known = SampledScore(named(LISTED[0].name), missed, 1.0)
    other = SampledScore(named("reference/load/usage.py:max_weighted_usage:swap:0"), missed, 1.0)
    assert counted([known, other]) == 2
    assert counted([known, other], survivors()) == 1
