"""The list of mutants that nobody notices; that nobody does is the sweep `listed mutants`."""

from __future__ import annotations

from evenkeel.cli.score_command import survivors as counted
from evenkeel.mutation.drawn import named
from evenkeel.mutation.equivalents import equivalents, survivors
from evenkeel.mutation.scoring.noticing import Fate
from evenkeel.mutation.scoring.score_drawn import Noticed
from evenkeel.mutation.sites import site_named

LISTED = list(survivors().values())


def test_survivors_are_as_they_are_listed() -> None:
    assert LISTED
    for listed in LISTED:
        assert site_named(listed.name).change == listed.change
        assert len(listed.reason) > 20
        assert listed.name not in equivalents()


def test_only_a_survivor_that_is_not_listed_counts() -> None:
    missed = Fate(None, "", "", 1, 1, None)
    known = Noticed(named(LISTED[0].name), missed, 1.0)
    other = Noticed(named("reference/load/usage.py:max_weighted_usage:swap:0"), missed, 1.0)
    assert counted([known, other]) == 2
    assert counted([known, other], survivors()) == 1
