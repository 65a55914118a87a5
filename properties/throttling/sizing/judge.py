"""Estimates: THR-33 to THR-38."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from evenkeel.properties.clause import Case
from evenkeel.properties.judging.judge import answers, decision, is_the_answer
from evenkeel.properties.judging.run import Run
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.throttling.sizing.trial import (
    AveragesAnswer,
    AveragesTrial,
    EntriesForBytesAnswer,
    EntriesForBytesTrial,
    Send,
)

ENOUGH: Final = 100
"""Equal sends after which the average must have followed."""


@decision("throttling.averages", "THR-33", "THR-34", "THR-35")
def averages(run: Run, case: Case[AveragesTrial, AveragesAnswer]) -> None:
    observed, sends = case.observation, case.trial.sends
    if isinstance(observed, Refused | Broke) or len(observed.averages) != len(sends):
        run.require("THR-33", False, f"{len(sends)} sends, and {observed}", "shape")
    else:
        wrong = outside(sends, observed.averages)
        run.require("THR-33", not wrong, wrong)
        follows(run, sends[-ENOUGH:], observed.averages[-1:])
    is_the_answer(run, case, "THR-35", "averages")


def outside(sends: Sequence[Send], averages: Sequence[int]) -> str:
    """The first average that does not lie between what was sent; empty if all do."""
    least, most = math.inf, 0.0
    for send, average in zip(sends, averages, strict=True):
        each = send.messages / send.entries
        least, most = min(least, each), max(most, each)
        if not math.floor(least) <= average <= math.ceil(most):
            return f"the average is {average}, but {least} to {most} were sent"
    return ""


def follows(run: Run, steady: Sequence[Send], last: Sequence[int]) -> None:
    """After so many equal sends the average is at most one away (THR-34)."""
    if len(steady) == ENOUGH and len(set(steady)) == 1:
        each = steady[0].messages / steady[0].entries
        why = f"{each} were sent {ENOUGH} times, and the average is {last[0]}"
        run.require("THR-34", abs(last[0] - each) <= 1, why)


@decision("throttling.entries_for_bytes", "THR-36", "THR-37", "THR-38")
def entries_for_bytes(run: Run, case: Case[EntriesForBytesTrial, EntriesForBytesAnswer]) -> None:
    observed, trial = case.observation, case.trial
    if isinstance(observed, Refused | Broke):
        answers(run, case, "THR-36")
    elif trial.max_bytes == -1:
        right = observed.entries == trial.max_entries
        run.require("THR-36", right, "there is no byte limit", "unlimited")
    else:
        divided(run, trial, observed.entries)
    is_the_answer(run, case, "THR-38", "entries")


def divided(run: Run, trial: EntriesForBytesTrial, entries: int) -> None:
    """Bytes divided by the average size, rounded either way; one entry where none is known."""
    wanted, size = trial.max_entries, trial.publish_size or trial.dispatch_size
    fits = 1 <= entries <= wanted
    why = "" if fits else f"{entries} entries, where 1 to {wanted} can be asked for"
    run.require("THR-36", fits, why)
    least = 1 if size is None else max(1, min(wanted, trial.max_bytes // size))
    most = 1 if size is None else max(1, min(wanted, -(-trial.max_bytes // size)))
    if least <= entries <= most:
        run.require("THR-37", True)
    else:
        why = f"{entries} entries for {trial.max_bytes} bytes of {size} each"
        run.require("THR-37", False, why, "too many" if entries > most else "too few")
