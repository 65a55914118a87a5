"""Trials of `splitting.positions`: many at the edges of their bundles.

Traffic comes in sixteenths and tenths of its limit, so that sums are exact in any order and often
meet the limit, or the limit plus its margin, exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evenkeel.properties.bundles.crafted import VARIANTS, topic_with_hash
from evenkeel.properties.bundles.drawing import (
    NAMESPACES,
    draw_boundaries,
    draw_hash,
    pick_bundle,
)
from evenkeel.properties.draw import Draw, seldom_large
from evenkeel.properties.splitting.positions.trial import (
    PositionsTrial,
    TopicLoad,
)
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel.reference.splitting.algorithms import SplitAlgorithm
from evenkeel.reference.splitting.settings import MEBIBYTE, FlowLimits

ALGORITHMS: Final = (
    SplitAlgorithm.RANGE,
    SplitAlgorithm.TOPIC_COUNT,
    SplitAlgorithm.FLOW,
    SplitAlgorithm.SPECIFIED,
    SplitAlgorithm.FLOW,
    SplitAlgorithm.TOPIC_COUNT,
)
NO_LIMITS: Final = FlowLimits(1000, 100, 10)
_RATES: Final = (1000, 450, 1, 30000, 0, 10)
_MEGABYTES: Final = (100, 90, 2048, 2047, 4096, 1, 0)
_SIXTEENTHS: Final = (0, 8, 4, 16, 12, 2, 1, 17, 32, 80)
_PERCENTS: Final = (10, 0, 50, 100, 25, 1)
_SMALL_STARTS: Final = (0, TOP_HASH - 1, 1, TOP_HASH - 2, TOP_HASH - 3, 0x7FFFFFFE, 0x40000000)


def draw_bundle(draw: Draw) -> HashRange:
    """All hashes, a bundle of some namespace, or one of a few hashes at an edge."""
    sort = draw.integer(0, 2)
    if sort == 0:
        return HashRange(0, TOP_HASH)
    if sort == 1:
        return pick_bundle(draw, draw_boundaries(draw, 3))
    lower = draw.pick(_SMALL_STARTS)
    return HashRange(lower, min(lower + draw.integer(1, 6), TOP_HASH))


def last_of(bundle: HashRange) -> int:
    """The highest hash in the bundle."""
    return TOP_HASH if bundle.upper_included else bundle.upper - 1


def draw_hash_in(draw: Draw, bundle: HashRange, near: Sequence[int]) -> int:
    """A hash of the bundle; often at one of its ends, often one of `near` or beside it."""
    last = last_of(bundle)
    sort = draw.integer(0, 3)
    if sort == 0:
        return draw.integer(bundle.lower, last)
    if sort == 1 and near:
        hash_ = draw.pick(near) + draw.pick((0, 1, -1, 2, -2))
    else:
        hash_ = draw.pick((bundle.lower, last, bundle.lower + 1, last - 1))
    return min(max(hash_, bundle.lower), last)


def draw_names(
    draw: Draw, bundle: HashRange, namespace: str, most: int, near: Sequence[int] = ()
) -> list[str]:
    """Different topics of the bundle, some with one hash, some close to `near`."""
    hashes: list[int] = []
    for _ in draw.items(most):
        hashes.append(draw_hash_in(draw, bundle, (*near, *hashes)))
    seen: dict[int, int] = {}
    names = []
    for hash_ in hashes:
        variant = seen.get(hash_, 0)
        seen[hash_] = variant + 1
        if variant < VARIANTS:
            names.append(topic_with_hash(hash_, namespace, variant))
    return names


def draw_amount(draw: Draw, limit: int) -> float:
    """Traffic in tenths or sixteenths of a limit, often none, seldom far above."""
    if limit % 10 == 0 and draw.chance(0.3):
        part, parts = draw.integer(0, 22), 10
    else:
        part, parts = draw.pick(_SIXTEENTHS), 16
    return limit * part / parts if limit else float(part)


def draw_load(draw: Draw, name: str, limits: FlowLimits) -> TopicLoad:
    """A topic with traffic, in and out."""
    if draw.chance(0.1):
        return TopicLoad(name, reported=draw.chance(0.5))
    rate = draw_amount(draw, limits.max_msg_rate)
    throughput = 0.0
    if draw.chance(0.08):  # exactly the limit with its margin
        margin = 1 + limits.difference_percent / 100.0
        heavy = draw.chance(0.5)
        rate = 0.0 if heavy else limits.max_msg_rate * margin
        throughput = limits.max_bandwidth_mbytes * MEBIBYTE * margin if heavy else 0.0
    elif draw.chance(0.5):
        throughput = draw_amount(draw, limits.max_bandwidth_mbytes * MEBIBYTE)
    if draw.chance(0.3):
        return TopicLoad(name, rate / 2, rate / 2, throughput / 2, throughput / 2)
    return TopicLoad(name, rate, 0.0, 0.0, throughput)


def just_above_the_margin(
    draw: Draw, names: Sequence[str], limits: FlowLimits
) -> tuple[TopicLoad, ...]:
    """Two busy topics that are together at a limit with its margin or above it, but not with a
    larger one: who takes the default in place of the setting does not cut.
    """
    percent = limits.difference_percent + draw.pick((0, 0.5, 5, 20, 60))
    rate, throughput = limits.max_msg_rate * (1 + percent / 100), 0.0
    if draw.chance(0.5):
        rate, throughput = 0.0, limits.max_throughput * (1 + percent / 100)
    share = draw.pick((2, 4))
    shares = {names[0]: 1 / share, names[-1]: 1 - 1 / share}
    return tuple(
        TopicLoad(name, rate * part, throughput_out=throughput * part)
        for name in names
        for part in (shares.get(name, 0.0),)
    )


def draw_limits(draw: Draw) -> FlowLimits:
    """FlowLimits as in the documents' examples, and at the edges of 32 bits."""
    return FlowLimits(draw.pick(_RATES), draw.pick(_MEGABYTES), draw.pick(_PERCENTS))


