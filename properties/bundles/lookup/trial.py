"""`bundles.hash_lookup`, `bundles.topic_lookup` and `bundles.membership`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evenkeel.properties.bundles.division import hash_labels, require_boundaries, spans
from evenkeel.properties.observations import Span
from evenkeel.properties.trial import require
from evenkeel.reference.bundles import lookup, topics
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel.reference.edition import Edition


@dataclass(frozen=True, slots=True)
class HashLookupTrial:
    """`bundles.hash_lookup`: which bundle of these boundaries holds this hash?"""

    boundaries: tuple[int, ...]
    hash: int

    def __post_init__(self) -> None:
        require_boundaries(self.boundaries)
        require(0 <= self.hash <= TOP_HASH, "hash", "must be 0 to 0xffffffff")


@dataclass(frozen=True, slots=True)
class LookupAnswer:
    """The one bundle found."""

    bundle: Span


@dataclass(frozen=True, slots=True)
class TopicLookupTrial:
    """`bundles.topic_lookup`: which bundle of `namespace` serves the topic with this full name?

    The topic may belong to another namespace, which must be refused. Its hash is the CRC-32 of the
    UTF-8 bytes of its complete name (BUN-3): who hashes otherwise, which the documents allow, skips
    this question.
    """

    namespace: str
    boundaries: tuple[int, ...]
    topic: str

    def __post_init__(self) -> None:
        require_boundaries(self.boundaries)


@dataclass(frozen=True, slots=True)
class TopicLookupAnswer:
    """The bundle that the lookup names, and every bundle that says it includes the topic."""

    bundle: Span
    holders: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class MembershipTrial:
    """`bundles.membership`: is the range from `lower` to `upper` a bundle of these boundaries?

    `upper` is included exactly if it is 0xffffffff.
    """

    boundaries: tuple[int, ...]
    lower: int
    upper: int

    def __post_init__(self) -> None:
        require_boundaries(self.boundaries)
        legal = 0 <= self.lower < self.upper <= TOP_HASH
        one_point = self.lower == self.upper == TOP_HASH
        require(legal or one_point, "lower", "must be below upper, both 0 to 0xffffffff")


@dataclass(frozen=True, slots=True)
class MembershipAnswer:
    """The bundle that was recognised. A range that is no bundle is to be refused."""

    bundle: Span


def span(range_: HashRange) -> Span:
    """A range of the reference as an observation states it."""
    return Span(range_.lower, range_.upper, range_.upper_included)


def answer_hash_lookup(trial: HashLookupTrial, edition: Edition) -> LookupAnswer:
    index = lookup.bundle_index(trial.boundaries, trial.hash, edition)
    return LookupAnswer(spans(trial.boundaries)[index])


def answer_topic_lookup(trial: TopicLookupTrial, edition: Edition) -> TopicLookupAnswer:
    """The bundle that serves the topic, and all that include it."""
    topic = topics.parse_topic_name(trial.topic, edition)
    found = lookup.bundle_of_topic(trial.namespace, trial.boundaries, topic, edition)
    holders = lookup.holders(trial.boundaries, topic)
    return TopicLookupAnswer(span(found), tuple(span(holder) for holder in holders))


def answer_membership(trial: MembershipTrial, edition: Edition) -> MembershipAnswer:
    range_ = HashRange(trial.lower, trial.upper)
    return MembershipAnswer(span(lookup.member(trial.boundaries, range_, edition)))


def hash_lookup_labels(trial: HashLookupTrial) -> Iterator[str]:
    yield from hash_labels(trial.hash, trial.boundaries)


def topic_lookup_labels(trial: TopicLookupTrial) -> Iterator[str]:
    yield from hash_labels(topics.topic_hash(trial.topic), trial.boundaries)
    if f"://{trial.namespace}/" not in trial.topic:
        yield "other namespace"


def membership_labels(trial: MembershipTrial) -> Iterator[str]:
    if trial.lower == TOP_HASH:
        yield "starts at the last hash"
