"""Smoothed scores, look by look (LOA-24 to LOA-30)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from evenkeel.properties.clause import Case, in_full
from evenkeel.properties.findings import Findings
from evenkeel.properties.judging.judge import monitor
from evenkeel.properties.judging.tolerance import SINGLE
from evenkeel.properties.load.comparing import between, close
from evenkeel.properties.load.exact import note_exactly
from evenkeel.properties.load.history.trial import (
    Active,
    HistoryAnswer,
    HistoryResult,
    HistoryTrial,
    Look,
    Scores,
)
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.plain import plain
from evenkeel.reference.load.history import Keeper, Seen


@dataclass(slots=True)
class Past:
    """A broker's last score, all its usages since its history began, and the last look at it."""

    score: float
    usages: list[float]
    look: int


@dataclass(slots=True)
class Course:
    """What was seen of each broker, and who was away since; `look` counts the looks."""

    known: dict[str, Past] = field(default_factory=dict)
    away: set[str] = field(default_factory=set)
    look: int = 0

    def active(self, brokers: tuple[str, ...]) -> None:
        """Only these brokers are there."""
        self.away |= self.known.keys() - set(brokers)


@monitor("load.history", *(f"LOA-{number}" for number in range(24, 31)))
def history(case: Case[HistoryTrial, HistoryAnswer], findings: Findings) -> None:
    trial, observed, course = case.trial, case.observation, Course()
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(trial.commands):
        findings.note("LOA-24", False, f"the keeper {in_full(observed)}", "shape")
        return
    for command, result in zip(trial.commands, observed.results, strict=True):
        if isinstance(command, Active):
            course.active(command.brokers)
        elif isinstance(result, Scores):
            judge_look(trial, course, command, result, findings)
        else:
            findings.note("LOA-24", False, f"no scores, but {plain(result)}", "shape")
    note_exactly(case, findings, "LOA-30", same)


def same(one: HistoryResult, other: HistoryResult) -> bool:
    """Scores to the last bit; the mean in whatever order it was added up."""
    if isinstance(one, Scores) and isinstance(other, Scores):
        return one.scores == other.scores and close(one.mean, other.mean)
    return one == other


def judge_look(
    trial: HistoryTrial, course: Course, command: Look, result: Scores, findings: Findings
) -> None:
    """The scores after one look, each judged from the one that was observed before."""
    course.look += 1
    told = {score.broker: score.score for score in result.scores}
    names = [seen.broker for seen in command.brokers]
    if sorted(told) != sorted(names) or len(result.scores) != len(names):
        findings.note(
            "LOA-24", False, f"{plain(names)} were looked at, and {plain(told)} told", "shape"
        )
        return
    for seen in command.brokers:
        judge_score(trial, course, seen, told[seen.broker], findings)
    if trial.keeper is Keeper.THRESHOLD_SHEDDER and (told or result.mean is not None):
        right = math.fsum(told.values()) / len(told) if told else 0.0
        findings.note(
            "LOA-28",
            close(result.mean, right),
            lambda: f"the mean of {plain(told)} is {right}, but {plain(result.mean)} was told",
        )


def judge_score(
    trial: HistoryTrial, course: Course, seen: Seen, score: float, findings: Findings
) -> None:
    """One broker's score: made of its history, or of its usage alone where that begins anew.

    Whoever departs from LOA-26 or LOA-27 goes on with the history, and is judged by it.
    """
    usage, broker = seen.cpu / 100, seen.broker
    past = course.known.get(broker)
    begins = begins_by(trial, course, seen)
    afresh = close(score, usage, SINGLE)
    if past is None or begins is not None:
        sentence = f"{broker} is at {usage} and has no history, but its score is {score}"
        findings.note(begins or "LOA-24", afresh, sentence)
    goes_on = past is not None and not (begins and afresh)
    if past is not None and goes_on:
        right = past.score * trial.weight + (1 - trial.weight) * usage
        smooth = close(score, right, SINGLE)
        if not smooth and afresh and past.look < course.look - 1:
            goes_on = False  # it missed a look: by the documents its history may be gone
        else:
            findings.note(
                "LOA-25",
                smooth,
                lambda: (
                    f"{broker} was at {past.score} and is at {usage}: must be {right}, not {score}"
                ),
            )
    usages = [*(past.usages if past is not None and goes_on else ()), usage]
    course.away.discard(broker)
    course.known[broker] = Past(score, usages, course.look)
    low, high = min(usages) * (1 - SINGLE), max(usages) * (1 + SINGLE)
    findings.note(
        "LOA-29",
        between(low, score, high),
        lambda: f"{broker} was never below {low} or above {high}, but its score is {score}",
    )


def begins_by(trial: HistoryTrial, course: Course, seen: Seen) -> str | None:
    """The clause of practice by which a known broker begins anew."""
    if seen.broker in course.away:
        return "LOA-26"
    idle = seen.bundles == 0 or seen.msg_rate == 0
    if trial.keeper is Keeper.LEAST_RESOURCE_USAGE and idle and seen.broker in course.known:
        return "LOA-27"
    return None
