"""Sampling and names of mutants, and the list of known equivalents."""

from __future__ import annotations

import random

import pytest

from evenkeel_engine.mutation.equivalents import read_equivalents
from evenkeel_engine.mutation.operators import OPERATORS
from evenkeel_engine.mutation.sampled import find_mutant, sample_mutants
from evenkeel_engine.mutation.sites import (
    LEFT_OUT,
    UnknownSite,
    all_sites,
    change_function,
    compile_function,
    find_functions,
    site_named,
)
from evenkeel_engine.mutation.walk import number_statements, visit_nodes


def test_one_seed_samples_one_list() -> None:
    first, again = sample_mutants(7, 60), sample_mutants(7, 60)
    assert [m.name for m in first] == [m.name for m in again]
    assert [m.name for m in first] != [m.name for m in sample_mutants(8, 60)]
    assert len({m.name for m in first}) == 60
    assert [m.name for m in sample_mutants(7, 30)] == [m.name for m in first[:30]]


def test_all_sites_of_a_chapter_but_the_known_equivalents_are_sampled() -> None:
    every = {mutant.name for mutant in sample_mutants(1, 10_000, ["placement"])}
    known = {name for name in read_equivalents() if name.startswith("reference/placement/")}
    assert known
    assert every | known == {s.name for s in all_sites() if s.function.chapter == "placement"}
    assert every.isdisjoint(known)


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


def test_changed_functions_can_be_compiled_and_are_others() -> None:
    for site in random.Random(1).sample(all_sites(), 300):
        node = change_function(site)
        assert compile_function(site.function, node).co_name == site.function.node.name
        assert site.change.partition(" -> ")[0] != site.change.partition(" -> ")[2]


def test_statements_have_one_number_everywhere() -> None:
    for function in find_functions():
        numbered = {number: body[index] for body, index, number in number_statements(function.node)}
        assert list(numbered) == list(range(len(numbered)))
        for at in visit_nodes(function.node):
            if at.node in numbered.values():
                assert numbered[at.statement] is at.node


def test_omitted_equivalents_exist() -> None:
    for place in LEFT_OUT:
        module, _, name = place.partition(":")
        assert name == "" or hasattr(__import__(module, fromlist=["x"]), name)


def test_known_equivalents_are_as_they_are_listed() -> None:
    assert read_equivalents()
    for listed in read_equivalents().values():
        assert site_named(listed.name).change == listed.change
        assert len(listed.reason) > 20
