"""All users of a function see its change, and afterwards the original."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from evenkeel.reference.load import namespaces
from evenkeel.reference.load.usage import Resource, Resources, Weights
from evenkeel.reference.shedding import cluster, threshold
from evenkeel_engine.mutation.code_swap import function_of
from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.mutation.sampled import find_mutant
from evenkeel_engine.mutation.sites import find_functions

HALF = Resource(50.0, 100.0)
BUSY = Resources(HALF, HALF, HALF, HALF, HALF)


@pytest.fixture(autouse=True)
def _nothing_stays() -> Iterator[None]:
    before = state()
    yield
    assert state() == before


def state() -> dict[str, object]:
    """Every function's code, and every name of the modules of the reference."""
    codes = {f"{s.path}:{s.name}": function_of(s).__code__ for s in find_functions()}
    names = {s.module: tuple(function_of(s).__globals__) for s in find_functions()}
    return {**codes, **names}


def mutant(path: str, name: str, operator: str, number: int = 0) -> Mutant:
    return find_mutant(f"reference/{path}.py:{name}:{operator}:{number}")


def held(module: ModuleType, name: str) -> Any:
    """What a module has under a name, imported or its own."""
    return vars(module)[name]


def test_importers_of_the_function_see_the_change() -> None:
    change = mutant("load/usage", "max_weighted_usage", "swap")
    assert "+    return 100 / largest" in change.description
    assert held(threshold, "max_weighted_usage")(BUSY, Weights()) == 0.5
    with change.apply():
        assert held(threshold, "max_weighted_usage")(BUSY, Weights()) == 2.0
    assert held(threshold, "max_weighted_usage")(BUSY, Weights()) == 0.5


def test_cached_result_does_not_hide_the_change() -> None:
    change = mutant("load/namespaces", "is_monitoring", "unary")
    name = "pulsar/standalone/broker:8080"
    assert namespaces.is_monitoring(name, True)
    with change.apply():
        assert not namespaces.is_monitoring(name, True)
        assert not held(cluster, "is_monitoring")(name, True)
    assert namespaces.is_monitoring(name, True)


def test_an_exception_restores_everything() -> None:
    change = mutant("summation", "ordered_sum", "arithmetic")
    with pytest.raises(ZeroDivisionError), change.apply():
        _ = 1 / 0
