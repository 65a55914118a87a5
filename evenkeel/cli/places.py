"""`QUESTION@SEED:INDEX`: one trial of a run, named so that it can be made again."""

from __future__ import annotations

import re
from typing import Any, Final

from evenkeel.cli.options import meant
from evenkeel.harness.seeded import make_trial
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.properties.kit.question import Question

PLACE: Final = re.compile(r"([a-z_]+\.[a-z_]+)@(\d{1,10}):(\d{1,12})")


def trial_at(place: re.Match[str]) -> tuple[Question[Any, Any], Any]:
    """The question and the trial of a place. Raises `Unusable`."""
    name = meant("There is no question", place[1], QUESTIONS)
    seed, index = int(place[2]), int(place[3])
    return QUESTIONS[name], make_trial(QUESTIONS[name], seed, index)
