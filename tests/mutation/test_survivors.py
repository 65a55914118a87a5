"""Exactly the surviving mutants of the reference are listed."""

from __future__ import annotations

import pytest

from evenkeel.cli.score_command import survivors as counted
from evenkeel.mutation.equivalents import equivalents, survivors
from evenkeel.mutation.sampled import named
from evenkeel.mutation.scoring.detection import InReference, Outcome, follow
from evenkeel.mutation.scoring.score_sampled import SampledScore
from evenkeel.mutation.scoring.stored_checks import against
from evenkeel.mutation.scoring.stored_models import stored_examples
from evenkeel.mutation.sites import site_named

LISTED = list(survivors().values())


def test_survivors_are_as_they_are_listed() -> None:
    assert LISTED
    for listed in LISTED:
        assert site_named(listed.name).change == listed.change
        assert len(listed.reason) > 20
        assert listed.name not in equivalents()


def test_no_example_detects_a_survivor() -> None:
    """Who writes one that does takes the survivor out of the list."""
    seen = [one.name for one in LISTED if against(named(one.name), stored_examples()) is not None]
    assert seen == []


@pytest.mark.parametrize("listed", LISTED[::8], ids=lambda listed: listed.name)
def test_few_trials_detect_no_survivor(listed: object) -> None:
    mutant = named(listed.name)  # type: ignore[attr-defined]  # an entry of the list
    assert follow(mutant, InReference(mutant), 1, 5).by is None


def test_only_a_survivor_that_is_not_listed_counts() -> None:
    missed = Outcome(None, "", "", 1, 1, None)
    known = SampledScore(named(LISTED[0].name), missed, 1.0)
    other = SampledScore(named("reference/load/usage.py:max_weighted_usage:swap:0"), missed, 1.0)
    assert counted([known, other]) == 2
    assert counted([known, other], survivors()) == 1
