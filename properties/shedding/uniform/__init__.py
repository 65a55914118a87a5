"""UniformLoadShedder: the busiest broker sheds a share of its lead over the least busy."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.question import Question
from evenkeel.properties.shedding.rounds import SheddingAnswer, labels_of_rounds
from evenkeel.properties.shedding.uniform.generator import uniform_trial
from evenkeel.properties.shedding.uniform.trial import UniformTrial, answer_uniform

UNIFORM: Final = Question(
    "shedding.uniform",
    UniformTrial,
    SheddingAnswer,
    uniform_trial,
    answer_uniform,
    labels_of_rounds,
    commands="rounds",
)
QUESTIONS: Final = (UNIFORM,)
