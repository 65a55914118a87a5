"""Which settings count for a topic, and which are refused (SCA-73, SCA-86 to SCA-89)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final

from evenkeel.properties.scaling.decision import PAIR, draw_rules
from evenkeel.reference.edition import Edition
from evenkeel.reference.scaling import policy
from evenkeel.reference.scaling.policy import ScalePolicy
from evenkeel.reference.scaling.settings import BucketRules, ScaleRules
from evenkeel_engine.frame.replacing import replace
from evenkeel_engine.kit.clause import Case, describe
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import decision, is_must
from evenkeel_engine.kit.observations import Refused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run
from evenkeel_engine.kit.trial import OMITTABLE, require, require_bounds

NAMES: Final = tuple(one.name for one in fields(ScaleRules))
OF_BUCKETS: Final = ("split_floor", "rebucket_cooldown")


@dataclass(frozen=True, slots=True)
class PolicyTrial:
    """`scaling.policy`: which settings count for a topic, or that they are refused.

    `config` is the broker's. The namespace sets some others, and so does the topic; null: not this
    one. What they set may be out of range, and no level need make sense without the others.
    `buckets` are the broker's settings of entry buckets; null: those of no level count.
    """

    config: ScaleRules
    namespace: ScalePolicy = ScalePolicy()
    topic: ScalePolicy = ScalePolicy()
    buckets: BucketRules | None = field(default=None, metadata=OMITTABLE)

    def __post_init__(self) -> None:
        require_bounds(self.config)
        levels = {"namespace": self.namespace, "topic": self.topic, "buckets": self.buckets}
        for place, level in levels.items():
            for name, value in asdict(level).items() if level else ():
                most = 2**53 if name.endswith(("_in", "_out")) else 2**31 - 1
                require(abs(value or 0) <= most, f"{place}.{name}", f"must be ±{most} at most")


@dataclass(frozen=True, slots=True)
class PolicyAnswer:
    """The settings that count for the topic; of entry buckets only where they are asked for."""

    config: ScaleRules
    buckets: BucketRules | None = field(default=None, metadata=OMITTABLE)


def policy_trial(draw: Draw) -> PolicyTrial:
    """Each level sets few settings or most; most trials are then moved to a bound, or past it."""
    config, namespace, topic = draw_rules(draw, 4, 2), draw_policy(draw), draw_policy(draw)
    if draw.chance(0.6):
        edge = draw_edge(draw, settings_of(PolicyTrial(config, namespace, topic)))
        if draw.chance(0.3):
            namespace = replace(namespace, **edge)
        else:
            topic = replace(topic, **edge)
        if draw.chance(0.6):
            return PolicyTrial(config, namespace, topic)
    least = draw.pick((0, 0, -1))
    most = draw.pick((1024, 16, 1, 65_536, least, 65_537))
    floors, cooldowns = (None, None, 0.0, 250.0, float(least)), (None, None, 0, 1, least)
    namespace, topic = (
        replace(one, split_floor=draw.pick(floors), rebucket_cooldown=draw.pick(cooldowns))
        for one in (namespace, topic)
    )
    return PolicyTrial(config, namespace, topic, BucketRules(most, draw.pick((1000.0, 0.0))))


def draw_policy(draw: Draw) -> ScalePolicy:
    """What one level sets: of a pair that depends on one another both or none."""
    share, other = draw.pick((0.0, 0.2, 0.8)), draw_rules(draw, draw.integer(1, 9), 2)
    sets = {PAIR.get(name, name): draw.chance(share) for name in NAMES}
    some = {name: getattr(other, name) for name in NAMES if sets[PAIR.get(name, name)]}
    return ScalePolicy(**some)


def draw_edge(draw: Draw, value: dict[str, Any]) -> dict[str, Any]:
    """A setting about its bound, which for some is what counts of another one."""
    name, others = draw.pick(NAMES[1:]), {**PAIR, **{low: high for high, low in PAIR.items()}}
    kind, other = type(value[name]), others.get(name)
    bound = value[other] if other and draw.chance(0.6) else 0
    changed = {name: kind(bound + draw.pick((0, 0, -1, -1, 1)))}
    if bound == 0 and name in PAIR and draw.chance(0.5):
        changed[PAIR[name]] = kind(-2)
    return changed


def answer_policy(trial: PolicyTrial, edition: Edition) -> PolicyAnswer:
    """The reference's answer."""
    asked = None if edition.segments_without_buckets else trial.buckets
    return PolicyAnswer(*policy.in_force(trial.config, trial.namespace, trial.topic, asked))


