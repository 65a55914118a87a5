"""Trials and answers of `throttling.policy`: which limits are in force."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evenkeel.properties.observations import CommandBroke, CommandRefused
from evenkeel.properties.throttling.commands import (
    require_rate,
)
from evenkeel.properties.trial import Tagged, require
from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import rates
from evenkeel.reference.throttling.limiter import EARLIER, Mechanism
from evenkeel.reference.throttling.rates import BrokerConfig, DispatchRate, Level, Limits, Policies


def require_policy(level: Level, rate: DispatchRate | None) -> None:
    """What a period of 0 or less does depends on the limiter: `throttling.quota` asks it."""
    require(level is not Level.BROKER, "level", "must be topic or subscription")
    require_rate("rate", rate)
    require(rate is None or rate.period >= 1, "rate.period", "must be 1 or more")


@dataclass(frozen=True, slots=True)
class SetBroker(Tagged):
    """The configuration changes while the broker runs."""

    config: BrokerConfig

    def __post_init__(self) -> None:
        require_config("config", self.config)


@dataclass(frozen=True, slots=True)
class SetNamespace(Tagged):
    """The namespace's policy for its topics or subscriptions is set; null removes it.

    A policy that is set counts, also where it is -1: then there is no limit.
    """

    level: Level
    rate: DispatchRate | None

    def __post_init__(self) -> None:
        require_policy(self.level, self.rate)


@dataclass(frozen=True, slots=True)
class SetTopic(Tagged):
    """The topic's own policy for itself or its subscriptions is set; null removes it.

    A policy that is set counts, also where it is -1: then there is no limit.
    """

    level: Level
    rate: DispatchRate | None

    def __post_init__(self) -> None:
        require_policy(self.level, self.rate)


@dataclass(frozen=True, slots=True)
class Subscribe(Tagged):
    """The first consumer of the subscription comes; its limits matter from now on."""


PolicyCommand = SetBroker | SetNamespace | SetTopic | Subscribe


def require_config(place: str, config: BrokerConfig) -> None:
    for level in Level:
        rate = config.rate(level)
        require_rate(f"{place}.{level.value}", rate)


@dataclass(frozen=True, slots=True)
class PolicyTrial:
    """`throttling.policy`: a topic with one subscription, while policies come and go.

    A limit of 0 or less is none, wherever it stands (THR-1; document 004 names -1 alone). Who means
    by 0 that nothing may be delivered skips a trial with such limits.
    """

    mechanism: Mechanism
    start: BrokerConfig
    commands: tuple[PolicyCommand, ...]

    def __post_init__(self) -> None:
        require(self.mechanism not in EARLIER, "mechanism", "must be classic or bucket")
        require_config("start", self.start)


@dataclass(frozen=True, slots=True)
class InForce(Tagged):
    """The limits of each level after a command, -1 without a limit.

    Those of the subscription are -1 before `subscribe`.
    """

    broker: Limits
    topic: Limits
    subscription: Limits


PolicyResult = InForce | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class PolicyAnswer:
    """One result for each command."""

    results: tuple[PolicyResult, ...]


def answer_policy(trial: PolicyTrial, edition: Edition) -> PolicyAnswer:
    policies, subscribed = Policies(trial.start), False
    results = []
    for command in trial.commands:
        subscribed = subscribed or isinstance(command, Subscribe)
        policies = changed(policies, command)
        results.append(in_force(policies, subscribed, edition))
    return PolicyAnswer(tuple(results))


def changed(policies: Policies, command: PolicyCommand) -> Policies:
    match command:
        case SetBroker(config):
            return rates.with_configuration(policies, config)
        case SetNamespace(level, rate):
            return rates.with_namespace(policies, level, rate)
        case SetTopic(level, rate):
            return rates.with_topic(policies, level, rate)
        case Subscribe():
            return policies


def in_force(policies: Policies, subscribed: bool, edition: Edition) -> InForce:
    limits = {level: rates.in_force(rates.rate_at(policies, level, edition)) for level in Level}
    subscription = limits[Level.SUBSCRIPTION] if subscribed else Limits()
    return InForce(limits[Level.BROKER], limits[Level.TOPIC], subscription)


def policy_labels(trial: PolicyTrial) -> Iterator[str]:
    yield trial.mechanism.value
    if any(isinstance(command, SetBroker) for command in trial.commands):
        yield "configuration changes"
    if any(isinstance(command, Subscribe) for command in trial.commands):
        yield "subscribed"
