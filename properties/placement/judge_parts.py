"""Usages as judges of placement compute them: exactly, in doubles, or in single precision."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from ctypes import c_float
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

from evenkeel.properties.placement.trial_parts import (
    AskResult,
    ChoicesAnswer,
    Chosen,
    Done,
    PlacementAnswer,
)
from evenkeel.properties.tolerance import SINGLE
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.usage import Resource, Resources, Weights
from evenkeel_engine.kit.approx import Ternary
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import answers
from evenkeel_engine.kit.observations import CommandBroke, CommandRefused
from evenkeel_engine.kit.run import Run

ExactNumber: TypeAlias = Fraction | float

COUNTED: Final = ("cpu", "direct_memory", "bandwidth_in", "bandwidth_out")
"""Heap memory is not included."""

EVEN: Final = Weights(1.0, 1.0, 1.0, 1.0, 1.0)


class PlaceReading(NamedTuple):
    """The resources of a usage, and whether each counts with its weight."""

    counted: tuple[str, ...]
    weighted: bool


PRACTICE: Final = PlaceReading(COUNTED, True)
"""Pulsar's practice."""

LITERAL: Final = (
    PlaceReading((*COUNTED, "memory"), True),
    PlaceReading((*COUNTED, "memory"), False),
    PlaceReading(COUNTED, False),
    PlaceReading(("cpu", "memory", "bandwidth_in", "bandwidth_out"), False),
    PlaceReading(("cpu", "bandwidth_in", "bandwidth_out"), False),
)
"""Other interpretations of "the maximum local usage of CPU, memory, and network" (PLC-7, PLC-52).
"""

INTERPRETATIONS: Final = (PRACTICE, *LITERAL)

EVERY: Final = (*COUNTED, "memory")
"""The resources of any interpretation, beginning with the processor, which all include."""

ALL_OVERLOADED: Final = (True,) * len(INTERPRETATIONS)
NONE_OVERLOADED: Final = (False,) * len(INTERPRETATIONS)


@lru_cache(4096)
def decimal(value: float) -> Fraction:
    """The decimal number that represents a double."""
    return Fraction(str(value))


@lru_cache(4096)
def exactly(resource: Resource) -> Fraction:
    """The usage of a resource; 0 if it has no limit."""
    if resource.limit <= 0:
        return Fraction(0)
    return decimal(resource.usage) / decimal(resource.limit)


def in_doubles(resource: Resource) -> float:
    """The same in double precision."""
    return resource.usage / resource.limit if resource.limit > 0 else 0.0


def single(value: float) -> float:
    """Rounded to single precision."""
    return c_float(value).value


def percent_in_singles(resource: Resource) -> float:
    """The percentage, with every step rounded to single precision."""
    if resource.limit <= 0:
        return 0.0
    return single(single(single(resource.usage) / single(resource.limit)) * 100.0)


def largest(
    resources: Resources,
    weights: Weights,
    used: Callable[[Resource], Any],
    weight: Callable[[float], Any] = float,
    interpretation: PlaceReading = PRACTICE,
) -> Any:
    """The largest weighted usage, by this arithmetic."""
    weights = weights if interpretation.weighted else EVEN
    return max(
        used(getattr(resources, name)) * weight(getattr(weights, name))
        for name in interpretation.counted
    )


def usage(
    resources: Resources,
    weights: Weights,
    edition: Edition,
    interpretation: PlaceReading = PRACTICE,
) -> ExactNumber:
    """The largest weighted usage, 1 = 100 %."""
    found: ExactNumber
    if edition.placement_in_floating_point:
        found = largest(resources, weights, percent_in_singles, interpretation=interpretation) / 100
    else:
        found = largest(resources, weights, exactly, decimal, interpretation)
    return found


def exceeds_threshold(
    resources: Resources,
    threshold: int,
    weights: Weights,
    edition: Edition,
    interpretation: PlaceReading = PRACTICE,
) -> Ternary:
    """Whether the usage is above the threshold. By the documents undecided where single precision
    may put it on either side, and where decimal numbers and doubles differ at the threshold
    (PLC-7).
    """
    if edition.modular_usage_unweighted:
        return single(largest(resources, EVEN, percent_in_singles) / 100) > threshold / 100.0
    if edition.placement_in_floating_point:
        return usage(resources, weights, edition, interpretation) > threshold / 100.0
    share: float = largest(resources, weights, in_doubles, interpretation=interpretation)
    double = share > threshold / 100.0
    if abs(share - threshold / 100.0) > SINGLE * max(1.0, abs(share)):
        return double  # however it is rounded
    at_it = usage(resources, weights, edition, interpretation) == Fraction(threshold, 100)
    return False if at_it and not double else None


