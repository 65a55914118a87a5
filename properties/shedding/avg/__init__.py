"""AvgShedder: the fuller broker of a pair that differs for long enough gives to the emptier one."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.shedding.avg.trials import AvgAnswer, AvgTrial, answer_avg, avg_trial
from evenkeel.properties.shedding.trial_parts import labels_of_rounds
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.question import Question

AVG: Final = Question(
    "shedding.avg",
    AvgTrial,
    AvgAnswer,
    avg_trial,
    answer_avg,
    labels_of_rounds,
    commands="rounds",
    exempt=Exempt(unjudged={"direct_memory_weight": "LOA-3: direct memory may count or not"}),
)
QUESTIONS: Final = (AVG,)
