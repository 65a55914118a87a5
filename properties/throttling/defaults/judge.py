"""What a key is by default: THR-62, THR-63."""

from __future__ import annotations

import re
from typing import Final

from evenkeel.properties.clause import Case
from evenkeel.properties.judging.judge import answers, binds, decision
from evenkeel.properties.judging.run import Run
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.throttling.defaults.trial import DefaultAnswer, DefaultTrial

NO_LIMIT: Final = re.compile(r"0|-[0-9]+")
SAID: Final = {
    "preciseDispatcherFlowControl": "false",
    "dispatchThrottlingOnBatchMessageEnabled": "false",
    "dispatchThrottlingOnNonBacklogConsumerEnabled": "true",
    "dispatcherMaxReadBatchSize": "100",
}
"""By key, what the documents say; the others are limits, of which there is none."""


@decision("throttling.default", "THR-62", "THR-63")
def default(run: Run, case: Case[DefaultTrial, DefaultAnswer]) -> None:
    observed = case.observation
    if not answers(run, case, "THR-62") or isinstance(observed, Refused | Broke):
        return
    key, value = case.trial.key, observed.value
    said = SAID.get(key)
    right = bool(NO_LIMIT.fullmatch(value)) if said is None else value == said
    why = f"{key} is {value}, and not {'without a limit' if said is None else said}"
    run.require("THR-62", right, "" if right else why, key)
    if said is None and binds("THR-63", case.edition.name):
        run.require("THR-63", value == "0", f"{key} is {value}, and not 0", key)
