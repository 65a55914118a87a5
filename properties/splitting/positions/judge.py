"""Where a bundle is cut (SPL-2 to SPL-15, SPL-77)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import reduce
from itertools import pairwise
from typing import Final, NamedTuple

from evenkeel.properties.clause import Case, describe, shape
from evenkeel.properties.judging.judge import binds, decision, is_the_answer
from evenkeel.properties.judging.near import Near, Ternary, both, either
from evenkeel.properties.judging.run import Run, Sentence, said
from evenkeel.properties.judging.tolerance import tolerance_of
from evenkeel.properties.observations import Refused
from evenkeel.properties.plain import plain
from evenkeel.properties.splitting.positions.trial import (
    PositionsAnswer,
    PositionsTrial,
    TopicLoad,
)
from evenkeel.properties.splitting.spans import all_legal, ascend, has_room, inside
from evenkeel.reference.bundles.ranges import TOP_HASH
from evenkeel.reference.bundles.topics import topic_hash
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.splitting.algorithms import MIN_TOPICS, SplitAlgorithm
from evenkeel.reference.splitting.settings import MEBIBYTE, FlowLimits

TOLERANCE: Final = tolerance_of(DOCUMENTED)
EXACT: Final = {
    SplitAlgorithm.RANGE: "SPL-4",
    SplitAlgorithm.TOPIC_COUNT: "SPL-7",
    SplitAlgorithm.SPECIFIED: "SPL-9",
    SplitAlgorithm.FLOW: "SPL-15",
}
BY_TOPICS: Final = (SplitAlgorithm.TOPIC_COUNT, SplitAlgorithm.FLOW)

Require = Callable[..., None]
"""`Run.require`, or the same for a rule that refers to these clauses (SPL-61)."""


@decision("splitting.positions", *(f"SPL-{number}" for number in range(2, 16)), "SPL-77")
def positions(run: Run, case: Case[PositionsTrial, PositionsAnswer]) -> None:
    trial, observed = case.trial, case.observation
    exact = EXACT[trial.algorithm]
    if trial.algorithm is SplitAlgorithm.SPECIFIED and not trial.positions:
        refused = isinstance(observed, Refused)
        run.require("SPL-10", refused, lambda: f"no positions were given: {describe(observed)}")
    elif trial.algorithm in BY_TOPICS and len(trial.topics) < MIN_TOPICS:
        uncut = observed == PositionsAnswer(())
        run.require("SPL-6", uncut, lambda: f"too few topics to part: {describe(observed)}")
    elif binds(exact, case.edition.name):
        if in_another_order(trial):
            taken = not isinstance(observed, Refused)
            run.require("SPL-77", taken, lambda: f"positions in any order: {describe(observed)}")
        is_the_answer(run, case, exact, f"{trial.algorithm} on {trial.bundle}")
    elif isinstance(observed, PositionsAnswer):
        judge_cuts(run.require, trial, observed.positions)
        if in_another_order(trial):
            run.require("SPL-77", True)
    elif isinstance(observed, Refused):
        judge_refusal(run, trial, observed)
    else:
        run.require(
            "SPL-2",
            False,
            lambda: (
                f"{trial.algorithm} must answer where it cuts {trial.bundle}, but the "
                f"subject {describe(observed)}"
            ),
            shape(observed),
        )


def judge_refusal(run: Run, trial: PositionsTrial, observed: Refused) -> None:
    """DOCUMENTED: whoever refuses does not cut; that is right where nothing is to be cut."""
    specified = trial.algorithm is SplitAlgorithm.SPECIFIED
    if specified and not all_legal(trial.bundle, trial.positions):
        return
    if in_another_order(trial):
        run.require("SPL-77", False, lambda: f"positions in any order: {describe(observed)}")
        return

    def require(clause: str, holds: Ternary, why: Sentence = "", sort: str = "") -> None:
        run.require(clause, holds, lambda: f"{said(why)}: {describe(observed)}", "refused")

    judge_cuts(require, trial, ())


def in_another_order(trial: PositionsTrial) -> bool:
    """SPL-77: whether the bundle is to be cut at legal positions that do not ascend."""
    specified = trial.algorithm is SplitAlgorithm.SPECIFIED and must_cut(trial)
    return specified and all_legal(trial.bundle, trial.positions) and not ascend(trial.positions)


def must_cut(trial: PositionsTrial) -> bool:
    """SPL-8: bundles with fewer than two topics may be left alone."""
    return trial.forced or len(trial.topics) >= MIN_TOPICS


def judge_cuts(require: Require, trial: PositionsTrial, cuts: Sequence[int]) -> None:
    """DOCUMENTED: whether the trial's algorithm may cut its bundle there."""
    bundle = trial.bundle
    for cut in cuts:
        if not bundle.lower < cut < bundle.upper:
            outside = f"position {cut:#010x} does not lie inside {bundle}"
            require("SPL-2", False, outside, "outside")
    for left, right in pairwise(cuts):
        kind = "repeated" if left == right else "order"
        require("SPL-2", left < right, f"position {right:#010x} comes after {left:#010x}", kind)
    if cuts or has_room(bundle):
        require("SPL-2", True)
    if trial.algorithm is SplitAlgorithm.RANGE:
        halves_of_the_range(require, trial, cuts)
    elif trial.algorithm is SplitAlgorithm.TOPIC_COUNT:
        halves_of_the_topics(require, trial, cuts)
    elif trial.algorithm is SplitAlgorithm.FLOW:
        parts_by_traffic(require, trial, cuts)
    elif must_cut(trial):
        wanted = inside(bundle, trial.positions)
        require(
            "SPL-8",
            list(cuts) == wanted,
            lambda: (
                f"of {plain(trial.positions)} those inside {bundle} are {plain(wanted)}, "
                f"not {plain(cuts)}"
            ),
        )


