"""Following a keeper's scores, look by look (LOA-24 to LOA-29)."""

from __future__ import annotations

from dataclasses import dataclass, field

from evenkeel.properties.clause import Case, describe
from evenkeel.properties.findings import Findings
from evenkeel.properties.load.comparing import SINGLE, between, close
from evenkeel.properties.load.trials_history import (
    Active,
    HistoryAnswer,
    HistoryTrial,
    Look,
    Scores,
)
from evenkeel.properties.observations import Broke, Refused
from evenkeel.reference.adding import added
from evenkeel.reference.load.history import Keeper, Seen

CLAUSES = ("LOA-24", "LOA-25", "LOA-26", "LOA-27", "LOA-28", "LOA-29")


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

    def restart(self, broker: str) -> None:
        """The broker's history begins again."""
        self.scores.pop(broker, None)
        self.usages.pop(broker, None)


def walk_history(case: Case[HistoryTrial, HistoryAnswer]) -> Findings:
    """What the answers say; each step is judged from the score that was told before."""
    trial, observed, findings, course = case.trial, case.observation, Findings(), Course()
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(trial.commands):
        findings.note("LOA-24", False, f"the keeper {describe(observed)}", "shape")
        return findings
    for command, result in zip(trial.commands, observed.results, strict=True):
        if isinstance(command, Active):
            course.active(command.brokers)
        elif isinstance(result, Scores):
            look(trial, course, command, result, findings)
        else:
            findings.note("LOA-24", False, f"no scores, but {result}", "shape")
    return findings


def look(
    trial: HistoryTrial, course: Course, command: Look, result: Scores, findings: Findings
) -> None:
    """The scores after one look."""
    told = {score.broker: score.score for score in result.scores}
    names = [seen.broker for seen in command.brokers]
    if sorted(told) != sorted(names) or len(result.scores) != len(names):
        findings.note("LOA-24", False, f"{names} were looked at, and {told} told", "shape")
        return
    for seen in command.brokers:
        score_of(trial, course, seen, told[seen.broker], findings)
    if trial.keeper is Keeper.THRESHOLD_SHEDDER:
        right = added(told.values()) / len(told) if told else 0.0
        findings.note(
            "LOA-28",
            close(result.mean, right),
            f"the mean of {told} is {right}, but {result.mean} was told",
        )


def score_of(
    trial: HistoryTrial, course: Course, seen: Seen, score: float, findings: Findings
) -> None:
    """One broker's score."""
    usage, broker = seen.cpu / 100, seen.broker
    idle = seen.bundles == 0 or seen.msg_rate == 0
    begins = "LOA-24" if broker not in course.departed else "LOA-26"
    if trial.keeper is Keeper.LEAST_RESOURCE_USAGE and idle and broker in course.scores:
        course.restart(broker)
        begins = "LOA-27"
    before = course.scores.get(broker)
    if before is None:
        findings.note(
            begins,
            close(score, usage, SINGLE),
            f"{broker} is at {usage} and has no history, but its score is {score}",
        )
    else:
        right = before * trial.weight + (1 - trial.weight) * usage
        findings.note(
            "LOA-25",
            close(score, right, SINGLE),
            f"{broker} was at {before} and is at {usage}: the score must be {right}, not {score}",
        )
    course.departed.discard(broker)
    course.scores[broker] = score
    usages = course.usages.setdefault(broker, [])
    usages.append(usage)
    low, high = min(usages) * (1 - SINGLE), max(usages) * (1 + SINGLE)
    findings.note(
        "LOA-29",
        between(low, score, high),
        f"{broker} was never below {low} or above {high}, but its score is {score}",
    )
