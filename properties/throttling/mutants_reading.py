"""Mutants of read limits and policies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant import Mutant
from evenkeel.properties.throttling import answers
from evenkeel.properties.throttling.mutant_maker import (
    Function,
    correct,
    defect,
    switched,
    then,
)
from evenkeel.reference.edition import PULSAR_4_0, Edition
from evenkeel.reference.throttling import rates, reading
from evenkeel.reference.throttling.rates import BrokerConfig, DispatchRate, Level, Limits, Policies
from evenkeel.reference.throttling.reading import Blocked, Read, Reader


def _cap_if_positive(original: Function) -> Function:
    def limited(read: Read, left: Limits, reader: Reader, edition: Edition) -> Read:
        messages = left.messages if left.messages > 0 else -1
        capped: Read = original(read, Limits(messages, left.bytes), reader, edition)
        return capped

    return limited


def _no_bytes(original: Function) -> Function:
    def limited(read: Read, left: Limits, reader: Reader, edition: Edition) -> Read:
        capped: Read = original(read, Limits(left.messages, -1), reader, edition)
        return capped

    return limited


def _without_broker(original: Function) -> Function:
    def read_limits(reader: Reader, levels: Sequence[Limits], edition: Edition) -> Any:
        return original(reader, levels[1:], edition)

    return read_limits


def _last_level_only(original: Function) -> Function:
    def read_limits(reader: Reader, levels: Sequence[Limits], edition: Edition) -> Any:
        return original(reader, levels[-1:], edition)

    return read_limits


def _never_again(outcome: Read | Blocked) -> Read | Blocked:
    return Blocked(None) if isinstance(outcome, Blocked) else outcome


def _permits_as_entries(reader: Reader) -> int:
    return reader.permits


def _nothing_rather_than_one(original: Function) -> Function:
    def read_limits(reader: Reader, levels: Sequence[Limits], edition: Edition) -> Any:
        outcome = original(reader, levels, edition)
        small = isinstance(outcome, Read) and outcome.bytes < 2
        return Read(0, outcome.bytes) if small else outcome

    return read_limits


def _sooner(outcome: Read | Blocked) -> Read | Blocked:
    waits = isinstance(outcome, Blocked) and outcome.reread is not None
    return Blocked(5) if waits else outcome


def _fewer(entries: int) -> int:
    return max(1, entries // 2)


READING: Final[tuple[Mutant, ...]] = (
    defect(
        "zero-quota-does-not-cap",
        reading,
        "limited",
        _cap_if_positive,
        "A quota that another dispatcher used up meanwhile no longer limits the read.",
        "DT31",
    ),
    defect(
        "bytes-do-not-limit-reads",
        reading,
        "limited",
        _no_bytes,
        "A limit in bytes is charged but never stops a read.",
        "DT14",
    ),
    defect(
        "broker-limit-not-consulted",
        reading,
        "read_limits",
        _without_broker,
        "Each topic keeps its limit, and all together exceed the broker's.",
    ),
    defect(
        "only-the-last-level-limits",
        reading,
        "read_limits",
        _last_level_only,
        "A subscription's limit hides those of its topic and broker.",
    ),
    defect(
        "quota-counted-in-entries",
        reading,
        "quota_in_entries",
        switched(precise_divides_permits=True),
        "With batches, precise flow control still delivers many times the limit.",
        "DT4",
    ),
    defect(
        "permits-used-as-entries",
        reading,
        "wanted",
        lambda _: _permits_as_entries,
        "A consumer with room for 500 messages is sent 500 batches.",
        "DT5",
    ),
    defect(
        "quota-cut-to-32-bits",
        reading,
        "quota_in_entries",
        switched(quota_cut_to_32_bits=True),
        "A quota of 4,294,967,296 messages stops reading.",
        "DT33",
    ),
    defect(
        "no-new-look-after-blocking",
        reading,
        "read_limits",
        then(_never_again),
        "Consumers stop receiving once a quota was used up.",
        "DT19",
    ),
    defect(
        "empty-read",
        reading,
        "read_limits",
        _nothing_rather_than_one,
        "With a byte left, a read of no entries is asked for.",
    ),
    defect(
        "limits-cannot-be-off",
        answers,
        "reader_of",
        then(lambda reader: replace(reader, throttled=True)),
        "Subscriptions without backlog are limited although they are exempt.",
    ),
    defect(
        "limits-are-off",
        answers,
        "reader_of",
        then(lambda reader: replace(reader, throttled=False)),
        "No limit stops any read.",
    ),
    defect(
        "precise-divides-the-quota",
        reading,
        "quota_in_entries",
        switched(precise_divides_permits=False),
        "In precise mode less is read than by 4.0.",
        edition=PULSAR_4_0,
    ),
    correct(
        "looks-again-sooner",
        reading,
        "read_limits",
        then(_sooner),
        "A dispatcher without quota looks again after 5 ms.",
    ),
    correct(
        "reads-fewer",
        reading,
        "wanted",
        then(_fewer),
        "A dispatcher asks for half of what it could.",
    ),
)

# -------------------------------------------------------------------------------- policies


def _combine(original: Function) -> Function:
    def effective(
        topic: DispatchRate | None,
        namespace: DispatchRate | None,
        broker: DispatchRate,
        edition: Edition,
    ) -> DispatchRate:
        chosen: DispatchRate = original(topic, namespace, broker, edition)
        lower = namespace if topic is not None and namespace is not None else broker
        return chosen if chosen.bytes > 0 else replace(chosen, bytes=lower.bytes)

    return effective


def _swap(original: Function) -> Function:
    return lambda topic, namespace, *rest: original(namespace, topic, *rest)


def _removal_ignored(original: Function) -> Function:
    def with_topic(policies: Policies, level: Level, rate: DispatchRate | None) -> Policies:
        if rate is None:
            return policies
        changed: Policies = original(policies, level, rate)
        return changed

    return with_topic


def _second_update_lost(original: Function) -> Function:
    def with_topic(policies: Policies, level: Level, rate: DispatchRate | None) -> Policies:
        before = policies.topic_topic if level is Level.TOPIC else policies.topic_subscription
        if before is not None and rate is not None:
            return policies
        changed: Policies = original(policies, level, rate)
        return changed

    return with_topic


def _limits_only_grow_from_limits(original: Function) -> Function:
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
    """The six limits by level."""
    return {level.value: getattr(config, level.value) for level in Level}


def _zero_is_a_limit(original: Function) -> Function:
    return lambda rate: Limits(rate.messages, rate.bytes)


def _subscription_takes_topics(original: Function) -> Function:
    def rate_at(policies: Policies, level: Level, edition: Edition) -> DispatchRate:
        wanted = Level.TOPIC if level is Level.SUBSCRIPTION else level
        rate: DispatchRate = original(policies, wanted, edition)
        return rate

    return rate_at


POLICIES: Final[tuple[Mutant, ...]] = (
    defect(
        "policies-combined",
        rates,
        "effective",
        _combine,
        "A topic policy without a byte limit takes the namespace's bytes.",
    ),
    defect(
        "namespace-before-topic",
        rates,
        "effective",
        _swap,
        "A topic's own policy has no effect while the namespace has one.",
    ),
    defect(
        "removal-ignored",
        rates,
        "with_topic",
        _removal_ignored,
        "The limit stays after its policy was removed.",
        "DT17",
    ),
    defect(
        "second-update-lost",
        rates,
        "with_topic",
        _second_update_lost,
        "Of two updates of a policy that follow each other the later one is dropped.",
        "DT24",
    ),
    defect(
        "configuration-changes-existing-limits-only",
        answers,
        "changed",
        _limits_only_grow_from_limits,
        "A limit that is first configured while the broker runs never takes effect.",
        "DT18",
    ),
    defect(
        "zero-is-a-limit",
        rates,
        "in_force",
        _zero_is_a_limit,
        "A limit of 0 is told as a limit.",
    ),
    defect(
        "subscription-takes-the-topics-policy",
        rates,
        "rate_at",
        _subscription_takes_topics,
        "The policy for subscriptions has no effect.",
    ),
    defect(
        "unlimited-policy-falls-through",
        rates,
        "counts",
        switched(unlimited_policy_is_absent=True),
        "Setting a topic to unlimited leaves it at the namespace's limit.",
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
