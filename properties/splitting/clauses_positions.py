"""The clauses SPL-1 to SPL-20 as checks: where a bundle is cut, and what a split changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from evenkeel.properties.clause import (
    HOLDS,
    UNEXERCISED,
    Case,
    Finding,
    Violation,
    as_expected,
    describe,
    shape,
    unless,
)
from evenkeel.properties.findings import OncePerCase
from evenkeel.properties.observations import Refused
from evenkeel.properties.splitting.book import check
from evenkeel.properties.splitting.convert import limits_of, reported_flows, spans_between
from evenkeel.properties.splitting.trials_positions import (
    ApplyAnswer,
    ApplyTrial,
    PositionsAnswer,
    PositionsTrial,
)
from evenkeel.reference.adding import added
from evenkeel.reference.bundles.boundaries import bundles_of
from evenkeel.reference.bundles.ranges import HashRange
from evenkeel.reference.bundles.topics import topic_hash
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.splitting import algorithms
from evenkeel.reference.splitting.algorithms import Flow, SplitAlgorithm

ROUNDING = 1e-9
PositionsCase = Case[PositionsTrial, PositionsAnswer]
ApplyCase = Case[ApplyTrial, ApplyAnswer]


def positions_of(case: PositionsCase, algorithm: SplitAlgorithm) -> tuple[int, ...] | Finding:
    """The positions answered to a trial of this algorithm, or the finding if there are none."""
    if case.trial.algorithm is not algorithm or isinstance(case.expected, Refused):
        return UNEXERCISED
    if not isinstance(case.observation, PositionsAnswer):
        return Violation(
            f"{algorithm} must answer where it cuts {case.trial.bundle}, but the subject "
            f"{describe(case.observation)}",
            f"{shape(case.observation)}",
        )
    return case.observation.positions


def hashes_of(trial: PositionsTrial) -> list[int]:
    """The hashes of the trial's topics, in ascending order."""
    return sorted(topic_hash(load.topic) for load in trial.topics)


def as_in_edition(case: PositionsCase, *chosen: SplitAlgorithm) -> Finding:
    """Exactly the reference's positions, for trials of these algorithms."""
    trial = case.trial
    if trial.algorithm not in chosen:
        return UNEXERCISED
    return as_expected(case, f"{trial.algorithm} on {trial.bundle}")


# --------------------------------------------------------------------------- any algorithm


@check("SPL-1", "splitting.apply")
def small_bundles_cannot_be_cut(case: ApplyCase) -> Finding:
    if algorithms.can_split(case.trial.target):
        return UNEXERCISED
    return as_expected(case, f"{case.trial.target} holds no position to cut at")


@check("SPL-2", "splitting.positions")
def positions_lie_inside_and_ascend(case: PositionsCase) -> Finding:
    if isinstance(case.expected, Refused):
        return UNEXERCISED
    found = positions_of(case, case.trial.algorithm)
    return inside_and_ascending(case.trial.bundle, found) if isinstance(found, tuple) else found


def inside_and_ascending(bundle: HashRange, positions: Sequence[int]) -> Finding:
    """Positions strictly inside the bundle, each above the one before."""
    for position in positions:
        if not bundle.lower < position < bundle.upper:
            return Violation(f"position {position:#010x} does not lie inside {bundle}", "outside")
    for left, right in pairwise(positions):
        if left >= right:
            sort = "repeated" if left == right else "order"
            return Violation(f"position {right:#010x} comes after {left:#010x}", sort)
    return HOLDS


# -------------------------------------------------------------------- range_equally_divide


@check("SPL-3", "splitting.positions")
def halves_of_a_range_are_equal(case: PositionsCase) -> Finding:
    found = positions_of(case, SplitAlgorithm.RANGE)
    if not isinstance(found, tuple):
        return found
    bundle = case.trial.bundle
    if not algorithms.can_split(bundle):
        return unless(found == (), f"{bundle} is too small to be cut, but was at {found}")
    if len(found) != 1:
        return Violation(f"{bundle} must be cut once, not at {found}", "number of cuts")
    left, right = found[0] - bundle.lower, bundle.upper - found[0] + bundle.upper_included
    return unless(
        abs(left - right) <= 2,
        f"{bundle} cut at {found[0]:#010x} has parts of {left} and {right} hashes",
    )


@check("SPL-4", "splitting.positions")
def range_is_cut_in_the_middle_always(case: PositionsCase) -> Finding:
    return as_in_edition(case, SplitAlgorithm.RANGE)


# -------------------------------------------------------------- topic_count_equally_divide


@check("SPL-5", "splitting.positions")
def halves_have_as_many_topics(case: PositionsCase) -> Finding:
    found = positions_of(case, SplitAlgorithm.TOPIC_COUNT)
    if not isinstance(found, tuple):
        return found
    hashes = hashes_of(case.trial)
    half = len(hashes) // 2
    if half == 0 or not algorithms.can_part(hashes[half - 1], hashes[half]):
        return UNEXERCISED
    if len(found) != 1:
        return Violation(f"{len(hashes)} topics must be parted by one cut, not {found}", "cuts")
    left = sum(hash_ < found[0] for hash_ in hashes)
    return unless(
        left in (half, len(hashes) - half),
        f"a cut at {found[0]:#010x} leaves {left} of {len(hashes)} topics to its left",
    )


