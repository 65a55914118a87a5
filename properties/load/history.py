"""Smoothed scores of brokers (LOA-24 to LOA-30)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Final

from evenkeel.properties.load.judge_parts import between, close
from evenkeel.properties.load.trial_parts import (
    BROKERS,
    MANY_BROKERS,
    draw_many,
    require_number,
    require_settings,
)
from evenkeel.properties.tolerance import SINGLE
from evenkeel.reference.edition import Edition
from evenkeel.reference.load import history
from evenkeel.reference.load.history import Histories, Keeper, Seen
from evenkeel.reference.load.report import ReportRules
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw, seldom_large, seldom_repeated
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import monitor, pair_results, require_results
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun
from evenkeel_engine.kit.trial import require, require_different, require_name

MOST_BUNDLES: Final = 10_000


@dataclass(frozen=True, slots=True)
class Look:
    """These brokers are looked at: in a round of shedding, or to choose one of them."""

    DO: ClassVar[str] = "look"
    brokers: tuple[Seen, ...]

    def __post_init__(self) -> None:
        require_different("brokers", (seen.broker for seen in self.brokers))
        for index, seen in enumerate(self.brokers):
            place = f"brokers[{index}]"
            require_name(f"{place}.broker", seen.broker)
            require_number(f"{place}.cpu", seen.cpu, 0.0)
            require(0 <= seen.bundles <= MOST_BUNDLES, f"{place}.bundles", "must be from 0 to 10^4")
            require_number(f"{place}.msg_rate", seen.msg_rate, 0.0)


@dataclass(frozen=True, slots=True)
class Active:
    """These are active. A broker that is looked at is, too, until an `active` leaves it out."""

    DO: ClassVar[str] = "active"
    brokers: tuple[str, ...]

    def __post_init__(self) -> None:
        require_different("brokers", self.brokers)
        for broker in self.brokers:
            require_name("brokers", broker)


HistoryCommand = Look | Active


@dataclass(frozen=True, slots=True)
class HistoryTrial:
    """`load.history`: what is each broker's smoothed score?

    `weight` is that of the previous score (`loadBalancerHistoryResourcePercentage`, a fraction).
    """

    keeper: Keeper
    weight: float
    commands: tuple[HistoryCommand, ...]

    def __post_init__(self) -> None:
        require_settings("rules", ReportRules(history=self.weight))


@dataclass(frozen=True, slots=True)
class Score:
    """A broker's smoothed score, a fraction."""

    broker: str
    score: float


@dataclass(frozen=True, slots=True)
class Scores:
    """Answer to `Look`: the scores of the brokers looked at, in that order, and their mean.

    The mean is null where the keeper reports none (LeastResourceUsageWithWeight).
    """

    DO: ClassVar[str] = "scores"
    scores: tuple[Score, ...]
    mean: float | None


@dataclass(frozen=True, slots=True)
class Told:
    """Answer to `Active`."""

    DO: ClassVar[str] = "told"


HistoryResult = Scores | Told


@dataclass(frozen=True, slots=True)
class HistoryAnswer:
    """One result for each command."""

    results: tuple[HistoryResult, ...]


def draw_seen(draw: Draw, broker: str) -> Seen:
    """What is seen of a broker: sometimes it is new, or idle."""
    cpu = float(draw.integer(0, 120)) if draw.chance(0.7) else draw.real(0.0, 100.0)
    bundles = 0 if draw.chance(0.15) else draw.integer(1, 5)
    msg_rate = 0.0 if draw.chance(0.15) else draw.pick((100.0, 1.0, 0.5))
    return Seen(broker, cpu, bundles, msg_rate)


@seldom_repeated("commands")
@seldom_large()
def history_trial(draw: Draw, large: bool) -> HistoryTrial:
    """Looks at some of the brokers, seldom of many, and changes of the active ones."""
    keeper = draw.pick(tuple(Keeper))
    weight = draw.pick((0.9, 0.5, 0.0, 1.0)) if draw.chance(0.7) else draw.real(0.0, 1.0)
    commands: list[HistoryCommand] = []
    for _ in draw.items(3 if large else 10, 0.85, least=1):
        brokers = draw_many(draw, MANY_BROKERS) if large else draw.sample(BROKERS, 6)
        if draw.chance(0.2):
            commands.append(Active(tuple(brokers)))
        else:
            commands.append(Look(tuple(draw_seen(draw, broker) for broker in brokers)))
    return HistoryTrial(keeper, weight, tuple(commands))


def answer_history(trial: HistoryTrial, edition: Edition) -> HistoryAnswer:
    """The scores after each look; the same in all editions."""
    del edition
    histories: Histories = {}
    results: list[HistoryResult] = []
    for command in trial.commands:
        if isinstance(command, Active):
            histories = history.without_departed(histories, command.brokers)
            results.append(Told())
            continue
        histories = history.look_at(trial.keeper, histories, command.brokers, trial.weight)
        has_mean = trial.keeper is Keeper.THRESHOLD_SHEDDER
        results.append(
            Scores(
                tuple(Score(seen.broker, histories[seen.broker]) for seen in command.brokers),
                history.mean(histories, command.brokers) if has_mean else None,
            )
        )
    return HistoryAnswer(tuple(results))


