"""Which settings count for a topic: its own, its namespace's, the broker's (SCA-73)."""

from __future__ import annotations

from dataclasses import dataclass, fields

from evenkeel.reference.scaling.settings import ScaleRules
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.replacing import replace


@dataclass(frozen=True, slots=True)
class ScalePolicy:
    """What a namespace or a topic sets of `ScaleRules`; null: it leaves it open."""

    enabled: bool | None = None
    max_segments: int | None = None
    min_segments: int | None = None
    max_depth: int | None = None
    split_cooldown: int | None = None
    merge_cooldown: int | None = None
    merge_window: int | None = None
    split_msg_in: float | None = None
    split_bytes_in: int | None = None
    split_msg_out: float | None = None
    split_bytes_out: int | None = None
    merge_msg_in: float | None = None
    merge_bytes_in: int | None = None
    merge_msg_out: float | None = None
    merge_bytes_out: int | None = None


@states("SCA-73")
def in_force(config: ScaleRules, namespace: ScalePolicy, topic: ScalePolicy) -> ScaleRules:
    """The settings of a topic, whose own come first.

    Source: Pulsar `AutoScaleConfig.resolve` 5.0.0-M1.
    """
    for policy in (namespace, topic):
        config = over(config, policy)
    return config


@states("SCA-73")
def over(config: ScaleRules, policy: ScalePolicy) -> ScaleRules:
    """These settings, but for what the policy sets."""
    values = {one.name: getattr(policy, one.name) for one in fields(policy)}
    return replace(config, **{name: value for name, value in values.items() if value is not None})
