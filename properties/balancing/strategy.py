"""Which strategies run under which manager (BAL-23 to 25, 30 to 34, PLC-6, 50, 51)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from evenkeel.properties.tolerance import tolerance_of
from evenkeel.reference.balancing import choosing
from evenkeel.reference.edition import Edition
from evenkeel.reference.placement import configured
from evenkeel.reference.placement.configured import Placing
from evenkeel.reference.shedding.strategies import Shedding
from evenkeel_engine.frame.errors import Breakage, Refusal
from evenkeel_engine.frame.replacing import replace
from evenkeel_engine.kit.clause import Case, describe
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.judge import decision, is_must
from evenkeel_engine.kit.observations import Broke
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run
from evenkeel_engine.kit.trial import OMITTABLE, require

PACKAGE: Final = "org.apache.pulsar.broker.loadbalance."
KNOWN: Final = {
    f"{PACKAGE}{place}{name}": name
    for place, name in (
        ("impl.", "ModularLoadManagerImpl"),
        ("impl.", "SimpleLoadManagerImpl"),
        ("extensions.", "ExtensibleLoadManagerImpl"),
        ("", "NoopLoadManager"),
    )
}
"""Pulsar's managers by their classes."""
OTHERS: Final = (
    *("ModularLoadManagerImpl", "modular", f"{PACKAGE}impl.ModularLoadManager"),
    *(f"{PACKAGE}impl.ModularLoadManagerWrapper", "java.lang.String"),
)
"""What names none: no class, or none of a manager that can be made."""
BLANKS: Final = ("", " ", "\t \n", "\u2003")


class LoadManager(StrEnum):
    """The two load managers, each with its own strategies."""

    MODULAR = "modular"
    EXTENSIBLE = "extensible"


@dataclass(frozen=True, slots=True)
class Named:
    """`loadManagerClassName` as it stands in broker.conf; null: it does not. `by_program`: it is
    handed to the broker by a program that starts it, instead.
    """

    text: str | None
    by_program: bool = False


@dataclass(frozen=True, slots=True)
class StrategyTrial:
    """`balancing.strategy`: which strategy sheds under this manager, and which one places?

    `strategy` is the configured class for shedding, `placement` that for placement, without
    packages; null: not configured. `broker`: a broker is started, and not the manager by itself;
    `name` says what manager that is to run; null: the modular one, by its class.
    """

    manager: LoadManager
    strategy: Shedding | None
    placement: Placing | None = field(default=None, metadata=OMITTABLE)
    broker: bool = field(default=False, metadata=OMITTABLE)
    name: Named | None = field(default=None, metadata=OMITTABLE)

    def __post_init__(self) -> None:
        modular = self.manager is LoadManager.MODULAR
        require(modular or not self.broker, "broker", "must be false: the manager is always made")
        require(self.broker or self.name is None, "name", "must be null: no broker is started")


@dataclass(frozen=True, slots=True)
class StrategyAnswer:
    """The class that sheds; null: none does. All classes are without their packages.

    `places` is the class that chooses brokers; null, or left out: the subject does not report it.
    `runs` is the class of the manager, of a broker alone. `caught`: the broker caught an exception
    before; null, or left out: the subject does not report it.
    """

    sheds: str | None
    places: str | None = field(default=None, metadata=OMITTABLE)
    runs: str | None = field(default=None, metadata=OMITTABLE)
    caught: bool | None = field(default=None, metadata=OMITTABLE)


def draw_name(draw: Draw) -> Named:
    """Blank, a manager's class, perhaps with spaces around it, or something else."""
    sort, around = draw.integer(0, 9), draw.pick(("", " ", "\t", "\u00a0"))
    if sort < 4:
        text = draw.pick((None, *BLANKS))
    elif sort < 8:
        text = draw.pick((around, "")) + draw.pick(tuple(KNOWN)) + around
    else:
        text = draw.pick(OTHERS)
    return Named(text, draw.chance(0.4))


def strategy_trial(draw: Draw) -> StrategyTrial:
    """Any strategy and any placement under any manager, or none."""
    manager = draw.pick(tuple(LoadManager))
    strategy, placement = draw.pick((None, *Shedding)), draw.pick((None, *Placing))
    broker = manager is LoadManager.MODULAR and draw.chance(0.3)
    name = draw_name(draw) if broker and draw.chance(0.6) else None
    return StrategyTrial(manager, strategy, placement, broker, name)


