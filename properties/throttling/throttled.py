"""Which limits are counted as having cut a read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from evenkeel.properties.throttling.judge_parts import refuses_both
from evenkeel.properties.throttling.reading import (
    ReadLimitsTrial,
    read_limits_labels,
    read_limits_trial,
    reader_of,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import reading
from evenkeel.reference.throttling.reading import Events
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.judge import answers, decision, require_equal
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run


@dataclass(frozen=True, slots=True)
class ThrottledAnswer:
    """By how much each level's counters of throttled reads rise."""

    broker: Events
    topic: Events
    subscription: Events


def answer_throttled(trial: ReadLimitsTrial, edition: Edition) -> ThrottledAnswer:
    levels = trial.broker, trial.topic, trial.subscription
    return ThrottledAnswer(*reading.events(reader_of(trial), levels, edition))


@decision("throttling.throttled", "THR-71", "THR-72")
def judge_throttled(run: Run, case: Case[ReadLimitsTrial, ThrottledAnswer]) -> None:
    trial, observed = case.trial, case.observation
    both = refuses_both(observed, trial.precise, trial.by_entry)
    if not both and answers(run, case, "THR-71") and not isinstance(observed, Refused | Broke):
        levels = ("broker", "topic", "subscription")
        # In precise mode entries are limited by messages: no fewer permits, no cut.
        entries = trial.permits if trial.precise else min(trial.permits, trial.batch_size)
        for unit, whole in (("messages", entries), ("bytes", trial.max_bytes)):
            counted = {level: getattr(getattr(observed, level), unit) for level in levels}
            judge_counted(run, trial, unit, whole, counted)
    require_equal(run, case, "THR-72", what="what is counted")


def judge_counted(
    run: Run, trial: ReadLimitsTrial, unit: str, whole: int, counted: Mapping[str, int]
) -> None:
    """Check one unit's counters: only levels that can cut a read of this size count, once."""
    limits = {level: getattr(getattr(trial, level), unit, -1) for level in counted}
    cutting = {level: n for level, n in limits.items() if 0 <= n < whole and trial.throttled}
    for level, times in counted.items():
        right = times in ((0, 1) if level in cutting else (0,))
        left = f"{limits[level]} of {whole} are left" if trial.throttled else "no limit applies"
        why = f"{level}: {times} events in {unit}, where {left}"
        run.require("THR-71", right, "" if right else why, level if trial.throttled else "exempt")
    in_parts = trial.precise and unit == "messages"
    if cutting and trial.writable and not (trial.used_up or in_parts or trial.replay_outstanding):
        least = min(cutting.values())
        lowest = [level for level, left in cutting.items() if left == least]
        right = any(counted[level] for level in lowest)
        why = f"{lowest[0]}: {least} of {whole} {unit} left, and not counted"
        run.require("THR-71", right, "" if right else why, "lowest")


THROTTLED: Final = Question(
    "throttling.throttled",
    ReadLimitsTrial,
    ThrottledAnswer,
    read_limits_trial,
    answer_throttled,
    read_limits_labels,
)

QUESTIONS: Final = (THROTTLED,)
