"""The list of surviving mutants; the sweep `listed mutants` checks that nothing detects them."""

from __future__ import annotations

from evenkeel_engine.cli.score_command import count_survivors as counted
from evenkeel_engine.mutation.equivalents import read_equivalents, read_survivors
from evenkeel_engine.mutation.sampled import find_mutant
from evenkeel_engine.mutation.scoring.detection import Detection
from evenkeel_engine.mutation.scoring.score_sampled import SampledScore
from evenkeel_engine.mutation.sites import site_named

LISTED = list(read_survivors().values())


def test_survivors_are_as_they_are_listed() -> None:
    assert LISTED
    for listed in LISTED:
        assert site_named(listed.name).change == listed.change
        assert len(listed.reason) > 20
        assert listed.name not in read_equivalents()


def test_only_a_survivor_that_is_not_listed_counts() -> None:
    missed = Detection(None, "", "", 1, 1, None)
    known = SampledScore(find_mutant(LISTED[0].name), missed, 1.0)
    other = SampledScore(
        find_mutant("reference/load/usage.py:max_weighted_usage:swap:0"), missed, 1.0
    )
    assert counted([known, other]) == 2
    assert counted([known, other], read_survivors()) == 1
