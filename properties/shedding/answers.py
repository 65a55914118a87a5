"""How the reference answers the question about AvgShedder."""

from __future__ import annotations

from evenkeel.properties.shedding.memory import Memory, shed_of
from evenkeel.properties.shedding.rounds import bundles_in
from evenkeel.properties.shedding.trials_avg import AvgAnswer, AvgTrial, PlannedShed, planned_of
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding import avg


def answer_avg(trial: AvgTrial, edition: Edition) -> AvgAnswer:
    """What AvgShedder sheds, and where it is to go."""
    rules, memory, state = trial.config.rules, Memory(trial, trial.config), avg.State()
    rounds: list[tuple[PlannedShed, ...]] = []
    for round_ in trial.rounds:
        cluster = memory.cluster(round_)
        state, decision = avg.decide(state, cluster, rules, edition)
        rounds.append(planned_of(decision, state.plan, cluster))
        memory.unload(round_, bundles_in(shed_of(decision)))
    return AvgAnswer(tuple(rounds))