def halves_of_the_range(require: Require, trial: PositionsTrial, cuts: Sequence[int]) -> None:
    bundle = trial.bundle
    if not has_room(bundle):
        require(
            "SPL-3", not cuts, lambda: f"{bundle} is too small to be cut, but was at {plain(cuts)}"
        )
        return
    once = len(cuts) == 1
    require(
        "SPL-3", once, lambda: f"{bundle} must be cut once, not {len(cuts)} times", "number of cuts"
    )
    if once:
        left, right = cuts[0] - bundle.lower, bundle.upper - cuts[0] + bundle.upper_included
        require(
            "SPL-3",
            abs(left - right) <= 2,
            lambda: f"{bundle} cut at {cuts[0]:#010x} has parts of {left} and {right} hashes",
        )


def halves_of_the_topics(require: Require, trial: PositionsTrial, cuts: Sequence[int]) -> None:
    hashes = sorted(topic_hash(load.topic) for load in trial.topics)
    half = len(hashes) // 2
    halves = {half, len(hashes) - half}
    if half == 0 or any(hashes[n - 1] >= min(hashes[n], TOP_HASH - 1) for n in halves):
        return
    once = len(cuts) == 1
    require("SPL-5", once, lambda: f"{len(hashes)} topics need one cut, not {len(cuts)}", "cuts")
    if once:
        left = sum(hash_ < cuts[0] for hash_ in hashes)
        require(
            "SPL-5",
            left in halves,
            lambda: f"a cut at {cuts[0]:#010x} leaves {left} of {len(hashes)} topics to its left",
        )


# ------------------------------------------------------------------------------ by traffic


class Unit(NamedTuple):
    """Busy topics that no cut can part: the lowest hash, and the traffic of each."""

    hash: int
    rates: tuple[float, ...]
    throughputs: tuple[float, ...]

    def gathering(self, other: Unit) -> Unit:
        """Both together."""
        lowest = min(self.hash, other.hash)
        return Unit(lowest, self.rates + other.rates, self.throughputs + other.throughputs)


def traffic_of(load: TopicLoad) -> tuple[float, float]:
    """A topic's message rate and throughput."""
    if not load.reported:
        return 0.0, 0.0
    return load.msg_rate_in + load.msg_rate_out, load.throughput_in + load.throughput_out


def units_of(topics: Sequence[TopicLoad]) -> list[Unit]:
    """In ascending order; topics with one of the last two hashes always stay together (SPL-2)."""
    merged: dict[int, Unit] = {}
    for load in topics:
        rate, throughput = traffic_of(load)
        if rate > 0 or throughput > 0:
            unit = Unit(topic_hash(load.topic), (rate,), (throughput,))
            key = min(unit.hash, TOP_HASH - 1)
            merged[key] = merged[key].gathering(unit) if key in merged else unit
    return [merged[key] for key in sorted(merged)]


