"""The limit of one subscription that a policy names, and of a replicator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from evenkeel.properties.throttling.policy import draw_limits, draw_policy_rate, first_of
from evenkeel.properties.throttling.trial_parts import require_policy_rate, require_rate
from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import rates
from evenkeel.reference.throttling.rates import BROKER_PERIOD, DispatchRate, Limits
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.judge import answers, decision
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run, fill
from evenkeel_engine.kit.trial import require


class Limited(Enum):
    """Whose limit is asked for."""

    SUBSCRIPTION = "subscription"
    REPLICATOR = "replicator"


@dataclass(frozen=True, slots=True)
class NamedPolicy:
    """The topic's policy for its subscription of this name."""

    name: str
    rate: DispatchRate


@dataclass(frozen=True, slots=True)
class NamedTrial:
    """`throttling.named`: the limit of one subscription of a topic, or of one of its replicators.

    `configured`, `namespace` and `topic` say what holds for every subscription, or for every
    replicator, of the topic; null is no policy. `named` are the topic's policies for single
    subscriptions, of any name, one at most for each; replicators have none. A subject without
    replicators, or without policies that name a subscription, skips a trial with them.
    """

    limited: Limited
    name: str
    configured: Limits
    namespace: DispatchRate | None
    topic: DispatchRate | None
    named: tuple[NamedPolicy, ...]

    def __post_init__(self) -> None:
        require_policy_rate("namespace", self.namespace)
        require_policy_rate("topic", self.topic)
        require_rate("configured", DispatchRate(self.configured.messages, self.configured.bytes))
        names = [policy.name for policy in self.named]
        require(len(set(names)) == len(names), "named", "must name each subscription once")
        alone = self.limited is Limited.SUBSCRIPTION or not names
        require(alone, "named", "must be empty for a replicator")
        for index, policy in enumerate(self.named):
            require_policy_rate(f"named[{index}].rate", policy.rate)


@dataclass(frozen=True, slots=True)
class NamedAnswer:
    """The limits in force, -1 without a limit."""

    limits: Limits


NAMES: Final = ("s", "S", "s-1", "s-10", "s ", "*", "é", "e\u0301")


def named_trial(draw: Draw) -> NamedTrial:
    limited, name = draw.pick(tuple(Limited)), draw.pick(NAMES)
    named: list[NamedPolicy] = []
    if limited is Limited.SUBSCRIPTION:
        for other in draw.sample(NAMES, 3):
            rate = draw_policy_rate(draw)
            named += [] if rate is None else [NamedPolicy(other, rate)]
    everywhere = draw_policy_rate(draw), draw_policy_rate(draw)
    return NamedTrial(limited, name, draw_limits(draw), *everywhere, tuple(named))


def answer_named(trial: NamedTrial, edition: Edition) -> NamedAnswer:
    configured = DispatchRate(trial.configured.messages, trial.configured.bytes, BROKER_PERIOD)
    places = trial.topic, trial.namespace, configured, edition
    if trial.limited is Limited.REPLICATOR:
        return NamedAnswer(rates.in_force(rates.of_replicator(*places)))
    named = {policy.name: policy.rate for policy in trial.named}
    return NamedAnswer(rates.in_force(rates.of_subscription(trial.name, named, *places)))


def named_labels(trial: NamedTrial) -> Iterator[str]:
    yield trial.limited.value
    if any(policy.name == trial.name for policy in trial.named):
        yield "named"


@decision("throttling.named", "THR-4", "THR-69", "THR-70", "THR-74")
def judge_named(run: Run, case: Case[NamedTrial, NamedAnswer]) -> None:
    """The first policy that is there decides; whether one without limits is there is THR-4's."""
    trial, observed = case.trial, case.observation
    clause = "THR-69" if trial.limited is Limited.SUBSCRIPTION else "THR-70"
    if not answers(run, case, clause) or isinstance(observed, Refused | Broke):
        return
    own = [one.rate for one in trial.named if one.name == trial.name]
    places = [*own, trial.topic, trial.namespace]
    first, limiting = first_of(places, trial.configured)
    kind = trial.limited.value
    right, limits = {first, limiting}, observed.limits
    if trial.named:
        known = [first_of([one], trial.configured)[0] for one in (*places, None)]
        messages = limits.messages <= 0 or limits.messages in {one.messages for one in known}
        sizes = limits.bytes <= 0 or limits.bytes in {one.bytes for one in known}
        why = fill("{} {}: {} is in force, and for another one", kind, trial.name, limits)
        run.require("THR-74", messages and sizes, why, kind)
    sentence = "{} {}: {} must be in force, not {}"
    run.require(clause, limits in right, fill(sentence, kind, trial.name, limiting, limits), kind)
    if first != limiting:
        sentence = "{} {}: a policy without limits counts as absent, so {} is in force, not {}"
        why = fill(sentence, kind, trial.name, limiting, limits)
        run.require("THR-4", limits == limiting, why, kind)


NAMED: Final = Question(
    "throttling.named", NamedTrial, NamedAnswer, named_trial, answer_named, named_labels
)

QUESTIONS: Final = (NAMED,)
