"""Mutants drawn by seed: the same draw everywhere, and each made again from its name."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from evenkeel.mutation.equivalents import equivalents
from evenkeel.mutation.live import copied, function_of, in_force
from evenkeel.mutation.sites import (
    FunctionSource,
    Site,
    changed,
    compiled,
    diff,
    functions,
    site_named,
    sites_of,
)
from evenkeel.properties.mutant import Mutant


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnMutant(Mutant):
    """One site of one function, changed. In force it is seen by whoever holds the function."""

    site: Site

    def original(self) -> Callable[..., Any]:
        """The function as the reference has it, without decorators."""
        return function_of(self.site.function)

    @contextmanager
    def replaced_by(self, changed: Callable[..., Any]) -> Iterator[None]:
        """Within this block the reference has `changed` in the function's place."""
        with in_force({function_of(self.site.function): changed.__code__}):
            yield


def mutant_of(site: Site) -> DrawnMutant:
    """The mutant that a site is."""
    source = site.function

    def make(_: Callable[..., Any]) -> Callable[..., Any]:
        return copied(function_of(source), compiled(source, changed(site)))

    return DrawnMutant(
        name=site.name,
        chapter=source.chapter,
        module=sys.modules[source.module],
        function=source.name,
        make=make,
        story=diff(site),
        site=site,
    )


def named(name: str) -> DrawnMutant:
    """The mutant with this name. Raises `UnknownSite`."""
    return mutant_of(site_named(name))


def drawn(seed: int, count: int, chapters: Collection[str] = ()) -> list[DrawnMutant]:
    """So many different mutants (of these chapters; none given: all), known equivalents left out.

    A function is drawn first, then one of its sites: long functions do not outweigh short ones.
    """
    draw = random.Random(seed)
    left: dict[FunctionSource, list[Site]] = {}
    for function in functions():
        if not chapters or function.chapter in chapters:
            places = [site for site in sites_of(function) if site.name not in equivalents()]
            if places:
                left[function] = places
    found: list[Site] = []
    while left and len(found) < count:
        function = draw.choice(list(left))
        found.append(left[function].pop(draw.randrange(len(left[function]))))
        if not left[function]:
            del left[function]
    return [mutant_of(site) for site in found]
