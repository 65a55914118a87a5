"""Topic names and their hashes."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.bundles.topics import generator, trial
from evenkeel.properties.question import Question

TOPIC: Final = Question(
    "bundles.topic",
    trial.TopicTrial,
    trial.TopicAnswer,
    generator.topic_trial,
    trial.answer_topic,
    trial.topic_labels,
)
QUESTIONS: Final = (TOPIC,)
