"""The questions of the chapter *bundles*, and how the reference answers them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from evenkeel.properties.bundles import generators
from evenkeel.properties.bundles.trials import (
    BoundariesAnswer,
    BoundariesTrial,
    CreationAnswer,
    CreationTrial,
    HashLookupTrial,
    LookupAnswer,
    MembershipAnswer,
    MembershipTrial,
    RangeAnswer,
    RangeTrial,
    TopicAnswer,
    TopicLookupAnswer,
    TopicLookupTrial,
    TopicTrial,
)
from evenkeel.properties.observations import Span
from evenkeel.properties.question import Question
from evenkeel.reference.bundles import boundaries, lookup, ranges, topics
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel.reference.edition import Edition


def span(range_: HashRange) -> Span:
    """A range of the reference as an observation states it."""
    return Span(range_.lower, range_.upper, range_.upper_included)


def spans(points: Sequence[int]) -> tuple[Span, ...]:
    """The bundles between any list of boundaries, legal or not."""
    return tuple(Span(a, b, b == TOP_HASH) for a, b in pairwise(points))


def answer_topic(trial: TopicTrial, edition: Edition) -> TopicAnswer:
    """The name's pieces and hash."""
    topic = topics.parse_topic_name(trial.text, edition)
    return TopicAnswer(
        topic.name,
        topic.domain.value,
        topic.namespace,
        topic.local_name,
        topic.base_name,
        topic.partition,
        topics.topic_hash(topic.name),
    )


def answer_range(trial: RangeTrial, edition: Edition) -> RangeAnswer:
    """The range's ends and canonical name."""
    lower, upper = ranges.parse_range(trial.text, edition)
    return RangeAnswer(Span(lower, upper, upper == TOP_HASH), ranges.range_name(lower, upper))


def answer_boundaries(trial: BoundariesTrial, edition: Edition) -> BoundariesAnswer:
    """The bundles, if the list is legal."""
    boundaries.check_boundaries(trial.boundaries, edition)
    return BoundariesAnswer(spans(trial.boundaries))


def answer_creation(trial: CreationTrial, edition: Edition) -> CreationAnswer:
    """The new namespace's boundaries."""
    return CreationAnswer(
        boundaries.creation_boundaries(trial.count, trial.boundaries, trial.default_count, edition)
    )


def answer_hash_lookup(trial: HashLookupTrial, edition: Edition) -> LookupAnswer:
    """The bundle that holds the hash."""
    index = lookup.bundle_index(trial.boundaries, trial.hash, edition)
    return LookupAnswer(spans(trial.boundaries)[index])


def answer_topic_lookup(trial: TopicLookupTrial, edition: Edition) -> TopicLookupAnswer:
    """The bundle that serves the topic, and all that include it."""
    topic = topics.parse_topic_name(trial.topic, edition)
    found = lookup.bundle_of_topic(trial.namespace, trial.boundaries, topic, edition)
    holders = lookup.holders(trial.boundaries, topic)
    return TopicLookupAnswer(span(found), tuple(span(holder) for holder in holders))


def answer_membership(trial: MembershipTrial, edition: Edition) -> MembershipAnswer:
    """The bundle with exactly this range."""
    range_ = HashRange(trial.lower, trial.upper)
    return MembershipAnswer(span(lookup.member(trial.boundaries, range_, edition)))


# --------------------------------------------------------------------------------- labels


def hash_labels(hash_: int, points: Sequence[int]) -> Iterator[str]:
    """Where a hash lies among boundaries."""
    if hash_ == TOP_HASH:
        yield "last hash"
    elif hash_ in points:
        yield "on a boundary"
    elif hash_ + 1 in points:
        yield "just below a boundary"
    if len(points) == 2:
        yield "one bundle"


def topic_labels(trial: TopicTrial) -> Iterator[str]:
    """The form of the name."""
    yield "complete name" if "://" in trial.text else "short name"
    if topics.PARTITION_MARK in trial.text:
        yield "partition ending"


def range_labels(trial: RangeTrial) -> Iterator[str]:
    """How many pieces the text has."""
    pieces = trial.text.count("_") + 1
    yield f"{pieces} piece{'s' if pieces > 1 else ''}"


def creation_labels(trial: CreationTrial) -> Iterator[str]:
    """By what the namespace is divided."""
    if trial.boundaries is not None:
        yield "explicit boundaries"
    yield "count given" if trial.count > 0 else "default count"


def lookup_labels(trial: TopicLookupTrial) -> Iterator[str]:
    """Where the topic lies."""
    yield from hash_labels(topics.topic_hash(trial.topic), trial.boundaries)
    if f"://{trial.namespace}/" not in trial.topic:
        yield "other namespace"


TOPIC: Final = Question(
    "bundles.topic", TopicTrial, TopicAnswer, generators.topic_trial, answer_topic, topic_labels
)
RANGE: Final = Question(
    "bundles.range", RangeTrial, RangeAnswer, generators.range_trial, answer_range, range_labels
)
BOUNDARIES: Final = Question(
    "bundles.boundaries",
    BoundariesTrial,
    BoundariesAnswer,
    generators.boundaries_trial,
    answer_boundaries,
    lambda trial: [f"{min(len(trial.boundaries), 3)} or more boundaries"],
)
CREATION: Final = Question(
    "bundles.creation",
    CreationTrial,
    CreationAnswer,
    generators.creation_trial,
    answer_creation,
    creation_labels,
)
HASH_LOOKUP: Final = Question(
    "bundles.hash_lookup",
    HashLookupTrial,
    LookupAnswer,
    generators.hash_lookup_trial,
    answer_hash_lookup,
    lambda trial: hash_labels(trial.hash, trial.boundaries),
)
TOPIC_LOOKUP: Final = Question(
    "bundles.topic_lookup",
    TopicLookupTrial,
    TopicLookupAnswer,
    generators.topic_lookup_trial,
    answer_topic_lookup,
    lookup_labels,
)
MEMBERSHIP: Final = Question(
    "bundles.membership",
    MembershipTrial,
    MembershipAnswer,
    generators.membership_trial,
    answer_membership,
    lambda trial: ["starts at the last hash"] if trial.lower == TOP_HASH else [],
)

QUESTIONS: Final[tuple[Question[Any, Any], ...]] = (
    TOPIC,
    RANGE,
    BOUNDARIES,
    CREATION,
    HASH_LOOKUP,
    TOPIC_LOOKUP,
    MEMBERSHIP,
)
