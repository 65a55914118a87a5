"""A test of random choice whose false-positive rate is bounded.

Choices are gathered by the set of brokers that was allowed. With m brokers and n choices, each
random and independent, a broker is never chosen with a probability of at most m (1 - 1/m)^n; its
share is further than e from 1/m with at most 2 m exp(-2 n e^2) (Hoeffding). Nothing is said where
the first is above `LUCK`; the second is judged at the e for which it is `LUCK`.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from evenkeel.properties.judging.run import Run
from evenkeel.properties.plain import plain

LUCK: Final = 1e-9
"""The probability with which a right balancer may be flagged, for one set in one trial."""
EACH: Final = "PLC-53"
"""Of LeastLongTermMessageRate the documents ask it themselves: PLC-2."""
EVENLY: Final = "PLC-3"


@dataclass(slots=True)
class Chances:
    """How often each broker was chosen, by the set of those that were allowed."""

    counts: dict[tuple[str, ...], Counter[str]] = field(
        default_factory=lambda: defaultdict(Counter)
    )

    def see(self, allowed: Sequence[str], chosen: str | None, times: int = 1) -> None:
        """A choice among these, made so many times."""
        if chosen is not None and len(allowed) > 1:
            self.counts[tuple(sorted(allowed))][chosen] += times

    def judge(self, run: Run, each: str = EACH) -> None:
        """Was each allowed broker chosen (the clause `each`), and all about equally often?"""
        for allowed, counts in self.counts.items():
            times, most = sum(counts.values()), len(allowed)
            if most * (1 - 1 / most) ** times > LUCK:
                continue
            never = [broker for broker in allowed if not counts[broker]]
            some = f"{plain(never)} never chosen in {times} of {plain(allowed)}"
            run.require(each, not never, some, "never")
            run.require(EVENLY, not never, some, "uneven")
            away = math.sqrt(math.log(2 * most / LUCK) / (2 * times))
            uneven = [b for b in allowed if abs(counts[b] / times - 1 / most) > away]
            run.require(
                EVENLY,
                not uneven,
                ", ".join(f"{b} chosen in {counts[b]} of {times} among {most}" for b in uneven),
                "uneven",
            )
