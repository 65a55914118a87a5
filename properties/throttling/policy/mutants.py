"""Mutants of policies."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant_maker import (
    Function,
    defect,
    defect_of,
    instead,
    switched,
)
from evenkeel.properties.throttling.policy import trial
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.throttling import rates
from evenkeel.reference.throttling.rates import BrokerConfig, DispatchRate, Level, Limits, Policies


@defect_of(
    rates,
    "with_topic",
    "Of two updates of a policy that follow each other the later one is dropped.",
    "DT24",
)
def second_update_lost(original: Function) -> Function:
    def with_topic(policies: Policies, level: Level, rate: DispatchRate | None) -> Policies:
        before = policies.topic_topic if level is Level.TOPIC else policies.topic_subscription
        if before is not None and rate is not None:
            return policies
        changed: Policies = original(policies, level, rate)
        return changed

    return with_topic


@defect_of(
    trial,
    "changed",
    "A limit that is first configured while the broker runs never takes effect.",
    "DT18",
)
def configuration_changes_existing_limits_only(original: Function) -> Function:
    def changed(policies: Policies, command: Any) -> Policies:
        after: Policies = original(policies, command)
        before, now = policies.configured, after.configured
        kept = {
            level.value: getattr(now, level.value)
            for level in Level
            if level is Level.BROKER or rates.limited(before.rate(level))
        }
        return replace(after, configured=BrokerConfig(**{**fields_of(before), **kept}))

    return changed


def fields_of(config: BrokerConfig) -> dict[str, Limits]:
    return {level.value: getattr(config, level.value) for level in Level}


MUTANTS: Final = (
    defect(
        "removal-ignored",
        rates,
        "with_topic",
        instead(lambda _policies, _level, rate: rate is None, lambda policies, *_: policies),
        "The limit stays after its policy was removed.",
        "DT17",
    ),
    defect(
        "zero-is-a-limit",
        rates,
        "in_force",
        lambda _: lambda rate: Limits(rate.messages, rate.bytes),
        "A limit of 0 is told as a limit.",
    ),
    defect(
        "unlimited-policy-counts",
        rates,
        "counts",
        switched(unlimited_policy_is_absent=False),
        "A policy of -1 lifts the limits below it, unlike 4.0.",
        edition=PULSAR_4_0,
    ),
)