def history_labels(trial: HistoryTrial) -> Iterator[str]:
    """The keeper of the history, and whether brokers leave."""
    yield trial.keeper.value
    if any(isinstance(command, Active) for command in trial.commands):
        yield "brokers leave"


@dataclass(slots=True)
class Past:
    """A broker's last score, all its usages since its history began, and the last look at it."""

    score: float
    usages: list[float]
    look: int


@dataclass(slots=True)
class JudgeState:
    """What was seen of each broker, and which were away since; `look` counts the looks.

    `keeps`: whether a broker's history outlasts a look that misses it, which the documents leave
    open, though not for each look by itself; None: nothing has shown it yet.
    """

    known: dict[str, Past] = field(default_factory=dict)
    away: set[str] = field(default_factory=set)
    look: int = 0
    keeps: bool | None = None

    def active(self, brokers: tuple[str, ...]) -> None:
        """Process that only these brokers are active."""
        self.away |= self.known.keys() - set(brokers)


@monitor("load.history", *(f"LOA-{number}" for number in range(24, 31)))
def judge_history(run: MonitorRun, case: Case[HistoryTrial, HistoryAnswer]) -> None:
    trial, state = case.trial, JudgeState()
    for command, result in pair_results(run, "LOA-24", case, "the keeper"):
        if isinstance(command, Active):
            state.active(command.brokers)
        elif isinstance(result, Scores):
            judge_look(run, trial, state, command, result)
        else:
            run.require("LOA-24", False, f"no scores, but {display(result)}", "shape")
    require_results(run, case, "LOA-30", find_differing)


def find_differing(observed: HistoryResult, right: HistoryResult) -> str | None:
    """Scores are compared to the last bit; the mean may be added up in any order."""
    if isinstance(observed, Scores) and isinstance(right, Scores):
        same = observed.scores == right.scores and close(observed.mean, right.mean)
    else:
        same = observed == right
    return None if same else ""


def judge_look(
    run: MonitorRun, trial: HistoryTrial, state: JudgeState, command: Look, result: Scores
) -> None:
    """Judge the scores after one look, each from the previously reported one."""
    state.look += 1
    reported = {score.broker: score.score for score in result.scores}
    names = [seen.broker for seen in command.brokers]
    if sorted(reported) != sorted(names) or len(result.scores) != len(names):
        run.require(
            "LOA-24",
            False,
            f"{display(names)} were looked at, and {display(reported)} reported",
            "shape",
        )
        return
    for seen in command.brokers:
        judge_score(run, trial, state, seen, reported[seen.broker])
    if trial.keeper is Keeper.THRESHOLD_SHEDDER and (reported or result.mean is not None):
        right = math.fsum(reported.values()) / len(reported) if reported else 0.0
        run.require(
            "LOA-28",
            close(result.mean, right, SINGLE),
            lambda: (
                f"the mean of {display(reported)} is {right}, "
                f"but {display(result.mean)} was reported"
            ),
        )


def judge_score(
    run: MonitorRun, trial: HistoryTrial, state: JudgeState, seen: Seen, score: float
) -> None:
    """One broker's score: from its history, or from its usage alone where that starts again.

    A subject that departs from LOA-26 or LOA-27 is judged by the history that it continues.
    """
    usage, broker = seen.cpu / 100, seen.broker
    past = state.known.get(broker)
    begins = begins_by(trial, state, seen)
    afresh = close(score, usage, SINGLE)
    if past is None or begins is not None:
        sentence = f"{broker} is at {usage} without history, but its score is {score}"
        run.require(begins or "LOA-24", afresh, sentence)
    continues = past is not None and not (begins and afresh)
    if past is not None and continues:
        right = past.score * trial.weight + (1 - trial.weight) * usage
        smooth = close(score, right, SINGLE)
        missed = not begins and past.look < state.look - 1 and smooth is not afresh
        if missed and state.keeps is None:
            state.keeps = smooth
        if missed and not state.keeps:
            continues, right = False, usage
        run.require(
            "LOA-25",
            smooth if continues else afresh,
            lambda: f"{broker} was at {past.score} and is at {usage}: must be {right}, not {score}",
        )
    usages = [*(past.usages if past is not None and continues else ()), usage]
    state.away.discard(broker)
    state.known[broker] = Past(score, usages, state.look)
    low, high = min(usages) * (1 - SINGLE), max(usages) * (1 + SINGLE)
    run.require(
        "LOA-29",
        between(low, score, high),
        lambda: f"{broker} was always between {low} and {high}, but its score is {score}",
    )


def begins_by(trial: HistoryTrial, state: JudgeState, seen: Seen) -> str | None:
    """The clause of practice by which a known broker's history starts again."""
    if seen.broker in state.away:
        return "LOA-26"
    idle = seen.bundles == 0 or seen.msg_rate == 0
    if trial.keeper is Keeper.LEAST_RESOURCE_USAGE and idle and seen.broker in state.known:
        return "LOA-27"
    return None


HISTORY: Final = Question(
    "load.history",
    HistoryTrial,
    HistoryAnswer,
    history_trial,
    answer_history,
    history_labels,
    commands="commands",
)

QUESTIONS: Final = (HISTORY,)
