"""The policies of one topic as they are stored: events of a topic of policies, which is compacted
(THR-83 to THR-86).

A topic has a local policy and a global one, which other clusters have, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import rates
from evenkeel.reference.throttling.rates import DispatchRate
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.replacing import replace


class Scope(Enum):
    """Which of a topic's two policies."""

    LOCAL = "local"
    GLOBAL = "global"


class Setting(Enum):
    """What a policy limits: the topic, each of its subscriptions, or the one that it names."""

    TOPIC = "topic"
    SUBSCRIPTION = "subscription"
    NAMED = "named"


@dataclass(frozen=True, slots=True)
class Policy:
    """The rates that one policy of a topic has."""

    topic: DispatchRate | None = None
    subscription: DispatchRate | None = None
    named: DispatchRate | None = None


@dataclass(frozen=True, slots=True)
class Both:
    """A topic's policies, None where there is none.

    `latest`: the subscription's own rate in the policy that came last.
    """

    local: Policy | None = None
    global_: Policy | None = None
    latest: DispatchRate | None = None

    def of(self, scope: Scope) -> Policy | None:
        """The policy of one scope."""
        return self.local if scope is Scope.LOCAL else self.global_


@dataclass(frozen=True, slots=True)
class Event:
    """What is stored of a change: the whole policy, None where it is deleted."""

    scope: Scope
    policy: Policy | None


@dataclass(frozen=True, slots=True)
class Stored:
    """The topic of policies, what a broker knows from it, and what the loaded topic took over."""

    events: tuple[Event, ...] = ()
    known: Both = field(default_factory=Both)
    taken: Both = field(default_factory=Both)


def with_policy(both: Both, scope: Scope, policy: Policy | None) -> Both:
    """The policies with one of them changed."""
    if scope is Scope.LOCAL:
        return replace(both, local=policy)
    return replace(both, global_=policy)


@states("THR-84", "THR-86")
def take(taken: Both, scope: Scope, policy: Policy, edition: Edition) -> Both:
    """A topic takes a policy over; by edition it forgets the other one."""
    if edition.topic_policies_share_a_value:
        return Both(local=policy, latest=policy.named)
    return replace(with_policy(taken, scope, policy), latest=policy.named)


@states("THR-83", "THR-86")
def write(stored: Stored, event: Event, edition: Edition) -> Stored:
    """Store an event, which the broker reads at once and the topic follows."""
    known = with_policy(stored.known, event.scope, event.policy)
    taken = stored.taken
    if event.policy is not None:
        taken = take(taken, event.scope, event.policy, edition)
    return Stored((*stored.events, event), known, taken)


@states("THR-5", "THR-83", "THR-85")
def update(
    stored: Stored,
    scope: Scope,
    setting: Setting,
    rate: DispatchRate | None,
    edition: Edition,
    *,
    at_once: bool = False,
) -> Stored:
    """A rate is set, or with None removed; of no policy nothing can be removed.

    An update `at_once` waits until what was written before was read (PIP-428).
    """
    del at_once
    own = stored.known.of(scope)
    if own is None and rate is None:
        return stored
    policy = replace(own or Policy(), **{setting.value: rate})
    return write(stored, Event(scope, policy), edition)


@states("THR-5", "THR-85", "THR-86")
def delete(stored: Stored, edition: Edition, *, partition: bool = False) -> Stored:
    """The topic is deleted with its policies, and made again; by edition the global one stays.

    Where it is only a partition, the other ones have the policies still (#24350).
    """
    if partition:
        return stored
    scopes = (Scope.LOCAL,) if edition.topic_policies_share_a_key else tuple(Scope)
    for scope in scopes:
        stored = write(stored, Event(scope, None), edition)
    return load_topic(stored, edition)


@states("THR-83", "THR-86")
def compact(stored: Stored, edition: Edition) -> Stored:
    """Of the events of one key the last stays, and none if it deletes."""
    shared = edition.topic_policies_share_a_key
    last = {None if shared else event.scope: event for event in stored.events}
    kept = [event for event in last.values() if event.policy is not None]
    return replace(stored, events=tuple(kept))


@states("THR-83", "THR-85", "THR-86")
def load(stored: Stored, edition: Edition) -> Stored:
    """Another broker reads the topic of policies from its beginning, and loads the topic."""
    known = Both()
    for event in stored.events:
        known = with_policy(known, event.scope, event.policy)
    return load_topic(replace(stored, known=known), edition)


@states("THR-5", "THR-83", "THR-85")
def end_load(stored: Stored, edition: Edition) -> Stored:
    """A topic that is loaded has what came since its policies were read, too (#26044)."""
    return load_topic(stored, edition)


@states("THR-83", "THR-86")
def load_topic(stored: Stored, edition: Edition) -> Stored:
    """A topic begins with what its broker knows: the global policy, by edition not that, then the
    local one.
    """
    taken = Both()
    for scope in (Scope.GLOBAL, Scope.LOCAL):
        if scope is Scope.GLOBAL and edition.topic_policies_share_a_value:
            continue
        policy = stored.known.of(scope)
        if policy is not None:
            taken = take(taken, scope, policy, edition)
    return replace(stored, taken=taken)


@states("THR-69", "THR-83", "THR-84", "THR-86")
def in_force(
    stored: Stored,
    setting: Setting,
    namespace: DispatchRate | None,
    configured: DispatchRate,
    edition: Edition,
) -> DispatchRate:
    """The rate of the topic, or of its subscription: the local policy is before the global one."""
    policies = [stored.taken.local or Policy(), stored.taken.global_ or Policy()]
    if setting is Setting.TOPIC:
        places: Iterable[DispatchRate | None] = [policy.topic for policy in policies]
    else:
        own = next((one.named for one in policies if one.named is not None), None)
        if edition.named_policies_overwrite:
            own = stored.taken.latest
        places = [own, *(policy.subscription for policy in policies)]
    return rates.effective((*places, namespace), configured, edition)
