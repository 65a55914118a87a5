"""Which usages are the same in every precision, and how large a tolerance is."""

from __future__ import annotations

from evenkeel.properties.tolerance import largest
from evenkeel.properties.usage import is_exact
from evenkeel.reference.load.usage import Resource, Resources, Weights
from tests.shedding.building import cpu


def test_some_usages_are_the_same_in_every_precision() -> None:
    assert is_exact(cpu(50.0), Weights())
    assert is_exact(Resources(cpu=Resource(40.0, 0.0)), Weights())
    assert not is_exact(cpu(85.0), Weights())
    assert is_exact(Resources(direct_memory=Resource(85.0, 100.0)), Weights(direct_memory=0.0))


def test_the_tolerance_grows_above_the_whole() -> None:
    assert largest([0.3, 0.9]) == largest([]) == 1.0
    assert largest([0.3, -2.0]) == 2.0
