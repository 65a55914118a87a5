"""Trials and answers of `throttling.default`: what a key of broker.conf is if nobody sets it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evenkeel.properties.trial import require
from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import configuration


@dataclass(frozen=True, slots=True)
class DefaultTrial:
    """`throttling.default`: a key of dispatch throttling."""

    key: str

    def __post_init__(self) -> None:
        require(self.key in configuration.BY_NAME, "key", "must be a key of dispatch throttling")


@dataclass(frozen=True, slots=True)
class DefaultAnswer:
    """Its default, as it would stand in broker.conf."""

    value: str


def answer_default(trial: DefaultTrial, edition: Edition) -> DefaultAnswer:
    return DefaultAnswer(configuration.default_of(trial.key, edition))


def default_labels(trial: DefaultTrial) -> Iterator[str]:
    yield trial.key
