"""Which settings count for a topic (SCA-73)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, Final

from evenkeel.properties.scaling.decision import draw_rules, require_rules, why_refused
from evenkeel.reference.edition import Edition
from evenkeel.reference.scaling import policy
from evenkeel.reference.scaling.policy import ScalePolicy
from evenkeel.reference.scaling.settings import ScaleRules
from evenkeel_engine.frame.replacing import replace
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.judge import decision, require_equal
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run

NAMES: Final = tuple(one.name for one in fields(ScaleRules))


@dataclass(frozen=True, slots=True)
class PolicyTrial:
    """`scaling.policy`: which settings count for a topic.

    `config` is the broker's. The namespace sets some others, and so does the topic; null: not this
    one. A controller accepts the broker's, what counts in the namespace, and what counts for the
    topic.
    """

    config: ScaleRules
    namespace: ScalePolicy = ScalePolicy()
    topic: ScalePolicy = ScalePolicy()

    def __post_init__(self) -> None:
        require_rules(self.config)
        require_rules(first_set(self.config, self.namespace))
        require_rules(first_set(self.config, self.namespace, self.topic))


@dataclass(frozen=True, slots=True)
class PolicyAnswer:
    """The settings that count for the topic."""

    config: ScaleRules


def first_set(config: ScaleRules, *policies: ScalePolicy) -> ScaleRules:
    """Of each setting the value of the last one that sets it."""
    levels: tuple[Any, ...] = (*reversed(policies), config)
    found = {name: [getattr(level, name) for level in levels] for name in NAMES}
    return ScaleRules(
        **{name: next(one for one in set_ if one is not None) for name, set_ in found.items()}
    )


def policy_trial(draw: Draw) -> PolicyTrial:
    """Each level sets few settings or most, and what it sets is accepted."""
    config = draw_rules(draw, 4, 2)
    namespace, there = draw_policy(draw, config)
    topic, _ = draw_policy(draw, there)
    return PolicyTrial(config, namespace, topic)


def draw_policy(draw: Draw, below: ScaleRules) -> tuple[ScalePolicy, ScaleRules]:
    """What one level sets, of settings that are accepted, and what counts there."""
    found, there = ScalePolicy(), below
    if draw.chance(0.3):
        return found, there
    share, other = draw.pick((0.2, 0.8)), draw_rules(draw, draw.integer(1, 9), draw.integer(0, 3))
    for name in NAMES:
        value = {name: getattr(other, name)}
        if draw.chance(share) and not why_refused(changed := replace(there, **value)):
            found, there = replace(found, **value), changed
    return found, there


def answer_policy(trial: PolicyTrial, edition: Edition) -> PolicyAnswer:
    """The reference's answer."""
    return PolicyAnswer(policy.in_force(trial.config, trial.namespace, trial.topic))


def policy_labels(trial: PolicyTrial) -> Iterator[str]:
    """Which levels set something, and whether both set the same."""
    both = [(getattr(trial.namespace, name), getattr(trial.topic, name)) for name in NAMES]
    if any(one is not None for one, _ in both):
        yield "of the namespace"
    if any(one is not None for _, one in both):
        yield "of the topic"
    if any(one is not None and other is not None for one, other in both):
        yield "of both"


@decision("scaling.policy", "SCA-73")
def judge_policy(run: Run, case: Case[PolicyTrial, PolicyAnswer]) -> None:
    trial = case.trial
    right = PolicyAnswer(first_set(trial.config, trial.namespace, trial.topic))
    require_equal(run, case, "SCA-73", right, "the settings of the topic")


POLICY: Final = Question(
    "scaling.policy",
    PolicyTrial,
    PolicyAnswer,
    policy_trial,
    answer_policy,
    policy_labels,
    exempt=Exempt(
        unmet={
            r"Scale(Rules|Policy)\..*": (
                "settings are taken over as they are; `scaling.decision` has each threshold at "
                "its bounds"
            )
        }
    ),
)

QUESTIONS: Final = (POLICY,)
