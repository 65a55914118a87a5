"""The questions about estimates and about the dispatch loop."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from operator import attrgetter
from typing import Any, Final

from evenkeel.properties.question import Question
from evenkeel.properties.throttling import (
    answers_loop,
    answers_sizing,
    generators_loop,
    generators_sizing,
)
from evenkeel.properties.throttling.trials_loop import (
    ChangeConsumer,
    Complete,
    ConfigureLevel,
    LoopAnswer,
    LoopTrial,
    ReadNow,
    Redeliver,
    Seek,
)
from evenkeel.properties.throttling.trials_sizing import (
    AveragesAnswer,
    AveragesTrial,
    EntriesForBytesAnswer,
    EntriesForBytesTrial,
)


def averages_labels(trial: AveragesTrial) -> Iterator[str]:
    """What the sends are like."""
    if not trial.sends:
        yield "no sends"
    exact = {(send.messages, send.entries) for send in trial.sends}
    yield "equal sends" if len(exact) <= 1 else "different sends"
    if any(send.messages % send.entries for send in trial.sends):
        yield "uneven batches"


def entries_for_bytes_labels(trial: EntriesForBytesTrial) -> Iterator[str]:
    """Where the read begins, and what is known."""
    yield "one ledger" if len(trial.ledgers) == 1 else "several ledgers"
    if trial.max_bytes == -1:
        yield "no byte limit"
    if not 0 <= trial.position.ledger < len(trial.ledgers):
        yield "position outside"
    elif trial.position.entry > 0:
        yield "inside a ledger"
    if all(ledger.empty for ledger in trial.ledgers):
        yield "only empty ledgers"
    if trial.publish_size is None:
        yield "no publish size" if trial.dispatch_size is not None else "no sizes known"


def loop_labels(trial: LoopTrial) -> Iterator[str]:
    """Mechanism, how many share a quota, and what happens meanwhile."""
    yield trial.settings.mechanism.value
    yield "one subscription" if trial.subscriptions == 1 else "several subscriptions"
    if len(trial.topics) > 1:
        yield "several topics"
    if trial.settings.precise:
        yield "precise"
    if trial.settings.by_entry:
        yield "entries counted"
    reads = [c for c in trial.commands if isinstance(c, ReadNow | Complete)]
    if any(isinstance(a, ReadNow) and isinstance(b, ReadNow) for a, b in pairwise(reads)):
        yield "reads overlap"
    for kind, label in (
        (Redeliver, "redelivery"),
        (Seek, "seek"),
        (ChangeConsumer, "consumer change"),
        (ConfigureLevel, "configured while running"),
    ):
        if any(isinstance(command, kind) for command in trial.commands):
            yield label


AVERAGES: Final = Question(
    "throttling.averages",
    AveragesTrial,
    AveragesAnswer,
    generators_sizing.averages_trial,
    answers_sizing.answer_averages,
    averages_labels,
)
ENTRIES_FOR_BYTES: Final = Question(
    "throttling.entries_for_bytes",
    EntriesForBytesTrial,
    EntriesForBytesAnswer,
    generators_sizing.entries_for_bytes_trial,
    answers_sizing.answer_entries_for_bytes,
    entries_for_bytes_labels,
)
LOOP: Final = Question(
    "throttling.loop",
    LoopTrial,
    LoopAnswer,
    generators_loop.loop_trial,
    answers_loop.answer_loop,
    loop_labels,
    commands=attrgetter("commands"),
)

QUESTIONS: Final[tuple[Question[Any, Any], ...]] = (AVERAGES, ENTRIES_FOR_BYTES, LOOP)
