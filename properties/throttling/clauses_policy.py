"""Clauses about which limits are in force: `throttling.policy`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evenkeel.properties.clause import Case, Finding, Violation, describe
from evenkeel.properties.findings import Findings, OncePerCase
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.throttling.answers import changed
from evenkeel.properties.throttling.book import check
from evenkeel.properties.throttling.trials_policy import (
    InForce,
    PolicyAnswer,
    PolicyCommand,
    PolicyTrial,
    SetBroker,
    SetNamespace,
    SetTopic,
    Subscribe,
)
from evenkeel.reference.throttling.rates import (
    DispatchRate,
    Level,
    Limits,
    Policies,
    in_force,
    limited,
)

PolicyCase = Case[PolicyTrial, PolicyAnswer]


@dataclass(frozen=True, slots=True)
class Sources:
    """What is set for one level, highest first; the configuration is last and always there."""

    policies: tuple[DispatchRate, ...]
    configured: DispatchRate

    @property
    def all_limit(self) -> bool:
        """Whether every policy that is there limits something."""
        return all(limited(policy) for policy in self.policies)

    def literally(self) -> Limits:
        """The limits if the highest policy takes effect, whatever it says."""
        return in_force((*self.policies, self.configured)[0])

    def without_empty(self) -> Limits:
        """The limits if policies without limits count as absent."""
        return in_force(next((p for p in self.policies if limited(p)), self.configured))


def sources_of(policies: Policies, level: Level) -> Sources:
    """What is set for topic or subscription."""
    if level is Level.TOPIC:
        found = (policies.topic_topic, policies.namespace_topic)
    else:
        found = (policies.topic_subscription, policies.namespace_subscription)
    return Sources(tuple(p for p in found if p is not None), policies.configured.rate(level))


def lowers(command: PolicyCommand) -> bool:
    """Whether a command changes the configuration or removes a policy."""
    removal = isinstance(command, SetNamespace | SetTopic) and command.rate is None
    return removal or isinstance(command, SetBroker)


def walk_policy(case: PolicyCase) -> Findings:
    """What is in force after each command, held against what is set."""
    trial, observed, findings = case.trial, case.observation, Findings()
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(trial.commands):
        findings.note("THR-1", False, f"the broker {describe(observed)}", "shape")
        return findings
    policies, subscribed, lowered = Policies(trial.start), False, False
    for command, result in zip(trial.commands, observed.results, strict=True):
        policies = changed(policies, command)
        subscribed = subscribed or isinstance(command, Subscribe)
        lowered = lowered or lowers(command)
        if not isinstance(result, InForce):
            findings.note("THR-1", False, f"{command}: {result}", "failed")
            return findings
        configured = in_force(policies.configured.rate(Level.BROKER))
        right = result.broker == configured
        findings.note("THR-1", right, f"broker: {configured} is configured, not {result.broker}")
        for level, limits in limits_in(result, subscribed):
            clauses_of(sources_of(policies, level), level, limits, lowered, findings)
    return findings


def limits_in(result: InForce, subscribed: bool) -> Iterator[tuple[Level, Limits]]:
    """The levels that have policies, and what is in force there."""
    yield Level.TOPIC, result.topic
    if subscribed:
        yield Level.SUBSCRIPTION, result.subscription


def clauses_of(
    sources: Sources, level: Level, limits: Limits, lowered: bool, findings: Findings
) -> None:
    """One level after one command."""
    literal, without = sources.literally(), sources.without_empty()
    if literal == without:
        clause = "THR-5" if lowered else "THR-2"
        sentence = f"{level.value}: {literal} must be in force, not {limits}"
        findings.add(clause, None if limits == literal else Violation(sentence, level.value))
        return
    findings.add(
        "THR-3",
        None
        if limits == literal
        else Violation(f"{level.value}: a policy without limits is set, not {limits}", level.value),
    )
    findings.add(
        "THR-4",
        None
        if limits == without
        else Violation(f"{level.value}: {without} must be in force, not {limits}", level.value),
    )


walked = OncePerCase(walk_policy)


@check("THR-1", "throttling.policy")
def nothing_is_no_limit(case: PolicyCase) -> Finding:
    return walked(case).finding("THR-1")


@check("THR-2", "throttling.policy")
def the_highest_policy_takes_effect(case: PolicyCase) -> Finding:
    return walked(case).finding("THR-2")


@check("THR-3", "throttling.policy")
def policies_without_limits_take_effect(case: PolicyCase) -> Finding:
    return walked(case).finding("THR-3")


@check("THR-4", "throttling.policy")
def policies_without_limits_are_absent(case: PolicyCase) -> Finding:
    return walked(case).finding("THR-4")


@check("THR-5", "throttling.policy")
def changes_take_effect(case: PolicyCase) -> Finding:
    return walked(case).finding("THR-5")
