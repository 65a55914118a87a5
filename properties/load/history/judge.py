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
class Course:
    """What was seen: every broker's last score and all its usages since its history began."""

    scores: dict[str, float] = field(default_factory=dict)
    usages: dict[str, list[float]] = field(default_factory=dict)
    departed: set[str] = field(default_factory=set)

    def active(self, brokers: tuple[str, ...]) -> None:
        """Only these brokers are there."""
        gone = set(self.scores) - set(brokers)
        self.departed |= gone
        for broker in gone:
            del self.scores[broker], self.usages[broker]


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
    told = {score.broker: score.score for score in result.scores}
    names = [seen.broker for seen in command.brokers]
    if sorted(told) != sorted(names) or len(result.scores) != len(names):
        findings.note(
            "LOA-24", False, f"{plain(names)} were looked at, and {plain(told)} told", "shape"
        )
        return
    for seen in command.brokers:
        judge_score(trial, course, seen, told[seen.broker], findings)
    if trial.keeper is Keeper.THRESHOLD_SHEDDER:
        right = math.fsum(told.values()) / len(told) if told else 0.0
        findings.note(
            "LOA-28",
            close(result.mean, right),
            lambda: f"the mean of {plain(told)} is {right}, but {plain(result.mean)} was told",
        )


def judge_score(
    trial: HistoryTrial, course: Course, seen: Seen, score: float, findings: Findings
) -> None:
    """One broker's score."""
    usage, broker = seen.cpu / 100, seen.broker
    idle = seen.bundles == 0 or seen.msg_rate == 0
    begins = "LOA-26" if broker in course.departed else "LOA-24"
    if trial.keeper is Keeper.LEAST_RESOURCE_USAGE and idle and broker in course.scores:
        begins = "LOA-27"
    before = None if begins == "LOA-27" else course.scores.get(broker)
    if before is None:
        sentence = f"{broker} is at {usage} and has no history, but its score is {score}"
        afresh = close(score, usage, SINGLE)
        findings.note(begins, afresh, sentence)
        if afresh and begins == "LOA-27":
            del course.usages[broker]  # who departs from LOA-27 goes on with the history
    else:
        right = before * trial.weight + (1 - trial.weight) * usage
        findings.note(
            "LOA-25",
            close(score, right, SINGLE),
            lambda: f"{broker} was at {before} and is at {usage}: must be {right}, not {score}",
        )
    course.departed.discard(broker)
    course.scores[broker] = score
    usages = course.usages.setdefault(broker, [])
    usages.append(usage)
    low, high = min(usages) * (1 - SINGLE), max(usages) * (1 + SINGLE)
    findings.note(
        "LOA-29",
        between(low, score, high),
        lambda: f"{broker} was never below {low} or above {high}, but its score is {score}",
    )