def answer_strategy(trial: StrategyTrial, edition: Edition) -> StrategyAnswer:
    if trial.name is None:
        return answer_modular(trial, edition)
    text, by_program = trial.name.text, trial.name.by_program
    caught = choosing.throws_unnamed(text, by_program, edition)
    try:
        manager = choosing.manager(choosing.counts(text, by_program, edition))
    except Breakage as why:
        return StrategyAnswer(None, None, choosing.runs_instead(why, edition), True)
    if manager != NAMED:
        return StrategyAnswer(None, None, manager, caught)
    answer = answer_modular(trial, edition)
    return replace(answer, caught=caught or answer.runs != NAMED)


def answer_modular(trial: StrategyTrial, edition: Edition) -> StrategyAnswer:
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
"""The manager that a broker is to run by default."""

TRIMMED: Final = "".join(map(chr, range(33)))
SPACES: Final = "\t\n\v\f\r\x1c\x1d\x1e\x1f \u1680\u2028\u2029\u205f\u3000" + "".join(
    chr(code) for code in range(0x2000, 0x200B) if code != 0x2007
)
"""White space of Java: what broker.conf is read without, and what is blank."""
AROUND: Final = TRIMMED + SPACES + "\x85\u00a0\u2007\u202f\ufeff"
"""What some language takes for white space. No document says which of it counts in a name."""


@decision(
    "balancing.strategy",
    *("BAL-23", "BAL-24", "BAL-25", "BAL-30", "BAL-31", "BAL-32", "BAL-33", "BAL-34"),
    *("PLC-6", "PLC-50", "PLC-51"),
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
    unplaced = _alone(case.trial, edition) and _read_names(case.trial, edition)[1] == BOTH
    if (asked := _find_asked(case.trial.name)) is None:
        _judge_unnamed(run, case, fits=not (foreign or unplaced))
        return
    wrong = asked == NAMED and (foreign or unplaced)
    right = "SimpleLoadManagerImpl" if wrong else asked or "SimpleLoadManagerImpl"
    # Some releases cannot make a manager with AvgShedder, which is nothing of its name.
    plain = right == asked and BOTH not in (strategy, case.trial.placement)
    kept = case.trial.name is not None and _is_blank(case.trial.name) and plain
    if not edition.simple_manager_instead:
        why = f"{runs} runs in place of {asked or 'none'}"
        kind = runs if runs in (NAMED, "SimpleLoadManagerImpl") else "another"
        right_here = runs in (None, asked, _find_trimmed(case.trial.name, edition))
        run.require("BAL-32" if kept else "BAL-30", right_here, why, kind)
    else:
        why = f"{right} must run, but the subject {describe(observed)}"
        run.require("BAL-32" if kept else "BAL-31", runs == right, why, right)


def _is_blank(name: Named) -> bool:
    return not (name.text or "").strip(SPACES)


def _find_trimmed(name: Named | None, edition: Edition) -> str | None:
    """The manager that is named if no white space around the name counts, which the documents leave
    open.
    """
    if name is None or tolerance_of(edition).exact:
        return None
    text = (name.text or "").strip(AROUND)
    return KNOWN.get(text) if text else NAMED


def _find_asked(name: Named | None) -> str | None:
    """The manager that is to run; empty: what is named is none. Null: a program names nothing."""
    if name is None:
        return NAMED
    if _is_blank(name):
        return None if name.by_program else NAMED
    text = name.text or ""
    return KNOWN.get(text if name.by_program else text.strip(TRIMMED), "")


def _judge_unnamed(run: Run, case: Case[StrategyTrial, StrategyAnswer], fits: bool) -> None:
    """Judge a broker that a program starts without a name; `fits`: the modular manager could run,
    so nothing else makes it fail.
    """
    observed, edition = case.observation, case.edition
    answer = observed if isinstance(observed, StrategyAnswer) else None
    broke = isinstance(observed, Broke) or (answer is not None and answer.caught is True)
    expected = edition.unnamed_manager_throws
    why = f"no manager is named, and the subject {describe(observed)}"
    if fits and (answer is None or answer.caught is not None):
        run.require("BAL-33", broke is expected, why, "caught" if broke else "not caught")
    if is_must("BAL-34", edition.name):
        simple = answer is not None and answer.runs == "SimpleLoadManagerImpl"
        run.require("BAL-34", simple, why, "runs")


def _read_names(trial: StrategyTrial, edition: Edition) -> tuple[str, str]:
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
    named = [one == BOTH for one in _read_names(trial, edition)]
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
        must_shed("BAL-24", _read_names(case.trial, case.edition)[0])
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
    right = _read_names(trial, case.edition)[1]
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
