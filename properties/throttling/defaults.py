"""The default values of the keys of throttling."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import configuration
from evenkeel.reference.throttling.configuration import KEYS
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.judge import answers, decision, is_must
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run
from evenkeel_engine.kit.trial import require


@dataclass(frozen=True, slots=True)
class DefaultTrial:
    """`throttling.default`: a key of dispatch throttling."""

    key: str

    def __post_init__(self) -> None:
        require(self.key in configuration.BY_NAME, "key", "must be a key of dispatch throttling")


@dataclass(frozen=True, slots=True)
class DefaultAnswer:
    """Its default, as in broker.conf."""

    value: str


def default_trial(draw: Draw) -> DefaultTrial:
    return DefaultTrial(draw.pick(tuple(key.name for key in KEYS)))


def answer_default(trial: DefaultTrial, edition: Edition) -> DefaultAnswer:
    return DefaultAnswer(configuration.default_of(trial.key, edition))


def default_labels(trial: DefaultTrial) -> Iterator[str]:
    yield trial.key


NO_LIMIT: Final = re.compile(r"0|-[0-9]+")

SAID: Final = {
    "preciseDispatcherFlowControl": "false",
    "dispatchThrottlingOnBatchMessageEnabled": "false",
    "dispatchThrottlingOnNonBacklogConsumerEnabled": "true",
    "dispatcherMaxReadBatchSize": "100",
}
"""The documented default by key; the other keys are limits, which are off by default."""


@decision("throttling.default", "THR-62", "THR-63")
def judge_default(run: Run, case: Case[DefaultTrial, DefaultAnswer]) -> None:
    observed = case.observation
    if not answers(run, case, "THR-62") or isinstance(observed, Refused | Broke):
        return
    key, value = case.trial.key, observed.value
    said = dict(case.edition.defaults_otherwise).get(key, SAID.get(key))
    right = bool(NO_LIMIT.fullmatch(value)) if said is None else value == said
    why = f"{key} is {value}, and not {'without a limit' if said is None else said}"
    run.require("THR-62", right, "" if right else why, key)
    if said is None and is_must("THR-63", case.edition.name):
        run.require("THR-63", value == "0", f"{key} is {value}, and not 0", key)


DEFAULT: Final = Question(
    "throttling.default", DefaultTrial, DefaultAnswer, default_trial, answer_default, default_labels
)

QUESTIONS: Final = (DEFAULT,)
