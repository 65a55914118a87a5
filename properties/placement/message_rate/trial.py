"""`placement.least_long_term_message_rate`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evenkeel.properties.placement.asks import (
    EXACT,
    ChoicesAnswer,
    choose,
    require_amount,
    require_integer,
    require_names,
    require_resources,
    require_times,
    require_weights,
    times_labels,
)
from evenkeel.properties.trial import require
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.usage import Weights
from evenkeel.reference.placement import message_rate
from evenkeel.reference.placement.message_rate import RateReport


@dataclass(frozen=True, slots=True)
class RatedBroker:
    """A broker and what is known of it."""

    name: str
    report: RateReport

    def __post_init__(self) -> None:
        require_resources("report.resources", self.report.resources)
        require_amount("report.rate_in", self.report.rate_in)
        require_amount("report.rate_out", self.report.rate_out)
        allowed = all(0 <= rate < EXACT for rate in self.report.preallocated)
        require(allowed, "report.preallocated", "must be 0 or more, below 2^31")


@dataclass(frozen=True, slots=True)
class MessageRateTrial:
    """`placement.least_long_term_message_rate`: which broker is a bundle given to, ask after ask?

    `threshold`: percent, above which a broker is overloaded.

    `candidates` are different; `times` (1 to 1000): how often one of them is asked for.
    """

    threshold: int
    weights: Weights
    brokers: tuple[RatedBroker, ...]
    candidates: tuple[str, ...]
    times: int

    def __post_init__(self) -> None:
        require_integer("threshold", self.threshold)
        require_weights(self.weights)
        require_names("brokers", [broker.name for broker in self.brokers])
        require_names("candidates", self.candidates)
        require_times(self.times)

    @property
    def reports(self) -> dict[str, RateReport]:
        """The reports by broker."""
        return {broker.name: broker.report for broker in self.brokers}


def answer_message_rate(trial: MessageRateTrial, edition: Edition) -> ChoicesAnswer:
    """A choice for each ask."""
    allowed = message_rate.least_loaded(
        trial.candidates, trial.reports, trial.threshold, trial.weights, edition
    )
    return ChoicesAnswer(tuple(choose(allowed, turn) for turn in range(trial.times)))


def message_rate_labels(trial: MessageRateTrial) -> Iterator[str]:
    """Candidates, preallocated bundles."""
    yield from times_labels(trial.times)
    if not trial.candidates:
        yield "no candidates"
    if not trial.reports.keys() >= set(trial.candidates):
        yield "a candidate without a report"
    if any(broker.report.preallocated for broker in trial.brokers):
        yield "preallocated bundles"
