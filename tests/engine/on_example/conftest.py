"""The engine's tests on its example, in a process of their own: a process has one specification."""

from __future__ import annotations

import pytest

from evenkeel_engine.content import PACKAGE, VARIABLE

EXAMPLE = "evenkeel_engine.example"


def pytest_sessionstart() -> None:
    if PACKAGE != EXAMPLE:
        raise pytest.UsageError(
            f"{VARIABLE} must be {EXAMPLE} for tests/engine/on_example, and is {PACKAGE}"
        )
