"""Random choice, taken apart: the set of allowed brokers, and one of them.

Rules of placement end in a random choice. The rules return the allowed brokers; `pick` is
the reference's choice among them, as even as random choice is in the long run and reproducible.
"""

from __future__ import annotations

from collections.abc import Sequence

from evenkeel_engine.frame.clauses import states


@states("PLC-1", "PLC-2", "PLC-3", "PLC-53")
def pick(allowed: Sequence[str], turn: int) -> str:
    """One of the allowed brokers; over the turns 0, 1, 2, … each is picked equally often."""
    return allowed[turn % len(allowed)]
