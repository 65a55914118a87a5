from __future__ import annotations

from evenkeel.properties.bundles.crafted import VARIANTS, topic_with_hash
from evenkeel.properties.bundles.drawing import (
    NAMESPACES,
    draw_boundaries,
    draw_hash,
    draw_many_boundaries,
)
from evenkeel.properties.bundles.lookup.trial import (
    HashLookupTrial,
    MembershipTrial,
    TopicLookupTrial,
)
from evenkeel.properties.draw import Draw, seldom_large
from evenkeel.reference.bundles.ranges import TOP_HASH


def hash_lookup_trial(draw: Draw) -> HashLookupTrial:
    """Hashes anywhere, on boundaries and beside them."""
    return seldom_large(draw, draw_hash_lookup)


def draw_hash_lookup(draw: Draw, large: bool) -> HashLookupTrial:
    boundaries = draw_many_boundaries(draw) if large else draw_boundaries(draw)
    return HashLookupTrial(boundaries, draw_hash(draw, boundaries))


def topic_lookup_trial(draw: Draw) -> TopicLookupTrial:
    """Topics with constructed hashes; sometimes of another namespace, sometimes a partition."""
    return seldom_large(draw, draw_topic_lookup)


def draw_topic_lookup(draw: Draw, large: bool) -> TopicLookupTrial:
    namespace = draw.pick(NAMESPACES)
    boundaries = draw_many_boundaries(draw) if large else draw_boundaries(draw)
    owner = draw.pick(NAMESPACES) if draw.chance(0.15) else namespace
    topic = topic_with_hash(draw_hash(draw, boundaries), owner, draw.integer(0, VARIANTS - 1))
    if draw.chance(0.2):
        topic = "non-" + topic
    if draw.chance(0.2):
        topic += f"-partition-{draw.integer(0, 9)}"
    return TopicLookupTrial(namespace, boundaries, topic)


def membership_trial(draw: Draw) -> MembershipTrial:
    """Bundles, spans of several bundles, and ranges that share one end or none."""
    boundaries = draw_boundaries(draw)
    index = draw.integer(0, len(boundaries) - 2)
    lower, upper = boundaries[index], boundaries[index + 1]
    fault = draw.integer(0, 4)
    if fault == 1:
        upper = draw.pick(boundaries[1:])
    elif fault == 2:
        lower = draw_hash(draw, boundaries)
    elif fault == 3:
        lower, upper = draw_hash(draw, boundaries), draw_hash(draw, boundaries)
    elif fault == 4:
        lower = upper = TOP_HASH
    lower, upper = sorted((lower, upper))
    if lower == upper != TOP_HASH:
        upper += 1
    return MembershipTrial(boundaries, lower, upper)
