"""Terms that several chapters' theorems use."""

from __future__ import annotations

import z3

from evenkeel.reference.bundles.ranges import TOP_HASH
from evenkeel_engine.proofs.terms import Term


def is_hash(term: Term) -> Term:
    """0 to 0xffffffff."""
    return z3.And(0 <= term, term <= TOP_HASH)
