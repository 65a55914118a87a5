"""`QUESTION@SEED:INDEX`: one trial of a run, named so that it can be made again."""

from __future__ import annotations

import re
from typing import Any, Final

from evenkeel.cli.options import Unusable
from evenkeel.drivers.seeded import make_trial
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.properties.question import Question

PLACE: Final = re.compile(r"([a-z_]+\.[a-z_]+)@(\d{1,10}):(\d{1,12})")


def trial_at(place: re.Match[str]) -> tuple[Question[Any, Any], Any]:
    """The question and the trial of a place. Raises `Unusable`."""
    name, seed, index = place[1], int(place[2]), int(place[3])
    if name not in QUESTIONS:
        raise Unusable(f"There is no question {name}; there are {', '.join(QUESTIONS)}.")
    return QUESTIONS[name], make_trial(QUESTIONS[name], seed, index)
