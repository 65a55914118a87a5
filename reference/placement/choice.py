"""Random choice, taken apart: the set of allowed brokers, and one of them.

Rules of placement end in a random choice. The rules below answer the allowed brokers; `pick` is
the reference's choice among them, as even as random choice is in the long run and reproducible.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evenkeel.reference.clauses import states

GOLDEN: Final = 0x9E3779B97F4A7C15
"""2^64 divided by the golden ratio: its multiples fall evenly into any number of equal parts."""


@states("PLC-1", "PLC-2", "PLC-3", "PLC-53")
def pick(allowed: Sequence[str], turn: int) -> str:
    """One of the allowed brokers; over the turns 0, 1, 2, … all are picked about equally often, and
    so they are over every second or third turn: who asks in a rhythm must not miss one.
    """
    return allowed[(turn * GOLDEN % 2**64) * len(allowed) >> 64]
