"""Scores of a round of ThresholdShedder, their sums in any order, and sentences about them."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from evenkeel.properties.judging.near import Near, added
from evenkeel.properties.judging.run import Sentence, said
from evenkeel.properties.plain import plain
from evenkeel.properties.shedding.observed import Broker

History: TypeAlias = Mapping[str, float]
Entries: TypeAlias = frozenset[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class Scores:
    """What counts in a round: h of every broker, in their order, and μ."""

    of: Sequence[Near]
    average: Near


def kept(before: Entries, left: frozenset[str], there: Container[str] | None) -> History:
    """The histories without those of brokers that left, or that were not there, if that counts."""
    return {
        name: score
        for name, score in before
        if name not in left and (there is None or name in there)
    }


def compared(score: Near, bound: Near) -> Sentence:
    """A score beside the threshold."""
    return lambda: f"its score is {score}, the threshold {bound}"


def too_little(need: Near) -> Sentence:
    """An amount that is not worth an unload."""
    return lambda: f"{need} B/s are too little"


def unwarranted(broker: Broker, why: Sentence) -> Sentence:
    """A broker that must not shed does."""
    return lambda: f"{broker.place} sheds {plain(broker.shed)}: {said(why)}"


def named(shedding: Sequence[Broker]) -> str:
    """Who sheds, for sentences."""
    return f"{', '.join(broker.place for broker in shedding) or 'nobody'} sheds"


@lru_cache(1024)
def sums_of(values: tuple[float, ...]) -> tuple[float, ...]:
    """Every sum that some order of these numbers rounds to, that of the order given first."""
    reached: dict[int, set[float]] = {0: {0.0}}
    for _ in values:
        after: dict[int, set[float]] = {}
        for done, found in reached.items():
            for place, value in enumerate(values):
                if not done >> place & 1:
                    after.setdefault(done | 1 << place, set()).update(s + value for s in found)
        reached = after
    first = added(values)
    (found,) = reached.values()
    return first, *sorted(found - {first})