def draw_positions(draw: Draw, bundle: HashRange, most: int, least: int = 0) -> tuple[int, ...]:
    """Positions inside the bundle, at its ends, outside it, and given twice."""
    positions: list[int] = []
    for _ in draw.items(most, 0.5, least):
        sort = draw.integer(0, 9)
        if sort == 8:
            positions.append(draw.pick((bundle.lower, bundle.upper, -1, 2**32)))
        elif sort == 9:
            positions.append(draw_hash(draw, (bundle.lower, bundle.upper)))
        else:
            position = draw_hash_in(draw, bundle, positions)
            positions.append(max(min(position, bundle.upper - 1), bundle.lower + 1))
    return tuple(positions)


def positions_trial(draw: Draw) -> PositionsTrial:
    """Every algorithm on every sort of bundle."""
    return seldom_large(draw, draw_trial, 0.012)


def many_topics_trial(draw: Draw) -> PositionsTrial:
    """Two to 40 topics anywhere in a bundle of all hashes. Of traffic each has over half of what a
    part may have, or it is not reported; two or three together are within some margins.
    """
    algorithm = draw.pick((SplitAlgorithm.FLOW, SplitAlgorithm.FLOW, SplitAlgorithm.TOPIC_COUNT))
    few = algorithm is SplitAlgorithm.FLOW and draw.chance(0.5)
    hashes = {
        draw.integer(0, TOP_HASH) for _ in draw.items(3 if few else 40, 0.95, 2 if few else 11)
    }
    names = [topic_with_hash(hash_, NAMESPACES[0], 0) for hash_ in sorted(hashes)]
    bundle = HashRange(0, TOP_HASH)
    if algorithm is SplitAlgorithm.TOPIC_COUNT:
        topics = tuple(TopicLoad(name) for name in names)
        return PositionsTrial(algorithm, bundle, topics, (), False, NO_LIMITS)
    limits = FlowLimits(1000, 100, draw.pick((0, 25, 50, 100, 1, 10)))
    topics = tuple(
        TopicLoad(
            name,
            draw.pick((600.0, 550.0, 300.0)),
            throughput_out=1000.0,
            reported=not draw.chance(0.25),
        )
        for name in names
    )
    return PositionsTrial(algorithm, bundle, topics, (), False, limits)


def draw_trial(draw: Draw, large: bool) -> PositionsTrial:
    if large:
        return many_topics_trial(draw)
    algorithm = draw.pick(ALGORITHMS)
    bundle = draw_bundle(draw)
    if algorithm is SplitAlgorithm.RANGE:
        return PositionsTrial(algorithm, bundle, (), (), False, NO_LIMITS)
    namespace = draw.pick(NAMESPACES)
    if algorithm is SplitAlgorithm.SPECIFIED:
        names = draw_names(draw, bundle, namespace, 3)
        positions = draw_positions(draw, bundle, 4, 0 if draw.chance(0.15) else 1)
        topics = tuple(TopicLoad(name) for name in names)
        return PositionsTrial(algorithm, bundle, topics, positions, draw.chance(0.5), NO_LIMITS)
    names = draw_names(draw, bundle, namespace, 8)
    if algorithm is SplitAlgorithm.TOPIC_COUNT:
        topics = tuple(TopicLoad(name) for name in names)
        return PositionsTrial(algorithm, bundle, topics, (), False, NO_LIMITS)
    limits = draw_limits(draw)
    topics = tuple(draw_load(draw, name, limits) for name in names)
    if len(topics) > 1 and draw.chance(0.2):
        topics = just_above_the_margin(draw, names, limits)
    return PositionsTrial(algorithm, bundle, topics, (), False, limits)
