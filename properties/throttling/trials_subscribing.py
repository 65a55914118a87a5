"""Trials and answers about how often a consumer may subscribe: `throttling.subscribing`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from evenkeel.properties.observations import CommandBroke, CommandRefused
from evenkeel.properties.throttling.trials_quota import Advance, Done
from evenkeel.properties.trial import require
from evenkeel.reference.throttling.subscribing import SubscribeRate


def require_subscribe_rate(place: str, rate: SubscribeRate) -> None:
    """Both parts are 32-bit integers."""
    for value in (rate.attempts, rate.period):
        require(-(2**31) <= value < 2**31, place, "must consist of 32-bit integers")


@dataclass(frozen=True, slots=True)
class Attempt:
    """This consumer tries to subscribe."""

    DO: ClassVar[str] = "attempt"
    consumer: int

    def __post_init__(self) -> None:
        require(0 <= self.consumer < 2**31, "consumer", "must be 0 or more")


@dataclass(frozen=True, slots=True)
class Reconfigure:
    """Another rate takes effect."""

    DO: ClassVar[str] = "reconfigure"
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
class Allowed:
    """Answer to `Attempt`."""

    DO: ClassVar[str] = "allowed"
    allowed: bool


SubscribingResult = Allowed | Done | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class SubscribingAnswer:
    """One result for each command."""

    results: tuple[SubscribingResult, ...]
