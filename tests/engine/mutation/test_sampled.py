"""Sampling and names of mutants."""

from __future__ import annotations

import pytest

from evenkeel_engine.mutation.operators import OPERATORS
from evenkeel_engine.mutation.sampled import find_mutant, sample_mutants
from evenkeel_engine.mutation.sites import LEFT_OUT, UnknownSite, all_sites, site_named


def test_one_seed_samples_one_list() -> None:
    first, again = sample_mutants(7, 60), sample_mutants(7, 60)
    assert [m.name for m in first] == [m.name for m in again]
    assert [m.name for m in first] != [m.name for m in sample_mutants(8, 60)]
    assert len({m.name for m in first}) == 60
    assert [m.name for m in sample_mutants(7, 30)] == [m.name for m in first[:30]]


def test_a_name_is_enough() -> None:
    for mutant in sample_mutants(3, 40):
        again = find_mutant(mutant.name)
        assert (again.description, again.chapter) == (mutant.description, mutant.chapter)
    with pytest.raises(UnknownSite):
        site_named("reference/summation.py:ordered_sum:boundary:99")


def test_sites_have_names_of_their_own_and_every_operator_has_some() -> None:
    sites = all_sites()
    assert len({site.name for site in sites}) == len(sites) > 5000
    assert {site.operator for site in sites} == set(OPERATORS)


def test_omitted_equivalents_exist() -> None:
    for place in LEFT_OUT:
        module, _, name = place.partition(":")
        assert name == "" or hasattr(__import__(module, fromlist=["x"]), name)
