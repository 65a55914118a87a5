"""A namespace's stored boundaries over time (SPL-21 to SPL-30)."""

from typing import Final

from evenkeel.properties.question import Question
from evenkeel.properties.splitting.life.generator import life_trial
from evenkeel.properties.splitting.life.trial import LifeAnswer, LifeTrial, answer_life, life_labels

LIFE: Final = Question(
    "splitting.life",
    LifeTrial,
    LifeAnswer,
    life_trial,
    answer_life,
    life_labels,
    commands="commands",
)
QUESTIONS: Final = (LIFE,)
