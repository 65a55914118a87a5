"""Topic names and their hashes."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.bundles.topics.generator import topic_trial
from evenkeel.properties.bundles.topics.trial import (
    TopicAnswer,
    TopicTrial,
    answer_topic,
    topic_labels,
)
from evenkeel.properties.question import Question

TOPIC: Final = Question(
    "bundles.topic", TopicTrial, TopicAnswer, topic_trial, answer_topic, topic_labels
)
QUESTIONS: Final = (TOPIC,)
