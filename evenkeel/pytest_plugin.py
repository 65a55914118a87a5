"""The engine's plugin of pytest, with this specification: importing its package chooses it."""

from evenkeel_engine.pytest_plugin import (
    evenkeel_check,
    pytest_addoption,
    pytest_collection_modifyitems,
    pytest_configure,
    pytest_runtest_teardown,
    pytest_terminal_summary,
)

__all__ = [
    "evenkeel_check",
    "pytest_addoption",
    "pytest_collection_modifyitems",
    "pytest_configure",
    "pytest_runtest_teardown",
    "pytest_terminal_summary",
]
