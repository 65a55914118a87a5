"""Dispatch rates: what a limit is, and which of several policies takes effect (THR-1 to THR-6,
THR-69, THR-70).

A limit of 0 or less is no limit, in messages and in bytes alike (document 004, "-1, which means
no limit"; erratum E9).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel_engine.frame.clauses import states

UNLIMITED: Final = -1
BROKER_PERIOD: Final = 1
"""Seconds: limits of the broker's configuration are always per second (erratum E2)."""


class Level(Enum):
    """Where a limit applies; all three at once."""

    BROKER = "broker"
    TOPIC = "topic"
    SUBSCRIPTION = "subscription"

    __hash__ = object.__hash__  # the enumeration's own is many times slower


LEVELS: Final = tuple(Level)


@dataclass(frozen=True, slots=True)
class DispatchRate:
    """Messages and bytes in a period of seconds, 0 or less without a limit, also if it is relative;
    relative: on top of the publish rate.

    A period of 0 seconds or less is refused where something is limited, and taken where nothing is.
    """

    messages: int = UNLIMITED
    bytes: int = UNLIMITED
    period: int = 1
    relative: bool = False


@dataclass(frozen=True, slots=True)
class Limits:
    """Messages and bytes a period at one level. What is in force is -1 without a limit; what is
    configured may be any number of 0 or less then.
    """

    messages: int = UNLIMITED
    bytes: int = UNLIMITED


@dataclass(frozen=True, slots=True)
class BrokerConfig:
    """The six limits of broker.conf."""

    broker: Limits = Limits()
    topic: Limits = Limits()
    subscription: Limits = Limits()

    @states("THR-1", "THR-6", "THR-68")
    def rate(self, level: Level) -> DispatchRate:
        """The limit of this level as a rate: per second, never relative.

        In 4.0.8 `dispatchThrottlingRateRelativeToPublishRate` reaches no limiter of a topic or
        subscription: `AbstractTopic.dispatchRateInBroker` leaves it out.
        """
        limits: Limits = getattr(self, level.value)
        return DispatchRate(limits.messages, limits.bytes, BROKER_PERIOD)


@dataclass(frozen=True, slots=True)
class Policies:
    """What is set for one topic: the configuration, and two policies a level, None where unset.

    `configured` is the running configuration; dynamic changes replace it.
    """

    configured: BrokerConfig
    namespace_topic: DispatchRate | None = None
    namespace_subscription: DispatchRate | None = None
    topic_topic: DispatchRate | None = None
    topic_subscription: DispatchRate | None = None


@states("THR-5")
def with_configuration(policies: Policies, config: BrokerConfig) -> Policies:
    """The running configuration is replaced; limits that it adds are in force at once."""
    return replace(policies, configured=config)


@states("THR-5")
def with_namespace(policies: Policies, level: Level, rate: DispatchRate | None) -> Policies:
    """The namespace's policy for this level is set, or with None removed."""
    if level is Level.TOPIC:
        return replace(policies, namespace_topic=rate)
    return replace(policies, namespace_subscription=rate)


@states("THR-5")
def with_topic(policies: Policies, level: Level, rate: DispatchRate | None) -> Policies:
    """The topic's policy for this level is set, or with None removed."""
    if level is Level.TOPIC:
        return replace(policies, topic_topic=rate)
    return replace(policies, topic_subscription=rate)


@states("THR-93")
def of_system_topic(policies: Policies) -> Policies:
    """What counts of the policies for a topic of the broker's own.

    Source: Pulsar `SystemTopic.getBrokerDispatchRateLimiter`,
    `AbstractTopic.updateTopicPolicyByNamespacePolicy` 4.0.8 (#23589).
    """
    configured = replace(policies.configured, broker=Limits())
    return replace(policies, configured=configured, namespace_topic=None)


@states("THR-1", "THR-68")
def is_limited(rate: DispatchRate) -> bool:
    """Whether a rate limits anything."""
    return rate.messages > 0 or rate.bytes > 0


@states("THR-3", "THR-4")
def counts(policy: DispatchRate, edition: Edition) -> bool:
    """Whether a policy that was set is there at all."""
    return is_limited(policy) or not edition.unlimited_policy_is_absent


@states("THR-2")
def effective(
    policies: Iterable[DispatchRate | None], configured: DispatchRate, edition: Edition
) -> DispatchRate:
    """The first policy that is there, else the configuration; the one found is taken whole."""
    for policy in policies:
        if policy is not None and counts(policy, edition):
            return policy
    return configured


@states("THR-2")
def rate_at(policies: Policies, level: Level, edition: Edition) -> DispatchRate:
    """The rate that takes effect at a level. The broker level has no policies."""
    configured = policies.configured.rate(level)
    if level is Level.BROKER:
        return configured
    if level is Level.TOPIC:
        there = policies.topic_topic, policies.namespace_topic
    else:
        there = policies.topic_subscription, policies.namespace_subscription
    return effective(there, configured, edition)


@states("THR-69", "THR-74")
def of_subscription(
    name: str,
    named: Mapping[str, DispatchRate],
    topic: DispatchRate | None,
    namespace: DispatchRate | None,
    configured: DispatchRate,
    edition: Edition,
) -> DispatchRate:
    """The rate of one subscription: a policy that names it comes before those for all."""
    return effective((named.get(name), topic, namespace), configured, edition)


@states("THR-70")
def of_replicator(
    topic: DispatchRate | None,
    namespace: DispatchRate | None,
    configured: DispatchRate,
    edition: Edition,
) -> DispatchRate:
    """The rate of a replicator; no policy names one."""
    return effective((topic, namespace), configured, edition)


@states("THR-1", "THR-68")
def in_force(rate: DispatchRate) -> Limits:
    """A rate's limits, each -1 where there is none."""
    return Limits(
        rate.messages if rate.messages > 0 else UNLIMITED,
        rate.bytes if rate.bytes > 0 else UNLIMITED,
    )
