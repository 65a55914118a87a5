"""Mutants sampled by seed: the same sample everywhere, and each rebuilt from its name."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType, FunctionType

from evenkeel_engine.mutation.code_swap import function_of
from evenkeel_engine.mutation.equivalents import read_equivalents
from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.mutation.sites import (
    FunctionSource,
    Site,
    change_function,
    compile_function,
    find_functions,
    render_diff,
    site_named,
    sites_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledMutant(Mutant):
    """One site of one function, changed."""

    site: Site

    @property
    def sources(self) -> tuple[FunctionSource, ...]:
        """The function that is changed."""
        return (self.site.function,)

    @property
    def codes(self) -> Mapping[FunctionType, CodeType]:
        """The code that it has instead."""
        return compile_site(self.site)


@lru_cache(maxsize=100)
def compile_site(site: Site) -> Mapping[FunctionType, CodeType]:
    """The code of the function with the change of a site."""
    return {function_of(site.function): compile_function(site.function, change_function(site))}


def mutant_of(site: Site) -> SampledMutant:
    """The mutant that a site is."""
    return SampledMutant(
        name=site.name, chapter=site.function.chapter, description=render_diff(site), site=site
    )


def find_mutant(name: str) -> SampledMutant:
    """The mutant with this name. Raises `UnknownSite`."""
    return mutant_of(site_named(name))


def sample_mutants(seed: int, count: int, chapters: Collection[str] = ()) -> list[SampledMutant]:
    """`count` different mutants (of these chapters; none given: all) without known equivalents.

    A function is sampled first, then one of its sites: long functions do not outweigh short ones.
    """
    draw = random.Random(seed)
    left: dict[FunctionSource, list[Site]] = {}
    for function in find_functions():
        if not chapters or function.chapter in chapters:
            places = [site for site in sites_of(function) if site.name not in read_equivalents()]
            if places:
                left[function] = places
    found: list[Site] = []
    while left and len(found) < count:
        function = draw.choice(list(left))
        found.append(left[function].pop(draw.randrange(len(left[function]))))
        if not left[function]:
            del left[function]
    return [mutant_of(site) for site in found]
