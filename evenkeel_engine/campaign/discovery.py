"""Estimate what more trials would show, from a discovery curve (Good and Turing, Chao).

Discovered are sorts: failures by signature, disagreements by kind, labels of trials. The number of
sorts seen once estimates how many were not seen yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from evenkeel_engine.check.tally import Tally


def sorts_of(tally: Tally) -> Counter[str]:
    """How many trials were of each sort."""
    counts = Counter(tally.failures)
    for kind, those in (("label", tally.labels), ("differs", tally.differing)):
        for (question, name), count in those.items():
            counts[f"{kind} {question}: {name}"] += count
    return counts


def estimate_new(counts: Collection[int], trials: int, more: int) -> float:
    """The estimated number of sorts that `more` trials add.

    The number of unseen sorts is at least f1 (f1 - 1) / 2 (f2 + 1) (Chao); the share
    of them that appears follows from the sorts seen once.
    """
    known = list(counts)
    once, twice = known.count(1), known.count(2)
    unseen = once * (once - 1) / (2 * (twice + 1))
    if unseen > 0:
        share = once / (trials * unseen + once)
        return unseen * (1 - (1 - share) ** more)
    rate = once / trials if trials else 0.0
    return min(rate * more, float(once))


def tell_estimate(counts: Collection[int], trials: int, more: int) -> str:
    """What trials showed, and what more are likely to add."""
    return (
        f"{len(counts):,} sorts of trials, failures and disagreements were seen, "
        f"{list(counts).count(1):,} of them once: the next {more:,} trials would add about "
        f"{estimate_new(counts, trials, more):.1f}"
    )
