"""From a hash, a topic or a range to the bundle."""

from __future__ import annotations

from typing import Any, Final

from evenkeel.properties.bundles.lookup.generator import (
    hash_lookup_trial,
    membership_trial,
    topic_lookup_trial,
)
from evenkeel.properties.bundles.lookup.trial import (
    HashLookupTrial,
    LookupAnswer,
    MembershipAnswer,
    MembershipTrial,
    TopicLookupAnswer,
    TopicLookupTrial,
    answer_hash_lookup,
    answer_membership,
    answer_topic_lookup,
    hash_lookup_labels,
    membership_labels,
    topic_lookup_labels,
)
from evenkeel.properties.question import Question

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
