"""From a hash or a topic to its bundle (BUN-15 to BUN-20)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from evenkeel.reference.bundles import topics
from evenkeel.reference.bundles.boundaries import bundle_at, bundles_of, is_bundle
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel.reference.bundles.topics import TopicName
from evenkeel.reference.edition import Edition
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Breakage, Refusal


class WrongNamespace(Refusal):
    """The topic belongs to another namespace (BUN-19)."""


class NoSuchBundle(Refusal):
    """The range is not one of the namespace's bundles (BUN-20)."""


class PastLastBundle(Breakage):
    """The last boundary was taken for the start of a bundle."""


@states("BUN-15", "BUN-16", "BUN-17", "BUN-18")
def bundle_index(boundaries: Sequence[int], hash_: int, edition: Edition) -> int:
    """The index of the one bundle that holds `hash_`.

    A hash that is a boundary belongs to the bundle that starts there; the last hash
    belongs to the last bundle. Raises `PastLastBundle` where the edition breaks.
    Source: Pulsar `NamespaceBundles.getBundle(long)` 4.0.8.
    """
    last = len(boundaries) - 2
    if hash_ == TOP_HASH:
        if edition.last_hash_breaks:
            raise PastLastBundle("no bundle starts at the last boundary")
        return last
    return min(bisect_right(boundaries, hash_) - 1, last)


@states("BUN-15", "BUN-19")
def bundle_of_topic(
    namespace: str, boundaries: Sequence[int], topic: TopicName, edition: Edition
) -> HashRange:
    """The bundle that serves a topic of this namespace. Raises `WrongNamespace`."""
    if topic.namespace != namespace:
        raise WrongNamespace(f"{topic.name} is not of {namespace}")
    index = bundle_index(boundaries, topics.topic_hash(topic.name), edition)
    return bundle_at(boundaries, index)


@states("BUN-15")
def holders(boundaries: Sequence[int], topic: TopicName) -> tuple[HashRange, ...]:
    """Every bundle whose range includes the topic: exactly one."""
    hash_ = topics.topic_hash(topic.name)
    return tuple(bundle for bundle in bundles_of(boundaries) if hash_ in bundle)


@states("BUN-18", "BUN-20")
def member(boundaries: Sequence[int], range_: HashRange, edition: Edition) -> HashRange:
    """The bundle of these boundaries that has exactly this range.

    Raises `NoSuchBundle`, and `PastLastBundle` where the edition breaks.
    Source: Pulsar `NamespaceBundles.validateBundle` 4.0.8.
    """
    if range_.lower == TOP_HASH and edition.last_hash_breaks:
        raise PastLastBundle("no bundle starts at the last boundary")
    if not is_bundle(boundaries, range_):
        raise NoSuchBundle(f"{range_} is not a bundle of the namespace")
    return range_
