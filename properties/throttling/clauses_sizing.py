"""Clauses about estimates: `throttling.averages`, `throttling.entries_for_bytes`."""

from __future__ import annotations

import math

from evenkeel.properties.clause import (
    HOLDS,
    UNEXERCISED,
    Case,
    Finding,
    Violation,
    as_expected,
    unless,
)
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.throttling.book import check
from evenkeel.properties.throttling.trials_sizing import (
    AveragesAnswer,
    AveragesTrial,
    EntriesForBytesAnswer,
    EntriesForBytesTrial,
)

AveragesCase = Case[AveragesTrial, AveragesAnswer]
EntriesCase = Case[EntriesForBytesTrial, EntriesForBytesAnswer]
ENOUGH = 100
"""Equal sends after which the average must have followed."""


@check("THR-33", "throttling.averages")
def averages_lie_between(case: AveragesCase) -> Finding:
    observed, sends = case.observation, case.trial.sends
    if isinstance(observed, Refused | Broke) or len(observed.averages) != len(sends):
        return Violation(f"{len(sends)} sends have no {len(sends)} averages", "shape")
    least, most = math.inf, 0.0
    for send, average in zip(sends, observed.averages, strict=True):
        each = send.messages / send.entries
        least, most = min(least, each), max(most, each)
        if not math.floor(least) <= average <= math.ceil(most):
            return Violation(f"the average is {average}, but {least} to {most} were sent")
    return HOLDS


@check("THR-34", "throttling.averages")
def averages_follow(case: AveragesCase) -> Finding:
    observed, sends = case.observation, case.trial.sends
    steady = sends[-ENOUGH:]
    if isinstance(observed, Refused | Broke) or len(steady) < ENOUGH or len(set(steady)) > 1:
        return UNEXERCISED
    each, average = steady[0].messages / steady[0].entries, observed.averages[-1]
    return unless(
        abs(average - each) <= 1, f"{each} were sent {ENOUGH} times, and the average is {average}"
    )


@check("THR-35", "throttling.averages")
def averages_of_4_0(case: AveragesCase) -> Finding:
    return as_expected(case, "averages")


@check("THR-36", "throttling.entries_for_bytes")
def one_entry_at_least(case: EntriesCase) -> Finding:
    observed, trial = case.observation, case.trial
    if isinstance(observed, Refused | Broke):
        return Violation("there is no answer", "failed")
    if trial.max_bytes == -1:
        return unless(observed.entries == trial.max_entries, "there is no byte limit", "unlimited")
    return unless(
        1 <= observed.entries <= trial.max_entries,
        f"{observed.entries} entries, where 1 to {trial.max_entries} can be asked for",
    )


@check("THR-37", "throttling.entries_for_bytes")
def bytes_are_divided_by_the_average(case: EntriesCase) -> Finding:
    observed, trial = case.observation, case.trial
    if isinstance(observed, Refused | Broke) or trial.max_bytes == -1:
        return UNEXERCISED
    size = trial.publish_size if trial.publish_size is not None else trial.dispatch_size
    least = 1 if size is None else trial.max_bytes // size
    most = 1 if size is None else -(-trial.max_bytes // size)
    least, most = (max(1, min(trial.max_entries, bound)) for bound in (least, most))
    return unless(
        least <= observed.entries <= most,
        f"{observed.entries} entries for {trial.max_bytes} bytes of {size} each",
        "too many" if observed.entries > most else "too few",
    )


@check("THR-38", "throttling.entries_for_bytes")
def estimates_of_4_0(case: EntriesCase) -> Finding:
    return as_expected(case, "entries")
