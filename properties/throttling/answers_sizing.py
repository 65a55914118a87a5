"""How the reference answers the questions about estimates."""

from __future__ import annotations

from evenkeel.properties.throttling.trials_sizing import (
    AveragesAnswer,
    AveragesTrial,
    EntriesForBytesAnswer,
    EntriesForBytesTrial,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import sizing
from evenkeel.reference.throttling.sizing import Sizes


def answer_averages(trial: AveragesTrial, edition: Edition) -> AveragesAnswer:
    """The published average after each send; the same in all editions."""
    del edition
    average, published = 0.0, []
    for send in trial.sends:
        average = sizing.average_after(average, send.messages, send.entries)
        published.append(sizing.published_average(average))
    return AveragesAnswer(tuple(published))


def answer_entries_for_bytes(
    trial: EntriesForBytesTrial, edition: Edition
) -> EntriesForBytesAnswer:
    """The estimate."""
    sizes = Sizes(trial.publish_size, trial.dispatch_size)
    return EntriesForBytesAnswer(
        sizing.entries_for_bytes(
            trial.max_entries, trial.max_bytes, trial.ledgers, trial.position, sizes, edition
        )
    )
