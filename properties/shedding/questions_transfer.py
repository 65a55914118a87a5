"""The questions about TransferShedder."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Any, Final

from evenkeel.properties.question import Question
from evenkeel.properties.shedding.answers_transfer import answer_transfer, answer_transfer_debug
from evenkeel.properties.shedding.generators_transfer import swapping_trial, transfer_trial
from evenkeel.properties.shedding.trials_transfer import (
    TransferAnswer,
    TransferDebugAnswer,
    TransferTrial,
)
from evenkeel.reference.edition import DOCUMENTED


def transfer_labels(trial: TransferTrial) -> Iterator[str]:
    """What the rounds contain, and what is moved."""
    config = trial.config
    yield "transfers" if config.transfer else "unloads"
    if config.hit_threshold > 0:
        yield "waits"
    if any(view.recent_brokers for view in trial.rounds):
        yield "brokers unloaded recently"
    if any(view.recent_bundles for view in trial.rounds):
        yield "bundles unloaded recently"
    decisions = answer_transfer(trial, DOCUMENTED).rounds
    yield "moves" if any(decision.moves for decision in decisions) else "moves nothing"
    for decision in decisions:
        givers = {move.source for move in decision.moves}
        takers = {move.destination for move in decision.moves}
        if givers & takers:
            yield "swaps"
            break


TRANSFER: Final = Question(
    "shedding.transfer",
    TransferTrial,
    TransferAnswer,
    transfer_trial,
    answer_transfer,
    transfer_labels,
    commands=attrgetter("rounds"),
)
TRANSFER_DEBUG: Final = Question(
    "shedding.transfer_debug",
    TransferTrial,
    TransferDebugAnswer,
    swapping_trial,
    answer_transfer_debug,
    transfer_labels,
    commands=attrgetter("rounds"),
)

QUESTIONS: Final[tuple[Question[Any, Any], ...]] = (TRANSFER, TRANSFER_DEBUG)
