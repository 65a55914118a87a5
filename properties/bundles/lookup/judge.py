"""BUN-15 to BUN-20: which bundle holds a hash, serves a topic, has a range."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from evenkeel.properties.bundles.lookup.trial import (
    HashLookupTrial,
    LookupAnswer,
    MembershipAnswer,
    MembershipTrial,
    TopicLookupAnswer,
    TopicLookupTrial,
)
from evenkeel.properties.bundles.topics.judge import is_open_form, named
from evenkeel.properties.clause import Case
from evenkeel.properties.judging.judge import decision, must_be
from evenkeel.properties.judging.run import Run
from evenkeel.properties.observations import Broke, Refused, Span
from evenkeel.reference.bundles.ranges import TOP_HASH


def holder(points: Sequence[int], hash_: int) -> Span:
    """The one bundle that includes a hash: the last that does not begin above it."""
    above = sum(point > hash_ for point in points[1:-1])
    index = len(points) - 2 - above
    return Span(points[index], points[index + 1], above == 0)


@decision("bundles.hash_lookup", "BUN-15", "BUN-16", "BUN-17", "BUN-18")
def hash_lookup(run: Run, case: Case[HashLookupTrial, LookupAnswer]) -> None:
    points, hash_ = case.trial.boundaries, case.trial.hash
    right = LookupAnswer(holder(points, hash_))
    if hash_ == TOP_HASH and case.edition.last_hash_breaks:
        must_be(run, case, "BUN-18", Broke("past the last bundle"), "the last hash")
    elif hash_ == TOP_HASH:
        must_be(run, case, "BUN-17", right, "the last hash")
    else:
        must_be(run, case, "BUN-15", right, f"hash {hash_:#010x}")
        if hash_ in points:
            must_be(run, case, "BUN-16", right, f"boundary {hash_:#010x}")


@decision("bundles.topic_lookup", "BUN-15", "BUN-17", "BUN-18", "BUN-19")
def topic_lookup(run: Run, case: Case[TopicLookupTrial, TopicLookupAnswer]) -> None:
    trial, edition = case.trial, case.edition
    if is_open_form(trial.topic, edition):
        return
    topic = named(trial.topic, edition)
    what = f"topic {trial.topic} among the bundles of {trial.namespace}"
    if isinstance(topic, str) or topic.namespace != trial.namespace:
        must_be(run, case, "BUN-19", Refused("another namespace"), what)
        return
    found = holder(trial.boundaries, topic.hash)
    right = TopicLookupAnswer(found, (found,))
    what = f"topic {trial.topic} with hash {topic.hash:#010x}"
    if topic.hash != TOP_HASH:
        must_be(run, case, "BUN-15", right, what)
    elif edition.last_hash_breaks:
        must_be(run, case, "BUN-18", Broke("past the last bundle"), what)
    else:
        must_be(run, case, "BUN-17", right, what)


@decision("bundles.membership", "BUN-18", "BUN-20")
def membership(run: Run, case: Case[MembershipTrial, MembershipAnswer]) -> None:
    points, ends = case.trial.boundaries, (case.trial.lower, case.trial.upper)

    def what() -> str:
        return f"range {ends[0]:#010x} to {ends[1]:#010x}"

    if case.edition.last_hash_breaks and ends[0] == TOP_HASH:
        must_be(run, case, "BUN-18", Broke("past the last bundle"), what)
        return
    right = MembershipAnswer(Span(*ends, ends[1] == TOP_HASH))
    is_one = ends in pairwise(points)
    must_be(run, case, "BUN-20", right if is_one else Refused("no bundle"), what)