def total(values: Sequence[float]) -> Near:
    """A sum: of numbers of few digits it is exact, whatever the order of adding."""
    value = math.fsum(values)
    if len(values) == 1 or (value < 2**42 and all((one * 1024).is_integer() for one in values)):
        return Near(value)
    return TOLERANCE.as_traffic(value)


def exceeds(unit: Unit, limits: FlowLimits, margin: int = 0) -> Ternary:
    """Whether the traffic of these topics exceeds a limit, by so many percent."""
    rate, throughput = limits.max_msg_rate, limits.max_bandwidth_mbytes * MEBIBYTE
    if not margin:
        bounds = Near(rate), Near(throughput)
    else:
        factor, near = 1 + margin / 100, TOLERANCE.as_traffic
        bounds = near(rate * factor), near(throughput * factor)
    return either(total(unit.rates).above(bounds[0]), total(unit.throughputs).above(bounds[1]))


def parts_by_traffic(require: Require, trial: PositionsTrial, cuts: Sequence[int]) -> None:
    """SPL-11 to SPL-14: up the hashes, beside the cuts."""
    units, limits = units_of(trial.topics), trial.limits
    if len(units) > 1 and exceeds(reduce(Unit.gathering, units), limits, limits.difference_percent):
        heavy = f"{trial.bundle} carries too much, but is not cut"
        require("SPL-11", bool(cuts), heavy, "no cut")
    if not cuts:
        return
    idle = [topic_hash(load.topic) for load in trial.topics if not any(traffic_of(load))]
    part: Unit | None = None
    for left, right in pairwise((None, *units, None)):
        low, high = left.hash if left else -1, right.hash if right else TOP_HASH + 1
        gap = Gap(
            [cut for cut in cuts if low < cut <= high],
            [hash_ for hash_ in idle if low < hash_ < high],
        )
        if part is None or right is None:
            judge_end(require, limits, part, right, gap)
            part = right
            continue
        part = judge_gap(require, limits, part, right, gap)
        if gap.cuts and not gap.idle:
            require(
                "SPL-14",
                abs(2 * gap.cuts[0] - low - high) <= 1,
                lambda at=gap.cuts[0], low=low, high=high: (
                    f"the cut between {low:#010x} and {high:#010x} lies half-way, not at {at:#010x}"
                ),
            )


class Gap(NamedTuple):
    """Between two neighbouring units, or beside the outermost: cuts, and topics without traffic."""

    cuts: list[int]
    idle: list[int]


def judge_end(
    require: Require, limits: FlowLimits, part: Unit | None, right: Unit | None, gap: Gap
) -> None:
    """The cuts below all busy topics, or above them: one that exceeds a limit by itself may be
    parted from those without traffic.
    """
    if not gap.cuts:
        return
    cut, unit = gap.cuts[0], part or right
    parted = unit is not None and any((hash_ >= cut) == (right is None) for hash_ in gap.idle)
    alone: Ternary = unit is not None and parted and exceeds(unit, limits)
    kept = both(len(gap.cuts) == 1, alone)
    require(
        "SPL-13", kept, lambda: f"a cut of {plain(gap.cuts)} parts no busy topics", "needless cut"
    )


def judge_gap(require: Require, limits: FlowLimits, part: Unit, right: Unit, gap: Gap) -> Unit:
    """The cuts between a part and the next topics; the part that these belong to.

    Two cuts are one too many, unless they leave topics without traffic between two that exceed a
    limit each by itself.
    """
    together, here = part.gathering(right), gap.cuts
    over = exceeds(together, limits)
    if over:
        require(
            "SPL-12",
            bool(here),
            lambda: (
                f"the part up to {right.hash:#010x} gathers {len(together.rates)} topics with "
                f"{sum(together.rates)} msg/s and {sum(together.throughputs)} byte/s"
            ),
        )
    elif over is False:
        require(
            "SPL-13", not here, lambda: f"nothing asks for a cut at {plain(here)}", "needless cut"
        )
    if not here:
        return together
    single: Ternary = len(here) == 1
    if len(here) == 2 and any(here[0] <= hash_ < here[1] for hash_ in gap.idle):
        single = both(exceeds(part, limits), exceeds(right, limits))
    require("SPL-13", single, lambda: f"{plain(here)} part the same topics", "empty part")
    return right
