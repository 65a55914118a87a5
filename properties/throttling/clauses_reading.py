"""Clauses about one read: `throttling.read_limits`."""

from __future__ import annotations

from evenkeel.properties.clause import (
    HOLDS,
    UNEXERCISED,
    Case,
    Finding,
    Violation,
    as_expected,
    describe,
    unless,
)
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.throttling.book import check
from evenkeel.properties.throttling.trials_reading import ReadLimitsAnswer, ReadLimitsTrial

ReadCase = Case[ReadLimitsTrial, ReadLimitsAnswer]


def answer_of(case: ReadCase) -> ReadLimitsAnswer | None:
    """The answer; None where the subject refused or broke, which THR-24 notices."""
    observed = case.observation
    return None if isinstance(observed, Refused | Broke) else observed


def used_up(trial: ReadLimitsTrial) -> bool:
    """Whether limits apply and one quota has nothing left."""
    return trial.throttled and any(0 in (x.messages, x.bytes) for x in trial.levels)


@check("THR-24", "throttling.read_limits")
def reads_ask_for_something(case: ReadCase) -> Finding:
    answer = answer_of(case)
    if answer is None:
        return Violation(f"the dispatcher {describe(case.observation)}", "failed")
    something = answer.entries >= 1 and answer.bytes >= 1
    return unless(
        something or answer.blocked,
        f"a read of {answer.entries} entries and {answer.bytes} bytes is none",
    )


@check("THR-25", "throttling.read_limits")
def all_levels_limit(case: ReadCase) -> Finding:
    answer = answer_of(case)
    if answer is None or answer.blocked or not case.trial.throttled or not case.trial.levels:
        return UNEXERCISED
    for left in case.trial.levels:
        if 0 <= left.messages < answer.entries:
            return Violation(f"{answer.entries} entries, but {left.messages} are left", "entries")
        if 0 <= left.bytes < answer.bytes:
            return Violation(f"{answer.bytes} bytes, but {left.bytes} are left", "bytes")
    return HOLDS


@check("THR-26", "throttling.read_limits")
def used_up_quotas_stop_reading(case: ReadCase) -> Finding:
    answer = answer_of(case)
    if answer is None or not used_up(case.trial):
        return UNEXERCISED
    return unless(answer.blocked, f"a quota is used up, and {answer.entries} entries are read")


@check("THR-27", "throttling.read_limits")
def reading_goes_on(case: ReadCase) -> Finding:
    answer = answer_of(case)
    if answer is None or used_up(case.trial) or case.trial.replay_outstanding:
        return UNEXERCISED
    return unless(not answer.blocked, "every quota has something left, and nothing is read")


@check("THR-28", "throttling.read_limits")
def a_new_look_follows(case: ReadCase) -> Finding:
    answer = answer_of(case)
    if answer is None or not answer.blocked or not used_up(case.trial):
        return UNEXERCISED
    return unless(answer.reread is not None, "no new look is scheduled: reading stops for good")


@check("THR-29", "throttling.read_limits")
def limits_can_be_off(case: ReadCase) -> Finding:
    answer, trial = answer_of(case), case.trial
    if answer is None or trial.throttled or trial.replay_outstanding or not trial.levels:
        return UNEXERCISED
    return unless(not answer.blocked, "limits are off, and yet nothing is read")


@check("THR-30", "throttling.read_limits")
def precise_reads_divide_the_quota(case: ReadCase) -> Finding:
    answer, trial = answer_of(case), case.trial
    if answer is None or answer.blocked or not trial.precise or trial.by_entry:
        return UNEXERCISED
    quotas = [x.messages for x in trial.levels if x.messages >= 0] if trial.throttled else []
    messages = min([trial.permits, *quotas])
    most = -(-messages // max(1, trial.average_messages))
    return unless(
        answer.entries <= max(1, most),
        f"{answer.entries} entries of {trial.average_messages} messages for {messages} messages",
    )


@check("THR-31", "throttling.read_limits")
def reads_are_within_permits_and_batch(case: ReadCase) -> Finding:
    answer, trial = answer_of(case), case.trial
    if answer is None or answer.blocked or trial.precise:
        return UNEXERCISED
    most = min(trial.permits, trial.batch_size)
    return unless(answer.entries <= most, f"{answer.entries} entries, but {most} may be asked for")


@check("THR-32", "throttling.read_limits")
def reads_of_4_0(case: ReadCase) -> Finding:
    return as_expected(case, "the read")
