"""Which settings count for a topic, and which are refused (SCA-73, SCA-86 to SCA-89)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TypeVar

from evenkeel.reference.scaling.layout import HASHES
from evenkeel.reference.scaling.settings import BucketRules, ScaleRules
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Refusal
from evenkeel_engine.frame.replacing import replace


@dataclass(frozen=True, slots=True)
class ScalePolicy:
    """What a namespace or a topic sets; null: it leaves it open."""

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
    split_floor: float | None = None
    rebucket_cooldown: int | None = None


Settings = TypeVar("Settings", ScaleRules, BucketRules)


class NotValid(Refusal):
    """The settings that would count do not go together, or one of them cannot be."""


@states("SCA-73", "SCA-86", "SCA-87", "SCA-88", "SCA-89")
def in_force(
    config: ScaleRules,
    namespace: ScalePolicy,
    topic: ScalePolicy,
    buckets: BucketRules | None = None,
) -> tuple[ScaleRules, BucketRules | None]:
    """The settings of a topic, whose own come first. Raises `NotValid`.

    Source: Pulsar `AutoScaleConfig.resolve`, `validated` 5.0.0-M1, of entry buckets 5.0.1.
    """
    for policy in (namespace, topic):
        config = over(config, policy)
        buckets = buckets and over(buckets, policy)
    if contradicts_itself(config, buckets) or has_impossible(config, buckets):
        raise NotValid("a controller cannot go by these settings")
    return config, buckets


@states("SCA-73", "SCA-88")
def over(config: Settings, policy: ScalePolicy) -> Settings:
    """These settings, but for what the policy sets."""
    values = {one.name: getattr(policy, one.name, None) for one in fields(config)}
    return replace(config, **{name: value for name, value in values.items() if value is not None})


@states("SCA-86", "SCA-88")
def contradicts_itself(config: ScaleRules, buckets: BucketRules | None = None) -> bool:
    """Whether the documents forbid the settings."""
    if buckets and buckets.rebucket_cooldown < 0:
        return True
    if config.min_segments > config.max_segments:
        return True
    if config.split_cooldown < 0 or config.merge_cooldown < 0:
        return True
    pairs = zip(config.split_above, config.merge_below, strict=True)
    return any(split <= max(merge, 0) for split, merge in pairs)


@states("SCA-87", "SCA-89")
def has_impossible(config: ScaleRules, buckets: BucketRules | None = None) -> bool:
    """Whether a setting is out of its range, of those that the documents leave open."""
    if buckets and (buckets.split_floor < 0 or not 1 <= buckets.max_buckets <= HASHES):
        return True
    least = (config.max_depth, config.merge_window, *config.merge_below)
    return config.min_segments < 1 or min(least) < 0
