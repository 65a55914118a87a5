"""The questions of the chapter *splitting*."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from operator import attrgetter
from typing import Any, Final

from evenkeel.properties.question import Question
from evenkeel.properties.splitting import (
    answers,
    generators_due,
    generators_life,
    generators_manual,
    generators_positions,
)
from evenkeel.properties.splitting.trials_due import (
    ExtensibleDueAnswer,
    ExtensibleDueTrial,
    ModularDueAnswer,
    ModularDueTrial,
)
from evenkeel.properties.splitting.trials_life import LifeAnswer, LifeTrial, Split
from evenkeel.properties.splitting.trials_manual import ManualAnswer, ManualTrial
from evenkeel.properties.splitting.trials_positions import (
    ApplyAnswer,
    ApplyTrial,
    PositionsAnswer,
    PositionsTrial,
)
from evenkeel.reference.bundles.boundaries import bundles_of
from evenkeel.reference.bundles.ranges import TOP_HASH
from evenkeel.reference.bundles.topics import topic_hash
from evenkeel.reference.splitting.algorithms import SplitAlgorithm, can_split


def positions_labels(trial: PositionsTrial) -> Iterator[str]:
    """Algorithm, number of topics, and what is special about their hashes."""
    yield trial.algorithm.value
    if not can_split(trial.bundle):
        yield "too small to be cut"
    if trial.bundle.upper_included:
        yield "last bundle"
    if trial.algorithm in (SplitAlgorithm.TOPIC_COUNT, SplitAlgorithm.FLOW):
        hashes = sorted(topic_hash(load.topic) for load in trial.topics)
        yield f"{min(len(hashes), 2)}{' or more' if len(hashes) >= 2 else ''} topics"
        gaps = {right - left for left, right in pairwise(hashes)}
        if 0 in gaps:
            yield "colliding topics"
        if 1 in gaps:
            yield "neighbouring topics"
        if TOP_HASH in hashes:
            yield "topic with the last hash"


def apply_labels(trial: ApplyTrial) -> Iterator[str]:
    """What is wrong, or how many cuts."""
    if trial.target not in bundles_of(trial.boundaries):
        yield "no such bundle"
    if not all(trial.target.lower < p < trial.target.upper for p in trial.positions):
        yield "position outside"
    if len(set(trial.positions)) < len(trial.positions):
        yield "repeated position"
    yield "one position" if len(trial.positions) == 1 else "several positions"


def modular_labels(trial: ModularDueTrial) -> Iterator[str]:
    """Whether anything is decided, and how long the trial is."""
    if not trial.config.split_enabled:
        yield "switched off"
    if not trial.leader:
        yield "not the leader"
    if trial.known_brokers <= 1:
        yield "one broker"
    yield "one round" if len(trial.rounds) == 1 else "several rounds"


def extensible_labels(trial: ExtensibleDueTrial) -> Iterator[str]:
    """How long the trial is, and what stands in the way."""
    if not trial.config.split_enabled:
        yield "switched off"
    if any(cycle.splitting for cycle in trial.cycles):
        yield "bundles in state Splitting"
    if any(len(own.positions) > 1 for cycle in trial.cycles for own in cycle.loads):
        yield "several positions"
    enough = len(trial.cycles) > trial.config.hit_count_threshold
    yield "enough cycles" if enough else "too few cycles"


def manual_labels(trial: ManualTrial) -> Iterator[str]:
    """Manager, selector and algorithm."""
    yield trial.manager.value
    yield trial.selector if trial.selector in ("LARGEST", "HOT") else "by range"
    yield trial.algorithm or "default algorithm"
    if not trial.owned:
        yield "not owned"


def life_labels(trial: LifeTrial) -> Iterator[str]:
    """How many splits, and whether others write in between."""
    splits = [command for command in trial.commands if isinstance(command, Split)]
    yield f"{min(len(splits), 3)}{' or more' if len(splits) >= 3 else ''} splits"
    if any(split.rivals for split in splits):
        yield "rivals"
    if any(len(split.rivals) >= 8 for split in splits):
        yield "eight or more rivals"


POSITIONS: Final = Question(
    "splitting.positions",
    PositionsTrial,
    PositionsAnswer,
    generators_positions.positions_trial,
    answers.answer_positions,
    positions_labels,
)
APPLY: Final = Question(
    "splitting.apply",
    ApplyTrial,
    ApplyAnswer,
    generators_positions.apply_trial,
    answers.answer_apply,
    apply_labels,
)
DUE_MODULAR: Final = Question(
    "splitting.due_modular",
    ModularDueTrial,
    ModularDueAnswer,
    generators_due.modular_trial,
    answers.answer_modular,
    modular_labels,
)
DUE_EXTENSIBLE: Final = Question(
    "splitting.due_extensible",
    ExtensibleDueTrial,
    ExtensibleDueAnswer,
    generators_due.extensible_trial,
    answers.answer_extensible,
    extensible_labels,
)
MANUAL: Final = Question(
    "splitting.manual",
    ManualTrial,
    ManualAnswer,
    generators_manual.manual_trial,
    answers.answer_manual,
    manual_labels,
)
LIFE: Final = Question(
    "splitting.life",
    LifeTrial,
    LifeAnswer,
    generators_life.life_trial,
    answers.answer_life,
    life_labels,
    commands=attrgetter("commands"),
)

QUESTIONS: Final[tuple[Question[Any, Any], ...]] = (
    POSITIONS,
    APPLY,
    DUE_MODULAR,
    DUE_EXTENSIBLE,
    MANUAL,
    LIFE,
)
