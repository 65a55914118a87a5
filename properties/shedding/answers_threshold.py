"""How the reference answers the question about ThresholdShedder."""

from __future__ import annotations

from evenkeel.properties.shedding.memory import Memory, shed_of
from evenkeel.properties.shedding.rounds import Shed, SheddingAnswer, bundles_in
from evenkeel.properties.shedding.trials_threshold import ThresholdTrial
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding import threshold
from evenkeel.reference.shedding.cluster import BrokerId


def answer_threshold(trial: ThresholdTrial, edition: Edition) -> SheddingAnswer:
    """What ThresholdShedder sheds."""
    rules, memory, history = trial.config.rules, Memory(trial, trial.config), threshold.NO_HISTORY
    rounds: list[tuple[Shed, ...]] = []
    for place, round_ in enumerate(trial.rounds):
        active = trial.active(place)
        if active is not None:
            history = threshold.departed(history, set(map(BrokerId, active)))
        history, decision = threshold.shed(history, memory.cluster(round_), rules, edition)
        rounds.append(shed_of(decision))
        memory.unload(round_, bundles_in(rounds[-1]))
    return SheddingAnswer(tuple(rounds))
