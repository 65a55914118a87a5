"""OverloadShedder: brokers that are too full shed their heaviest bundles."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.question import Question
from evenkeel.properties.shedding.overload.generator import overload_trial
from evenkeel.properties.shedding.overload.trial import OverloadTrial, answer_overload
from evenkeel.properties.shedding.rounds import SheddingAnswer, labels_of_rounds

OVERLOAD: Final = Question(
    "shedding.overload",
    OverloadTrial,
    SheddingAnswer,
    overload_trial,
    answer_overload,
    labels_of_rounds,
    commands="rounds",
)
QUESTIONS: Final = (OVERLOAD,)