def policy_labels(trial: PolicyTrial) -> Iterator[str]:
    """Which levels set something, and by which clauses that is to be refused."""
    for place, level in (("namespace", trial.namespace), ("topic", trial.topic)):
        if level != ScalePolicy():
            yield f"of the {place}"
    yield from sorted({f"refused by {clause}" for clause, _ in why_refused(trial)})


LEAST: Final = {
    **dict.fromkeys(("split_cooldown", "merge_cooldown"), ("SCA-86", 0)),
    **dict.fromkeys(("merge_window", "max_depth", *PAIR.values()), ("SCA-87", 0)),
    "min_segments": ("SCA-87", 1),
    "rebucket_cooldown": ("SCA-88", 0),
    "split_floor": ("SCA-89", 0),
    "max_buckets": ("SCA-89", 1),
}
"""What a setting is at least, and the clause by which it is refused below that."""


def settings_of(trial: PolicyTrial) -> dict[str, Any]:
    """What counts in the end of each setting that is asked for."""
    levels: tuple[Any, ...] = (trial.topic, trial.namespace, trial.config, trial.buckets)
    names = NAMES if trial.buckets is None else (*NAMES, "max_buckets", *OF_BUCKETS)
    found = {name: [getattr(level, name, None) for level in levels] for name in names}
    return {name: next(one for one in each if one is not None) for name, each in found.items()}


def why_refused(trial: PolicyTrial) -> Iterator[tuple[str, str]]:
    """Why what counts is refused: clauses, each with the reason."""
    value = settings_of(trial)
    for name, (clause, least) in LEAST.items():
        if value.get(name, least) < least:
            yield clause, f"{name} is {value[name]}"
    for high, low in PAIR.items():
        least = value[low] if high == "max_segments" else max(value[low], 0)
        if value[high] < least or (value[high] == least and high != "max_segments"):
            yield "SCA-86", f"{high} is {value[high]}, and {low} {value[low]}"
    if value.get("max_buckets", 0) > 2**16:
        yield "SCA-89", f"max_buckets is {value['max_buckets']}"


def may_refuse(value: dict[str, Any], edition: str) -> bool:
    """Whether a setting that counts is out of the bounds of its type."""
    every = (*fields(ScaleRules), *fields(BucketRules))
    bounds = {one.name: one.metadata["bounds"] for one in every if one.name in value}
    outside = (each and not each[0] <= value[name] <= each[1] for name, each in bounds.items())
    return not is_must("SCA-31", edition) and any(outside)


@decision("scaling.policy", "SCA-73", "SCA-86", "SCA-87", "SCA-88", "SCA-89")
def judge_policy(run: Run, case: Case[PolicyTrial, PolicyAnswer]) -> None:
    trial, observed, edition = case.trial, case.observation, case.edition.name
    refused = [one for one in why_refused(trial) if is_must(one[0], edition)]
    for clause, why in refused:
        sentence = f"{why}, but the subject {describe(observed)}"
        run.require(clause, isinstance(observed, Refused), sentence, why.partition(" ")[0])
    value = settings_of(trial)
    if refused or (isinstance(observed, Refused) and may_refuse(value, edition)):
        return
    for clause, kind, name in (
        ("SCA-73", ScaleRules, "config"),
        ("SCA-88", BucketRules, "buckets"),
    ):
        if clause == "SCA-73" or (trial.buckets is not None and is_must(clause, edition)):
            right = kind(**{one.name: value[one.name] for one in fields(kind)})
            why = f"must be {display(right)}, but the subject {describe(observed)}"
            run.require(clause, getattr(observed, name, None) == right, why)


POLICY: Final = Question(
    "scaling.policy",
    PolicyTrial,
    PolicyAnswer,
    policy_trial,
    answer_policy,
    policy_labels,
    exempt=Exempt(
        unmet={
            r"(Scale(Rules|Policy)|BucketRules)\..*": (
                "settings are taken over as they are; `scaling.decision` has each threshold at "
                "its bounds"
            )
        }
    ),
)

QUESTIONS: Final = (POLICY,)
