"""Where the four algorithms cut a bundle (SPL-2 to SPL-15)."""

from typing import Final

from evenkeel.properties.question import Question
from evenkeel.properties.splitting.positions.generator import positions_trial
from evenkeel.properties.splitting.positions.trial import (
    PositionsAnswer,
    PositionsTrial,
    answer_positions,
    positions_labels,
)

POSITIONS: Final = Question(
    "splitting.positions",
    PositionsTrial,
    PositionsAnswer,
    positions_trial,
    answer_positions,
    positions_labels,
)
QUESTIONS: Final = (POSITIONS,)
