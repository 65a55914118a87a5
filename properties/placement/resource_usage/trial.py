"""`placement.least_resource_usage_modular` and `placement.least_resource_usage_extensible`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from evenkeel.properties.observations import CommandBroke
from evenkeel.properties.placement.asks import (
    MOST_BUNDLES,
    AskResult,
    AsksAnswer,
    ChoicesAnswer,
    Chosen,
    Done,
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
from evenkeel.reference.errors import Breakage
from evenkeel.reference.placement import resource_usage
from evenkeel.reference.placement.arithmetic import Number, number
from evenkeel.reference.placement.resource_usage import UsageConfig, UsageReport


@dataclass(frozen=True, slots=True)
class Report:
    """A broker reports."""

    DO: ClassVar[str] = "report"
    broker: str
    report: UsageReport

    def __post_init__(self) -> None:
        require_names("broker", [self.broker])
        require_resources("report.resources", self.report.resources)
        few = 0 <= self.report.bundles <= MOST_BUNDLES
        require(few, "report.bundles", f"must be 0 to {MOST_BUNDLES}")
        require_amount("report.rate_in", self.report.rate_in)
        require_amount("report.rate_out", self.report.rate_out)


@dataclass(frozen=True, slots=True)
class Active:
    """These brokers are active now, and no others."""

    DO: ClassVar[str] = "active"
    brokers: tuple[str, ...]

    def __post_init__(self) -> None:
        require_names("brokers", self.brokers)


@dataclass(frozen=True, slots=True)
class Ask:
    """Choose one of the candidates, which are different, so often (1 to 1000)."""

    DO: ClassVar[str] = "ask"
    candidates: tuple[str, ...]
    times: int = 1

    def __post_init__(self) -> None:
        require_names("candidates", self.candidates)
        require_times(self.times)


UsageCommand = Report | Active | Ask


@dataclass(frozen=True, slots=True)
class ModularUsageTrial:
    """`placement.least_resource_usage_modular`: reports come, and bundles are placed."""

    config: UsageConfig
    commands: tuple[UsageCommand, ...]

    def __post_init__(self) -> None:
        require_integer("config.difference", self.config.difference)
        require_weights(self.config.weights)
        require(0 <= self.config.history <= 1, "config.history", "must be 0 to 1")


@dataclass(frozen=True, slots=True)
class UsedBroker:
    """A candidate and its usage in the load data (1 = 100 %); null without load data."""

    name: str
    usage: float | None

    def __post_init__(self) -> None:
        if self.usage is not None:
            require_amount("usage", self.usage)
            require(self.usage < 1e12, "usage", "must be below 10^12")


@dataclass(frozen=True, slots=True)
class ExtensibleUsageTrial:
    """`placement.least_resource_usage_extensible`: which broker is a bundle given to, ask
    after ask?

    `difference`: points below the mean.

    `candidates` are different; `times` (1 to 1000): how often one of them is asked for.
    """

    difference: int
    candidates: tuple[UsedBroker, ...]
    times: int

    def __post_init__(self) -> None:
        require_integer("difference", self.difference)
        require_names("candidates", [broker.name for broker in self.candidates])
        require_times(self.times)


def answer_modular_usage(trial: ModularUsageTrial, edition: Edition) -> AsksAnswer:
    """One result for each command."""
    history: dict[str, Number] = {}
    reports: dict[str, UsageReport] = {}
    results: list[AskResult] = []
    turn = 0
    for command in trial.commands:
        if isinstance(command, Report):
            reports[command.broker] = command.report
            results.append(Done())
        elif isinstance(command, Active):
            history = resource_usage.remembered(history, command.brokers)
            results.append(Done())
        else:
            choices: list[str | None] = []
            try:
                for _ in range(command.times):
                    usages = resource_usage.look(
                        history, command.candidates, reports, trial.config, edition
                    )
                    [allowed, *_] = resource_usage.allowed_sets(
                        command.candidates, usages, trial.config.difference, edition
                    )
                    choices.append(choose(allowed, turn))
                    turn += 1
                results.append(Chosen(tuple(choices)))
            except Breakage as error:
                results.append(CommandBroke(type(error).__name__))
    return AsksAnswer(tuple(results))


def answer_extensible_usage(trial: ExtensibleUsageTrial, edition: Edition) -> ChoicesAnswer:
    """A choice for each ask."""
    allowed = extensible_sets(trial, edition)[0]
    return ChoicesAnswer(tuple(choose(allowed, turn) for turn in range(trial.times)))


def extensible_sets(trial: ExtensibleUsageTrial, edition: Edition) -> tuple[tuple[str, ...], ...]:
    """The allowed brokers of the extensible manager's strategy."""
    names = [broker.name for broker in trial.candidates]
    usages = {
        broker.name: number(broker.usage, edition)
        for broker in trial.candidates
        if broker.usage is not None
    }
    return resource_usage.allowed_sets(names, usages, trial.difference, edition)


def modular_usage_labels(trial: ModularUsageTrial) -> Iterator[str]:
    """Asks, and what happens between them."""
    if any(isinstance(command, Active) for command in trial.commands):
        yield "brokers leave"
    for command in trial.commands:
        if isinstance(command, Report) and command.report.idle:
            yield "an idle broker"
            break


def extensible_usage_labels(trial: ExtensibleUsageTrial) -> Iterator[str]:
    """Candidates and their load data."""
    yield from times_labels(trial.times)
    known = [broker for broker in trial.candidates if broker.usage is not None]
    if len(known) < len(trial.candidates):
        yield "no load data" if not known else "some load data"
