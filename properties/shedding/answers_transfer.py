"""How the reference answers the questions about TransferShedder."""

from __future__ import annotations

from dataclasses import replace

from evenkeel.properties.shedding.trials_transfer import (
    TransferAnswer,
    TransferDebugAnswer,
    TransferTrial,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding import transfer
from evenkeel.reference.shedding.transfer_view import TransferDecision


def answer_transfer(trial: TransferTrial, edition: Edition) -> TransferAnswer:
    """What TransferShedder moves."""
    rules, hits = trial.config.rules, 0
    rounds: list[TransferDecision] = []
    for view in trial.rounds:
        hits, decision = transfer.decide(hits, view, rules, edition)
        rounds.append(decision)
    return TransferAnswer(tuple(rounds))


def answer_transfer_debug(trial: TransferTrial, edition: Edition) -> TransferDebugAnswer:
    """What TransferShedder moves without debug mode, and with it."""
    quiet, debug = (
        answer_transfer(replace(trial, config=replace(trial.config, debug=debug)), edition)
        for debug in (False, True)
    )
    return TransferDebugAnswer(quiet, debug)
