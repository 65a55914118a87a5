"""Mutants of the split algorithms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

from evenkeel.properties.mutant_maker import (
    Function,
    Make,
    defect,
    equivalent,
    first,
    switched,
)
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel.reference.edition import Edition
from evenkeel.reference.splitting import algorithms, applying
from evenkeel.reference.splitting.algorithms import Flow
from evenkeel.reference.splitting.settings import FlowLimits


def _rounded_up(original: Function) -> Function:
    return lambda bundle, edition: (
        ((bundle.lower + bundle.upper + 1) // 2,) if algorithms.can_split(bundle) else ()
    )


def _after_share(numerator: int, denominator: int) -> Make:
    """Cut after this share of the topics, at the right one of two that can be parted."""

    def make(original: Function) -> Function:
        def positions(hashes: Iterable[int], edition: Edition) -> Any:
            ordered = sorted(hashes)
            index = len(ordered) * numerator // denominator
            if not 0 < index < len(ordered):
                return original(ordered, edition)
            left, right = ordered[index - 1], ordered[index]
            if algorithms.can_part(left, right):
                return (min(right, TOP_HASH - 1),)
            return original(ordered, edition)

        return positions

    return make


def _larger_half_left(or_nothing: bool = False) -> Make:
    """The larger half of an odd number goes left; where it cannot, the other, or no cut at all."""

    def make(original: Function) -> Function:
        def positions(hashes: Iterable[int], edition: Edition) -> Any:
            ordered = sorted(hashes)
            half = (len(ordered) + 1) // 2
            if half >= len(ordered):
                return original(ordered, edition)
            left, right = ordered[half - 1], ordered[half]
            if algorithms.can_part(left, right):
                return (algorithms.between(left, right),)
            return () if or_nothing else original(ordered, edition)

        return positions

    return make


def _single_topic(original: Function) -> Function:
    def positions(hashes: Iterable[int], edition: Edition) -> Any:
        ordered = sorted(hashes)
        return (ordered[0],) if len(ordered) == 1 else original(ordered, edition)

    return positions


def _cut_anyway(original: Function) -> Function:
    return lambda bundle, *rest: (
        original(bundle, *rest)
        or (
            (algorithms.middle(bundle.lower, bundle.upper),) if algorithms.can_split(bundle) else ()
        )
    )


def _at_lower_end(original: Function) -> Function:
    return lambda bundle, count, given, *rest: (
        *((bundle.lower,) if bundle.lower in given else ()),
        *original(bundle, count, given, *rest),
    )


def _none_given(original: Function) -> Function:
    return lambda bundle, count, given, *rest: (
        original(bundle, count, given, *rest) if given else ()
    )


def _at_limit(original: Function) -> Function:
    def cut(units: Sequence[Flow], limits: FlowLimits, edition: Edition) -> Any:
        heavier = [replace(unit, msg_rate=unit.msg_rate * (1 + 2**-50)) for unit in units]
        return original(heavier, limits, edition)

    return cut


def _every_topic_counts(original: Function) -> Function:
    """The greedy walk over all topics, those without traffic included."""

    def positions(
        flows: Sequence[Flow], topic_count: int, limits: FlowLimits, edition: Edition
    ) -> Any:
        units = algorithms.merge_collisions(flows)
        if len(units) < 2 or not algorithms.exceeds_with_margin(flows, limits):
            return ()
        return algorithms.cut_by_flow(units, limits, edition)

    return positions


def _idle_topics_apart(original: Function) -> Function:
    """Each topic without traffic has a part of its own."""

    def positions(
        flows: Sequence[Flow], topic_count: int, limits: FlowLimits, edition: Edition
    ) -> Any:
        cuts = set(original(flows, topic_count, limits, edition))
        units = algorithms.merge_collisions(flows) if cuts else []
        for left, right in pairwise(units):
            if not (right.msg_rate or right.throughput):
                cuts.add(algorithms.between(left.hash, right.hash))
        return tuple(sorted(cuts))

    return positions


def _one_outside_refuses_all(original: Function) -> Function:
    def positions(
        bundle: HashRange, topic_count: int, given: Sequence[int], forced: bool, edition: Edition
    ) -> Any:
        made = original(bundle, topic_count, given, forced, edition)
        if not all(bundle.lower < position < bundle.upper for position in given):
            raise applying.PositionOutside(f"a position lies outside {bundle}")
        return made

    return positions


def _another_order_refused(original: Function) -> Function:
    def positions(
        bundle: HashRange, topic_count: int, given: Sequence[int], forced: bool, edition: Edition
    ) -> Any:
        if list(given) != sorted(given):
            raise applying.PositionOutside("a position lies below the one before")
        return original(bundle, topic_count, given, forced, edition)

    return positions


def _refused_without_room(original: Function) -> Function:
    def positions(bundle: HashRange, edition: Edition) -> Any:
        made = original(bundle, edition)
        if not made:
            raise applying.TooSmallToSplit(f"{bundle} holds no position to cut at")
        return made

    return positions


MUTANTS: Final = (
    defect(
        "range-without-room",
        algorithms,
        "range_positions",
        switched(range_cut_without_room=True),
        "A bundle of one hash is cut at its own lower end.",
        "SP8",
    ),
    defect(
        "single-topic-parted",
        algorithms,
        "topic_count_positions",
        _single_topic,
        "A bundle with one hot topic is split again and again, to no avail.",
        "SP2",
    ),
    defect(
        "lower-end-is-inside",
        algorithms,
        "specified_positions",
        _at_lower_end,
        "A position on the bundle's lower end makes an empty bundle.",
        "SP8",
    ),
    defect(
        "no-positions-needed",
        algorithms,
        "specified_positions",
        _none_given,
        "A request without positions looks as if it had been carried out.",
    ),
    defect(
        "cut-in-the-middle-anyway",
        algorithms,
        "specified_positions",
        _cut_anyway,
        "A mistyped position splits the bundle somewhere else.",
    ),
    defect(
        "cut-at-the-limit",
        algorithms,
        "cut_by_flow",
        _at_limit,
        "Parts that meet the limit exactly are cut once more.",
        "SP15",
    ),
    defect(
        "idle-topics-apart",
        algorithms,
        "flow_positions",
        _idle_topics_apart,
        "Bundles without any traffic use up the namespace's maximum.",
    ),
    defect(
        "margin-is-the-default",
        algorithms,
        "exceeds_with_margin",
        first(
            1, lambda limits: replace(limits, difference_percent=FlowLimits().difference_percent)
        ),
        "Who lowers flowOrQpsDifferenceThresholdPercentage sees bundles above it stay whole.",
    ),
    defect(
        "specified-in-another-order-refused",
        algorithms,
        "specified_positions",
        _another_order_refused,
        "Who names the positions from the highest down is refused.",
    ),
    equivalent(
        "range-rounds-up",
        algorithms,
        "range_positions",
        _rounded_up,
        "The documents do not say to which side the odd hash goes.",
    ),
    equivalent(
        "cut-at-the-right-topic",
        algorithms,
        "topic_count_positions",
        _after_share(1, 2),
        "Any cut between the two middle topics makes equal halves.",
    ),
    equivalent(
        "larger-half-left",
        algorithms,
        "topic_count_positions",
        _larger_half_left(),
        "Of an odd number of topics either half may be the larger.",
    ),
    equivalent(
        "larger-half-left-or-no-cut",
        algorithms,
        "topic_count_positions",
        _larger_half_left(or_nothing=True),
        "Where the topics on one side of the middle one cannot be parted the answer is open.",
    ),
    equivalent(
        "one-position-outside-refuses-all",
        algorithms,
        "specified_positions",
        _one_outside_refuses_all,
        "A list of which one position does not lie inside may be refused.",
    ),
    equivalent(
        "no-room-refused",
        algorithms,
        "range_positions",
        _refused_without_room,
        "A bundle without room may be refused.",
    ),
    equivalent(
        "flow-rounds-up",
        algorithms,
        "flow_cut",
        lambda original: lambda left, right, edition: min(-(-(left + right) // 2), TOP_HASH - 1),
        "Half-way may be rounded either way.",
    ),
    equivalent(
        "topics-without-traffic-count",
        algorithms,
        "flow_positions",
        _every_topic_counts,
        "Whether a topic beyond a limit is parted from its neighbours without traffic is open.",
    ),
    equivalent(
        "flow-without-margin",
        algorithms,
        "exceeds_with_margin",
        first(1, lambda limits: replace(limits, difference_percent=0)),
        "Between the limit and the margin the choice is open.",
    ),
    equivalent(
        "specified-needs-no-topics",
        algorithms,
        "specified_positions",
        first(3, lambda forced: True),
        "Cutting a bundle with fewer than two topics where the operator says is left open.",
    ),
)
