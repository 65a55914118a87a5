"""Estimate what more trials would show, from a discovery curve (Good and Turing, Chao).

Discovered are sorts: failures by signature, disagreements by kind, labels of trials. The number of
sorts seen once estimates how many were not seen yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from evenkeel_engine.check.tally import Tally


def sorts_of(tally: Tally) -> Counter[str]:
    """How many trials were of each sort."""
    counts = Counter(tally.failures)
    for kind, those in (("label", tally.labels), ("differs", tally.differing)):
        for (question, name), count in those.items():
            counts[f"{kind} {question}: {name}"] += count
    return counts


@dataclass(frozen=True, slots=True)
class Estimate:
    """Sorts that `trials` showed, once and twice, and what `more` trials are likely to add."""

    trials: int
    seen: int
    once: int
    twice: int
    more: int
    new: float

    @property
    def chance(self) -> float:
        """The probability that the next trial shows something new (Good and Turing)."""
        return self.once / self.trials if self.trials else 1.0

    @property
    def sentence(self) -> str:
        """In words."""
        return (
            f"{self.seen:,} sorts of trials, failures and disagreements were seen, "
            f"{self.once:,} of them once: the next {self.more:,} trials would add about "
            f"{self.new:.1f}"
        )


def estimate(counts: Iterable[int], trials: int, more: int) -> Estimate:
    """The estimated number of sorts that `more` trials add.

    The number of unseen sorts is at least f1 (f1 - 1) / 2 (f2 + 1) (Chao); the share
    of them that appears follows from the sorts seen once.
    """
    known = list(counts)
    once, twice = known.count(1), known.count(2)
    unseen = once * (once - 1) / (2 * (twice + 1))
    rate = once / trials if trials else 0.0
    if unseen > 0:
        share = once / (trials * unseen + once)
        new = unseen * (1 - (1 - share) ** more)
    else:
        new = min(rate * more, float(once))
    return Estimate(trials, len(known), once, twice, more, new)
