"""BAL-23 to BAL-25: which strategy sheds under which manager."""

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


@decision("balancing.strategy", "BAL-23", "BAL-24", "BAL-25")
def strategy(run: Run, case: Case[StrategyTrial, StrategyAnswer]) -> None:
    manager, configured, observed = case.trial.manager, case.trial.strategy, case.observation
    sheds = observed.sheds if isinstance(observed, StrategyAnswer) else None
    answered = isinstance(observed, StrategyAnswer)

    def must_be(clause: str, right: str) -> None:
        why = f"under the {manager} manager {right} must shed, but the subject {describe(observed)}"
        run.require(clause, answered and sheds == right, why, right)

    if configured is None:
        must_be("BAL-24", USUAL[manager])
    elif configured in OWN[manager]:
        must_be("BAL-23", configured)
    elif binds("BAL-25", case.edition.name):
        if manager is LoadManager.EXTENSIBLE:
            must_be("BAL-25", "TransferShedder")
        else:
            why = f"the modular manager cannot start with {configured}, but {describe(observed)}"
            run.require("BAL-25", isinstance(observed, Broke), why, "starts")
    else:
        why = f"{sheds} sheds under the {manager} manager, which does not have it"
        run.require("BAL-23", sheds is None or sheds in OWN[manager], why, "not available")