@check("SPL-6", "splitting.positions")
def fewer_than_two_topics_are_not_parted(case: PositionsCase) -> Finding:
    trial = case.trial
    if trial.algorithm in (SplitAlgorithm.RANGE, SplitAlgorithm.SPECIFIED):
        return UNEXERCISED
    if len(trial.topics) >= algorithms.MIN_TOPICS:
        return UNEXERCISED
    return as_expected(case, f"{len(trial.topics)} topics cannot be parted")


@check("SPL-7", "splitting.positions")
def topics_are_cut_at_the_left_of_neighbours(case: PositionsCase) -> Finding:
    return as_in_edition(case, SplitAlgorithm.TOPIC_COUNT)


# -------------------------------------------------------------- specified_positions_divide


@check("SPL-8", "splitting.positions")
def specified_positions_inside_are_taken(case: PositionsCase) -> Finding:
    trial = case.trial
    if not trial.forced and len(trial.topics) < algorithms.MIN_TOPICS:
        return UNEXERCISED
    found = positions_of(case, SplitAlgorithm.SPECIFIED)
    if not isinstance(found, tuple):
        return found
    inside = {p for p in trial.positions if trial.bundle.lower < p < trial.bundle.upper}
    return unless(
        set(found) == inside,
        f"of {trial.positions} those inside {trial.bundle} are {sorted(inside)}, not {found}",
    )


@check("SPL-9", "splitting.positions")
def specified_positions_are_kept_twice(case: PositionsCase) -> Finding:
    if not case.trial.positions:
        return UNEXERCISED
    return as_in_edition(case, SplitAlgorithm.SPECIFIED)


@check("SPL-10", "splitting.positions")
def specified_positions_must_be_given(case: PositionsCase) -> Finding:
    if case.trial.positions:
        return UNEXERCISED
    return as_in_edition(case, SplitAlgorithm.SPECIFIED)


# --------------------------------------------------------------- flow_or_qps_equally_divide


def busy_topics(trial: PositionsTrial) -> list[Flow]:
    """The topics that carry traffic."""
    return [f for f in reported_flows(trial.topics) if f.msg_rate > 0 or f.throughput > 0]


@OncePerCase
def flow_units(case: PositionsCase) -> list[Flow]:
    """What a cut can part: busy topics in ascending order, inseparable ones as one."""
    return algorithms.merge_collisions(busy_topics(case.trial))


@OncePerCase
def walked_gaps(case: PositionsCase) -> list[tuple[int, int]]:
    """The topics on both sides of each cut that gathering up to the limits asks for."""
    units, limits = flow_units(case), limits_of(case.trial.limits)
    if len(units) < 2:
        return []
    cuts = algorithms.cut_by_flow(units, limits, DOCUMENTED)
    return [
        (left.hash, right.hash)
        for left, right in pairwise(units)
        if any(left.hash < cut <= right.hash for cut in cuts)
    ]


def gap_of(cut: int, units: Sequence[Flow]) -> tuple[int, int] | None:
    """The neighbouring topics between which a cut lies; None beside all topics."""
    for left, right in pairwise(units):
        if left.hash < cut <= right.hash:
            return left.hash, right.hash
    return None


def flow_answer(case: PositionsCase) -> tuple[int, ...] | Finding:
    """The positions answered to a trial by flow with at least two topics."""
    if len(case.trial.topics) < algorithms.MIN_TOPICS:
        return UNEXERCISED
    return positions_of(case, SplitAlgorithm.FLOW)


def surely_exceeds(trial: PositionsTrial) -> bool:
    """Whether the bundle's traffic reaches a limit plus its margin, rounding aside."""
    limits, flows = limits_of(trial.limits), busy_topics(trial)
    margin = (1 + limits.difference_percent / 100) * (1 + ROUNDING)
    msg_rate = added(flow.msg_rate for flow in flows)
    throughput = added(flow.throughput for flow in flows)
    return msg_rate > limits.max_msg_rate * margin or throughput > limits.max_throughput * margin


@check("SPL-11", "splitting.positions")
def heavy_bundles_are_cut(case: PositionsCase) -> Finding:
    found = flow_answer(case)
    if not isinstance(found, tuple):
        return found
    if not surely_exceeds(case.trial) or not walked_gaps(case):
        return UNEXERCISED
    return unless(found != (), f"{case.trial.bundle} carries too much, but is not cut", "no cut")


