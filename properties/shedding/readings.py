"""How all rounds of a shedder are read: what the documents leave open, and departures from practice
from which something follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import product
from typing import Any, Final

from evenkeel.properties.clause import Case
from evenkeel.properties.judging.tolerance import tolerance_of
from evenkeel.properties.shedding.rounds import shared_in
from evenkeel.reference.load.namespaces import is_monitoring, namespace_of

OWN: Final = ("pulsar/", "sla-monitor/")
"""The tenants that are Pulsar's own."""


class Belonging(Enum):
    """What some bundles are to a broker that reports them and does not shed them.

    A bundle in several reports counts in 4.0 as this broker's. The documents are silent, and only
    one of the brokers serves it: the others may leave it out when they choose, or when they count
    what they have, too.
    """

    COUNTED = "counted"
    LEFT_OUT = "left out"
    NOT_SERVED = "not served"


@dataclass(frozen=True, slots=True)
class Reading:
    """How all rounds are read: what the documents leave open, and practice that is departed from.

    `shared`: what bundles in several reports are; `long_term`: bundles weigh their long-term
    averages (SHD-97); `all_count`: monitoring bundles count towards several (SHD-8); `alone`: what
    is never shed because it is Pulsar's own (SHD-2), and whether that counts towards several.
    """

    shared: Belonging = Belonging.COUNTED
    long_term: bool = False
    all_count: bool = False
    alone: frozenset[str] = frozenset()
    alone_count: bool = False


def readings_of(case: Case[Any, Any], *, counting: bool = False) -> Iterator[Reading]:
    """What the edition leaves open of bundles in several reports, if the trial has any; then the
    departures from practice, so that nobody is accused of what follows from them.

    `counting`: whether it matters beyond SHD-8 itself who counts monitoring bundles.
    """
    if tolerance_of(case.edition).exact:
        yield Reading()
        return
    given = case.trial.rounds
    served = frozenset(b for round_ in given for report in round_.brokers for b in report.bundles)
    differ = any(b.long_term != b.short_term for round_ in given for b in round_.bundles)
    alone = left_alone(case.observation, served)
    for all_count, (left, left_count), long_term, shared in product(
        (False, True) if counting and any(map(is_monitors, served)) else (False,),
        [(frozenset[str](), False), *([(alone, True), (alone, False)] if alone else ())],
        (False, True) if differ else (False,),
        tuple(Belonging) if any(map(shared_in, given)) else (Belonging.COUNTED,),
    ):
        yield Reading(shared, long_term, all_count, left, left_count)


def left_alone(answer: Any, served: AbstractSet[str]) -> frozenset[str]:
    """The bundles of Pulsar's own namespaces of which an answer sheds nothing, although they are
    no monitoring ones.
    """
    rounds = getattr(answer, "rounds", ())
    shed = {getattr(b, "bundle", b) for round_ in rounds for one in round_ for b in one.bundles}
    going = set(map(namespace_of, shed))
    return frozenset(
        bundle
        for bundle in served
        if bundle.startswith(OWN) and not is_monitors(bundle) and namespace_of(bundle) not in going
    )


@lru_cache(4096)
def is_monitors(bundle: str) -> bool:
    """Whether a bundle belongs to a monitoring namespace."""
    return is_monitoring(namespace_of(bundle))


@lru_cache(4096)
def own_bundles(bundles: tuple[str, ...]) -> int:
    """How many of a broker's bundles are not of monitoring namespaces."""
    return len(bundles) - sum(map(is_monitors, bundles))
