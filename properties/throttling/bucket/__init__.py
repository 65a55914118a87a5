"""Token buckets."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.question import Question
from evenkeel.properties.throttling.bucket import generator, trial

BUCKET: Final = Question(
    "throttling.bucket",
    trial.BucketTrial,
    trial.BucketAnswer,
    generator.bucket_trial,
    trial.answer_bucket,
    trial.bucket_labels,
    commands="commands",
)
QUESTIONS: Final = (BUCKET,)