@check("SPL-12", "splitting.positions")
def parts_stay_within_the_limits(case: PositionsCase) -> Finding:
    found = flow_answer(case)
    if not isinstance(found, tuple) or not found:
        return UNEXERCISED
    units, limits = flow_units(case), limits_of(case.trial.limits)
    for lower, upper in pairwise((-1, *found, 2**32)):
        part = [unit for unit in units if lower <= unit.hash < upper]
        msg_rate = added(unit.msg_rate for unit in part)
        throughput = added(unit.throughput for unit in part)
        if len(part) > 1 and (msg_rate > limits.max_msg_rate or throughput > limits.max_throughput):
            return Violation(
                f"the part from {max(lower, 0):#010x} gathers {len(part)} topics with "
                f"{msg_rate} msg/s and {throughput} byte/s"
            )
    return HOLDS


@check("SPL-13", "splitting.positions")
def parts_take_as_much_as_fits(case: PositionsCase) -> Finding:
    found = flow_answer(case)
    if not isinstance(found, tuple) or not found:
        return UNEXERCISED
    units, wanted = flow_units(case), walked_gaps(case)
    gaps = Counter(gap_of(cut, units) for cut in found)
    for cut in found:
        gap = gap_of(cut, units)
        if gap is None or gap not in wanted:
            return Violation(f"nothing asks for a cut at {cut:#010x}", "needless cut")
        if gaps[gap] > 1:
            return Violation(f"a second cut at {cut:#010x} parts no topics", "empty part")
    return HOLDS


@check("SPL-14", "splitting.positions")
def flow_cuts_half_way(case: PositionsCase) -> Finding:
    found = flow_answer(case)
    if not isinstance(found, tuple) or not found:
        return UNEXERCISED
    units, all_hashes = flow_units(case), set(hashes_of(case.trial))
    judged = False
    for cut in found:
        gap = gap_of(cut, units)
        if gap is None or any(gap[0] < hash_ < gap[1] for hash_ in all_hashes):
            continue
        judged = True
        if abs(2 * cut - gap[0] - gap[1]) > 1:
            return Violation(
                f"the cut between {gap[0]:#010x} and {gap[1]:#010x} lies half-way, "
                f"not at {cut:#010x}"
            )
    return HOLDS if judged else UNEXERCISED


@check("SPL-15", "splitting.positions")
def flow_cuts_one_further(case: PositionsCase) -> Finding:
    return as_in_edition(case, SplitAlgorithm.FLOW)


# -------------------------------------------------------------------------------- applying


def repeated(case: ApplyCase) -> bool:
    """Whether a position was given twice."""
    return len(set(case.trial.positions)) < len(case.trial.positions)


def fault(trial: ApplyTrial) -> str | None:
    """Why the split is illegal, if it is."""
    if trial.target not in bundles_of(trial.boundaries):
        return f"{trial.target} is not a bundle of the namespace"
    if not all(trial.target.lower < p < trial.target.upper for p in trial.positions):
        return f"a position lies outside {trial.target}"
    return None


@check("SPL-16", "splitting.apply")
def split_inserts_its_positions(case: ApplyCase) -> Finding:
    if not isinstance(case.expected, ApplyAnswer) or repeated(case):
        return UNEXERCISED
    if not isinstance(case.observation, ApplyAnswer):
        return as_expected(case, f"{case.trial.target} can be cut at {case.trial.positions}")
    got, trial = case.observation.boundaries, case.trial
    lost = sorted(set(trial.boundaries) - set(got))
    if lost:
        return Violation(f"the boundaries {lost} are gone", "lost boundary")
    return unless(
        got == case.expected.boundaries,
        f"cutting {trial.target} at {trial.positions} gives {case.expected.boundaries}, not {got}",
    )


@check("SPL-17", "splitting.apply")
def children_tile_their_parent(case: ApplyCase) -> Finding:
    if not isinstance(case.observation, ApplyAnswer) or not isinstance(case.expected, ApplyAnswer):
        return UNEXERCISED
    target = case.trial.target
    points = (target.lower, *sorted(set(case.trial.positions)), target.upper)
    return unless(
        case.observation.children == spans_between(points),
        f"the children of {target} meet at {points[1:-1]}: they are not "
        f"{', '.join(map(str, case.observation.children))}",
    )


@check("SPL-18", "splitting.apply")
def illegal_splits_are_refused(case: ApplyCase) -> Finding:
    reason = fault(case.trial)
    if reason is None or not algorithms.can_split(case.trial.target):
        return UNEXERCISED
    return as_expected(case, reason)


@check("SPL-19", "splitting.apply")
def repeated_positions_count_once(case: ApplyCase) -> Finding:
    if not repeated(case) or not isinstance(case.expected, ApplyAnswer):
        return UNEXERCISED
    if isinstance(case.observation, Refused):
        return HOLDS
    return as_expected(case, f"cutting {case.trial.target} at {case.trial.positions}")


@check("SPL-20", "splitting.apply")
def repeated_positions_are_refused(case: ApplyCase) -> Finding:
    if not repeated(case) or fault(case.trial) is not None:
        return UNEXERCISED
    return as_expected(case, "a position was given twice")
