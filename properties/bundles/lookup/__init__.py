"""From a hash, a topic or a range to the bundle."""

from __future__ import annotations

from typing import Any, Final

from evenkeel.properties.bundles.lookup import generator, trial
from evenkeel.properties.question import Question

HASH_LOOKUP: Final = Question(
    "bundles.hash_lookup",
    trial.HashLookupTrial,
    trial.LookupAnswer,
    generator.hash_lookup_trial,
    trial.answer_hash_lookup,
    trial.hash_lookup_labels,
)
TOPIC_LOOKUP: Final = Question(
    "bundles.topic_lookup",
    trial.TopicLookupTrial,
    trial.TopicLookupAnswer,
    generator.topic_lookup_trial,
    trial.answer_topic_lookup,
    trial.topic_lookup_labels,
)
MEMBERSHIP: Final = Question(
    "bundles.membership",
    trial.MembershipTrial,
    trial.MembershipAnswer,
    generator.membership_trial,
    trial.answer_membership,
    trial.membership_labels,
)
QUESTIONS: Final[tuple[Question[Any, Any], ...]] = (HASH_LOOKUP, TOPIC_LOOKUP, MEMBERSHIP)
