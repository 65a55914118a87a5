"""One read: THR-24 to THR-32, THR-57, THR-64, THR-65."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.clause import Case
from evenkeel.properties.judging.judge import answers, decision, is_the_answer
from evenkeel.properties.judging.run import Run
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.throttling.reading.trial import ReadLimitsAnswer, ReadLimitsTrial

SECOND: Final = 1000
"""A period in ms, where nothing is said of periods."""

ReadCase = Case[ReadLimitsTrial, ReadLimitsAnswer]


@decision(
    "throttling.read_limits",
    *("THR-24", "THR-25", "THR-26", "THR-27", "THR-28", "THR-29", "THR-30", "THR-31", "THR-32"),
    *("THR-57", "THR-64", "THR-65"),
)
def read_limits(run: Run, case: ReadCase) -> None:
    trial, observed = case.trial, case.observation
    if isinstance(observed, Refused | Broke):
        answers(run, case, "THR-24")
    else:
        used_up = any(0 in (left.messages, left.bytes) for left in trial.levels)
        if observed.blocked:
            run.require("THR-24", True)
            stopped(run, trial, observed, used_up)
        else:
            issued(run, trial, observed, used_up)
    is_the_answer(run, case, "THR-32", "the read")


def stopped(run: Run, trial: ReadLimitsTrial, observed: ReadLimitsAnswer, used_up: bool) -> None:
    """Nothing is read: a quota is used up, or a replay is under way."""
    if trial.throttled and used_up:
        run.require("THR-26", True)
        sentence = "no new look is scheduled: reading stops for good"
        # A dispatcher that waits for its connection, or for a replay, looks when that is over.
        if trial.writable and not trial.replay_outstanding:
            run.require("THR-28", observed.reread is not None, sentence)
        if observed.reread is not None:
            soon = 0 <= observed.reread <= SECOND
            run.require("THR-64", soon, f"a new look in {observed.reread} ms")
    elif trial.writable and not trial.replay_outstanding:
        if not trial.throttled and trial.levels:
            run.require("THR-29", False, "limits are off, and yet nothing is read")
        run.require("THR-27", False, "every quota has something left, and nothing is read")


def issued(run: Run, trial: ReadLimitsTrial, observed: ReadLimitsAnswer, used_up: bool) -> None:
    """A read of so many entries and bytes."""
    entries, size = observed.entries, observed.bytes
    something = entries >= 1 and size >= 1
    why = "" if something else f"a read of {entries} entries and {size} bytes is none"
    run.require("THR-24", something, why)
    if trial.throttled and used_up:
        run.require("THR-26", False, f"a quota is used up, and {entries} entries are read")
    elif trial.writable and not trial.replay_outstanding:
        run.require("THR-27", True)
        if not trial.throttled and trial.levels:
            run.require("THR-29", True)
    if trial.throttled and not used_up:
        within_quotas(run, trial, entries, size)
        if len(trial.levels) > 1 and not trial.precise:
            within_each(run, trial, entries, size)
    if not trial.precise:
        most = min(trial.permits, trial.batch_size)
        why = "" if entries <= most else f"{entries} entries, but {most} may be asked for"
        run.require("THR-31", entries <= most, why)
    elif not trial.by_entry:
        quotas = [left.messages for left in trial.levels if trial.throttled and left.messages >= 0]
        messages, average = min([trial.permits, *quotas]), trial.average_messages
        run.require(
            "THR-30",
            entries <= max(1, -(-messages // max(1, average))),
            lambda: f"{entries} entries of {average} messages for {messages} messages",
        )
    if not trial.replay_outstanding and not (trial.throttled and used_up):
        asks_for_all(run, trial, entries, size)


def asks_for_all(run: Run, trial: ReadLimitsTrial, entries: int, size: int) -> None:
    """No less than permits, batch size and quotas allow (THR-65); precise: to nearest or up."""
    levels = trial.levels if trial.throttled else ()
    quotas = [left.bytes for left in levels if left.bytes >= 0]
    least = min([trial.max_bytes, *quotas])
    why = f"{size} bytes, where {least} may be read"
    run.require("THR-65", size >= least, "" if size >= least else why, "bytes")
    if quotas or not trial.writable or (trial.precise and trial.by_entry):
        return
    messages = min([trial.permits, *(left.messages for left in levels if left.messages >= 0)])
    average = max(1, trial.average_messages) if trial.precise else 1
    nearest = max(1, -(-(2 * messages - average) // (2 * average)))
    fewest = min(nearest, trial.batch_size, trial.max_bytes)
    why = f"{entries} entries, where {fewest} may be read"
    run.require("THR-65", entries >= fewest, "" if entries >= fewest else why, "entries")


def within_quotas(run: Run, trial: ReadLimitsTrial, entries: int, size: int) -> None:
    """Of messages and of bytes, at every level (THR-25)."""
    quotas = [left.messages for left in trial.levels if left.messages >= 0]
    if quotas:
        fits = entries <= min(quotas)
        why = "" if fits else f"{entries} entries, but {min(quotas)} are left"
        run.require("THR-25", fits, why, "entries")
    quotas = [left.bytes for left in trial.levels if left.bytes >= 0]
    if quotas:
        fits = size <= min(quotas)
        run.require(
            "THR-25", fits, "" if fits else f"{size} bytes, but {min(quotas)} are left", "bytes"
        )


def within_each(run: Run, trial: ReadLimitsTrial, entries: int, size: int) -> None:
    """No larger than the read that any one level alone would let through (THR-57).

    Without levels a read has as many entries as there are permits at most; that it is smaller where
    nobody can be written to, or by the sizes of batches and reads, is practice (THR-30, THR-31).
    """
    for left in trial.levels:
        entries_left = trial.permits if left.messages < 0 else min(trial.permits, left.messages)
        bytes_left = size if left.bytes < 0 else left.bytes
        fits = entries <= entries_left and size <= bytes_left
        why = f"{entries} entries and {size} bytes; one level alone lets {entries_left} and "
        run.require("THR-57", fits, "" if fits else f"{why}{bytes_left} through")
