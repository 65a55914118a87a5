"""`balancing.defaults`: what are these settings if nobody sets them?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evenkeel.properties.names import require_name
from evenkeel.properties.trial import require
from evenkeel.reference.balancing import defaults
from evenkeel.reference.edition import Edition

MOST_KEYS: Final = 1000


@dataclass(frozen=True, slots=True)
class DefaultsTrial:
    """`balancing.defaults`: what are these settings, by Pulsar's names, if nobody sets them?

    At most 1000, which may be no settings at all.
    """

    keys: tuple[str, ...]

    def __post_init__(self) -> None:
        require(len(self.keys) <= MOST_KEYS, "keys", f"at most {MOST_KEYS}")
        for key in self.keys:
            require_name("keys", key)


@dataclass(frozen=True, slots=True)
class DefaultsAnswer:
    """Each setting's default as text, as broker.conf would have it; null for what is no setting.

    Numbers may be written in any way, classes with or without their package.
    """

    values: tuple[str | None, ...]


def answer_defaults(trial: DefaultsTrial, edition: Edition) -> DefaultsAnswer:
    return DefaultsAnswer(tuple(defaults.default_of(key) for key in trial.keys))


def defaults_labels(trial: DefaultsTrial) -> Iterator[str]:
    yield "several settings" if len(trial.keys) > 1 else "one setting or none"
