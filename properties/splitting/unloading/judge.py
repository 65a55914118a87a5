"""SPL-73, SPL-74: what becomes of the children of automatic splits."""

from __future__ import annotations

from evenkeel.properties.clause import Case
from evenkeel.properties.judging.judge import answers, binds, decision
from evenkeel.properties.judging.run import Run
from evenkeel.properties.splitting.manual.trial import Manager
from evenkeel.properties.splitting.unloading.trial import UnloadingAnswer, UnloadingTrial


@decision("splitting.unloading", "SPL-73", "SPL-74")
def unloading(run: Run, case: Case[UnloadingTrial, UnloadingAnswer]) -> None:
    trial, exact = case.trial, binds("SPL-74", case.edition.name)
    clause = "SPL-74" if exact else "SPL-73"
    if not answers(run, case, clause) or not isinstance(case.observation, UnloadingAnswer):
        return
    unloads = case.observation.unloads
    if len(unloads) != len(trial.splits):
        run.require(
            clause, False, f"{len(unloads)} answers for {len(trial.splits)} splits", "count"
        )
    wanted = trial.config.unload_split
    alone = len(trial.brokers) == 1
    never = exact and (trial.manager is Manager.EXTENSIBLE or alone)
    for split, unload in zip(trial.splits, unloads, strict=False):
        if never or not wanted:
            why = f"the children of {split.bundle} must stay with {split.owner}"
            run.require(clause, not unload, why, "unloaded")
        elif not alone:
            why = f"the children of {split.bundle} must be unloaded from {split.owner}"
            run.require(clause, unload, why, "kept")
