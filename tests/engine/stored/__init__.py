"""The stored cases, read once for all tests that look at all of them: it takes seconds."""

from functools import cache

import pytest

from evenkeel_engine.stored.cases import StoredCase, read_stored_cases

ALL_CASES = pytest.mark.xdist_group("all stored cases")
"""Marks these tests, so that one process runs them."""


@cache
def all_cases() -> tuple[StoredCase, ...]:
    """All cases that come with evenkeel."""
    return tuple(read_stored_cases())
