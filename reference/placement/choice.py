"""Random choice, taken apart: the set of allowed brokers, and one of them.

Rules of placement end in a random choice. The rules return the allowed brokers; `pick` is
the reference's choice among them, as even as random choice is in the long run and reproducible.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evenkeel_engine.frame.clauses import states

WORD: Final = 2**64
MIXERS: Final = (0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93)


@states("PLC-1", "PLC-2", "PLC-3", "PLC-53")
def pick(allowed: Sequence[str], turn: int) -> str:
    """One of the allowed brokers. Turns that have a step in common are as even as any others: who
    took them one after another would favour a broker wherever requests repeat.
    """
    mixed = turn + 1
    for mixer in MIXERS:
        mixed = mixed * mixer % WORD
        mixed ^= mixed >> 32
    return allowed[mixed % len(allowed)]
