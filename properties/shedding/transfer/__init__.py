"""TransferShedder, the strategy of the extensible manager: round after round, pair by pair."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evenkeel.properties.shedding.transfer.trials import (
    TransferAnswer,
    TransferDebugAnswer,
    TransferTrial,
    answer_transfer,
    answer_transfer_debug,
    shared_in,
    swapping_trial,
    transfer_trial,
)
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.question import Question


def labels(trial: TransferTrial) -> Iterator[str]:
    """The features of the rounds."""
    config = trial.config
    yield "transfers" if config.transfer else "unloads"
    if config.hit_threshold > 0:
        yield "waits"
    if any(view.recent_brokers for view in trial.rounds):
        yield "brokers unloaded recently"
    if any(view.recent_bundles for view in trial.rounds):
        yield "bundles unloaded recently"
    if any(map(shared_in, trial.rounds)):
        yield "a bundle on two lists"


QUESTIONS: Final = (
    Question(
        "shedding.transfer",
        TransferTrial,
        TransferAnswer,
        transfer_trial,
        answer_transfer,
        labels,
        commands="rounds",
        exempt=Exempt(
            unjudged={
                "debug": "SHD-69: it must not matter",
                "policies_movable": "a permission: no broker need make use of it",
            }
        ),
    ),
    Question(
        "shedding.transfer_debug",
        TransferTrial,
        TransferDebugAnswer,
        swapping_trial,
        answer_transfer_debug,
        labels,
        commands="rounds",
        exempt=Exempt(
            unread={"debug": "asked with it and without it, whatever the trial says"},
            unjudged={"*": "SHD-69 compares the two modes; `shedding.transfer` asks"},
        ),
    ),
)
