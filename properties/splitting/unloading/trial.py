"""Trials and answers of `splitting.unloading`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evenkeel.properties.names import require_broker, require_new_bundle
from evenkeel.properties.splitting.manual.trial import Manager
from evenkeel.properties.trial import require, require_different
from evenkeel.reference.edition import Edition
from evenkeel.reference.splitting import unloading
from evenkeel.reference.splitting.settings import UnloadRules

MOST: Final = 1000


@dataclass(frozen=True, slots=True)
class OwnedBundle:
    """A bundle with several topics, and the broker that serves it."""

    bundle: str
    owner: str

    def __post_init__(self) -> None:
        require_new_bundle("bundle", self.bundle)
        lower, upper = self.bundle.rpartition("/")[2].split("_")
        room = int(upper, 16) - int(lower, 16) > 1
        require(room, "bundle", f"{self.bundle} must have room for a cut")


@dataclass(frozen=True, slots=True)
class UnloadingTrial:
    """`splitting.unloading`: these bundles exceed a threshold and are split automatically; which
    of the splits unload their children?

    `brokers` are all that are there, the owners among them; each may serve every bundle. The
    leader knows of more than one, of which those that are not named are gone by now.
    """

    manager: Manager
    config: UnloadRules
    brokers: tuple[str, ...]
    splits: tuple[OwnedBundle, ...]

    def __post_init__(self) -> None:
        require_different("brokers", self.brokers)
        for broker in self.brokers:
            require_broker("brokers", broker)
        require_different("splits", (split.bundle for split in self.splits))
        require(len(self.splits) <= MOST, "splits", f"at most {MOST}")
        for split in self.splits:
            there = split.owner in self.brokers
            require(there, "splits", f"{split.owner} must be one of the brokers")


@dataclass(frozen=True, slots=True)
class UnloadingAnswer:
    """For each split, in the order of the trial: whether its children are unloaded."""

    unloads: tuple[bool, ...]


def answer_unloading(trial: UnloadingTrial, edition: Edition) -> UnloadingAnswer:
    extensible = trial.manager is Manager.EXTENSIBLE
    return UnloadingAnswer(
        tuple(
            unloading.unloads_children(
                extensible, trial.config, split.owner, trial.brokers, edition
            )
            for split in trial.splits
        )
    )


def unloading_labels(trial: UnloadingTrial) -> Iterator[str]:
    """Who decides, and what could keep children where they are."""
    yield trial.manager.value
    if not trial.config.unload_split:
        yield "switched off"
    if len(trial.brokers) == 1:
        yield "one broker"
