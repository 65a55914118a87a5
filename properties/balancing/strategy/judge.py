"""Which strategies a manager runs: to shed (BAL-23 to BAL-25), to place (PLC-6, PLC-50, PLC-51)."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.balancing.strategy.trial import LoadManager, StrategyAnswer, StrategyTrial
from evenkeel.properties.clause import Case, describe
from evenkeel.properties.judging.judge import binds, decision
from evenkeel.properties.judging.run import Run
from evenkeel.properties.observations import Broke

MODULAR: Final = ("OverloadShedder", "ThresholdShedder", "UniformLoadShedder", "AvgShedder")
OWN: Final = {LoadManager.MODULAR: MODULAR, LoadManager.EXTENSIBLE: ("TransferShedder",)}
"""What document 002 says of each strategy: only available in this manager."""
USUAL: Final = {LoadManager.MODULAR: "ThresholdShedder", LoadManager.EXTENSIBLE: "TransferShedder"}
BOTH: Final = "AvgShedder"
"""Document 002: both settings name it, or none does."""


@decision("balancing.strategy", "BAL-23", "BAL-24", "BAL-25", "PLC-6", "PLC-50", "PLC-51")
def strategy(run: Run, case: Case[StrategyTrial, StrategyAnswer]) -> None:
    _sheds(run, case)
    _places(run, case)


def _alone(trial: StrategyTrial) -> bool:
    """Whether one setting of the modular manager names AvgShedder, and the other does not."""
    named = (trial.strategy == BOTH, trial.placement == BOTH)
    return trial.manager is LoadManager.MODULAR and named[0] is not named[1]


def _sheds(run: Run, case: Case[StrategyTrial, StrategyAnswer]) -> None:
    manager, configured, observed = case.trial.manager, case.trial.strategy, case.observation
    sheds = observed.sheds if isinstance(observed, StrategyAnswer) else None
    answered = isinstance(observed, StrategyAnswer)
    alone = _alone(case.trial)

    def must_be(clause: str, right: str) -> None:
        why = f"under the {manager} manager {right} must shed, but the subject {describe(observed)}"
        run.require(clause, (answered and sheds == right) or (alone and sheds is None), why, right)

    if configured is None:
        must_be("BAL-24", USUAL[manager])
    elif configured in OWN[manager]:
        must_be("BAL-23", configured)
    elif binds("BAL-25", case.edition.name):
        if manager is LoadManager.EXTENSIBLE:
            must_be("BAL-25", "TransferShedder")
        elif not alone:  # else the placement is refused before anything is made
            why = f"the modular manager cannot start with {configured}, but {describe(observed)}"
            run.require("BAL-25", isinstance(observed, Broke), why, "starts")
    else:
        why = f"{sheds} sheds under the {manager} manager, which does not have it"
        run.require("BAL-23", sheds is None or sheds in OWN[manager], why, "not available")


def _places(run: Run, case: Case[StrategyTrial, StrategyAnswer]) -> None:
    """What places. An answer that does not say is of a subject that does not know the setting."""
    trial, observed = case.trial, case.observation
    alone, answered = _alone(trial), isinstance(observed, StrategyAnswer)
    if isinstance(observed, StrategyAnswer) and observed.places is None:
        return
    if alone and binds("PLC-51", case.edition.name):
        starts = trial.placement != BOTH
        why = f"AvgShedder {'sheds' if starts else 'cannot place'} alone, but {describe(observed)}"
        run.require("PLC-51", answered is starts, why, "sheds" if starts else "starts")
    if not isinstance(observed, StrategyAnswer) or (alone and trial.placement == BOTH):
        return
    clause, right = "PLC-50", "LeastResourceUsageWithWeight"
    if trial.manager is LoadManager.MODULAR:
        clause = "PLC-51" if alone else "PLC-6"
        right = trial.placement or "LeastLongTermMessageRate"
    if binds(clause, case.edition.name):
        why = f"{right} must place under the {trial.manager} manager, not {observed.places}"
        run.require(clause, observed.places == right, why, right)
