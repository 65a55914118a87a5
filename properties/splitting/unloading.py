"""Whether the children of an automatic split are unloaded (SPL-73, SPL-74)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evenkeel.properties.names import require_broker, require_new_bundle
from evenkeel.properties.splitting.manual import Manager
from evenkeel.reference.bundles.ranges import TOP_HASH, range_name
from evenkeel.reference.edition import Edition
from evenkeel.reference.splitting import unloading
from evenkeel.reference.splitting.settings import UnloadRules
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.judge import answers, decision, is_must
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run
from evenkeel_engine.kit.trial import require, require_different

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
    """`splitting.unloading`: these bundles exceed a threshold and are split automatically; which of
    the splits unload their children?

    `brokers` are all active ones, the owners among them; each may serve every bundle. The leader
    knows more than one, of which those that are not named have left by now.
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


BROKERS: Final = ("broker-1:8080", "broker-2:8080", "broker-3:8080")
RANGES: Final = ((0, 0x80000000), (0x80000000, TOP_HASH), (0x40000000, 0x40000002))


def unloading_trial(draw: Draw) -> UnloadingTrial:
    """Up to six bundles; mostly several brokers, and the default setting."""
    manager = draw.pick(tuple(Manager))
    brokers = BROKERS[: draw.integer(1, len(BROKERS))]
    splits: dict[str, str] = {}
    for _ in draw.items(6, 0.6, least=1):
        lower, upper = draw.pick(RANGES)
        name = f"{draw.pick(('t/ns', 't/ns2'))}/{range_name(lower, upper)}"
        splits[name] = draw.pick(brokers)
    owned = tuple(OwnedBundle(bundle, owner) for bundle, owner in splits.items())
    return UnloadingTrial(manager, UnloadRules(not draw.chance(0.3)), brokers, owned)


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
    """The manager, and what may prevent unloading."""
    yield trial.manager.value
    if not trial.config.unload_split:
        yield "switched off"
    if len(trial.brokers) == 1:
        yield "one broker"


@decision("splitting.unloading", "SPL-73", "SPL-74")
def judge_unloading(run: Run, case: Case[UnloadingTrial, UnloadingAnswer]) -> None:
    trial, exact = case.trial, is_must("SPL-74", case.edition.name)
    clause = "SPL-74" if exact else "SPL-73"
    if not answers(run, case, clause) or not isinstance(case.observation, UnloadingAnswer):
        return
    unloads = case.observation.unloads
    if len(unloads) != len(trial.splits):
        run.require(
            clause, False, f"{len(unloads)} answers for {len(trial.splits)} splits", "count"
        )
    enabled = trial.config.unload_split
    alone = len(trial.brokers) == 1
    never = exact and (trial.manager is Manager.EXTENSIBLE or alone)
    for split, unload in zip(trial.splits, unloads, strict=False):
        if never or not enabled:
            why = f"the children of {split.bundle} must stay with {split.owner}"
            run.require(clause, not unload, why, "unloaded")
        elif not alone:
            why = f"the children of {split.bundle} must be unloaded from {split.owner}"
            run.require(clause, unload, why, "kept")


UNLOADING: Final = Question(
    "splitting.unloading",
    UnloadingTrial,
    UnloadingAnswer,
    unloading_trial,
    answer_unloading,
    unloading_labels,
    exempt=Exempt(
        subjects={
            "does nothing after 10 rounds": (
                "One value for each key or bundle of the request; these are no rounds."
            )
        },
        unmet={r"\w+\.brokers: empty": "there is no broker to be asked"},
    ),
)

QUESTIONS: Final = (UNLOADING,)
