"""From a hash, a topic or a range to the bundle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from evenkeel.properties.bundles.topics import complete, is_open_form, read_name
from evenkeel.properties.bundles.trial_parts import (
    NAMESPACES,
    VARIANTS,
    draw_boundaries,
    draw_hash,
    draw_many_boundaries,
    hash_labels,
    require_boundaries,
    spans,
    topic_with_hash,
)
from evenkeel.reference.bundles import lookup, topics
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel.reference.edition import Edition
from evenkeel_engine.kit.clause import Case, describe
from evenkeel_engine.kit.draw import Draw, seldom_large
from evenkeel_engine.kit.judge import decision, require_equal
from evenkeel_engine.kit.observations import Broke, Refused, Span
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run
from evenkeel_engine.kit.trial import require


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
    UTF-8 bytes of its complete name (BUN-3): a subject that hashes otherwise, which the documents
    allow, skips this question.
    """

    namespace: str
    boundaries: tuple[int, ...]
    topic: str

    def __post_init__(self) -> None:
        require_boundaries(self.boundaries)


@dataclass(frozen=True, slots=True)
class TopicLookupAnswer:
    """The bundle of the lookup, and every bundle that claims to include the topic."""

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


@seldom_large()
def hash_lookup_trial(draw: Draw, large: bool) -> HashLookupTrial:
    """Hashes anywhere, on boundaries and next to them."""
    boundaries = draw_many_boundaries(draw) if large else draw_boundaries(draw)
    return HashLookupTrial(boundaries, draw_hash(draw, boundaries))


@seldom_large()
def topic_lookup_trial(draw: Draw, large: bool) -> TopicLookupTrial:
    """Topics with constructed hashes; sometimes of another namespace, sometimes a partition."""
    namespace = draw.pick(NAMESPACES)
    boundaries = draw_many_boundaries(draw) if large else draw_boundaries(draw)
    owner = draw.pick((*NAMESPACES, namespace.upper())) if draw.chance(0.15) else namespace
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


def span(range_: HashRange) -> Span:
    """A range of the reference in the form of observations."""
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


def holder(points: Sequence[int], hash_: int) -> Span:
    """The one bundle that includes a hash: the last that does not begin above it."""
    above = sum(point > hash_ for point in points[1:-1])
    index = len(points) - 2 - above
    return Span(points[index], points[index + 1], above == 0)


@decision("bundles.hash_lookup", "BUN-15", "BUN-16", "BUN-17", "BUN-18")
def judge_hash_lookup(run: Run, case: Case[HashLookupTrial, LookupAnswer]) -> None:
    points, hash_ = case.trial.boundaries, case.trial.hash
    right = LookupAnswer(holder(points, hash_))
    if hash_ == TOP_HASH and case.edition.last_hash_breaks:
        require_equal(run, case, "BUN-18", Broke("past the last bundle"), "the last hash")
    elif hash_ == TOP_HASH:
        require_equal(run, case, "BUN-17", right, "the last hash")
    else:
        require_equal(run, case, "BUN-15", right, f"hash {hash_:#010x}")
        if hash_ in points:
            require_equal(run, case, "BUN-16", right, f"boundary {hash_:#010x}")


@decision("bundles.topic_lookup", "BUN-15", "BUN-17", "BUN-18", "BUN-19")
def judge_topic_lookup(run: Run, case: Case[TopicLookupTrial, TopicLookupAnswer]) -> None:
    trial, edition = case.trial, case.edition
    if is_open_form(complete(trial.topic, edition), edition):
        return
    topic = read_name(trial.topic, edition)
    what = f"topic {trial.topic} among the bundles of {trial.namespace}"
    if isinstance(topic, str) or topic.namespace != trial.namespace or topic.is_refused(edition):
        reason = topic if isinstance(topic, str) else "another namespace, or one with a cluster"
        require_equal(run, case, "BUN-19", Refused(reason), what)
        return
    if topic.name != trial.topic and not edition.unicode_partition_digits:
        # Which topic another spelling names, no document says (BUN-1).
        each = {holder(trial.boundaries, start) for start in trial.boundaries[:-1]}
        some = case.observation in [TopicLookupAnswer(one, (one,)) for one in each]
        refused = isinstance(case.observation, Refused)
        run.require("BUN-15", some or refused, f"{what}: {describe(case.observation)}")
        return
    found = holder(trial.boundaries, topic.hash)
    right = TopicLookupAnswer(found, (found,))
    what = f"topic {trial.topic} with hash {topic.hash:#010x}"
    if topic.hash != TOP_HASH:
        require_equal(run, case, "BUN-15", right, what)
    elif edition.last_hash_breaks:
        require_equal(run, case, "BUN-18", Broke("past the last bundle"), what)
    else:
        require_equal(run, case, "BUN-17", right, what)


@decision("bundles.membership", "BUN-18", "BUN-20")
def judge_membership(run: Run, case: Case[MembershipTrial, MembershipAnswer]) -> None:
    points, ends = case.trial.boundaries, (case.trial.lower, case.trial.upper)

    def what() -> str:
        return f"range {ends[0]:#010x} to {ends[1]:#010x}"

    if case.edition.last_hash_breaks and ends[0] == TOP_HASH:
        require_equal(run, case, "BUN-18", Broke("past the last bundle"), what)
        return
    right = MembershipAnswer(Span(*ends, ends[1] == TOP_HASH))
    is_one = ends in pairwise(points)
    require_equal(run, case, "BUN-20", right if is_one else Refused("no bundle"), what)


HASH_LOOKUP: Final = Question(
    "bundles.hash_lookup",
    HashLookupTrial,
    LookupAnswer,
    hash_lookup_trial,
    answer_hash_lookup,
    hash_lookup_labels,
)

TOPIC_LOOKUP: Final = Question(
    "bundles.topic_lookup",
    TopicLookupTrial,
    TopicLookupAnswer,
    topic_lookup_trial,
    answer_topic_lookup,
    topic_lookup_labels,
)

MEMBERSHIP: Final = Question(
    "bundles.membership",
    MembershipTrial,
    MembershipAnswer,
    membership_trial,
    answer_membership,
    membership_labels,
)

QUESTIONS: Final[tuple[Question[Any, Any], ...]] = (HASH_LOOKUP, TOPIC_LOOKUP, MEMBERSHIP)