def overloaded_by_each(
    resources: Resources, threshold: int, weights: Weights, edition: Edition
) -> tuple[Ternary, ...]:
    """The same by `PRACTICE`, then by each of `LITERAL`.

    They mostly agree: all include the processor, and where no resource comes near the threshold,
    with or without its weight, none considers the broker overloaded.
    """
    bound = threshold / 100.0
    bare = [in_doubles(getattr(resources, name)) for name in EVERY]
    weighted = [share * getattr(weights, name) for share, name in zip(bare, EVERY, strict=True)]
    least, most = min(bare[0], weighted[0]), max(*bare, *weighted)
    if least - bound > SINGLE * max(1.0, least):
        return ALL_OVERLOADED
    if bound - most > SINGLE * max(1.0, abs(most)):
        return NONE_OVERLOADED
    return tuple(
        exceeds_threshold(resources, threshold, weights, edition, interpretation)
        for interpretation in INTERPRETATIONS
    )


LUCK: Final = 1e-9
"""The probability that a right balancer is flagged, for one set in one trial."""

EACH: Final = "PLC-53"
"""The clause of the documents about chance, for LeastLongTermMessageRate: PLC-2."""

EVENLY: Final = "PLC-3"


@dataclass(slots=True)
class Chances:
    """The number of choices of each broker, by what is counted apart and the allowed ones."""

    counts: dict[tuple[str, tuple[str, ...]], Counter[str]] = field(
        default_factory=lambda: defaultdict(Counter)
    )

    def see(self, allowed: Sequence[str], chosen: str | None, times: int = 1, of: str = "") -> None:
        """Count a choice among these, made `times` times; those `of` a bundle apart."""
        if chosen is not None and len(allowed) > 1:
            self.counts[of, tuple(sorted(allowed))][chosen] += times

    def judge(self, run: Run, each: str = EACH) -> None:
        """Judge whether each allowed broker was chosen (clause `each`), about equally often."""
        for (_, allowed), counts in self.counts.items():
            times, most = sum(counts.values()), len(allowed)
            if most * (1 - 1 / most) ** times > LUCK:
                continue
            never = [broker for broker in allowed if not counts[broker]]
            some = f"{display(never)} never chosen in {times} of {display(allowed)}"
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


def breaking(edition: Edition) -> str:
    """The clause that says where a placement breaks."""
    return "PLC-5" if edition.unreported_candidates_break else "PLC-4"


def results_of(
    run: Run, case: Case[Any, PlacementAnswer], count: int, clause: str
) -> tuple[AskResult, ...]:
    """One result for each command; none if the number of results differs."""
    if not answers(run, case, clause) or not isinstance(case.observation, PlacementAnswer):
        return ()
    results = case.observation.results
    run.require(
        "PLC-1", len(results) == count, lambda: f"{len(results)} results for {count}", "shape"
    )
    return results if len(results) == count else ()


def choices_observed(
    run: Run, case: Case[Any, ChoicesAnswer], times: int, clause: str
) -> tuple[str | None, ...]:
    """The choices; none if their number differs."""
    if not answers(run, case, clause) or not isinstance(case.observation, ChoicesAnswer):
        return ()
    choices = case.observation.choices
    run.require(
        "PLC-1", len(choices) == times, lambda: f"{len(choices)} choices of {times}", "shape"
    )
    return choices if len(choices) == times else ()


def choices_in(
    run: Run, result: AskResult, times: int, what: object, may_refuse: bool = False
) -> tuple[str | None, ...]:
    """The choices, if their number is right. Without candidates, a request may also be refused."""
    if may_refuse and isinstance(result, CommandRefused):
        run.require("PLC-1", True)
        return ()
    fits = isinstance(result, Chosen) and len(result.choices) == times
    run.require("PLC-1", fits, lambda: f"{display(what)}: {display(result)}", "shape")
    return result.choices if isinstance(result, Chosen) and fits else ()


def is_done(run: Run, result: AskResult, command: object) -> None:
    """Require the answer to a command without a result."""
    run.require(
        "PLC-1", isinstance(result, Done), lambda: f"{display(command)}: {display(result)}", "shape"
    )


def has_no_candidates(edition: Edition, candidates: Collection[str]) -> bool:
    """PLC-1: whether a request may be refused because there are no candidates; not in 4.0."""
    return not candidates and not edition.unreported_candidates_break


def is_candidate(run: Run, chosen: str | None, candidates: Collection[str]) -> bool:
    """Whether a choice is a candidate; none is right only without candidates."""
    right = chosen in candidates if chosen is not None else not candidates
    run.require(
        "PLC-1", right, lambda: f"{chosen or 'none'} chosen of {display(candidates)}", "stranger"
    )
    return right


def breaks_or_not(run: Run, edition: Edition, result: AskResult, must: bool, what: object) -> bool:
    """Whether a result is, or had to be, a failure; requires that both agree."""
    broke = isinstance(result, CommandBroke)
    run.require(
        breaking(edition),
        broke == must,
        lambda: f"{display(what)}: must {'break' if must else 'not break'}; {display(result)}",
        "broke" if broke else "answered",
    )
    return broke or must
