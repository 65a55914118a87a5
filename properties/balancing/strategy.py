"""Which strategies run under which manager (BAL-23 to BAL-25, BAL-30, BAL-31, PLC-6, 50, 51)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from evenkeel.reference.balancing import choosing
from evenkeel.reference.edition import Edition
from evenkeel.reference.placement import configured
from evenkeel.reference.placement.configured import Placing
from evenkeel.reference.shedding.strategies import Shedding
from evenkeel_engine.frame.errors import Breakage, Refusal
from evenkeel_engine.kit.clause import Case, describe
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.judge import decision, is_must
from evenkeel_engine.kit.observations import Broke
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run
from evenkeel_engine.kit.trial import OMITTABLE, require


class LoadManager(StrEnum):
    """The two load managers, each with its own strategies."""

    MODULAR = "modular"
    EXTENSIBLE = "extensible"


@dataclass(frozen=True, slots=True)
class StrategyTrial:
    """`balancing.strategy`: which strategy sheds under this manager, and which one places?

    `strategy` is the configured class for shedding, `placement` that for placement, without
    packages; null: not configured. `broker`: a broker that is to run the modular manager is
    started, and not the manager by itself.
    """

    manager: LoadManager
    strategy: Shedding | None
    placement: Placing | None = field(default=None, metadata=OMITTABLE)
    broker: bool = field(default=False, metadata=OMITTABLE)

    def __post_init__(self) -> None:
        modular = self.manager is LoadManager.MODULAR
        require(modular or not self.broker, "broker", "must be false: the manager is always made")


@dataclass(frozen=True, slots=True)
class StrategyAnswer:
    """The class that sheds, without its package; null: none does.

    `places` is the class that chooses brokers; null, or left out: the subject does not report it.
    `runs` is the class of the manager, of a broker alone.
    """

    sheds: str | None
    places: str | None = field(default=None, metadata=OMITTABLE)
    runs: str | None = field(default=None, metadata=OMITTABLE)


def strategy_trial(draw: Draw) -> StrategyTrial:
    """Any strategy and any placement under any manager, or none."""
    manager = draw.pick(tuple(LoadManager))
    strategy, placement = draw.pick((None, *Shedding)), draw.pick((None, *Placing))
    broker = manager is LoadManager.MODULAR and draw.chance(0.3)
    return StrategyTrial(manager, strategy, placement, broker)


def answer_strategy(trial: StrategyTrial, edition: Edition) -> StrategyAnswer:
    extensible = trial.manager is LoadManager.EXTENSIBLE
    try:
        avg_sheds = (trial.strategy or choosing.usual(extensible, edition)) is Shedding.AVG
        places = configured.places(extensible, avg_sheds, trial.placement, edition)
        sheds = choosing.sheds(extensible, trial.strategy, edition)
    except (Refusal, Breakage) as why:
        if not trial.broker:
            raise
        return StrategyAnswer(None, None, choosing.runs_instead(why, edition))
    return StrategyAnswer(sheds.value, places.value, NAMED if trial.broker else None)


def strategy_labels(trial: StrategyTrial) -> Iterator[str]:
    yield "a broker" if trial.broker else trial.manager.value
    yield "not configured" if trial.strategy is None else trial.strategy.value
    yield "no placement" if trial.placement is None else f"placement {trial.placement.value}"


MODULAR: Final = ("OverloadShedder", "ThresholdShedder", "UniformLoadShedder", "AvgShedder")

OWN: Final = {LoadManager.MODULAR: MODULAR, LoadManager.EXTENSIBLE: ("TransferShedder",)}
"""The strategies that are available in one manager only, by document 002."""

BOTH: Final = "AvgShedder"
"""By document 002 both settings name it, or neither."""

NAMED: Final = "ModularLoadManagerImpl"
"""The manager that a broker is to run."""


@decision(
    "balancing.strategy",
    *("BAL-23", "BAL-24", "BAL-25", "BAL-30", "BAL-31", "PLC-6", "PLC-50", "PLC-51"),
)
def judge_strategy(run: Run, case: Case[StrategyTrial, StrategyAnswer]) -> None:
    if case.trial.broker:
        _runs(run, case)
    else:
        _sheds(run, case)
        _places(run, case)


def _runs(run: Run, case: Case[StrategyTrial, StrategyAnswer]) -> None:
    """Judge which manager runs: that a broker stops is right, too, but not in 4.0."""
    observed, edition, strategy = case.observation, case.edition, case.trial.strategy
    runs = observed.runs if isinstance(observed, StrategyAnswer) else None
    foreign = strategy not in (None, *MODULAR) and not edition.unknown_shedder_replaced
    unplaced = _alone(case.trial, edition) and _named(case.trial, edition)[1] == BOTH
    right = "SimpleLoadManagerImpl" if foreign or unplaced else NAMED
    if not edition.simple_manager_instead:
        why = f"{runs} runs in place of {NAMED}"
        run.require("BAL-30", runs in (None, NAMED), why, str(runs))
    else:
        why = f"{right} must run, but the subject {describe(observed)}"
        run.require("BAL-31", runs == right, why, right)


def _named(trial: StrategyTrial, edition: Edition) -> tuple[str, str]:
    """What is to shed and to place, by the settings or their defaults."""
    if trial.manager is LoadManager.EXTENSIBLE:
        return trial.strategy or "TransferShedder", "LeastResourceUsageWithWeight"
    usual = ("ThresholdShedder", "LeastLongTermMessageRate")
    if edition.avg_shedder_by_default:
        usual = (BOTH, BOTH)
    shedding, placing = trial.strategy or usual[0], trial.placement or usual[1]
    if edition.lone_planned_placement_replaced and placing == BOTH != shedding:
        placing = "LeastLongTermMessageRate"
    return shedding, placing


def _alone(trial: StrategyTrial, edition: Edition) -> bool:
    """Whether exactly one setting of the modular manager names AvgShedder; in PULSAR_3_0, whose
    manager looks at another setting, also if both do.
    """
    named = [one == BOTH for one in _named(trial, edition)]
    unpaired = named[0] is not named[1] or (edition.planned_placement_refused and named[1])
    return trial.manager is LoadManager.MODULAR and unpaired


def _sheds(run: Run, case: Case[StrategyTrial, StrategyAnswer]) -> None:
    manager, configured, observed = case.trial.manager, case.trial.strategy, case.observation
    sheds = observed.sheds if isinstance(observed, StrategyAnswer) else None
    answered = isinstance(observed, StrategyAnswer)
    alone = _alone(case.trial, case.edition)

    def must_shed(clause: str, right: str) -> None:
        why = f"under the {manager} manager {right} must shed, but the subject {describe(observed)}"
        run.require(clause, (answered and sheds == right) or (alone and sheds is None), why, right)

    if configured is None:
        must_shed("BAL-24", _named(case.trial, case.edition)[0])
    elif configured in OWN[manager]:
        must_shed("BAL-23", configured)
    elif is_must("BAL-25", case.edition.name):
        if manager is LoadManager.EXTENSIBLE:
            must_shed("BAL-25", "TransferShedder")
        elif case.edition.unknown_shedder_replaced:
            must_shed("BAL-25", "OverloadShedder")
        elif not alone:  # else the placement is refused before anything starts
            why = f"the modular manager cannot be made with {configured}, but {describe(observed)}"
            run.require("BAL-25", isinstance(observed, Broke), why, "starts")
    else:
        why = f"{sheds} sheds under the {manager} manager, which does not have it"
        run.require("BAL-23", sheds is None or sheds in OWN[manager], why, "not available")


def _places(run: Run, case: Case[StrategyTrial, StrategyAnswer]) -> None:
    """Judge the placement. Subjects that do not know the setting do not report it."""
    trial, observed = case.trial, case.observation
    alone, answered = _alone(trial, case.edition), isinstance(observed, StrategyAnswer)
    right = _named(trial, case.edition)[1]
    if isinstance(observed, StrategyAnswer) and observed.places is None:
        return
    if alone and is_must("PLC-51", case.edition.name):
        starts = right != BOTH
        why = f"AvgShedder {'sheds' if starts else 'cannot place'} alone, but {describe(observed)}"
        run.require("PLC-51", answered is starts, why, "sheds" if starts else "starts")
    if not isinstance(observed, StrategyAnswer) or (alone and right == BOTH):
        return
    clause = "PLC-50"
    if trial.manager is LoadManager.MODULAR:
        clause = "PLC-51" if alone or trial.placement not in (None, right) else "PLC-6"
    if is_must(clause, case.edition.name):
        why = f"{right} must place under the {trial.manager} manager, not {observed.places}"
        run.require(clause, observed.places == right, why, right)


STRATEGY: Final = Question(
    "balancing.strategy",
    StrategyTrial,
    StrategyAnswer,
    strategy_trial,
    answer_strategy,
    strategy_labels,
)

QUESTIONS: Final = (STRATEGY,)
