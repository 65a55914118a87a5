"""Theorem modules are named after the reference; that theorems hold is a sweep's to check."""

import re
from importlib.util import find_spec

from evenkeel_engine.proofs.catalogue import load_modules


def test_modules_are_named_after_the_reference_and_theorems_by_their_claims() -> None:
    """`models/splitting/due/…` is about `reference/splitting/due.py`; no name is a module's."""
    for module in load_modules():
        for theorem in getattr(module, "THEOREMS", ()):
            _, _, chapter, component, *_ = module.__name__.split(".")
            assert theorem.chapter == chapter
            assert find_spec(f"evenkeel.reference.{chapter}.{component}") is not None
            assert re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", theorem.name)
            assert theorem.name.replace("-", "_") != component
