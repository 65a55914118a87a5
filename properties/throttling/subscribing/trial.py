"""Trials and answers of `throttling.subscribing`: how often a consumer may subscribe."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from evenkeel.properties.observations import CommandBroke, CommandRefused
from evenkeel.properties.throttling.commands import (
    MILLI,
    Advance,
    Done,
)
from evenkeel.properties.trial import Tagged, Within, require
from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import subscribing
from evenkeel.reference.throttling.subscribing import SubscribeRate, Subscribing


def require_subscribe_rate(place: str, rate: SubscribeRate) -> None:
    for value in (rate.attempts, rate.period):
        require(-(2**31) <= value < 2**31, place, "must consist of 32-bit integers")


@dataclass(frozen=True, slots=True)
class Attempt(Tagged):
    """This consumer tries to subscribe."""

    consumer: Annotated[int, Within(0, 2**31 - 1)]


@dataclass(frozen=True, slots=True)
class Reconfigure(Tagged):
    """Another rate takes effect."""

    rate: SubscribeRate

    def __post_init__(self) -> None:
        require_subscribe_rate("rate", self.rate)


SubscribingCommand = Attempt | Advance | Reconfigure


@dataclass(frozen=True, slots=True)
class SubscribingTrial:
    """`throttling.subscribing`: consumers of one topic try to subscribe, again and again."""

    rate: SubscribeRate
    commands: tuple[SubscribingCommand, ...]

    def __post_init__(self) -> None:
        require_subscribe_rate("rate", self.rate)


@dataclass(frozen=True, slots=True)
class Allowed(Tagged):
    """Answer to `Attempt`."""

    allowed: bool


SubscribingResult = Allowed | Done | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class SubscribingAnswer:
    """One result for each command."""

    results: tuple[SubscribingResult, ...]


def answer_subscribing(trial: SubscribingTrial, edition: Edition) -> SubscribingAnswer:
    state, now = Subscribing(trial.rate), 0
    results: list[SubscribingResult] = []
    for command in trial.commands:
        if isinstance(command, Advance):
            now += command.millis * MILLI
            results.append(Done())
            continue
        state, result = use_subscribing(state, command, now, edition)
        results.append(result)
    return SubscribingAnswer(tuple(results))


def use_subscribing(
    state: Subscribing, command: SubscribingCommand, now: int, edition: Edition
) -> tuple[Subscribing, SubscribingResult]:
    match command:
        case Attempt(consumer):
            state, allowed = subscribing.attempt(state, consumer, now, edition)
            return state, Allowed(allowed)
        case Reconfigure(rate):
            return subscribing.configure(state, rate, now), Done()
        case Advance():
            return state, Done()


def subscribing_labels(trial: SubscribingTrial) -> Iterator[str]:
    yield "limited" if trial.rate.attempts > 0 and trial.rate.period > 0 else "unlimited"
    if any(isinstance(command, Reconfigure) for command in trial.commands):
        yield "configured while running"
